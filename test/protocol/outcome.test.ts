import { describe, expect, it } from 'vitest';
import { readStatus, createStatusError, type Status } from '#protocol/index.ts';
import { DEFAULT_LIMITS } from '#protocol/codec/limits.ts';
import { readReport } from '#protocol/codec/status-body.ts';

function xml(code: number | string, sub = '', text = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\r\n<ResponseStatus version="2.0" xmlns="urn:any">\r\n<requestURL>/API/x</requestURL>\r\n<statusCode>${code}</statusCode>\r\n<statusString>${text}</statusString>\r\n<subStatusCode>${sub}</subStatusCode>\r\n</ResponseStatus>\r\n`;
}
function status(http: number, text: string): Status {
  return readStatus({ http, text });
}

describe('XML status', () => {
  it.each([
    [0, 'ok'],
    [1, 'ok'],
    [2, 'busy'],
    [3, 'refused'],
    [4, 'refused'],
    [5, 'refused'],
    [6, 'refused'],
    [7, 'needs-reboot'],
    [42, 'refused'],
    ['x', 'refused'],
  ] as const)('code %s is %s (a reboot taken for a failure, a failure for success)', (code, kind) => {
    expect(status(200, xml(code))).toMatchObject({ kind, body: 'xml-status' });
  });

  it('keeps unknown codes and words as they came (a reason that gets lost)', () => {
    const { report } = status(403, xml(99, 'somethingNew', 'Strange'));

    expect(report).toEqual({
      http: 403,
      statusCode: 99,
      subStatusCode: 'somethingNew',
      statusString: 'Strange',
    });
  });

  it.each(['notSupport', 'notSupported', 'methodNotAllowed', 'NOT_SUPPORT'])(
    'sub status %s is unsupported (an optional section that fails a job)',
    (sub) => {
      expect(status(403, xml(4, sub)).kind).toBe('unsupported');
      expect(status(200, xml(4, sub)).kind).toBe('unsupported');
    },
  );

  it('does not take statusCode of a payload for a status (a read that vanishes)', () => {
    expect(status(200, '<GateStatus version="2.0"><statusCode>4</statusCode></GateStatus>').kind).toBe(
      'none',
    );
  });

  it.each([
    ['0x1f', 31],
    [' 6\n', 6],
    ['7x', '7x'],
    ['x7', 'x7'],
    ['6 6', '6 6'],
    ['0xg', '0xg'],
    ['', ''],
  ] as const)('code %j is kept as %j (a reason read out of the middle of a text)', (code, kept) => {
    expect(status(400, xml(code)).report.statusCode).toBe(kept);
  });

  it('reads the first of repeated elements, prefixes and hexadecimal codes (odd devices)', () => {
    expect(
      status(
        200,
        '<s:ResponseStatus xmlns:s="u"><s:statusCode>0x7</s:statusCode><s:statusCode>1</s:statusCode></s:ResponseStatus>',
      ).kind,
    ).toBe('needs-reboot');
  });
});

describe('JSON status', () => {
  it.each([
    ['{"statusCode":1,"statusString":"ok","subStatusCode":"ok"}', 'ok'],
    ['{"statusCode":"1","subStatusCode":"ok","errorCode":1,"errorMsg":"ok"}', 'ok'],
    ['{}', 'ok'],
    ['{"requestURL":"/x"}', 'ok'],
    ['{"errorMsg":"no code at all"}', 'ok'],
    ['{"statusCode":0,"statusString":"OK"}', 'ok'],
    ['{"statusCode":0,"subStatusCode":"badParameters"}', 'refused'],
    ['{"statusCode":2,"subStatusCode":"deviceBusy"}', 'busy'],
    ['{"statusCode":"2"}', 'busy'],
    ['{"statusCode":7,"subStatusCode":"rebootRequired"}', 'needs-reboot'],
    ['{"statusCode":1,"subStatusCode":"rebootRequired"}', 'needs-reboot'],
    ['{"statusCode":"6","errorCode":1610612736,"errorMsg":"why"}', 'refused'],
    ['{"subStatusCode":"badParameters"}', 'refused'],
    ['{"statusCode":4,"subStatusCode":"notSupport"}', 'unsupported'],
    ['{"ResponseStatus":{"statusCode":6}}', 'refused'],
    ['{"statusCode":"","subStatusCode":"ok"}', 'ok'],
    ['{"statusCode":true,"subStatusCode":"ok"}', 'ok'],
    ['{"subStatusCode":"OK"}', 'ok'],
    ['{"errorCode":1610637363,"errorMsg":"employeeNoAlreadyExist"}', 'refused'],
    ['{"errorMsg":"employeeNoAlreadyExist","errorCode":"0x60002033"}', 'refused'],
    ['{"errorCode":1610637363}', 'refused'],
    ['{"errorCode":1,"errorMsg":"ok"}', 'ok'],
    ['{"errorCode":0,"errorMsg":""}', 'ok'],
    ['{"statusCode":"1","errorCode":1610637363,"errorMsg":"ok"}', 'ok'],
    ['{"requestURL":"/x","statusCode":{"of":6}}', 'ok'],
    [`{"${'x'.repeat(100)}":"y","status\\u0043ode":6}`, 'refused'],
  ] as const)('%s is %s', (text, kind) => {
    expect(status(200, text)).toMatchObject({ kind, body: 'json-status' });
  });

  it('keeps the type of the code (part 1 sends a number, part 2 text)', () => {
    expect(status(200, '{"statusCode":"6"}').report.statusCode).toBe('6');
    expect(status(200, '{"statusCode":6,"errorCode":"1610612736","errorMsg":5}').report).toEqual({
      http: 200,
      statusCode: 6,
      errorCode: 1610612736,
      errorMsg: '5',
    });
  });

  it.each([
    '{"AcsCfg":{"voicePrompt":true}}',
    '{"percent":100}',
    '{"FingerPrintStatus":{"status":"success"}}',
    '[1]',
    '{"LoadingInfo":{"status":3}}',
    '{"a":{"statusCode":6},"b":1}',
    '{"statusCode":null}',
    '{"errorCode":3,"percent":100}',
    '{"statusCode":[6]}',
    '[{"statusCode":6}]',
    `<ResponseStatus><statusCode>6</statusCode><more>${'x'.repeat(64 * 1024)}</more></ResponseStatus>`,
  ])('%s is a payload (a read taken for a status)', (text) => {
    expect(status(200, text)).toMatchObject({ kind: 'none', body: 'other' });
  });
});

describe('HTTP status and body together', () => {
  it.each([
    [200, '', 'ok', 'empty'],
    [204, ' \r\n', 'ok', 'empty'],
    [200, '<html><body>login</body></html>', 'none', 'other'],
    [200, xml(6, 'badXmlContent'), 'refused', 'xml-status'],
    [400, xml(1, 'ok', 'OK'), 'refused', 'xml-status'],
    [500, '{"statusCode":1}', 'refused', 'json-status'],
    [403, xml(7), 'refused', 'xml-status'],
    [401, '<html>no</html>', 'sign-in', 'other'],
    [401, '', 'sign-in', 'empty'],
    [403, xml(4, 'lowPrivilege'), 'refused', 'xml-status'],
    [404, '', 'unsupported', 'empty'],
    [404, '<html>not here</html>', 'unsupported', 'other'],
    [405, 'plain', 'unsupported', 'other'],
    [501, '', 'unsupported', 'empty'],
    [404, xml(4, 'invalidID'), 'refused', 'xml-status'],
    [503, '', 'busy', 'empty'],
    [503, xml(3), 'refused', 'xml-status'],
    [500, '', 'refused', 'empty'],
    [302, '', 'refused', 'empty'],
    [300, '', 'refused', 'empty'],
    [199, '', 'refused', 'empty'],
    [403, '', 'refused', 'empty'],
  ] as const)('%i with %j is %s', (http, text, kind, body) => {
    expect(status(http, text)).toMatchObject({ kind, body });
  });

  it('tells attempts and lock of a refused sign-in in both families (a person locked out without warning)', () => {
    expect(
      status(401, '<U version="2.0"><lockStatus>unlock</lockStatus><retryLoginTime>3</retryLoginTime></U>')
        .lock,
    ).toEqual({ locked: false, attemptsLeft: 3 });
    expect(status(401, '<U><lockStatus>lock</lockStatus><unlockTime>1800</unlockTime></U>').lock).toEqual({
      locked: true,
      unlockSeconds: 1800,
    });
    expect(status(401, '{"U":{"lockStatus":"locked","unlockTime":"60"}}').lock).toEqual({
      locked: true,
      unlockSeconds: 60,
    });
    expect(status(403, '{"statusCode":4,"lockStatus":"lock"}').kind).toBe('sign-in');
    expect(status(401, '<U><lockStatus> TRUE </lockStatus></U>').lock).toEqual({ locked: true });
    expect(status(401, '<U><lockStatus>lockable</lockStatus></U>').lock).toEqual({ locked: false });
    expect(status(401, '<U><retryLoginTime>3</retryLoginTime></U>').lock).toEqual({ attemptsLeft: 3 });
    expect(status(401, '<U><unlockTime>60</unlockTime></U>').lock).toEqual({ unlockSeconds: 60 });
    expect(status(401, xml(4))).not.toHaveProperty('lock');
    expect(status(200, '<U><retryLoginTime>3</retryLoginTime></U>')).not.toHaveProperty('lock');
  });

  it.each([
    '{"statusCode":',
    '<ResponseStatus><statusCode>1',
    '<!DOCTYPE x [<!ENTITY a "b">]><ResponseStatus><statusCode>1</statusCode></ResponseStatus>',
    `<a>${'x'.repeat(100_000)}</a>`,
    '{"a":'.repeat(5000),
  ])('never throws over what it cannot read: %#', (text) => {
    expect(status(200, text).kind).toBe('none');
  });

  it("bounds and cleans the device's words (control characters on a terminal)", () => {
    const { report } = status(
      500,
      JSON.stringify({ statusCode: 3, errorMsg: `bad\u001b[31m\u202e${'x'.repeat(1000)}` }),
    );

    expect(report.errorMsg).toBe(`bad [31m ${'x'.repeat(291)}…`);
    expect(status(500, JSON.stringify({ errorMsg: ` ${'x'.repeat(300)} ` })).report.errorMsg).toBe(
      'x'.repeat(300),
    );
  });

  it('reads what a thousand devices of one model say once, and keeps little of it', () => {
    const read = (text: string) => readReport(text, DEFAULT_LIMITS);
    const long = xml(5, '', 'x'.repeat(3_000));
    const fresh = xml(1, 'ok', 'fresh');
    const ok = read(fresh);

    expect(read(fresh)).toBe(ok);
    expect(read(long)).not.toBe(read(long));
    for (let nth = 0; nth < 63; nth += 1) read(xml(nth, 'other'));
    expect(read(fresh)).toBe(ok);
    read(xml(63, 'other'));
    expect(read(fresh)).not.toBe(ok);
  });
});

describe('statusError', () => {
  it.each([
    [200, xml(2), 'device-busy'],
    [200, xml(3), 'device-error'],
    [200, xml(4), 'invalid-operation'],
    [200, xml(5), 'invalid-format'],
    [200, xml(6), 'invalid-content'],
    [200, xml(7), 'reboot-required'],
    [404, '', 'not-supported'],
    [401, '', 'sign-in-failed'],
    [401, '<a><lockStatus>lock</lockStatus></a>', 'account-locked'],
    [503, '', 'device-busy'],
    [500, '', 'device-error'],
    [400, '', 'refused'],
    [200, '{"statusCode":"6"}', 'invalid-content'],
    [400, xml(1), 'refused'],
  ] as const)('%i %# becomes a code of its own (errors told apart by their wording)', (http, text, code) => {
    const error = createStatusError(status(http, text), { operation: 'gate.status.get', device: 'Lobby' });

    expect(error.shape).toMatchObject({
      code,
      source: 'device',
      operation: 'gate.status.get',
      device: 'Lobby',
      status: { http },
    });
  });

  it.each([
    [404, '', 'device.not-supported-at-all'],
    [404, '<html>nothing here</html>', 'device.not-supported-at-all'],
    [404, xml(4, 'notSupport'), 'device.not-supported'],
    [403, '', 'device.no-rights'],
    [403, xml(4, 'lowPrivilege'), 'device.no-rights'],
    [403, xml(4, 'notActivated'), 'device.not-activated'],
    [404, xml(4, 'notExist'), 'device.nothing-there'],
    [400, '', 'device.refused-request'],
    [500, '', 'device.own-error'],
  ] as const)(
    '%i %# is told as what it is (a device blamed for a page of somebody else)',
    (http, text, id) => {
      const { shape } = createStatusError(status(http, text));

      expect(shape.detail?.id).toBe(id);
    },
  );

  it("repeats the device's own words, and leaves out what is not known", () => {
    const { shape } = createStatusError(status(400, xml(6, 'badXmlContent', 'No such channel')));

    expect(shape.message).toMatch(/\. The device says: No such channel \(badXmlContent\)$/);
    expect(shape).not.toHaveProperty('device');
    expect(createStatusError(status(400, '')).message).not.toContain('The device says');
  });
});
