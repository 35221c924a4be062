/** Company and logo of the issuer: a picture from outside is checked before it goes into a document. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Cover } from '#shared/report-document.ts';
import { readLogo } from '../files/logo.ts';

interface Branding {
  readonly company?: string;
  readonly lines?: readonly string[];
  /** PNG or JPEG in base64. */
  readonly logo?: string;
}

/** Throws `unreadable-file` for a picture that is none, `input-too-large` for one that is too large. */
export function coverOf({ company, lines, logo }: Branding): Cover {
  return removeUndefined({
    company,
    lines: lines === undefined ? undefined : [...lines],
    logo: logo === undefined ? undefined : readLogo(Buffer.from(logo, 'base64')),
  });
}
