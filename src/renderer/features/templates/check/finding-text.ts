import { revealHiddenCharacters } from '#renderer/common/labels/format.ts';
import type { Fix } from './findings.ts';

type Translate = (key: string, named?: Record<string, unknown>) => string;
export function fixText(fix: Fix, t: Translate): string {
  return t(`templates.fix.${fix.kind}`, { name: revealHiddenCharacters(fix.name) });
}
