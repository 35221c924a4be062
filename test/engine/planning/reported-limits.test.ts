import { describe, expect, it } from 'vitest';
import type { DeviceKind, PlanSection } from '#shared/model.ts';
import type { SiteOptions } from '#simulator/index.ts';
import { findConstraints } from '#renderer/features/device/pages/limits-of.ts';
import { never, openSite, makePlan, template, writes, type TestSite } from '../site-engine.ts';

async function siteOf(kind: DeviceKind, models: SiteOptions['models'] = ['standard']): Promise<TestSite> {
  const at = await openSite({ kinds: [kind], models });
  return at;
}

async function planned(at: TestSite, section: string): Promise<PlanSection | undefined> {
  return (await makePlan(at, template(section))).devices[0]?.sections[0];
}

const shield = (x: number, y: number) => `set: peopleCounting.shield
params: { channelID: 1 }
value: { enabled: true, RegionList: [{ id: "1", enabled: true, RegionCoordinatesList: [{ positionX: ${x}, positionY: ${y} }, { positionX: 0, positionY: 0 }, { positionX: 0, positionY: 9 }] }] }`;
const week = (count: number, end = '01:00:00') => `set: events.thermometrySchedule
params: { channelID: 1 }
value: { TimeBlockList: [${Array.from({ length: count }, () => `{ dayOfWeek: 1, TimeRange: { beginTime: "00:30:00", endTime: "${end}" } }`).join(', ')}] }`;
const regions = (count: number) => `set: humanRecognition.regions
params: { channelID: 1 }
value: [${Array.from({ length: count }, (_, index) => `{ id: "${index + 1}", regionName: R${index}, enabled: true, RegionCoordinatesList: [{ positionX: 1, positionY: 1 }, { positionX: 9, positionY: 1 }, { positionX: 9, positionY: 9 }] }`).join(', ')}]`;

describe('a plan against what a device reports outside of its capabilities', () => {
  it.each<[what: string, models: SiteOptions['models'], x: number, y: number, state: PlanSection['state']]>([
    ['a corner of the usual plane', ['standard'], 1000, 1000, 'changes'],
    ['a corner beyond it', ['standard'], 1001, 0, 'blocked'],
    ['a corner of a larger plane', ['compact'], 1280, 1024, 'changes'],
    ['a corner beyond its height', ['compact'], 1280, 1025, 'blocked'],
  ])('%s of %j', async (_what, models, x, y, state) => {
    const at = await siteOf('counter', models);

    expect((await planned(at, shield(x, y)))?.state).toBe(state);
  });

  it.each<[what: string, models: SiteOptions['models'], count: number, state: PlanSection['state']]>([
    ['eight periods where it takes eight', ['standard'], 8, 'changes'],
    ['nine', ['standard'], 9, 'blocked'],
    ['five where it takes four', ['compact'], 5, 'blocked'],
  ])('%s', async (_what, models, count, state) => {
    const at = await siteOf('thermal', models);

    expect((await planned(at, week(count)))?.state).toBe(state);
  });

  it('a period past midnight is warned of, written and read back', async () => {
    const at = await siteOf('thermal');

    const section = await planned(at, week(1, '00:10:00'));
    const answer = await at.engine.operations.call(
      {
        deviceId: at.ids[0] ?? '',
        operation: 'events.thermometrySchedule.put',
        params: { channelID: 1 },
        body: {
          id: 'thermometry-1',
          TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '22:00:00', endTime: '06:00:00' } }],
        },
      },
      never,
    );

    expect(section).toMatchObject({
      state: 'changes',
      problems: [],
      warnings: [{ code: 'unusual', path: 'TimeBlockList', detail: { id: 'ends-too-early' } }],
    });
    expect(answer.outcome).toBe('ok');
  });

  it('nine regions are refused beforehand, and a second one where the mode allows one', async () => {
    const at = await siteOf('ai');
    const body = { id: '1', analysisParam: { analysisMode: 'individualBehavior' } };
    const tooMany = await makePlan(at, template(regions(9))).then(
      () => 'planned',
      (thrown: { readonly shape: { readonly code: string } }) => thrown.shape.code,
    );
    await at.engine.operations.call(
      { deviceId: at.ids[0] ?? '', operation: 'humanRecognition.config.put', params: { channelID: 1 }, body },
      never,
    );

    const two = await planned(at, regions(2));
    const one = await planned(at, regions(1));

    expect([tooMany, two?.state, one?.state]).toEqual(['out-of-range', 'blocked', 'changes']);
    expect(writes(at).map(({ operation }) => operation)).toEqual(['humanRecognition.config.put']);
  });
});

describe('what a document says about its own limits', () => {
  it.each<[operation: string, kind: DeviceKind, limits: readonly object[]]>([
    ['events.thermometrySchedule.get', 'thermal', [{ path: 'TimeBlockList', size: 4 }]],
    [
      'peopleCounting.shield.get',
      'counter',
      [
        { path: 'normalizedScreenSize.normalizedScreenWidth', count: 1280 },
        { path: 'normalizedScreenSize.normalizedScreenHeight', count: 1024 },
      ],
    ],
  ])('comes with the answer of %s, and narrows the form', async (operation, kind, limits) => {
    const at = await siteOf(kind, ['compact']);

    const answer = await at.engine.operations.call(
      { deviceId: at.ids[0] ?? '', operation, params: { channelID: 1 } },
      never,
    );
    const narrowed = findConstraints(undefined, undefined, answer.limits);

    expect(answer.limits).toMatchObject(limits);
    expect([...(narrowed?.keys() ?? [])]).toEqual(answer.limits?.map(({ path }) => path));
  });
});

describe('the check of a template', () => {
  it('tells what is unusual beside what is wrong, and finds the template good', async () => {
    const at = await siteOf('thermal');

    const check = at.engine.templates.check({ text: template(week(9, '00:10:00')) });

    expect(check).toMatchObject({
      ok: true,
      errors: [],
      warnings: [
        { code: 'unusual', path: 'sections[0].value.TimeBlockList', line: 6 },
        { code: 'unusual', detail: { id: 'too-many-a-day' } },
      ],
    });
  });
});
