/**
 * Draws the icon of every system from `resources/icons/icon.svg` into `build/icons/`: `npx node build/packaging/draw-icons.ts`.
 * The results are kept, so that making an installer needs no program that converts pictures. It needs a Chromium, as
 * the browser tests do.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, findChromium } from '../../test/helpers/chromium.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'build', 'icons');
/** Sizes of Windows, in pixels. */
const ICO = [16, 20, 24, 32, 40, 48, 64, 256];
/** Types in the file of macOS and their size in pixels. */
const ICNS = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 };
/** Sizes of Linux' icon theme, in pixels. */
const LINUX = [16, 24, 32, 48, 64, 128, 256, 512];

interface Picture {
  readonly size: number;
  readonly png: Buffer;
  /** Red, green, blue, alpha; row by row from the top. */
  readonly pixels: Buffer;
}

async function drawAll(sizes: readonly number[]): Promise<ReadonlyMap<number, Picture>> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [...CHROMIUM_ARGS],
  });
  try {
    const page = await browser.newPage();
    const source = `data:image/svg+xml;base64,${readFileSync(join(ROOT, 'resources/icons/icon.svg')).toString('base64')}`;
    const pictures = new Map<number, Picture>();
    for (const size of sizes) {
      const { png, pixels } = (await page.evaluate(
        `(async () => {
          const image = new Image(${size}, ${size});
          image.src = ${JSON.stringify(source)};
          await image.decode();
          const canvas = new OffscreenCanvas(${size}, ${size});
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0, ${size}, ${size});
          const blob = await canvas.convertToBlob({ type: 'image/png' });
          return {
            png: new Uint8Array(await blob.arrayBuffer()).toBase64(),
            pixels: new Uint8Array(context.getImageData(0, 0, ${size}, ${size}).data).toBase64(),
          };
        })()`,
      )) as { readonly png: string; readonly pixels: string };
      pictures.set(size, {
        size,
        png: Buffer.from(png, 'base64'),
        pixels: Buffer.from(pixels, 'base64'),
      });
    }
    return pictures;
  } finally {
    await browser.close();
  }
}

/** Returns a bitmap as Windows keeps it in an icon: rows from the bottom, then a mask that hides nothing. */
function encodeBitmap({ size, pixels }: Picture): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(size, 4);
  header.writeInt32LE(size * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const rows = Array.from({ length: size }, (_, row) => {
    const line = Buffer.from(pixels.subarray((size - 1 - row) * size * 4, (size - row) * size * 4));
    for (let at = 0; at < line.length; at += 4) line.writeUInt32BE(toBgra(line.readUInt32BE(at)), at);
    return line;
  });
  return Buffer.concat([header, ...rows, Buffer.alloc(Math.ceil(size / 32) * 4 * size)]);
}

function toBgra(rgba: number): number {
  return (((rgba & 0xff00) << 16) | (rgba & 0xff0000) | ((rgba >>> 24) << 8) | (rgba & 0xff)) >>> 0;
}

/** The largest one is a PNG, as Windows has it since Vista. */
function encodeIco(pictures: readonly Picture[]): Buffer {
  const bodies = pictures.map((picture) => (picture.size < 256 ? encodeBitmap(picture) : picture.png));
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ size }, nth) => {
    const at = 6 + 16 * nth;
    const length = bodies[nth]?.length ?? 0;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += length;
  });
  return Buffer.concat([head, ...bodies]);
}

function encodeIcns(pictures: ReadonlyMap<number, Picture>): Buffer {
  const parts = Object.entries(ICNS).map(([type, size]) => encodeIcnsPart(type, get(pictures, size).png));
  return encodeIcnsPart('icns', Buffer.concat(parts));
}

function encodeIcnsPart(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

function get(pictures: ReadonlyMap<number, Picture>, size: number): Picture {
  const picture = pictures.get(size);
  if (picture === undefined) throw new Error(`No picture of ${size} pixels was drawn.`);
  return picture;
}

const pictures = await drawAll([...new Set([...ICO, ...Object.values(ICNS), ...LINUX])]);
mkdirSync(join(FOLDER, 'linux'), { recursive: true });
writeFileSync(join(FOLDER, 'icon.ico'), encodeIco(ICO.map((size) => get(pictures, size))));
writeFileSync(join(FOLDER, 'icon.icns'), encodeIcns(pictures));
for (const size of LINUX)
  writeFileSync(join(FOLDER, 'linux', `${size}x${size}.png`), get(pictures, size).png);
