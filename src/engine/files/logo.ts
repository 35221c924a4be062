/** A picture from outside: followed to its end before it goes into a document, which would break in the middle of it. */
import { crc32, inflateSync } from 'node:zlib';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { REPORT_LIMITS, type Cover } from '#shared/report-document.ts';

export type Logo = NonNullable<Cover['logo']>;

interface Size {
  readonly width: number;
  readonly height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Pixels on a side. */
const MOST_PIXELS = 4000;
/** Bytes of all pixels: a small file may hold far more than its size promises. */
const MOST_PIXEL_BYTES = 64 * 1024 * 1024;
/** Channels by colour type (PNG, 11.2.1). */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Checks a picture from outside. An SVG is refused: it may run scripts and load what it names.
 * @throws `unreadable-file` for anything but a whole PNG or JPEG, `input-too-large` beyond `most` bytes
 */
export function readLogo(bytes: Buffer, most: number = REPORT_LIMITS.logoBytes): Logo {
  if (bytes.length > most)
    throw userError('input-too-large', say('reports.logo-too-large', { most: most / 1024 }), {
      path: 'logo',
    });
  const png = readPngSize(bytes);
  const size = png ?? readJpegSize(bytes);
  if (size === undefined) throw createLogoError();
  return {
    type: png === undefined ? 'image/jpeg' : 'image/png',
    base64: bytes.toString('base64'),
    ...size,
  };
}

export function createLogoError(): FieldwrightError {
  return userError('unreadable-file', say('reports.no-logo', { most: MOST_PIXELS }), { path: 'logo' });
}

/** Returns the size of a whole PNG; undefined for anything else. */
function readPngSize(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, PNG.length).equals(PNG)) return undefined;
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = PNG.length; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, end);
    if (header === undefined && (type !== 'IHDR' || content.length !== 13)) return undefined;
    header ??= content;
    if (type === 'IDAT') data.push(content);
    if (type === 'IEND') return sizeOfPixels(header, Buffer.concat(data));
    at = end + 4;
  }
  return undefined;
}

/** Returns the size where the pixels are all there, and no more than fits. */
function sizeOfPixels(header: Buffer, data: Buffer): Size | undefined {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = CHANNELS[header[9] ?? -1];
  if (channels === undefined || !fits({ width, height })) return undefined;
  const least = height * (1 + Math.ceil((width * channels * (header[8] ?? 0)) / 8));
  // Interlaced pictures begin more lines, each with a byte of its own.
  const isInterlaced = header[12] === 1;
  const most = isInterlaced ? least + 8 * height + 64 : least;
  if (most > MOST_PIXEL_BYTES) return undefined;
  try {
    const { length } = inflateSync(data, { maxOutputLength: most });
    return length >= (isInterlaced ? 1 : least) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the size of a JPEG whose segments and picture are all there; undefined for anything else. */
function readJpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let size: Size | undefined;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // The picture follows, up to the marker of the end.
    if (marker === 0xda)
      return size !== undefined && fits(size) && bytes.lastIndexOf('\xff\xd9', 'latin1') > at
        ? size
        : undefined;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) size ??= { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function fits({ width, height }: Size): boolean {
  return [width, height].every((side) => side > 0 && side <= MOST_PIXELS);
}
