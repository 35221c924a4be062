/** Odd values of real devices: captured, planned, written beside, read back and put back, on a device that keeps every byte. */
import { afterEach, describe, expect, it } from 'vitest';
import { capture } from '../template/capture.ts';
import { applyPlan, makePlan, openSite, template, watchToEnd, type TestSite } from '../site-engine.ts';
import { OK, startKeepingDevice, startOddDevice, type OddDevice } from '../odd-device.ts';

let at: TestSite;
let device: OddDevice;
let id: string;
afterEach(async () => {
  await device.close();
});

async function open(held: Map<string, string | Buffer>, type?: string): Promise<void> {
  await openWith(await startKeepingDevice(held, type));
}
async function openWith(started: OddDevice): Promise<void> {
  device = started;
  at = await openSite();
  id = at.engine.devices.addTransient({ url: device.url, name: 'odd' }).id;
}
const plan = (text: string) => makePlan({ engine: at.engine, ids: [id] }, text);
const planned = async (text: string) => (await plan(text)).devices[0]?.sections[0];
async function applied(text: string) {
  const job = await applyPlan(at.engine, await plan(text));
  return { id: job.id, section: job.results[0]?.units[0] };
}
const undo = (jobId: string) => watchToEnd(at.engine, at.engine.jobs.undo({ id: jobId }).jobId);

const SCHEDULE = '/Event/schedules/thermometry/thermometry-1';
const block = (day: number | string, begin: string, end: string) =>
  `<TimeBlock><dayOfWeek>${day}</dayOfWeek><TimeRange><beginTime>${begin}</beginTime><endTime>${end}</endTime></TimeRange></TimeBlock>`;
const schedule = (...blocks: string[]) =>
  `<Schedule><id>thermometry-1</id><TimeBlockList size="8">${blocks.join('')}</TimeBlockList></Schedule>`;
const SHIELD = '/Intelligent/channels/1/Shield/peopleCounting';
const region = (number: number, enabled: boolean, corners: string) =>
  `<Region><id>${number}</id><enabled>${enabled}</enabled><RegionCoordinatesList>${corners}</RegionCoordinatesList></Region>`;
const CORNERS = [
  [0, 0],
  [10, 0],
  [10, 10],
]
  .map(
    ([x, y]) =>
      `<RegionCoordinates><positionX>${x}</positionX><positionY>${y}</positionY></RegionCoordinates>`,
  )
  .join('');
const shield = (...regions: string[]) =>
  `<Shield version="1.0"><enabled>true</enabled><RegionList>${regions.join('')}</RegionList></Shield>`;
const TRIGGER = '/Event/triggers/severeHDFailure';
const trigger = (...methods: string[]) =>
  `<EventTrigger><id>x-1</id><eventType>x</eventType><EventTriggerNotificationList>${methods.map((method, at) => `<EventTriggerNotification><id>${at}</id><notificationMethod>${method}</notificationMethod><notificationInterval>5</notificationInterval></EventTriggerNotification>`).join('')}</EventTriggerNotificationList></EventTrigger>`;

describe('a list that is lost for one odd value, or a value the device showed that blocks a write', () => {
  it.each([
    [
      'times without seconds',
      'events.thermometrySchedule',
      SCHEDULE,
      schedule(block(1, '08:00', '9:30'), block(2, '08:00:00', '24:00')),
      'TimeBlockList',
    ],
    [
      'a slot of a region that nobody uses',
      'peopleCounting.shield',
      SHIELD,
      shield(region(1, true, CORNERS), region(2, false, '')),
      'RegionCoordinatesList: []',
    ],
    [
      'an enabled region without corners',
      'peopleCounting.shield',
      SHIELD,
      shield(region(1, true, CORNERS), region(2, true, '')),
      'id: "2"',
    ],
    [
      'an empty item',
      'peopleCounting.shield',
      SHIELD,
      shield(region(1, true, CORNERS)).replace(
        '</RegionCoordinatesList>',
        '<RegionCoordinates/></RegionCoordinatesList>',
      ),
      'positionX: 10',
    ],
    [
      'a day that is none',
      'events.thermometrySchedule',
      SCHEDULE,
      schedule(block(1, '08:00:00', '09:00:00'), block('holiday', '08:00:00', '09:00:00')),
      'TimeBlockList',
    ],
    [
      "a linkage of a vendor's own",
      'events.severeHdFailureTrigger',
      TRIGGER,
      trigger('beep', 'vendorBeep'),
      'notificationInterval',
    ],
  ])(
    '%s: captured, and nothing to do on the device it came from',
    async (_what, set, path, document, part) => {
      const held = new Map<string, string | Buffer>([[path, document]]);
      await open(held);

      const captured = await capture(at.engine, { deviceId: id, sections: [{ set }] });
      const again = await makePlan({ engine: at.engine, ids: [id] }, captured.text, {
        values: captured.values,
      });

      expect(captured.text).toContain(part);
      expect(again.devices[0]?.sections[0]).toMatchObject({ state: 'unchanged', problems: [] });
    },
  );

  it('one period is changed, the other stays as the device spells it; read back, planned again and undone', async () => {
    const document = schedule(block(1, '08:00', '18:00'), block(2, '08:00', '18:00'));
    const held = new Map<string, string | Buffer>([[SCHEDULE, document]]);
    const text = template(
      'set: events.thermometrySchedule\nparams: { channelID: 1 }\nvalue:\n  TimeBlockList:\n    - { dayOfWeek: 1, TimeRange: { beginTime: "08:00:00", endTime: "19:00:00" } }\n    - { dayOfWeek: 2, TimeRange: { beginTime: "08:00:00", endTime: "18:00:00" } }',
    );
    await open(held);

    const { id: job, section } = await applied(text);
    const after = String(held.get(SCHEDULE));
    const again = await planned(text);
    await undo(job);

    expect(section).toMatchObject({
      outcome: 'effective',
      changes: [{ path: 'TimeBlockList[0].TimeRange.endTime' }],
    });
    expect(after).toBe(schedule(block(1, '08:00', '19:00:00'), block(2, '08:00', '18:00')));
    expect(again?.state).toBe('unchanged');
    expect(String(held.get(SCHEDULE))).toBe(document);
  });

  it('a device that shows 08:00 where 08:00:00 was sent took it (an outcome "ignored" for a spelling)', async () => {
    let shown = schedule(block(1, '07:00:00', '18:00:00'));
    await openWith(
      await startOddDevice(({ method, path, body }) => {
        if (!path.includes('schedules')) return { http: 404, text: '' };
        if (method === 'GET') return { text: shown };
        shown = body.replace(/(\d\d:\d\d):00/g, '$1');
        return { text: OK };
      }),
    );

    const { section } = await applied(
      template(
        'set: events.thermometrySchedule\nparams: { channelID: 1 }\nvalue:\n  TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: "08:00:00", endTime: "18:00:00" } }]',
      ),
    );

    expect(shown).toContain('>08:00<');
    expect(section?.outcome).toBe('effective');
  });

  it('what the device returned is sent back unchanged when an item before it goes, and a new wrong value is still refused', async () => {
    const held = new Map<string, string | Buffer>([[TRIGGER, trigger('email', 'vendorBeep', 'beep')]]);
    const items = (...lines: string[]) =>
      template(
        `set: events.severeHdFailureTrigger\nvalue:\n  EventTriggerNotificationList:\n${lines.map((line) => `    - ${line}`).join('\n')}`,
      );
    await open(held);

    const refused = await planned(items('{ id: "1" }', '{ id: "7", notificationInterval: 3 }'));
    const { section } = await applied(items('{ id: "1" }', '{ id: "2", notificationInterval: 6 }'));

    expect(refused).toMatchObject({
      state: 'blocked',
      problems: [{ code: 'missing-field', path: 'EventTriggerNotificationList[1].notificationMethod' }],
    });
    expect(section?.outcome).toBe('effective');
    expect(String(held.get(TRIGGER))).toContain(
      '<id>1</id><notificationMethod>vendorBeep</notificationMethod>',
    );
  });
});

describe('a document in a character set of its own', () => {
  const NAME = Buffer.from([0xb2, 0xe2, 0xca, 0xd4]);
  const gbk = (description: Buffer, interval: number, declared = ' encoding="GB2312"') =>
    Buffer.concat([
      Buffer.from(
        `<?xml version="1.0"${declared} ?>\r\n<EventTrigger><id>x-1</id><eventType>x</eventType><eventDescription>`,
      ),
      description,
      Buffer.from(
        `</eventDescription><intervalBetweenEvents>${interval}</intervalBetweenEvents></EventTrigger>`,
      ),
    ]);
  const set = (value: string) => template(`set: events.severeHdFailureTrigger\nvalue: ${value}`);

  it.each([
    ['its declaration', ' encoding="GB2312"', undefined],
    ['the content type alone', '', 'application/xml; charset=GBK'],
  ])(
    'is written in it, by %s, and undone to the byte (a name in Chinese that a device cannot read any more)',
    async (_how, declared, type) => {
      const before = gbk(NAME, 5, declared);
      const held = new Map<string, string | Buffer>([[TRIGGER, before]]);
      await open(held, type);

      const { id: job, section } = await applied(
        set('{ intervalBetweenEvents: 6, eventDescription: "测试中" }'),
      );
      const after = held.get(TRIGGER);
      await undo(job);

      expect(section?.outcome).toBe('effective');
      expect(after).toEqual(gbk(Buffer.concat([NAME, Buffer.from([0xd6, 0xd0])]), 6, declared));
      expect(
        device.requests.filter(({ method }) => method === 'PUT').map(({ type: sent }) => sent.toLowerCase()),
      ).toEqual(Array(2).fill(`application/xml; charset="${declared === '' ? 'gbk' : 'gb2312'}"`));
      expect(held.get(TRIGGER)).toEqual(before);
    },
  );

  it('a character that it does not have is refused with the reason, and nothing is sent', async () => {
    const held = new Map<string, string | Buffer>([[TRIGGER, gbk(NAME, 5)]]);
    await open(held);

    const { section } = await applied(set('{ eventDescription: "😀" }'));

    expect(section).toMatchObject({
      outcome: 'failed',
      error: { code: 'not-allowed', detail: { id: 'not-in-charset' } },
    });
    expect(device.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('a byte order mark is there again after a change and its undo', async () => {
    const before = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(
        '<?xml version="1.0" encoding="UTF-8"?><EventTrigger><id>x-1</id><eventType>x</eventType><intervalBetweenEvents>5</intervalBetweenEvents></EventTrigger>',
      ),
    ]);
    const held = new Map<string, string | Buffer>([[TRIGGER, before]]);
    await open(held);

    const { id: job } = await applied(set('{ intervalBetweenEvents: 6 }'));
    const after = held.get(TRIGGER) as Buffer;
    await undo(job);

    expect(after.toString('utf8')).toBe(before.toString('utf8').replace('>5<', '>6<'));
    expect(held.get(TRIGGER)).toEqual(before);
  });
});

describe('bytes that do not fit the declared character set', () => {
  const ODD: Readonly<Record<string, readonly number[]>> = {
    'a byte of Latin 1': [0x41, 0xa7, 0x42],
    'a name in GBK': [0xb1, 0xb1, 0xc3, 0xc5, 0x31],
    'a character cut off': [...Buffer.from('北门')].slice(0, 5),
    'a surrogate in UTF-8': [0xed, 0xb2, 0xa7],
    'the character that carries a byte': [...Buffer.from('\u{10fea7}')],
  };
  const odd = (name: readonly number[], interval: number, declared = 'UTF-8') =>
    Buffer.concat([
      Buffer.from(
        `<?xml version="1.0" encoding="${declared}"?>\r\n<EventTrigger><id>x-1</id><eventType>x</eventType><eventDescription>`,
      ),
      Buffer.from(name),
      Buffer.from(
        `</eventDescription><intervalBetweenEvents>${interval}</intervalBetweenEvents></EventTrigger>`,
      ),
    ]);
  const set = (value: string) => template(`set: events.severeHdFailureTrigger\nvalue: ${value}`);

  describe.each(['UTF-8', 'GB2312', 'Shift_JIS', 'Windows-1252'])('declared as %s', (declared) => {
    it.each(Object.entries(ODD))(
      '%s is carried through a change beside it and its undo',
      async (_what, name) => {
        const before = odd(name, 5, declared);
        const held = new Map<string, string | Buffer>([[TRIGGER, before]]);
        await open(held, `application/xml; charset="${declared}"`);

        const { id: job, section } = await applied(set('{ intervalBetweenEvents: 6 }'));
        const after = held.get(TRIGGER);
        await undo(job);

        expect(section?.outcome).toBe('effective');
        expect(after).toEqual(odd(name, 6, declared));
        expect(held.get(TRIGGER)).toEqual(before);
      },
    );
  });

  it('is replaced itself, declared as what is sent then, and undone to the byte', async () => {
    const before = odd([0x41, 0xa7, 0x42], 5);
    const held = new Map<string, string | Buffer>([[TRIGGER, before]]);
    await open(held);

    const { id: job, section } = await applied(set('{ eventDescription: "Tür" }'));
    const after = held.get(TRIGGER);
    await undo(job);

    expect(section?.outcome).toBe('effective');
    expect(after).toEqual(odd([...Buffer.from('Tür')], 5));
    expect(held.get(TRIGGER)).toEqual(before);
    expect(
      device.requests.filter(({ method }) => method === 'PUT').map(({ type }) => type),
      'no character set is declared for bytes that are none',
    ).toEqual(['application/xml; charset="UTF-8"', 'application/xml']);
  });

  it('is captured, and nothing to do on the device it came from, in the spelling of the file and of the screen', async () => {
    const held = new Map<string, string | Buffer>([[TRIGGER, odd([0x41, 0xa7, 0x42], 5)]]);
    await open(held);

    const captured = await capture(at.engine, {
      deviceId: id,
      sections: [{ set: 'events.severeHdFailureTrigger' }],
    });
    const again = await makePlan({ engine: at.engine, ids: [id] }, captured.text, {
      values: captured.values,
    });
    const typed = await planned(set('{ eventDescription: "A\ufffdB" }'));

    expect(again.devices[0]?.sections[0]).toMatchObject({ state: 'unchanged', problems: [] });
    expect(typed).toMatchObject({ state: 'unchanged', problems: [] });
  });

  it('stays in JSON too', async () => {
    const path = '/AccessControl/AcsCfg?format=json';
    const json = (voice: boolean) =>
      Buffer.concat([
        Buffer.from('{"AcsCfg":{"vendorName":"A'),
        Buffer.from([0xa7, 0xb1]),
        Buffer.from(`","voicePrompt":${voice}}}`),
      ]);
    const held = new Map<string, string | Buffer>([[path, json(false)]]);
    await open(held, 'application/json');

    const { id: job, section } = await applied(
      template('set: accessControl.hostConfig\nvalue: { voicePrompt: true }'),
    );
    const after = held.get(path);
    await undo(job);

    expect(section?.outcome).toBe('effective');
    expect(after).toEqual(json(true));
    expect(held.get(path)).toEqual(json(false));
  });

  it('a declaration that lies is not believed where another one fits', async () => {
    const before = odd([0xb1, 0xb1, 0xc3, 0xc5], 5, 'GB2312');
    const held = new Map<string, string | Buffer>([[TRIGGER, before]]);
    await open(held, 'application/xml; charset=UTF-8');

    const shown = await capture(at.engine, {
      deviceId: id,
      sections: [{ set: 'events.severeHdFailureTrigger' }],
    });
    await applied(set('{ intervalBetweenEvents: 6 }'));

    expect(shown.text).toContain('北门');
    expect(held.get(TRIGGER)).toEqual(odd([0xb1, 0xb1, 0xc3, 0xc5], 6, 'GB2312'));
  });
});
