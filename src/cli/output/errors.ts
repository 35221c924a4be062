/** An error in words for a person at a terminal. */
import type { ErrorShape } from '../../shared/errors.ts';
import { cleanLine } from './clean.ts';

function place(error: ErrorShape): string {
  const position = error.file ? [error.file, error.line, error.column].filter((part) => part !== undefined).join(':') : '';
  return [position, error.device, error.operation, error.path].filter((part) => part).map((part) => cleanLine(String(part))).join(' ');
}

function deviceWords(error: ErrorShape): string {
  const { status } = error;
  if (!status) return '';
  const words = status.errorMsg ?? status.statusString ?? '';
  const codes = [`HTTP ${status.http}`, status.statusCode === undefined ? '' : `status ${status.statusCode}`, status.subStatusCode ?? '', error.message.includes(words) ? '' : words];
  return `  The device answered: ${codes.filter(Boolean).map(cleanLine).join(', ')}`;
}

/** Lines: what happened and where, what the device said, what to try; further errors after it. */
export function errorLines(error: ErrorShape): readonly string[] {
  const where = place(error);
  const nearest = error.nearest && !error.message.includes(error.nearest) ? ` Did you mean ${cleanLine(error.nearest)}?` : '';
  return [
    `${where ? `${where}: ` : ''}${cleanLine(error.message)}${nearest} [${error.code}]`,
    ...[deviceWords(error), error.hint ? `  ${cleanLine(error.hint)}` : ''].filter(Boolean),
    ...(error.others ?? []).flatMap(errorLines),
  ];
}
