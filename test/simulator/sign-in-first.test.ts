import { describe, expect, it } from 'vitest';
import { ask, digestHeader, rawExchange, readChallenge, site, tag } from './helpers.ts';

const MODE = '/API/Thermal/channels/1/thermometryMode';
const BODY = '<ThermometryMode><mode>expert</mode></ThermometryMode>';

/** A request whose body is held back: what the device says before it has come. */
function head(path: string, header: string): string {
  return `PUT ${path} HTTP/1.1\r\nHost: device\r\nContent-Type: application/xml\r\n${header}\r\n\r\n`;
}

describe('a body that is held back until somebody is signed in', () => {
  it.each([
    ['of unknown length', 'Transfer-Encoding: chunked'],
    ['announced with Expect', `Content-Length: ${BODY.length}\r\nExpect: 100-continue`],
    ['of unknown length, announced with Expect', 'Transfer-Encoding: chunked\r\nExpect: 100-continue'],
  ])('%s gets its 401 and never a 100', async (_what, header) => {
    const started = await site({ kinds: ['thermal'], auth: 'digest' });

    const answer = await rawExchange(started.devices[0]?.url ?? '', head(MODE, header));

    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(tag(answer, 'subStatusCode')).toBe('notAuthenticated');
  });

  it('whoever signed in is told to continue, and the body is carried out', async () => {
    const started = await site({ kinds: ['thermal'], auth: 'digest' });
    const [device] = started.devices;
    const url = device?.url ?? '';
    const asked = readChallenge((await ask(url, 'PUT', MODE, BODY)).headers.get('www-authenticate') ?? '');
    const authorization = digestHeader(asked, {
      user: device?.user ?? '',
      password: device?.password ?? '',
      method: 'PUT',
      uri: MODE,
    });

    const answer = await rawExchange(
      url,
      `${head(MODE, `Content-Length: ${BODY.length}\r\nExpect: 100-continue\r\nConnection: close\r\nAuthorization: ${authorization}`)}${BODY}`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 200 /);
    expect(started.device(0).state().documents).toMatchObject({ 'thermal.thermometryMode/1': BODY });
  });
});

describe('refusals', () => {
  it('a rule between fields is told in words', async () => {
    const started = await site({ kinds: ['thermal'] });

    const reply = await ask(
      started,
      'PUT',
      '/API/Thermal/channels/1/thermometry/basicParam',
      '<ThermometryBasicParam><emissivity>0.5</emissivity><emissivityMode>rough</emissivityMode></ThermometryBasicParam>',
    );

    expect([reply.http, tag(reply.text, 'errorMsg')]).toEqual([
      400,
      'The content is not accepted. emissivity is not that of the emissivityMode.',
    ]);
  });

  it.each([
    ['urn:somebody:1', ' xmlns="urn:somebody:1"'],
    ['', ''],
  ])(
    'ResponseStatus is in the namespace "%s" of the device, refused or not',
    async (namespace, attribute) => {
      const started = await site({ kinds: ['thermal'], namespace });
      const locked = await site({ kinds: ['thermal'], namespace, auth: 'digest' });

      const answers = [
        await ask(started, 'PUT', MODE, BODY),
        await ask(started, 'GET', '/API/Nothing'),
        await ask(locked, 'GET', MODE),
      ];

      expect(answers.map(({ http, text }) => [http, /<ResponseStatus[^>]*>/.exec(text)?.[0]])).toEqual(
        [200, 404, 401].map((http) => [http, `<ResponseStatus version="2.0"${attribute}>`]),
      );
    },
  );

  it.each([
    [256, 200],
    [257, 400],
    [260, 400],
  ])(
    'a token key of %i characters on the wire gets %i: the limit is reported for what is sent',
    async (length, http) => {
      const started = await site({ kinds: ['gate'] });
      const key = `${'A'.repeat(length)}`;

      const limits = await ask(started, 'GET', '/API/System/Token/secretKey/capabilities');
      const reply = await ask(
        started,
        'POST',
        '/API/System/Token/secretKey',
        `<TokenSecretKey><tokenAuthenticateEnable>true</tokenAuthenticateEnable><keyInfo><key>${key}</key></keyInfo></TokenSecretKey>`,
      );

      expect(limits.text).toContain('<key min="1" max="256"/>');
      expect(reply.http).toBe(http);
    },
  );

  it.each([
    ['08:00:00', 400],
    ['08:00:00+08:00', 200],
    ['08:00:00Z', 200],
  ])('a passback time %s gets %i', async (time, http) => {
    const started = await site({ kinds: ['recorder'] });
    const at = (name: string) =>
      `<${name}><DayOfWeek>Monday</DayOfWeek><TimeOfDay>${time}</TimeOfDay></${name}>`;

    const reply = await ask(
      started,
      'PUT',
      '/API/ContentMgmt/record/passback/historyPlanCfg?StreamID=1&Channel=1',
      `<RecordPassBackHistoryPlanCfg><enable>true</enable><ScheduleActionList><ScheduleAction><id>1</id>${at('ScheduleActionStartTime')}</ScheduleAction></ScheduleActionList></RecordPassBackHistoryPlanCfg>`,
    );

    expect(reply.http).toBe(http);
  });

  it.each<[body: object, http: number]>([
    [{ description: [{ any: 1 }], algSortingParams: { any: 1 } }, 200],
    [{ description: ['text'] }, 400],
    [{ description: { any: 1 } }, 400],
    [{ algSortingParams: 'text' }, 400],
    [{ algSortingParams: [] }, 400],
  ])('a package with %j gets %i', async (body, http) => {
    const started = await site({ kinds: ['ai'] });

    const reply = await ask(
      started,
      'POST',
      '/API/Intelligent/AIOpenPlatform/algorithmModel?format=json',
      JSON.stringify({ MPID: 'm', ...body }),
    );

    expect(reply.http).toBe(http);
  });
});
