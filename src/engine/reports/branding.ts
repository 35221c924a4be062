/** Company and logo of whoever hands over: a picture from outside is looked at before it goes into a document. */
import { defined } from '../../shared/defined.ts';
import { say } from '../../shared/details.ts';
import { userError } from '../../shared/errors.ts';
import { REPORT_LIMITS, type Cover } from '../../shared/report.ts';

interface Branding {
  readonly company?: string;
  readonly lines?: readonly string[];
  /** PNG or JPEG in base64. */
  readonly logo?: string;
}

/** Throws `unreadable-file` for a picture that is none, `input-too-large` for one that is too large. */
export function coverOf({ company, lines, logo }: Branding): Cover {
  return defined({
    company,
    lines: lines === undefined ? undefined : [...lines],
    logo: logo === undefined ? undefined : logoOf(logo),
  });
}

/** Pixels on a side. */
const MOST_PIXELS = 4000;

function logoOf(base64: string): NonNullable<Cover['logo']> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > REPORT_LIMITS.logoBytes)
    throw userError(
      'input-too-large',
      say('reports.logo-too-large', { most: REPORT_LIMITS.logoBytes / 1024 }),
      { path: 'logo' },
    );
  const png = sizeOfPng(bytes);
  const size = png ?? sizeOfJpeg(bytes);
  if (size === undefined || ![size.width, size.height].every((side) => side > 0 && side <= MOST_PIXELS))
    throw userError('unreadable-file', say('reports.no-logo', { most: MOST_PIXELS }), { path: 'logo' });
  return {
    type: png === undefined ? 'image/jpeg' : 'image/png',
    base64: bytes.toString('base64'),
    ...size,
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** From the first frame header; walks the segments. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
