import type { Fix } from './findings.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';
export function fixText(fix: Fix, t: Translate): string {
  return t(`templates.fix.${fix.kind}`, { name: fix.name });
}
