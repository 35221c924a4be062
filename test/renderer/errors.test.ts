import { describe, expect, it } from 'vitest';
import { formatErrorLocation, formatDeviceMessage } from '#renderer/common/errors/error-text.ts';
import { extractErrorShape, redactText } from '#renderer/common/errors/error-of.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';

const shape: ErrorShape = { code: 'device-busy', source: 'device', message: 'busy' };

describe('errorOf', () => {
  it('finds the shape however it arrives', () => {
    expect(extractErrorShape(new FieldwrightError(shape))).toEqual(shape);
    expect(extractErrorShape(shape)).toEqual(shape);
    expect(extractErrorShape({ data: shape })).toEqual(shape);
  });
  it('does not show the text of an unexpected error', () => {
    expect(JSON.stringify(extractErrorShape(new Error('password hunter2')))).not.toContain('hunter2');
  });
  it('knows a cancellation from a failure', () => {
    expect(extractErrorShape(new DOMException('x', 'AbortError')).code).toBe('cancelled');
  });
});

describe('redactedText', () => {
  it.each([
    ['an address', 'GET http://admin:hunter2@10.0.0.1/API failed', 'http://10.0.0.1/API'],
    ['a member', '{"userName":"admin","password":"hunt\\"er2 hunter2","n":1}', '"n":1'],
    ['a bare member', '{ "tokenKey": hunter2, "n": 1 }', '"n": 1'],
    ['an element', '<Lock><passwd>hunter2</passwd><size>3</size></Lock>', '<size>3</size>'],
    ['a header', 'authorization: Digest hunter2, x="hunter2"\naccept: */*', 'accept: */*'],
    ['a query', 'GET /API/x?password=hunter2&page=2', 'page=2'],
  ])('leaves out a secret in %s and keeps the rest', (_where, text, kept) => {
    expect(redactText(text)).not.toContain('hunter2');
    expect(redactText(text)).toContain(kept);
  });
});

describe('what the device said', () => {
  it('shows numbers and words as they came, unknown ones too', () => {
    expect(
      formatDeviceMessage({
        ...shape,
        status: {
          http: 403,
          statusCode: 4,
          statusString: 'Invalid Operation',
          subStatusCode: 'whoKnows',
          errorCode: 0,
          errorMsg: 'x',
        },
      }),
    ).toBe('HTTP 403 · 4 Invalid Operation · whoKnows · errorCode 0 · x');
    expect(formatDeviceMessage(shape)).toBeUndefined();
  });
});

describe('errorPlace', () => {
  const t = (key: string, named?: object): string => `${key} ${JSON.stringify(named)}`;

  it('names file, position, path and the nearest name', () => {
    expect(
      formatErrorLocation(
        { ...shape, file: 'a.yaml', line: 3, column: 7, path: 'sections[0]', nearest: 'distance' },
        t,
      ),
    ).toBe('a.yaml · error.position {"line":3,"column":7} · sections[0] · error.nearest {"name":"distance"}');
    expect(formatErrorLocation(shape, t)).toBeUndefined();
    // Would catch: the first column named for a problem of a whole line; words asked for that a problem without a line lacks.
    expect(
      formatErrorLocation({ ...shape, path: 'a' }, (key: string, _named?: object) => {
        throw new Error(key);
      }),
    ).toBe('a');
    expect(formatErrorLocation({ ...shape, line: 1 }, t)).toBe('error.line {"line":1}');
  });
});
