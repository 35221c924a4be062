/** An error in words for a person at a terminal. */
import type { ErrorShape } from '../../shared/errors.ts';
import { showFingerprint } from '../../shared/fingerprint.ts';
import type { CertificateInfo, CertificateOffer } from '../../shared/trust.ts';
import { cleanLine } from './clean.ts';

function place(error: ErrorShape): string {
  const position = error.file
    ? [error.file, error.line, error.column].filter((part) => part !== undefined).join(':')
    : '';
  return [position, error.device, error.operation, error.path]
    .filter((part) => part)
    .map((part) => cleanLine(String(part)))
    .join(' ');
}

function deviceWords(error: ErrorShape): string {
  const { status } = error;
  if (!status) return '';
  const words = status.errorMsg ?? status.statusString ?? '';
  const codes = [
    `HTTP ${status.http}`,
    status.statusCode === undefined ? '' : `status ${status.statusCode}`,
    status.subStatusCode ?? '',
    error.message.includes(words) ? '' : words,
  ];
  return `  The device answered: ${codes.filter(Boolean).map(cleanLine).join(', ')}`;
}

/** What is compared stands one under the other. */
export function certificateLines({ offered, pinned }: CertificateOffer): readonly string[] {
  return [
    ...(pinned === undefined
      ? []
      : [
          `  accepted ${pinned.since.slice(0, 10)}: ${showFingerprint(pinned.fingerprint)}${details(pinned.info)}`,
        ]),
    `  ${pinned === undefined ? 'SHA-256' : 'now'.padEnd('accepted 2000-01-01'.length)}: ${showFingerprint(offered.fingerprint)}${details(offered)}`,
  ];
}

function details(info: CertificateInfo | undefined): string {
  return info === undefined
    ? ''
    : cleanLine(` (${info.subject}, valid ${info.validFrom.slice(0, 10)} to ${info.validTo.slice(0, 10)})`);
}

/** Lines: what happened and where, what the device said, what to try; further errors after it. */
export function errorLines(error: ErrorShape): readonly string[] {
  const where = place(error);
  const nearest =
    error.nearest && !error.message.includes(error.nearest)
      ? ` Did you mean ${cleanLine(error.nearest)}?`
      : '';
  return [
    `${where ? `${where}: ` : ''}${cleanLine(error.message)}${nearest} [${error.code}]`,
    ...[
      deviceWords(error),
      ...(error.certificate === undefined ? [] : certificateLines(error.certificate)),
      error.hint ? `  ${cleanLine(error.hint)}` : '',
    ].filter(Boolean),
    ...(error.others ?? []).flatMap(errorLines),
  ];
}
