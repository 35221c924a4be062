/** `check`: a text against the specification and, where there are any, against saved capability reports. */
import type { ErrorShape } from '#shared/errors.ts';
import type { TemplateCheck } from '#shared/model.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { readTemplate } from '../parse-template.ts';
import { readSavedCapabilities, type SavedCapabilities } from '../saved-capabilities.ts';

interface CheckOptions {
  /** A name for messages. */
  readonly file?: string;
  /** Reports as `caps --json` and the app save them. */
  readonly capabilities?: readonly { readonly text: string; readonly file: string }[];
  /** Reports of devices that are known already. */
  readonly reported?: readonly SavedCapabilities[];
}

/**
 * Against the specification, and where that finds nothing against each saved report: those errors
 * name their device. Warnings are beside the errors and make nothing wrong. Throws `unreadable-file` or `input-too-large` where a report is none.
 */
export function checkTemplate(
  text: string,
  { file, capabilities = [], reported = [] }: CheckOptions = {},
): TemplateCheck {
  const saved = [
    ...reported,
    ...capabilities.flatMap((report) => readSavedCapabilities(report.text, report.file)),
  ];
  const template = readTemplate(text, file);
  const general = template.check();
  const { summary } = general;
  const asked = general.errors.length > 0 ? [] : saved;
  const errors: ErrorShape[] = [...general.errors];
  // A value that is unusual in general may be wrong for one device, or normal for another.
  const warnings: ErrorShape[] = asked.length > 0 ? [] : [...general.warnings];
  for (const { device, limits } of asked) {
    if (errors.length >= TEMPLATE_LIMITS.errors) break;
    const found = template.check(limits);
    errors.push(...found.errors.map((error) => ({ ...error, device })));
    if (warnings.length < TEMPLATE_LIMITS.errors)
      warnings.push(...found.warnings.map((warning) => ({ ...warning, device })));
  }
  return { ok: errors.length === 0, errors, warnings, summary };
}
