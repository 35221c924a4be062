/** Company and logo of the issuer: a picture from outside is checked before it goes into a document. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { REPORT_LIMITS, type Cover } from '#shared/report-document.ts';
import { MOST_PIXELS, readJpegSize, readPngSize } from './logo.ts';

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
    logo: logo === undefined ? undefined : logoOf(logo),
  });
}

function logoOf(base64: string): NonNullable<Cover['logo']> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > REPORT_LIMITS.logoBytes)
    throw userError(
      'input-too-large',
      say('reports.logo-too-large', { most: REPORT_LIMITS.logoBytes / 1024 }),
      { path: 'logo' },
    );
  const png = readPngSize(bytes);
  const size = png ?? readJpegSize(bytes);
  if (size === undefined)
    throw userError('unreadable-file', say('reports.no-logo', { most: MOST_PIXELS }), { path: 'logo' });
  return {
    type: png === undefined ? 'image/jpeg' : 'image/png',
    base64: bytes.toString('base64'),
    ...size,
  };
}
