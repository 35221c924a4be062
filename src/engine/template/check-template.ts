/** `check`: a text against the specification and, where there are any, against saved capability reports. */
import type { ErrorShape } from '../../shared/errors.ts';
import type { TemplateCheck } from '../../shared/model.ts';
import { TEMPLATE_LIMITS } from './limits.ts';
import { readTemplate } from './parse-template.ts';
import { readSavedCapabilities } from './saved-capabilities.ts';

export interface CheckOptions {
  /** A name for messages. */
  readonly file?: string;
  /** Reports as `caps --json` and the app save them. */
  readonly capabilities?: readonly { readonly text: string; readonly file: string }[];
}

/**
 * Against the specification, and where that finds nothing against each saved report: those errors
 * name their device. Throws `unreadable-file` or `input-too-large` where a report is none.
 */
export function checkTemplate(text: string, { file, capabilities = [] }: CheckOptions = {}): TemplateCheck {
  const saved = capabilities.flatMap((report) => readSavedCapabilities(report.text, report.file));
  const template = readTemplate(text, file);
  const { errors: general, summary } = template.check();
  const errors: ErrorShape[] = [...general];
  for (const { device, limits } of general.length > 0 ? [] : saved) {
    if (errors.length >= TEMPLATE_LIMITS.errors) break;
    errors.push(...template.check(limits).errors.map((error) => ({ ...error, device })));
  }
  return { ok: errors.length === 0, errors, ...(summary === undefined ? {} : { summary }) };
}
