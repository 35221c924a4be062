/** A gate taken into service: walked, counted, released, and its record. */
import { expect, it } from 'vitest';
import { layOut } from '#report-layout/lay-out.ts';
import type { Engine } from '#engine/index.ts';
import { getReader } from '#engine/report-files/reader.ts';
import type { Asked, FlowView } from '#shared/flows.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { never, openSite, watchToEnd, type TestSite } from '../site-engine.ts';
import { ANSWERS, endWatch, polled, prepareGate, work } from './gate-walk.ts';
import { follow } from './run-flow.ts';

let site: TestSite;

it('takes a gate into service that does all it should, and writes nothing', async () => {
  site = await openSite({ kinds: ['gate'] });
  prepareGate(site);
  const { record, outcomes, state } = await run(site);

  expect(state).toBe('done');
  expect(failedIn(record)).toEqual([]);
  expect(new Set(outcomes)).toEqual(new Set(['unchanged']));
  expect(pointsOf(record)).toEqual([]);
  expect(firstPage(record).verdict).toEqual([
    ['good', { id: 'flow-verdict-good', values: { count: expect.any(Number) } }],
  ]);
  // Would catch: a network command as the fire path, or any other unrequested write.
  expect(site.site.device(0).requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

// Would catch: faults that pass, and reported faults that do not exist.
it('fails a gate with a stuck beam, swapped directions and a dead fire input for exactly these', async () => {
  site = await openSite({ kinds: ['gate'] });
  const gate = prepareGate(site);
  gate.blockedBeams = [3];
  gate.isSwapped = true;
  gate.isFireWired = false;

  const { record, outcomes, state } = await run(site, {
    defects: { 'owner-1': 'Maker', 'due-1': '2026-12-01', told: 'Site manager', outOfService: true },
  });

  expect(state).toBe('failed');
  expect(failedIn(record)).toEqual([
    // The list has the steps, then their findings.
    'flow-gate-beams',
    'flow-gate-passes',
    'flow-gate-fire',
    'flow-gate-beams-none-stuck',
    'flow-gate-passes-in',
    'flow-gate-passes-out',
    'flow-gate-fire-input-works',
  ]);
  expect(outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(3);
  expect(pointsOf(record)).toEqual([
    {
      text: { id: 'flow-gate-beams-stuck', values: { beams: '3' } },
      severity: 'major',
      owner: 'Maker',
      due: '2026-12-01',
    },
    { text: { id: 'flow-gate-passes-swapped' }, severity: 'major' },
    { text: { id: 'flow-gate-fire-input-dead' }, severity: 'unsafe' },
  ]);
  expect(JSON.stringify(record)).toContain('"id":"flow-gate-unsafe"');
});

// Would catch: a beam that was never seen and passes, because others were seen.
it('names a beam that nothing interrupts', async () => {
  site = await openSite({ kinds: ['gate'] });
  const gate = prepareGate(site);
  gate.deadBeams = [2, 5];

  const { record } = await run(site);

  expect(pointsOf(record)).toEqual([
    { text: { id: 'flow-gate-beams-untested', values: { beams: '2, 5' } }, severity: 'major' },
  ]);
});

// Would catch: a watch that shows an old reading as if it were of now, or that gives up.
it('says in a watch why the device cannot be read, and goes on by itself when it is back', async () => {
  site = await openSite({ kinds: ['gate'] });
  prepareGate(site);
  const { engine } = site;
  const device = site.site.device(0);
  const errors: unknown[] = [];

  const { record } = await run(
    site,
    {},
    {
      meanwhile: async (asked, jobId) => {
        if (asked.key !== 'walk-1') return;
        device.setFault('reset');
        for await (const { asked: now } of engine.flows.watch({ jobId }, never)) {
          if (now?.error === undefined) {
            if (errors.length > 0) break;
          } else if (errors.push(now.error.code) === 1) device.clearFaults();
        }
      },
    },
  );

  expect(errors[0]).toBe('connection-lost');
  expect(failedIn(record)).toEqual([]);
});

// Would catch: a controller that is added, changed and deleted, and reported without a look at it.
it('adds, changes and deletes local controllers, and shows what is there afterwards', async () => {
  site = await openSite({ kinds: ['gate'] });
  prepareGate(site);
  const { record, outcomes } = await run(site, {
    host: { change: true, voicePrompt: true },
    controllers: {
      'action-1': 'add',
      'id-1': 7,
      devName: 'North lane',
      devType: '1door',
      offlineWorkMode: 'autoLearn',
      networkEnable: true,
      ipAddress: '192.0.2.40',
      'action-2': 'change',
      'id-2': 7,
      'action-3': 'delete',
      'id-3': 1,
    },
    audio: { ...ANSWERS.audio, number: 2, audioName: 'Welcome', playCondition: 'CompleteAuth' },
  });

  expect(failedIn(record)).toEqual([]);
  expect(outcomes.slice(4, 7)).toEqual(['effective', 'effective', 'accepted']);
  const section = JSON.stringify(
    record.document.sections.find(({ title }) => JSON.stringify(title).includes('flow-gate-controllers')),
  );
  expect(section).toContain('North lane');
  expect(section).not.toContain('Lane controller');
});

/** Returns the lines of the record with these labels: result, proof and reason. */
function linesOf({ document }: SealedDocument, ...labels: readonly string[]): readonly unknown[] {
  return document.sections
    .slice(1)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.block === 'checklist' ? block.items : []))
    .filter(({ label }) => labels.some((id) => JSON.stringify(label).includes(`"${id}"`)))
    .map(({ label: _label, result, proof, reason }) => [result, proof, reason]);
}
/** Returns the first page: its result, and each step with its text. */
function firstPage({ document }: SealedDocument): {
  readonly verdict: readonly unknown[];
  readonly steps: Readonly<Record<string, unknown>>;
} {
  const [{ blocks } = { blocks: [] }] = document.sections;
  return {
    verdict: blocks.flatMap((block) => (block.block === 'paragraph' ? [[block.tone, block.text]] : [])),
    steps: Object.fromEntries(
      blocks
        .flatMap((block) => (block.block === 'checklist' ? block.items : []))
        .map(({ label, result, reason }) => [(label as { id: string }).id, [result, reason]]),
    ),
  };
}

// Would catch: "runs on mains again, function tested" for a gate whose mains was never switched off.
it.each(['fitted', 'none'])(
  'tests no mains loss where the mains was never off (battery: %s)',
  async (battery) => {
    site = await openSite({ kinds: ['gate'] });
    prepareGate(site);

    const { record } = await run(
      site,
      { power: { battery } },
      {
        async meanwhile(asked, jobId) {
          if (`${asked.step}.${asked.key}` !== 'power.loss' || site === undefined) return;
          await polled(site, 'gate.status.get');
          endWatch(site.engine, jobId, asked);
          return 'instead';
        },
      },
    );

    const neverOff = { id: 'flow-gate-power-never-off' };
    expect(linesOf(record, 'flow-gate-power-on-battery', 'flow-gate-power-gone')).toEqual([
      ['failed', undefined, neverOff],
    ]);
    expect(linesOf(record, 'flow-gate-power-clear', 'flow-gate-power-back')).toEqual([
      ['skipped', undefined, neverOff],
      ['skipped', undefined, neverOff],
    ]);
    expect(firstPage(record).steps['flow-gate-power']).toEqual([
      'failed',
      { id: 'flow-step-checks', values: { count: 3, failed: 1, skipped: 2 } },
    ]);
  },
);

// Would catch: a cable that was pulled, reported as a tested mains loss.
it('says of a gate without a battery that it stopped answering and answers again, no more', async () => {
  site = await openSite({ kinds: ['gate'] });
  prepareGate(site);

  const { record } = await run(
    site,
    { power: { battery: 'none', position: 'open', clear: 'good' } },
    {
      async meanwhile(asked) {
        const device = site?.site.device(0);
        if (`${asked.step}.${asked.key}` === 'power.loss') await device?.unplug();
        else if (`${asked.step}.${asked.key}` === 'power.mains') await device?.plugIn();
      },
    },
  );

  expect(linesOf(record, 'flow-gate-power-gone')).toEqual([['done', 'read-back', undefined]]);
  expect(linesOf(record, 'flow-gate-power-answers')).toEqual([['done', 'read-back', undefined]]);
  expect(linesOf(record, 'flow-gate-power-back')).toEqual([]);
});

// Would catch: a direction without a passage, an unseen release without the network.
it('calls nothing tested that was not: no pass, no cable out', async () => {
  site = await openSite({ kinds: ['gate'] });
  prepareGate(site);

  const { record } = await run(
    site,
    { passes: { count: 2, 'walked-in': 0 } },
    {
      async meanwhile(asked, jobId) {
        const question = `${asked.step}.${asked.key}`;
        if (site === undefined || (question !== 'passes.walk-in' && question !== 'fire.unplug')) return;
        await polled(site, 'gate.status.get');
        endWatch(site.engine, jobId, asked);
        return 'instead';
      },
    },
  );

  expect(linesOf(record, 'flow-gate-passes-in')).toEqual([
    ['skipped', undefined, { id: 'flow-gate-passes-none' }],
  ]);
  expect(linesOf(record, 'flow-gate-fire-offline')).toEqual([
    ['skipped', undefined, { id: 'flow-gate-fire-never-away' }],
  ]);
});

// Would catch: the record of an unsafe gate whose first page says nothing but "Done".
it('says on the first page that a gate is unsafe, and what was found or not done in each step', async () => {
  site = await openSite({ kinds: ['gate'] });
  prepareGate(site).isFireWired = false;

  const { record, jobId } = await run(site, {
    safety: { obstruction: 'not-tested', tailgate: 'not-tested', reset: 'not-tested' },
    defects: { told: 'Site manager' },
  });
  const unsafe = firstPage(record);

  expect(unsafe.verdict).toEqual([
    ['danger', { id: 'flow-verdict-unsafe', values: { count: 1 } }],
    ['danger', { id: 'flow-verdict-failed', values: expect.objectContaining({ failed: 1, skipped: 4 }) }],
  ]);
  expect(unsafe.steps).toMatchObject({
    'flow-gate-fire': ['failed', { id: 'flow-step-checks', values: { count: 2, failed: 1, skipped: 1 } }],
    'flow-gate-safety': ['skipped', { id: 'flow-step-checks', values: { count: 3, failed: 0, skipped: 3 } }],
    'flow-gate-defects': ['done', { id: 'flow-step-points', values: { count: 1, unsafe: 1 } }],
    'flow-gate-power': ['done', undefined],
  });
  // The result is in the flow that ended, and in the list of records.
  expect(await viewOf(site.engine, jobId)).toMatchObject({
    ended: true,
    devices: [{ verdict: [{ tone: 'danger' }, { tone: 'danger' }] }],
  });
  expect(site.engine.flows.records()).toMatchObject([
    { verdict: { tone: 'danger', text: { id: 'flow-verdict-unsafe' } } },
  ]);
  const pages = [...layOut(record, getReader('en'))];
  const texts = pages.map((piece) => ('text' in piece ? piece.text : ''));
  expect(texts.slice(0, 2)).toEqual([
    'Gate commissioning',
    'Danger: Not in service, unsafe: do not use this device. 1 open point is marked as unsafe. Fix it and test again.',
  ]);
  expect(
    texts.filter((text) => text === texts[1]),
    'is said once',
  ).toHaveLength(1);
});

// Would catch: the name of a file that is a code of the program.
it('names the file of a record after what is in it, in the language of the record', async () => {
  site = await openSite({ kinds: ['gate'] });
  prepareGate(site);
  const { record } = await run(site);
  const { id, at } = record.document;
  const name = record.document.devices?.[0]?.name ?? '';

  const files = await Promise.all(
    (['en', 'zh-CN'] as const).map(
      async (language) =>
        (await site?.engine.flows.exportRecord({ id, format: 'json', language }, never))?.fileName,
    ),
  );

  expect(files).toEqual([
    `Gate commissioning ${name} ${at.slice(0, 10)}.json`,
    `${getReader('zh-CN').words(record.document.title)} ${name} ${at.slice(0, 10)}.json`,
  ]);
});

async function viewOf(engine: Engine, jobId: string): Promise<FlowView | undefined> {
  for await (const view of engine.flows.watch({ jobId }, new AbortController().signal))
    if (view.ended) return view;
  return undefined;
}

interface Course {
  /** Acts beside a question. `instead`: nothing else is done for this question. */
  readonly meanwhile?: (asked: Asked, jobId: string) => 'instead' | void | Promise<'instead' | void>;
}

async function run(at: TestSite, more: Readonly<Record<string, object>> = {}, { meanwhile }: Course = {}) {
  const answers = { ...ANSWERS, ...more } as Parameters<typeof follow>[2];
  const { engine, ids } = at;
  const { jobId } = engine.flows.begin({ flow: 'gate', deviceIds: ids });
  await follow(engine, jobId, answers, async (asked) => {
    if ((await meanwhile?.(asked, jobId)) === 'instead') return false;
    if (asked.wants === 'trouble') throw new Error(asked.error?.message);
    await work(at, asked, { giveUp: (watch) => endWatch(engine, jobId, watch) });
    return false;
  });
  await watchToEnd(engine, jobId);
  const [record] = engine.flows.recordsOf({ jobId });
  if (record === undefined) throw new Error('no record');
  const { state, results } = engine.jobs.show({ id: jobId });
  return { record, jobId, outcomes: results[0]?.units.map(({ outcome }) => outcome) ?? [], state };
}

/** Labels of what failed, in the order of the record. */
function failedIn({ document }: SealedDocument): readonly string[] {
  return document.sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.block === 'checklist' ? block.items : []))
    .filter(({ result }) => result === 'failed')
    .map(({ label }) => (typeof label === 'object' && 'id' in label ? label.id : JSON.stringify(label)));
}

function pointsOf({ document }: SealedDocument): readonly unknown[] {
  return document.sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.block === 'openPoints' ? block.points : []));
}
