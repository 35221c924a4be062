import { describe, expect, it } from 'vitest';
import { recognise } from '#engine/discovery/sweep/recognise.ts';

const STATUS =
  '<?xml version="1.0"?><ResponseStatus version="2.0" xmlns="urn:x"><statusCode>4</statusCode><subStatusCode>notSupport</subStatusCode></ResponseStatus>';

describe('what an answer says of whoever gave it', () => {
  it.each([
    ['a status of ours that asks for a sign-in', { http: 401, text: STATUS }, 'interface'],
    ['a status of ours below another prefix', { http: 404, text: STATUS }, 'interface'],
    [
      'the capability document',
      { http: 200, text: '\uFEFF<?xml version="1.0" encoding="UTF-8" ?>\r\n<x:DeviceCap xmlns:x="urn:y">' },
      'interface',
    ],
    [
      'a challenge with a page',
      { http: 401, challenge: 'Digest realm="IP Camera", nonce="1", stale="FALSE"', text: '<html>401' },
      'sign-in',
    ],
    ['a page for everything', { http: 200, text: '<html><body>Router</body></html>' }, 'web'],
    [
      'a web service that answers errors as JSON',
      { http: 404, text: '{"statusCode":404,"message":"Not Found"}' },
      'web',
    ],
    ['a page that talks about the document', { http: 200, text: '<html><DeviceCap/></html>' }, 'web'],
    ['a login without a challenge we know', { http: 401, challenge: 'Bearer', text: '' }, 'web'],
    ['nothing', { http: 204, text: '' }, 'web'],
  ])('%s', (_what, answer, expected) => {
    expect(recognise({ challenge: '', ...answer })).toBe(expected);
  });
});
