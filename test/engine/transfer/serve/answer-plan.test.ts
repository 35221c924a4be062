import { describe, expect, it } from 'vitest';
import { answerPlan, readRanges } from '#engine/transfer/serve/answer-plan.ts';

const FILE = { size: 1000, sha256: 'ab'.repeat(32) };
const ETAG = `"${FILE.sha256}"`;
const plan = (headers: Record<string, string>, method = 'GET') =>
  answerPlan({ method, headers }, FILE, 'xyz');

describe('ranges (RFC 9110, 14)', () => {
  it.each<[header: string, ranges: readonly (readonly [number, number])[] | undefined]>([
    ['bytes=0-0', [[0, 1]]],
    ['bytes=0-', [[0, 1000]]],
    ['bytes=999-', [[999, 1000]]],
    ['bytes=-1', [[999, 1000]]],
    ['bytes=-5000', [[0, 1000]]],
    ['bytes=500-99999999999999999999999', [[500, 1000]]],
    ['BYTES=1-2', [[1, 3]]],
    [
      'bytes= 1-2 , 5-6',
      [
        [1, 3],
        [5, 7],
      ],
    ],
    [
      'bytes=5-6,1-2',
      [
        [5, 7],
        [1, 3],
      ],
    ],
    ['bytes=0-499,400-', [[0, 1000]]],
    [
      'bytes=1-2,,5-6',
      [
        [1, 3],
        [5, 7],
      ],
    ],
    ['bytes=2000-,1-2', [[1, 3]]],
    ['bytes=1000-', []],
    ['bytes=-0', []],
    ['bytes=99999999999999999999999-', []],
    ['bytes=5-2', undefined],
    ['bytes=-', undefined],
    ['bytes=', undefined],
    ['bytes=a-b', undefined],
    ['bytes=1', undefined],
    ['lines=1-2', undefined],
    ['bytes=1-2;3', undefined],
    [`bytes=${Array.from({ length: 17 }, (_, at) => `${at * 2}-${at * 2}`).join(',')}`, undefined],
  ])('%s', (header, ranges) => {
    expect(readRanges(header, 1000)).toEqual(ranges?.map(([start, end]) => ({ start, end })));
  });
});

describe('what a request is answered with', () => {
  it('the whole file, with its exact length and nothing packed', () => {
    const { status, headers, parts } = plan({ 'accept-encoding': 'gzip' });

    expect([status, parts]).toEqual([200, [{ start: 0, end: 1000 }]]);
    expect(headers).toMatchObject({ 'content-length': '1000', 'accept-ranges': 'bytes', etag: ETAG });
    expect(Object.keys(headers)).not.toContain('content-encoding');
    expect(Object.keys(headers)).not.toContain('transfer-encoding');
  });

  it('HEAD: what GET says of the whole file, and no body', () => {
    const head = plan({ range: 'bytes=1-2' }, 'HEAD');

    expect([head.status, head.parts, head.headers]).toEqual([200, [], plan({}).headers]);
  });

  it('one range', () => {
    const { status, headers, parts } = plan({ range: 'bytes=10-19' });

    expect([status, parts]).toEqual([206, [{ start: 10, end: 20 }]]);
    expect(headers).toMatchObject({ 'content-range': 'bytes 10-19/1000', 'content-length': '10' });
  });

  it('several ranges as parts whose length is exact', () => {
    const { status, headers, parts } = plan({ range: 'bytes=0-0,-1' });

    const length = parts.reduce(
      (sum, part) => sum + ('text' in part ? part.text.length : part.end - part.start),
      0,
    );
    expect([status, headers['content-type']]).toEqual([206, 'multipart/byteranges; boundary=xyz']);
    expect(headers['content-length']).toBe(String(length));
    expect(Object.keys(headers)).not.toContain('content-range');
  });

  it('nothing that can be had: 416 with the length', () => {
    const { status, headers, parts } = plan({ range: 'bytes=1000-' });

    expect([status, headers['content-range'], headers['content-length'], parts]).toEqual([
      416,
      'bytes */1000',
      '0',
      [],
    ]);
  });

  it.each([
    ['the same file', ETAG, 206],
    ['another one', '"other"', 200],
    ['a weak tag', `W/${ETAG}`, 200],
    ['a date', 'Sun, 22 Nov 2026 12:47:56 GMT', 200],
  ])('If-Range with %s', (_name, tag, status) => {
    expect(plan({ range: 'bytes=10-19', 'if-range': tag }).status).toBe(status);
  });

  it.each([
    ['if-none-match', ETAG, 304],
    ['if-none-match', `"a", W/${ETAG}`, 304],
    ['if-none-match', '*', 304],
    ['if-none-match', '"a"', 200],
    ['if-match', '"a"', 412],
    ['if-match', `W/${ETAG}`, 412],
    ['if-match', `"a", ${ETAG}`, 200],
  ])('%s: %s', (name, value, status) => {
    const { parts, ...rest } = plan({ [name]: value });

    expect(rest.status).toBe(status);
    expect(parts.length > 0).toBe(status === 200);
  });

  it('other methods are told which there are', () => {
    expect(plan({}, 'PUT')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});
