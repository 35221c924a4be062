/** The PDFs that are made here, taken apart again. One that another program saved anew is not read. */
import { inflateSync } from 'node:zlib';
import { REPORT_LIMITS } from '#shared/report-document.ts';

interface PdfObject {
  readonly id: number;
  readonly offset: number;
  /** Its dictionary, without the length of its stream: that depends on who compressed it. */
  readonly head: string;
  readonly stream?: Uint8Array;
}
interface PdfParts {
  readonly objects: readonly PdfObject[];
  /** Bytes from the table of offsets to the end. */
  readonly tail: string;
  readonly tailOffset: number;
}

const OBJECT = /^(\d{1,9}) 0 obj\n/;
const LENGTH = /\/Length (\d{1,10})\n?/;
const STREAM = '\nstream\n';
const END = 'endobj\n';
const END_OF_STREAM = '\nendstream\nendobj\n';

/** Reads a PDF; undefined if the bytes do not have the layout that is written here. */
export function readPdf(bytes: Uint8Array): PdfParts | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const objects: PdfObject[] = [];
  // The objects begin after the line that marks the file as binary.
  let at = text.indexOf('\n', text.indexOf('\n') + 1) + 1;
  for (;;) {
    const id = OBJECT.exec(text.toString('latin1', at, at + 20))?.[1];
    if (id === undefined) break;
    const end = text.indexOf(END, at);
    const stream = text.subarray(0, end < 0 ? 0 : end).indexOf(STREAM, at);
    if (end < 0) return undefined;
    const head = text.toString('latin1', at, stream < 0 ? end : stream);
    const length = Number(LENGTH.exec(head)?.[1]);
    const from = stream + STREAM.length;
    const after = stream < 0 ? end + END.length : from + length + END_OF_STREAM.length;
    if (stream >= 0 && text.toString('latin1', from + length, after) !== END_OF_STREAM) return undefined;
    objects.push({
      id: Number(id),
      offset: at,
      head: head.replace(LENGTH, ''),
      ...(stream >= 0 && { stream: text.subarray(from, from + length) }),
    });
    at = after;
  }
  const tail = text.toString('latin1', at);
  return tail.startsWith('xref\n') ? { objects, tail, tailOffset: at } : undefined;
}

/** Finds the one file that is attached. */
export function findAttachment({ objects }: PdfParts): Uint8Array | undefined {
  const found = objects.find(
    ({ head, stream }) => stream !== undefined && head.includes('/Type /EmbeddedFile'),
  );
  return found && unpacked(found);
}

/** Returns true if both show the same, by whatever program they were compressed. `made` is trusted. */
export function isSamePdf(found: PdfParts, made: PdfParts): boolean {
  const trailer = /trailer\n[^]*startxref\n/.exec(made.tail)?.[0] ?? '';
  return (
    found.tail === tailOf(found, trailer) &&
    found.objects.length === made.objects.length &&
    found.objects.every((object, at) => isSameObject(object, made.objects[at]))
  );
}

function isSameObject(found: PdfObject, made: PdfObject | undefined): boolean {
  if (found.id !== made?.id || found.head !== made.head) return false;
  if (found.stream === undefined || made.stream === undefined) return found.stream === made.stream;
  const [one, other] = [unpacked(found), unpacked(made)];
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}

/** Builds the table of offsets, which must lead to these objects and to no others. */
function tailOf({ objects, tailOffset }: PdfParts, trailer: string): string {
  const lines = objects
    .toSorted((one, other) => one.id - other.id)
    .map(({ offset }) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  return `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}${trailer}${tailOffset}\n%%EOF\n`;
}

function unpacked({ head, stream }: PdfObject): Uint8Array | undefined {
  if (stream === undefined || !head.includes('/Filter /FlateDecode')) return stream;
  try {
    return inflateSync(stream, { maxOutputLength: REPORT_LIMITS.fileBytes });
  } catch {
    return undefined;
  }
}
