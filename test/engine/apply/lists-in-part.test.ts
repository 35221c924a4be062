/** One day of a week on devices whose other days differ, over HTTP: plan, apply, plan again, undo. */
import { afterEach, expect, it } from 'vitest';
import { applyPlan, makePlan, openSite, template, watchToEnd } from '../site-engine.ts';
import { startKeepingDevice, type OddDevice } from '../odd-device.ts';

const PATH = '/Event/schedules/thermometry/thermometry-1';
const block = (day: number, begin: string, end: string): string =>
  `\r\n\t<TimeBlock v='1'><dayOfWeek>${day}</dayOfWeek><TimeRange><beginTime>${begin}</beginTime><endTime>${end}</endTime></TimeRange><ours/></TimeBlock>`;
const schedule = (...blocks: readonly string[]): string =>
  `<?xml version="1.0"?>\r\n<Schedule xmlns="urn:odd"><id>thermometry-1</id><TimeBlockList size='4'>${blocks.join('')}\r\n</TimeBlockList></Schedule>`;
const OFFICE = schedule(block(1, '08:00:00', '18:00:00'), block(2, '06:30:00', '22:00:00'));
const HALL = schedule(block(3, '01:00:00', '02:00:00'));

const tuesday = (more = '') =>
  template(`set: events.thermometrySchedule
params: { channelID: 1 }
change:
  TimeBlockList:
    keep: others${more}
    items: [{ dayOfWeek: 2, TimeRange: { beginTime: "06:00:00", endTime: "23:00:00" } }]`);

const devices: OddDevice[] = [];
afterEach(async () => {
  await Promise.all(devices.splice(0).map((device) => device.close()));
});

async function open(...texts: readonly string[]) {
  const at = await openSite();
  const held = texts.map((text) => new Map<string, string | Buffer>([[PATH, text]]));
  for (const documents of held) devices.push(await startKeepingDevice(documents));
  const ids = devices.map(({ url }, index) => at.engine.devices.addTransient({ url, name: `d${index}` }).id);
  return {
    engine: at.engine,
    plan: (text: string) => makePlan({ engine: at.engine, ids }, text),
    hold: (text: string) => held[0]?.set(PATH, text),
    shown: () => held.map((documents) => String(documents.get(PATH))),
  };
}

it('changes Tuesday on each device and leaves its other days, bytes included; again nothing is left; undone all is as it was', async () => {
  const { engine, plan, shown } = await open(OFFICE, HALL);

  const planned = await plan(tuesday());
  const job = await applyPlan(engine, planned);
  const after = shown();
  const again = await plan(tuesday());
  await watchToEnd(engine, engine.jobs.undo({ id: job.id }).jobId);

  expect(job.results.map(({ units }) => units[0]?.outcome)).toEqual(['effective', 'effective']);
  expect(after[0]).toBe(OFFICE.replace('06:30:00', '06:00:00').replace('22:00:00', '23:00:00'));
  expect(after[1]).toContain(block(3, '01:00:00', '02:00:00'));
  expect(after[1]).toContain('<dayOfWeek>2</dayOfWeek>');
  expect(again.counts).toMatchObject({ unchanged: 2 });
  expect(shown()).toEqual([OFFICE, HALL]);
});

it('another day that somebody changes between plan and apply stays changed (a whole list sent from the plan)', async () => {
  const { engine, plan, shown, hold } = await open(OFFICE);
  const planned = await plan(tuesday());
  const later = OFFICE.replace('18:00:00', '19:00:00');
  hold(later);

  const job = await applyPlan(engine, planned);

  expect(job.results[0]?.units[0]?.outcome).toBe('effective');
  expect(shown()[0]).toBe(later.replace('06:30:00', '06:00:00').replace('22:00:00', '23:00:00'));
});

it('blocks a day that is not to be added, and more periods than the device takes a day', async () => {
  const { plan } = await open(HALL);
  const periods = [1, 2, 3, 4, 5].map(
    (hour) => `{ dayOfWeek: 3, TimeRange: { beginTime: "0${hour}:00:00", endTime: "0${hour}:30:00" } }`,
  );

  const refused = await plan(tuesday('\n    missing: refuse'));
  const crowded = await plan(tuesday().replace(/items: .*/, `items: [${periods.join(', ')}]`));

  expect(refused.devices[0]?.sections[0]).toMatchObject({
    state: 'blocked',
    problems: [{ code: 'not-allowed', detail: { id: 'device-lacks-key' } }],
  });
  expect(crowded.devices[0]?.sections[0]).toMatchObject({
    state: 'blocked',
    problems: [{ detail: { id: 'too-many-a-day' } }],
  });
});
