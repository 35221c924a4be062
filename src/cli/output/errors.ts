/** An error in words for a person at a terminal. */
import { splitSentences } from '#shared/details.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { showFingerprint } from '#shared/text/certificate-fingerprint.ts';
import type { CertificateInfo, CertificateOffer } from '#shared/trust.ts';
import { cleanLine } from './clean.ts';
import { findCommandHint, type Output } from './output.ts';
import { padText, measureText } from './width.ts';

function place(error: ErrorShape): string {
  const position = error.file
    ? [error.file, error.line, error.column].filter((part) => part !== undefined).join(':')
    : '';
  return [position, error.device, error.operation, error.path]
    .filter((part) => part)
    .map((part) => cleanLine(String(part)))
    .join(' ');
}

function deviceText(error: ErrorShape, out: Output): string {
  const { status } = error;
  if (!status) return '';
  const reason = formatDeviceReason(status) ?? '';
  const codes = [
    `HTTP ${status.http}`,
    status.statusCode === undefined ? '' : out.say('cli.status', { code: status.statusCode }),
    translateError(error, out).message.includes(reason) ? '' : reason,
  ];
  return `  ${out.say('cli.answered', { words: codes.filter(Boolean).map(cleanLine).join(', ') })}`;
}

/** Returns the lines of a certificate; old and new stand one under the other to be compared. */
export function formatCertificate({ offered, pinned }: CertificateOffer, out: Output): readonly string[] {
  if (pinned === undefined)
    return [`  SHA-256: ${showFingerprint(offered.fingerprint)}${details(offered, out)}`];
  const before = out.say('cli.accepted', { day: pinned.since.slice(0, 10) });
  const now = padText(out.say('cli.now'), measureText(before));
  return [
    `  ${before}: ${showFingerprint(pinned.fingerprint)}${details(pinned.info, out)}`,
    `  ${now}: ${showFingerprint(offered.fingerprint)}${details(offered, out)}`,
  ];
}

function details(info: CertificateInfo | undefined, out: Output): string {
  if (info === undefined) return '';
  const [from, to] = [info.validFrom.slice(0, 10), info.validTo.slice(0, 10)];
  return cleanLine(` (${out.say('cli.valid', { subject: info.subject, from, to })})`);
}

/** Returns an error as a script gets it, with the option or command that helps. */
export function addCommandHint(error: ErrorShape): ErrorShape {
  const hint = error.detail === undefined ? undefined : findCommandHint(error.detail);
  return hint === undefined ? error : { ...error, hint: [error.hint, hint].filter(Boolean).join(' ') };
}

/** Returns the words of an error: in English its own, which may be more than its entry, elsewhere those of its entry. */
export function translateError(error: ErrorShape, out: Output): Pick<ErrorShape, 'message' | 'hint'> {
  return out.isEnglish || error.detail === undefined
    ? addCommandHint(error)
    : splitSentences(out.sentence(error.detail));
}

/** Prints an error beside the result. */
export function noteError(out: Output, error: ErrorShape): void {
  for (const line of formatError(error, out)) out.note(line);
}

/** Lines: what happened and where, what the device said, what to try; further errors after it. */
export function formatError(error: ErrorShape, out: Output): readonly string[] {
  const where = place(error);
  const { message, hint } = translateError(error, out);
  const nearest =
    error.nearest && !message.includes(error.nearest)
      ? ` ${out.say('cli.meant', { name: cleanLine(error.nearest) })}`
      : '';
  return [
    `${where ? `${where}: ` : ''}${cleanLine(message)}${nearest} [${error.code}]`,
    ...[
      deviceText(error, out),
      ...(error.certificate === undefined ? [] : formatCertificate(error.certificate, out)),
      hint ? `  ${cleanLine(hint)}` : '',
    ].filter(Boolean),
    ...(error.others ?? []).flatMap((other) => formatError(other, out)),
  ];
}
