/** Equal differences of many devices: grouped, put right, accepted or put off; and what lists say of each device. */
import { expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import {
  applyPlan,
  asAnotherProgram,
  makePlan,
  never,
  openSite,
  template,
  type TestSite,
} from '../site-engine.ts';

const basic = (value: string): string =>
  template(`set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: ${value}`);

interface Listed {
  readonly engine: Engine;
  readonly site: TestSite['site'];
  readonly ids: readonly string[];
}

/** Opens a site whose devices are in the inventory, with a distance and an alert agreed for each. */
async function openAgreed(devices: number): Promise<Listed> {
  const { engine, site } = await openSite({ devices });
  const ids = site.devices.map(({ url, name, user: userName, password }) => {
    const { id } = engine.devices.add({ address: url, name });
    engine.credentials.save({ label: name, userName, password, deviceIds: [id] });
    return id;
  });
  await applyPlan(engine, await makePlan({ engine, ids }, basic('{ distance: 4, alert: 37.4 }')));
  return { engine, site, ids };
}

async function setOutside({ site }: Listed, device: number, value: string): Promise<void> {
  await asAnotherProgram({ site }, device, async (engine, id) => {
    await applyPlan(engine, await makePlan({ engine, ids: [id] }, basic(value)));
  });
}

async function look({ engine, ids }: Listed): Promise<void> {
  for await (const event of engine.agreements.look({ deviceIds: ids }, never)) void event;
}

const summaries = ({ engine, ids }: Listed) => ids.map((id) => engine.devices.find(id).agreement);

it('says in the list what a job proved, what differs and what was accepted, and tells those who watch', async () => {
  const at = await openAgreed(2);
  await expect.poll(() => summaries(at).map((one) => one?.state)).toEqual(['as-agreed', 'as-agreed']);
  const stop = new AbortController();
  const heard: (string | undefined)[] = [];
  const watching = (async () => {
    for await (const event of at.engine.devices.watch(stop.signal))
      if (event.type === 'changed' && event.device.id === at.ids[1])
        heard.push(event.device.agreement?.state);
  })();
  await setOutside(at, 1, '{ distance: 9, alert: 37.2 }');

  await look(at);
  await expect.poll(() => heard.at(-1)).toBe('drifted');
  const found = summaries(at);
  at.engine.agreements.accept({ deviceIds: at.ids, reason: 'the owner wants it' });
  const accepted = summaries(at);
  stop.abort();
  await watching;

  expect(found).toMatchObject([
    { state: 'as-agreed', differs: 0 },
    { state: 'drifted', differs: 2 },
  ]);
  expect(accepted).toMatchObject([
    { state: 'as-agreed', differs: 0 },
    { state: 'as-agreed', differs: 0 },
  ]);
});

it('groups equal differences of the same devices, and puts a group right by one plan that leaves the others alone', async () => {
  const at = await openAgreed(4);
  for (const device of [0, 2]) await setOutside(at, device, '{ distance: 9, alert: 37.2 }');
  await setOutside(at, 3, '{ distance: 9 }');
  await look(at);

  const groups = at.engine.agreements.groups();
  const [pair] = groups;
  const templates = at.engine.agreements.putRight({
    name: 'Put right',
    deviceIds: pair?.deviceIds ?? [],
    settings: pair?.differences ?? [],
  });

  expect(
    groups.map(({ deviceIds, differences }) => [
      deviceIds.map((id) => at.ids.indexOf(id)),
      differences.map(({ path }) => path),
    ]),
  ).toEqual([
    [[0, 2, 3], ['distance']],
    [[0, 2], ['alert']],
  ]);
  expect(templates).toHaveLength(1);
  const plan = await makePlan(
    { engine: at.engine, ids: templates[0]?.deviceIds ?? [] },
    templates[0]?.templateText ?? '',
  );
  expect(plan.devices.map(({ sections }) => sections.map(({ changes }) => changes.length))).toEqual([
    [1],
    [1],
    [1],
  ]);
});

it('what was put off stays quiet until its time is over or another value is shown', async () => {
  const at = await openAgreed(1);
  await setOutside(at, 0, '{ distance: 9, alert: 37.2 }');
  await look(at);
  const { engine, ids } = at;
  const putOff = (until?: string) =>
    engine.agreements.putOff({ deviceIds: ids, settings: [{ path: 'distance' }], until });

  putOff('2001-01-01T00:00:00Z');
  const over = summaries(at);
  const answered = putOff();
  const quiet = summaries(at);
  const last = engine.agreements.groups().at(-1);
  await look(at);
  const seenAgain = summaries(at);
  await setOutside(at, 0, '{ distance: 7 }');
  await look(at);

  expect(over).toMatchObject([{ differs: 2, state: 'drifted' }]);
  expect(answered).toEqual({ putOff: 1 });
  expect(quiet).toMatchObject([{ differs: 1, later: 1, state: 'drifted' }]);
  expect(last?.differences).toMatchObject([{ path: 'distance', later: { user: 'installer' } }]);
  expect(seenAgain).toMatchObject([{ differs: 1, later: 1 }]);
  expect(summaries(at)).toMatchObject([{ differs: 2 }]);
  expect(summaries(at)[0]?.later).toBeUndefined();
});
