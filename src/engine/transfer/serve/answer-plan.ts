/** Plans the answer to a request for a file (RFC 9110, 13 and 14). Pure: the bytes are sent later. */

/** Bytes `[start, end)` of the file, or a text between such parts. */
export type AnswerPart = { readonly start: number; readonly end: number } | { readonly text: string };

export interface AnswerPlan {
  readonly status: 200 | 206 | 304 | 405 | 412 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts in order; their length is the `Content-Length`. Empty for HEAD. */
  readonly parts: readonly AnswerPart[];
}

interface AskedFor {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const TYPE = 'application/octet-stream';
/** Number of ranges in a request; one with more gets the whole file, as the standard permits. */
const MOST_RANGES = 16;

/** Plans the answer. `boundary` separates several ranges; it must not occur in the file. */
export function answerPlan(
  { method, headers }: AskedFor,
  { size, sha256 }: { readonly size: number; readonly sha256: string },
  boundary: string,
): AnswerPlan {
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { allow: 'GET, HEAD', 'content-length': '0' }, parts: [] };
  const etag = `"${sha256}"`;
  const always = {
    etag,
    'accept-ranges': 'bytes',
    // Nothing between us and the device may keep it or pack it.
    'cache-control': 'no-store, no-transform',
  };
  const ifMatch = text(headers['if-match']);
  if (ifMatch !== undefined && !names(ifMatch, etag))
    return { status: 412, headers: { ...always, 'content-length': '0' }, parts: [] };
  const ifNoneMatch = text(headers['if-none-match']);
  if (ifNoneMatch !== undefined && names(ifNoneMatch.replaceAll('W/"', '"'), etag))
    return { status: 304, headers: always, parts: [] };

  const whole: AnswerPlan = {
    status: 200,
    headers: {
      ...always,
      'content-type': TYPE,
      'content-length': String(size),
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    },
    parts: method === 'HEAD' ? [] : [{ start: 0, end: size }],
  };
  const ifRange = text(headers['if-range']);
  const asked = text(headers['range']);
  if (method === 'HEAD' || asked === undefined || (ifRange !== undefined && ifRange !== etag)) return whole;
  const ranges = readRanges(asked, size);
  if (ranges === undefined) return whole;
  const [first, ...others] = ranges;
  if (first === undefined)
    return {
      status: 416,
      headers: { ...always, 'content-range': `bytes */${size}`, 'content-length': '0' },
      parts: [],
    };
  return others.length === 0
    ? {
        status: 206,
        headers: {
          ...always,
          'content-type': TYPE,
          'content-range': contentRange(first, size),
          'content-length': String(first.end - first.start),
        },
        parts: [first],
      }
    : multipart(ranges, size, boundary, always);
}

function multipart(
  ranges: readonly Span[],
  size: number,
  boundary: string,
  always: Readonly<Record<string, string>>,
): AnswerPlan {
  const parts: readonly AnswerPart[] = [
    ...ranges.flatMap((range) => [
      {
        text: `\r\n--${boundary}\r\nContent-Type: ${TYPE}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
      },
      range,
    ]),
    { text: `\r\n--${boundary}--\r\n` },
  ];
  return {
    status: 206,
    headers: {
      ...always,
      'content-type': `multipart/byteranges; boundary=${boundary}`,
      'content-length': String(parts.reduce((sum, part) => sum + lengthOf(part), 0)),
    },
    parts,
  };
}

function lengthOf(part: AnswerPart): number {
  return 'text' in part ? Buffer.byteLength(part.text) : part.end - part.start;
}

function contentRange({ start, end }: Span, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`;
}

/**
 * The ranges that can be had, in the order asked for, those that overlap as one; none where no part of the file is
 * among them; undefined where the header is to be passed over: another unit, wrongly written, too many.
 */
export function readRanges(header: string, size: number): readonly Span[] | undefined {
  const specs = /^bytes=(.*)$/i
    .exec(header.trim())?.[1]
    ?.split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  if (specs === undefined || specs.length === 0 || specs.length > MOST_RANGES) return undefined;
  const spans: Span[] = [];
  for (const spec of specs) {
    const [, from = '', to = ''] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
    if (from === '' && to === '') return undefined;
    if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined;
    const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
    const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1);
    if (start < end) spans.push({ start, end });
  }
  return withoutOverlap(spans);
}

function withoutOverlap(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.toSorted((one, other) => one.start - other.start);
  const overlaps = sorted.some((span, index) => span.start < (sorted[index - 1]?.end ?? 0));
  if (!overlaps) return spans;
  return sorted.reduce<Span[]>((merged, span) => {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) return [...merged, span];
    return [...merged.slice(0, -1), { start: last.start, end: Math.max(last.end, span.end) }];
  }, []);
}

function names(list: string, etag: string): boolean {
  return list.trim() === '*' || list.split(',').some((each) => each.trim() === etag);
}

function text(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}
