import { describe, expect, it } from 'vitest';
import { TOKEN_KEY } from '#simulator/areas/system.ts';
import { COUNTING } from '#simulator/areas/counting.ts';
import { ask, site, tag, type Reply } from './helpers.ts';

function code(reply: Reply): string | undefined {
  return tag(reply.text, 'statusCode');
}

describe('storage card', () => {
  const LOCK = '/API/Smart/storageDetection/rwlock';
  const UNLOCK = '/API/Smart/storageDetection/unlock';
  const lock = (enabled: boolean, passwd: string, originalPasswd?: string) =>
    `<RWLock><enabled>${enabled}</enabled><passwd>${passwd}</passwd>${originalPasswd === undefined ? '' : `<originalPasswd>${originalPasswd}</originalPasswd>`}</RWLock>`;

  it('is locked, usable for three minutes after an unlock, then locked again', async () => {
    const started = await site({ kinds: ['counter'] });
    const state = async (): Promise<string | undefined> =>
      tag((await ask(started, 'GET', '/API/Smart/storageDetection')).text, 'SDCardState');
    const seen = [await state()];

    await ask(started, 'PUT', LOCK, lock(true, 'first'));
    seen.push(await state());
    const wrong = await ask(started, 'PUT', UNLOCK, '<UnLock><passwd>guess</passwd></UnLock>');
    seen.push(await state());
    await ask(started, 'PUT', UNLOCK, '<UnLock><passwd>first</passwd></UnLock>');
    seen.push(await state());
    started.clock.advance(179_000);
    seen.push(await state());
    started.clock.advance(2000);
    seen.push(await state());

    expect(seen).toEqual(['onLine', 'locked', 'locked', 'onLine', 'onLine', 'locked']);
    expect([code(wrong), tag(wrong.text, 'subStatusCode')]).toEqual(['6', 'wrongPassword']);
  });

  it('changes and loses its lock only with the present password, and never shows it', async () => {
    const started = await site({ kinds: ['thermal'] });
    await ask(started, 'PUT', LOCK, lock(true, 'first'));

    const replies = [
      await ask(started, 'PUT', LOCK, lock(true, 'second')),
      await ask(started, 'PUT', LOCK, lock(true, 'second', 'guess')),
      await ask(started, 'PUT', LOCK, lock(true, 'second', 'first')),
      await ask(started, 'PUT', LOCK, lock(false, 'first')),
      await ask(started, 'GET', LOCK),
      await ask(started, 'PUT', LOCK, lock(false, 'second')),
    ];
    const open = await ask(started, 'GET', LOCK);

    expect(replies.map((reply) => reply.http)).toEqual([400, 400, 200, 400, 200, 200]);
    expect(replies[4]?.text).toMatch(/<enabled>true<\/enabled>\r\n\s*<passwd><\/passwd>/);
    expect(tag(open.text, 'enabled')).toBe('false');
    expect(JSON.stringify([started.device(0).requests, started.device(0).state()])).not.toMatch(
      /first|second|guess/,
    );
  });

  it.each(['', 'elevenchars'])('does not take %j as a password', async (password) => {
    const started = await site({ kinds: ['ai'] });

    expect(code(await ask(started, 'PUT', LOCK, lock(true, password)))).toBe('6');
  });

  it('cannot be unlocked while it is not locked', async () => {
    const started = await site({ kinds: ['recorder'] });

    expect(code(await ask(started, 'PUT', UNLOCK, '<UnLock><passwd>x</passwd></UnLock>'))).toBe('4');
  });
});

describe('token key', () => {
  const PATH = '/API/System/Token/secretKey';
  const body = (enabled: boolean, key?: string) =>
    `<TokenSecretKey><tokenAuthenticateEnable>${enabled}</tokenAuthenticateEnable><authenticateMode>shareKey</authenticateMode>${key === undefined ? '' : `<keyInfo><key>${key}</key></keyInfo>`}<keyLen>256</keyLen></TokenSecretKey>`;

  it.each(['gate', 'thermal', 'ai', 'counter', 'recorder'] as const)(
    'is set on a %s, which keeps only its hash',
    async (kind) => {
      const started = await site({ kinds: [kind] });
      const key = Buffer.from([0, 1, 255, 13, 10, 60]).toString('base64');

      const set = await ask(started, 'POST', PATH, body(true, key));

      expect(code(set)).toBe('1');
      expect(started.device(0).part(TOKEN_KEY).enabled).toBe(true);
      expect(JSON.stringify([started.device(0).state(), started.device(0).requests])).not.toContain(key);
      expect((await ask(started, 'GET', `${PATH}/capabilities`)).text).toContain(
        '<encryptAlgorithmMode opt="ECB,CBC,CFB,OFB"',
      );
    },
  );

  it('comes with the function and goes with it', async () => {
    const started = await site();

    const replies = [
      await ask(started, 'POST', PATH, body(true)),
      await ask(started, 'POST', PATH, body(true, 'not base64!')),
      await ask(started, 'POST', PATH, body(false, 'AAAA')),
      await ask(started, 'POST', PATH, body(false)),
    ];

    expect(replies.map(code)).toEqual(['6', '6', '6', '1']);
  });

  it('has a check whose body nobody knows', async () => {
    const started = await site();

    const reply = await ask(started, 'POST', '/API/System/Token/check', '<TokenInfo/>');

    expect([code(reply), tag(reply.text, 'subStatusCode')]).toEqual(['4', 'notSupport']);
  });
});

describe('thermal', () => {
  const BASIC = '/API/Thermal/channels/1/thermometry/basicParam';
  const basic = (inner: string) => `<ThermometryBasicParam>${inner}</ThermometryBasicParam>`;

  it.each([
    ['<emissivity>0.5</emissivity><emissivityMode>customsettings</emissivityMode>', '1'],
    ['<emissivity>0.60</emissivity><emissivityMode>smooth</emissivityMode>', '1'],
    ['<emissivity>0.5</emissivity><emissivityMode>smooth</emissivityMode>', '6'],
    ['<emissivity>1.01</emissivity>', '6'],
    ['<emissivity>abc</emissivity>', '6'],
    ['<distance>1.5</distance>', '6'],
    ['<temperatureRange>100-550</temperatureRange>', '1'],
    ['<temperatureRange>100~550</temperatureRange>', '6'],
    ['<id>2</id>', '6'],
    ['<id>1</id>', '1'],
    ['<alarmInterval>0</alarmInterval>', '6'],
    [
      `<NormalTemperatureIntervalMeasurement><TemperatureIntervalList>${'<TemperatureInterval><id>1</id></TemperatureInterval>'.repeat(5)}</TemperatureIntervalList></NormalTemperatureIntervalMeasurement>`,
      '6',
    ],
    ['<alert></alert><unlisted a="1"/>', '1'],
  ])('basic parameters %s give %s', async (inner, expected) => {
    const started = await site({ kinds: ['thermal'] });

    expect(code(await ask(started, 'PUT', BASIC, basic(inner)))).toBe(expected);
  });

  it('replaces the whole object: what is left out is gone', async () => {
    const started = await site({ kinds: ['thermal'] });

    await ask(started, 'PUT', BASIC, basic('<distance>7</distance>'));
    const text = (await ask(started, 'GET', BASIC)).text;

    expect(text).toBe(basic('<distance>7</distance>'));
    expect((await ask(started, 'GET', BASIC.replace('channels/1', 'channels/2'))).text).toContain(
      '<emissivity>0.95</emissivity>',
    );
  });

  it('reads fire detection and has no write for it', async () => {
    const started = await site({ kinds: ['thermal'] });

    expect((await ask(started, 'GET', '/API/Thermal/channels/1/fireDetection')).text).toContain(
      '<fireComfirmTime>3</fireComfirmTime>',
    );
    expect(
      (await ask(started, 'PUT', '/API/Thermal/channels/1/fireDetection', '<FireDetection/>')).http,
    ).toBe(405);
  });
});

describe('schedules and triggers', () => {
  const PATH = '/API/Event/schedules/thermometry/thermometry-1';
  const block = (day: number, begin = '08:00:00', end = '18:00:00') =>
    `<TimeBlock><dayOfWeek>${day}</dayOfWeek><TimeRange><beginTime>${begin}</beginTime><endTime>${end}</endTime></TimeRange></TimeBlock>`;
  const schedule = (blocks: string, id = 'thermometry-1') =>
    `<Schedule><id>${id}</id><eventType>thermometry</eventType><TimeBlockList size="8">${blocks}</TimeBlockList></Schedule>`;

  it.each([
    ['eight periods on one day', schedule(block(1).repeat(8)), '1'],
    ['nine periods on one day', schedule(block(1).repeat(9)), '6'],
    ['the end of the day', schedule(block(7, '00:00:00', '24:00:00')), '1'],
    ['day 8', schedule(block(8)), '6'],
    ['an end before the begin, which nothing forbids', schedule(block(1, '09:00:00', '08:00:00')), '1'],
    ['no time', schedule(block(1, 'eight', '18:00:00')), '6'],
    ['no period at all', schedule(''), '1'],
    ['no list', '<Schedule><id>thermometry-1</id></Schedule>', '6'],
    ['the id of another channel', schedule(block(1), 'thermometry-2'), '6'],
  ])('a schedule with %s', async (_name, body, expected) => {
    const started = await site({ kinds: ['thermal'] });

    expect(code(await ask(started, 'PUT', PATH, body))).toBe(expected);
  });

  it('keep each preset, channel and event apart', async () => {
    const started = await site({ devices: 2, kinds: ['thermal', 'recorder'] });
    const trigger = (id: string, type: string) =>
      `<EventTrigger><id>${id}</id><eventType>${type}</eventType><EventTriggerNotificationList/></EventTrigger>`;
    const recorder = started.devices[1]?.url ?? '';
    const preset = '/API/Event/triggers/thermometry-1/preset';

    const set = await ask(started, 'PUT', `${preset}/5`, trigger('thermometry-1', 'thermometry'));
    const disk = await ask(
      recorder,
      'PUT',
      '/API/Event/triggers/hdBadBlock',
      trigger('hdBadBlock', 'hdBadBlock'),
    );
    const swapped = await ask(
      recorder,
      'PUT',
      '/API/Event/triggers/severeHDFailure',
      trigger('hdBadBlock', 'hdBadBlock'),
    );

    expect([code(set), code(disk), code(swapped)]).toEqual(['1', '1', '6']);
    expect((await ask(started, 'GET', `${preset}/5`)).text).toBe(trigger('thermometry-1', 'thermometry'));
    expect((await ask(started, 'GET', `${preset}/6`)).text).toContain('<presetID>6</presetID>');
    expect((await ask(started, 'GET', `${preset}/0`)).http).toBe(404);
    expect((await ask(recorder, 'GET', '/API/Event/triggers/severeHDFailure')).text).toContain(
      '<notificationMethod>center</notificationMethod>',
    );
  });
});

describe('human recognition', () => {
  const BASE = '/API/Intelligent/channels/2/humanRecognition';
  const point = (x: number, y: number) =>
    `<RegionCoordinates><positionX>${x}</positionX><positionY>${y}</positionY></RegionCoordinates>`;
  const region = (id: number, points = [point(0, 0), point(1000, 0), point(0, 1000)]) =>
    `<HumanRecognitionRegion><id>${id}</id><regionName>R${id}</regionName><enabled>true</enabled><RegionCoordinatesList>${points.join('')}</RegionCoordinatesList><vendor/></HumanRecognitionRegion>`;
  const list = (...regions: string[]) =>
    `<HumanRecognitionRegionList>${regions.join('')}</HumanRecognitionRegionList>`;

  it('shows the regions of the configuration, and changes them in it alone', async () => {
    const started = await site({ kinds: ['ai'] });
    const before = (await ask(started, 'GET', BASE)).text;

    const put = await ask(started, 'PUT', `${BASE}/regions`, list(region(3), region(4)));
    const after = (await ask(started, 'GET', BASE)).text;
    const regions = (await ask(started, 'GET', `${BASE}/regions`)).text;

    expect(code(put)).toBe('1');
    expect(after).toContain(list(region(3), region(4)));
    expect(after.replace(/<HumanRecognitionRegionList[\s\S]*<\/HumanRecognitionRegionList>/, '')).toBe(
      before.replace(/<HumanRecognitionRegionList[\s\S]*<\/HumanRecognitionRegionList>/, ''),
    );
    expect(regions).toContain('<regionName>R4</regionName>');
    expect(regions).toMatch(/^<\?xml[^>]*>\r\n<HumanRecognitionRegionList version="2\.0" xmlns=/);
  });

  it.each([
    ['two points', list(region(1, [point(0, 0), point(1, 1)]))],
    [
      'eleven points',
      list(
        region(
          1,
          Array.from({ length: 11 }, (_, index) => point(index, index)),
        ),
      ),
    ],
    ['a point outside', list(region(1, [point(0, 0), point(1001, 0), point(0, 1)]))],
    ['nine regions', list(...Array.from({ length: 9 }, (_, index) => region(index)))],
    ['an id twice', list(region(1), region(1))],
  ])('refuses regions with %s', async (_name, body) => {
    const started = await site({ kinds: ['ai'] });

    expect(code(await ask(started, 'PUT', `${BASE}/regions`, body))).toBe('6');
  });

  it('allows one region with individual behavior, and fits a list into a document without one', async () => {
    const started = await site({ kinds: ['ai'] });
    const config = (mode: string) =>
      `<HumanRecognition><id>2</id><analysisParam><analysisMode>${mode}</analysisMode></analysisParam></HumanRecognition>`;

    await ask(started, 'PUT', BASE, config('individualBehavior'));
    const two = await ask(started, 'PUT', `${BASE}/regions`, list(region(1), region(2)));
    const one = await ask(started, 'PUT', `${BASE}/regions`, list(region(1)));

    expect([code(two), code(one)]).toEqual(['6', '1']);
    expect((await ask(started, 'GET', BASE)).text).toBe(
      config('individualBehavior').replace('</id>', `</id>${list(region(1))}`),
    );
  });
});

describe('people counting', () => {
  const CHANNEL = '/API/System/Video/inputs/channels/1/counting';

  it('counts on, is reset, and forgets what it stored on request', async () => {
    const started = await site({ kinds: ['counter'] });
    started.clock.freeze();
    const counting = started.device(0).part(COUNTING);
    started.clock.advance(3_600_000);
    const before = { count: counting.count, stored: counting.stored };

    const status = await ask(started, 'GET', `${CHANNEL}/status`);
    await ask(started, 'PUT', `${CHANNEL}/resetCount`);
    const reset = { count: counting.count, stored: counting.stored };
    await ask(
      started,
      'PUT',
      '/API/ContentMgmt/FlashStorage/remove/channels/1',
      '<FlashStorageRemove><coutingRemove>false</coutingRemove></FlashStorageRemove>',
    );
    const kept = counting.stored;
    await ask(
      started,
      'PUT',
      '/API/ContentMgmt/FlashStorage/remove/channels/1',
      '<FlashStorageRemove><coutingRemove>true</coutingRemove></FlashStorageRemove>',
    );

    expect(before.count).toBeGreaterThan(500);
    expect(tag(status.text, 'time')).toMatch(/^\d\d:\d\d:\d\d\+00:00$/);
    expect([reset.count === 0, reset.stored > 500, kept > 500, counting.stored === 0]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect((await ask(started, 'PUT', '/API/System/Video/inputs/channels/2/counting/resetCount')).http).toBe(
      404,
    );
  });

  it('has a shield with version 1.0', async () => {
    const started = await site({ kinds: ['counter'] });

    expect((await ask(started, 'GET', '/API/Intelligent/channels/1/Shield/peopleCounting')).text).toContain(
      '<Shield version="1.0"',
    );
  });
});

describe('record passback', () => {
  const PLAN = '/API/ContentMgmt/record/passback/historyPlanCfg';
  const action = (id: number, day = 'Monday', more = '') =>
    `<ScheduleAction><id>${id}</id><ScheduleActionStartTime><DayOfWeek>${day}</DayOfWeek><TimeOfDay>08:00:00+08:00</TimeOfDay></ScheduleActionStartTime><ScheduleActionEndTime><DayOfWeek>${day}</DayOfWeek><TimeOfDay>09:00:00+08:00</TimeOfDay></ScheduleActionEndTime>${more}</ScheduleAction>`;
  const plan = (...actions: string[]) =>
    `<RecordPassBackHistoryPlanCfg><enable>true</enable><ScheduleActionList>${actions.join('')}</ScheduleActionList></RecordPassBackHistoryPlanCfg>`;

  it.each([
    [
      'an event with its inputs',
      plan(
        action(
          1,
          'Sunday',
          '<eventType>alarmIn</eventType><AlarmInParam><alarmInIDList><alarmInID>3</alarmInID></alarmInIDList></AlarmInParam>',
        ),
      ),
      '1',
    ],
    ['a day by number', plan(action(1, '1')), '6'],
    ['nine actions on a day', plan(...Array.from({ length: 9 }, (_, index) => action(index + 1))), '6'],
    ['action 57', plan(action(57)), '6'],
    ['an id twice', plan(action(1), action(1, 'Friday')), '6'],
    ['no enable', '<RecordPassBackHistoryPlanCfg/>', '6'],
  ])('takes or refuses a plan with %s', async (_name, body, expected) => {
    const started = await site({ kinds: ['recorder'] });

    expect(code(await ask(started, 'PUT', `${PLAN}?StreamID=main&Channel=1`, body))).toBe(expected);
  });

  it.each([
    '?Channel=1',
    '?StreamID=main',
    '?StreamID=main&Channel=4294967295',
    '?StreamID=main&Channel=1025',
    `?StreamID=${'x'.repeat(33)}&Channel=1`,
    '',
  ])('has no plan at %j', async (query) => {
    const started = await site({ kinds: ['recorder'] });

    expect((await ask(started, 'GET', PLAN + query)).http).toBe(404);
  });

  it.each([
    [
      '<beginTime>0</beginTime><endTime>65535</endTime><maxTotalConcurrenceNum>400</maxTotalConcurrenceNum><maxDvrConcurrenceNum>32</maxDvrConcurrenceNum>',
      '1',
    ],
    [
      '<beginTime>0</beginTime><endTime>65535</endTime><maxTotalConcurrenceNum>199</maxTotalConcurrenceNum><maxDvrConcurrenceNum>32</maxDvrConcurrenceNum>',
      '6',
    ],
    [
      '<beginTime>60</beginTime><endTime>30</endTime><maxTotalConcurrenceNum>200</maxTotalConcurrenceNum><maxDvrConcurrenceNum>2</maxDvrConcurrenceNum>',
      '1',
    ],
    ['<beginTime>0</beginTime>', '6'],
  ])('basic configuration %s gives %s', async (inner, expected) => {
    const started = await site({ kinds: ['recorder'] });

    expect(
      code(
        await ask(
          started,
          'PUT',
          '/API/ContentMgmt/record/passback/basicCfg',
          `<RecordPassBackBasicCfg>${inner}</RecordPassBackBasicCfg>`,
        ),
      ),
    ).toBe(expected);
  });
});
