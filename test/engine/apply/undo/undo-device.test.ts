/** An undo on one device, and how it begins and goes on: decided from what the device shows, without a network. */
import { describe, expect, it } from 'vitest';
import type { Turn } from '#engine/apply/section-turn.ts';
import type { EarlierWrite } from '#engine/apply/settle.ts';
import type { SettingsDevice, SettingsJob, SettingsUnit } from '#engine/apply/settings-documents.ts';
import { beginUndo, listRemainingUndo, resumeUndo } from '#engine/apply/undo/begin-undo.ts';
import { runUndoSections, type UndoSection, type UndoTask } from '#engine/apply/undo/undo-device.ts';
import type { Finder } from '#engine/jobs/locate-device.ts';
import type { Verdict } from '#engine/write/write-section.ts';
import { type ErrorShape, FieldwrightError } from '#shared/errors.ts';
import type { ApplyOptions, Device, UnitOutcome } from '#shared/model.ts';
import { payloadOf, section, shows } from '#test/engine/planning/pure/documents.ts';

const SET = 'thermal.thermometryBasic';
const REGIONS = 'humanRecognition.regions';
const xml = (alarm: number, distance = 1): string =>
  `<ThermometryBasicParam><distance>${distance}</distance><alarm>${alarm}</alarm></ThermometryBasicParam>`;
const [BEFORE, OURS] = [xml(1), xml(2)];
const LOST: ErrorShape = { code: 'connection-lost', source: 'app', message: 'gone' };
const EARLIER: EarlierWrite = { changes: [{ path: 'alarm', label: 'Alarm', from: 2, to: 1 }], error: LOST };

function goal(index: number, extra: Partial<UndoSection> = {}, set = SET): UndoSection {
  return {
    section: section(set, undefined, { index, params: { channelID: index + 1 } }),
    payload: payloadOf(set),
    before: shows(SET, BEFORE).state,
    ours: [shows(SET, OURS).state],
    waitsForRestart: false,
    ...extra,
  };
}
const once = (): UndoSection['section'] => {
  const known = section(SET, undefined);
  return { ...known, resource: { ...known.resource, put: { ...known.resource.put, idempotent: false } } };
};

/** Undoes on a device that shows these documents, a section each; an error: it refuses to show it. */
async function undo(
  documents: readonly (string | ErrorShape)[],
  goals: readonly UndoSection[],
  {
    options = {},
    verdict = { outcome: 'effective' },
    cancelledAfter = 9,
    problem,
  }: {
    readonly options?: ApplyOptions;
    readonly verdict?: Verdict;
    readonly cancelledAfter?: number;
    readonly problem?: ErrorShape;
  } = {},
) {
  const now = [...documents];
  const log: string[] = [];
  const units: object[] = [];
  const sent: object[] = [];
  const turn: Turn = {
    reader: {
      read({ index, set }) {
        log.push(`read ${index}`);
        const shown = now[index] ?? '';
        return Promise.resolve(
          typeof shown === 'string' ? shows(set, shown) : { kind: 'refused', error: shown },
        );
      },
      limits: () => Promise.resolve({}),
      shown: (value) => value,
    },
    phase: ({ index }, phase) => log.push(`${phase} ${index}`),
    write({ section: { index, set }, desired, want, sentBefore }, { untouched, state }) {
      log.push(`write ${index}`);
      expect(state.document.text).toBe(now[index]);
      sent.push({ text: desired.text, sentBefore, untouched });
      now[index] = desired.text;
      expect(want(shows(set, desired.text).state).changes).toEqual([]);
      return Promise.resolve(verdict);
    },
    record: ({ index }, changes, { outcome, note, error }) => {
      units[index] = { outcome, note, error, changes: changes.map(({ path }) => path) };
    },
  };
  const job = {
    get cancelled() {
      return sent.length >= cancelledAfter;
    },
  };
  const task = { position: 0, deviceId: 'd', url: 'http://d', secrets: [], sections: goals };
  const error = await runUndoSections(
    { ...task, ...(problem && { problem }) } satisfies UndoTask,
    { options, job },
    turn,
  );
  return { error, log, units, sent, now };
}

describe('a section is put back', () => {
  it('to what it was, one after the other; what is written may change what comes after', async () => {
    const { error, log, units, sent, now } = await undo([OURS, OURS], [goal(1), goal(0)]);

    expect(error).toBeUndefined();
    expect(log).toEqual([
      'reading 1',
      'reading 0',
      'read 1',
      'read 0',
      'write 1',
      'reading 0',
      'read 0',
      'write 0',
    ]);
    expect(units[0]).toEqual({
      outcome: 'effective',
      note: 'put-back-exactly',
      error: undefined,
      changes: ['alarm'],
    });
    expect(sent).toEqual([1, 2].map(() => ({ text: BEFORE, sentBefore: false, untouched: true })));
    expect(now).toEqual([BEFORE, BEFORE]);
  });

  it('and nothing is sent where it is so already, unless the device waits for its restart', async () => {
    const { log, units, sent } = await undo(
      [BEFORE, BEFORE, OURS],
      [goal(0), goal(1, { waitsForRestart: true }), goal(2)],
    );

    expect(log.slice(6)).toEqual(['write 1', 'reading 2', 'read 2', 'write 2']);
    expect(units).toMatchObject([{ outcome: 'unchanged', changes: [] }, { outcome: 'effective' }, {}]);
    expect(sent[0]).toEqual({ text: BEFORE, sentBefore: false, untouched: true });
  });

  it('as far as it is ours where others changed other parts of it', async () => {
    const { units, sent } = await undo([xml(2, 7)], [goal(0)]);

    expect(units[0]).toMatchObject({ outcome: 'effective', note: 'put-back-merged' });
    expect(sent).toEqual([{ text: xml(1, 7), sentBefore: false, untouched: true }]);
  });

  it.each([
    ['accepted', 'put-back-exactly'],
    ['needs-reboot', 'put-back-exactly'],
    ['ignored', undefined],
    ['unknown', undefined],
  ] as const)('and is said to be where it is %s: %s', async (outcome, note) => {
    expect((await undo([OURS], [goal(0)], { verdict: { outcome } })).units[0]).toMatchObject({
      outcome,
      note,
    });
  });
});

describe('nothing is sent to a device', () => {
  // Would catch: another user's work overwritten unseen, on this section or on one beside it.
  it('on which somebody changed the same, until that is confirmed', async () => {
    const refused = await undo([OURS, xml(9), xml(9)], [goal(0), goal(1), goal(2, { earlier: EARLIER })]);

    expect(refused.error).toMatchObject({
      code: 'plan-outdated',
      source: 'app',
      operation: `${SET}.put`,
      device: 'http://d',
      path: 'alarm',
      detail: { id: 'changed-since-job', values: { names: 'alarm' } },
    });
    expect(refused.sent).toEqual([]);
    // A write of an earlier run may still arrive.
    expect(refused.units).toMatchObject([undefined, { outcome: 'failed' }, { outcome: 'unknown' }]);

    const confirmed = await undo([OURS, xml(9)], [goal(0), goal(1)], { options: { acceptDrift: true } });
    expect(confirmed.units).toMatchObject([{}, { outcome: 'effective', note: 'overwrote-other-change' }]);
    expect(confirmed.now).toEqual([BEFORE, BEFORE]);
  });

  it('on which somebody changed a list that is the whole of a section', async () => {
    const [before, ours, now] = ['1', '2', '3'].map(
      (id) =>
        shows(
          REGIONS,
          `<HumanRecognitionRegionList><HumanRecognitionRegion><id>${id}</id></HumanRecognitionRegion></HumanRecognitionRegionList>`,
        ).state,
    );
    if (before === undefined || ours === undefined || now === undefined) throw new Error('no regions');
    const { error, sent } = await undo([now.document.text], [goal(0, { before, ours: [ours] }, REGIONS)]);

    expect(error).toMatchObject({ detail: { values: { names: 'the whole list' } } });
    expect(error).not.toHaveProperty('path');
    expect(sent).toEqual([]);
  });

  it('once somebody stopped it', async () => {
    const { error, units } = await undo([OURS, OURS], [goal(0), goal(1)], { cancelledAfter: 1 });

    expect(error).toMatchObject({ code: 'cancelled' });
    expect(units).toHaveLength(1);
  });

  it('once it cannot be worked on any further', async () => {
    const verdict = { outcome: 'unknown', stop: LOST } as const;
    const { error, units } = await undo([OURS, OURS], [goal(0), goal(1)], { verdict });

    expect(error).toBe(LOST);
    expect(units).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('of a section that it does not show; the others are put back', async () => {
    const { error, units, sent } = await undo(
      [LOST, LOST, OURS],
      [goal(0), goal(1, { earlier: EARLIER }), goal(2)],
    );

    expect(error).toBeUndefined();
    expect(units).toMatchObject([
      { outcome: 'failed', error: LOST, changes: [] },
      { outcome: 'unknown', error: LOST },
      { outcome: 'effective' },
    ]);
    expect(sent).toHaveLength(1);
  });

  it('that cannot be read', async () => {
    const broken = goal(0, { section: section(REGIONS, undefined) });
    await expect(undo(['no json'], [broken])).rejects.toThrow();
  });
});

describe('what an earlier run of the undo sent', () => {
  it('is not sent again where it shows', async () => {
    const { units, sent } = await undo([BEFORE], [goal(0, { earlier: EARLIER })]);

    expect(units[0]).toMatchObject({ outcome: 'effective', note: 'settled-by-reading', changes: ['alarm'] });
    expect(sent).toEqual([]);
  });

  // Would catch: a device that restarts into the job's values, although its undo was reported as done: it
  // showed the old document all the time.
  it('is sent again where the device waits for its restart, for what it shows then tells nothing', async () => {
    const earlier = { ...EARLIER, changes: [] };
    const { units, sent } = await undo([BEFORE], [goal(0, { earlier, waitsForRestart: true })], {
      verdict: { outcome: 'needs-reboot' },
    });

    expect(sent).toEqual([{ text: BEFORE, sentBefore: true, untouched: true }]);
    expect(units[0]).toMatchObject({ outcome: 'needs-reboot' });
  });

  // Would catch: a write that happens twice although the device had restarted, and shows that it arrived.
  it('is not sent again where that run saw the device after its restart', async () => {
    const all = [goal(0, { earlier: EARLIER, waitsForRestart: true }), goal(1)];
    const { units, sent } = await undo([BEFORE, OURS], all);

    expect(units[0]).toMatchObject({ outcome: 'effective', note: 'settled-by-reading', changes: ['alarm'] });
    expect(sent).toHaveLength(1);
  });

  it('is sent again where that run saw nothing but what a device hides', async () => {
    const hidden = EARLIER.changes.map((change) => ({ ...change, sensitive: true, from: null }));
    const earlier = { ...EARLIER, changes: hidden };
    const { sent } = await undo([BEFORE], [goal(0, { earlier, waitsForRestart: true })]);

    expect(sent).toHaveLength(1);
  });

  it('is sent again where it does not show; what that run read stays what an undo of it goes back to', async () => {
    const all = [goal(0, { earlier: EARLIER }), goal(1, { earlier: EARLIER })];
    expect((await undo([OURS, xml(2, 7)], all)).sent).toEqual([
      { text: BEFORE, sentBefore: true, untouched: true },
      { text: xml(1, 7), sentBefore: true, untouched: false },
    ]);
  });

  it('stays unknown where sending it twice is not the same as once', async () => {
    const { units, sent } = await undo(
      [OURS, OURS],
      [goal(0, { earlier: EARLIER, section: once() }), goal(1, { section: { ...once(), index: 1 } })],
    );

    expect(units).toMatchObject([{ outcome: 'unknown', error: LOST }, { outcome: 'effective' }]);
    expect(sent).toHaveLength(1);
  });
});

describe('what could be put back and cannot be any more', () => {
  const LOCKED: ErrorShape = { code: 'vault-locked', source: 'app', message: 'locked' };

  // Would catch: an undo that ends without an error and has not undone everything.
  it('is said when the rest is put back', async () => {
    const { error, units } = await undo([OURS], [goal(0)], { problem: LOCKED });
    expect(error).toBe(LOCKED);
    expect(units[0]).toMatchObject({ outcome: 'effective' });
  });

  const NOW = { id: 'd-9', name: 'New', url: 'https://new' } as Device;
  const GONE = new FieldwrightError({ code: 'unknown-device', source: 'user', message: 'gone' });
  const finder: Finder = {
    find(id) {
      if (id !== 'd-1') throw GONE;
      return NOW;
    },
    addTransient: () => NOW,
  };
  function unit(index: number, outcome: UnitOutcome, extra: object = {}): SettingsUnit {
    return {
      key: { index },
      label: `L${index}`,
      outcome,
      detail: { set: SET, params: { channelID: 1 }, changes: EARLIER.changes },
      document: () => undefined,
      documents: () => ({ before: BEFORE, sent: OURS }),
      attempts: 1,
      hasBefore: true,
      ...extra,
    } as unknown as SettingsUnit;
  }
  const device = (position: number, units: readonly SettingsUnit[], extra: object = {}): SettingsDevice =>
    ({
      position,
      deviceId: 'd-1',
      name: 'Old',
      url: 'http://old',
      state: 'done',
      document: { values: {}, sourcePosition: 0 },
      units,
      ...extra,
    }) as unknown as SettingsDevice;
  const jobOf = (devices: readonly SettingsDevice[], extra: object = {}): SettingsJob =>
    ({
      id: 'j-1',
      title: 'T',
      about: { template: { name: 'T', hash: 'h' } },
      subject: 't-1',
      body: { templateText: 'text', backwards: false },
      devices,
      source: () => undefined,
      ...extra,
    }) as unknown as SettingsJob;
  const lock = {
    detail: { set: 'storage.rwLock', params: {}, changes: [] },
    documents: () => ({ before: '<RWLock/>', sent: '<RWLock><passwd>hunter22</passwd></RWLock>' }),
  };

  function begin(devices: readonly SettingsDevice[], named = false, canSeal = () => undefined as void) {
    return beginUndo(jobOf(devices), { devices, named, options: { wave: 2 } }, { finder, canSeal });
  }

  it('is blocked from the beginning where that is known, and its device keeps its place', () => {
    const lost = unit(1, 'effective', { hasBefore: false });
    const connection = { profile: { userName: 'admin' } };
    const job = begin([
      device(0, [unit(0, 'effective'), lost], { connection }),
      device(1, [lost]),
      device(2, [unit(0, 'effective')], { deviceId: 'd-gone' }),
      device(3, [unit(0, 'unchanged')]),
    ]);

    expect(job).toMatchObject({
      kind: 'undo',
      title: 'T',
      about: { template: { name: 'T' } },
      subject: 't-1',
      body: { planId: '', templateText: 'text', backwards: true },
      options: { wave: 2 },
    });
    expect(job.devices).toMatchObject([
      {
        deviceId: 'd-9',
        name: 'New',
        url: 'https://new',
        state: 'pending',
        connection,
        document: { values: {}, sourcePosition: 0 },
        units: [
          {
            result: { index: 0, outcome: 'pending', changes: [{ path: 'alarm', from: 2, to: 1 }] },
            document: { planned: [{ path: 'alarm' }] },
          },
          { result: { index: 1, outcome: 'blocked', error: { code: 'not-available' } } },
        ],
      },
      { state: 'failed', idle: true, units: [{ result: { outcome: 'blocked' } }] },
      {
        deviceId: 'd-gone',
        name: 'Old',
        url: 'http://old',
        state: 'failed',
        idle: true,
        error: { code: 'unknown-device' },
      },
    ]);
    expect(job.devices).toHaveLength(3);
    expect(job.devices.map(({ turn }) => turn !== undefined)).toEqual([true, false, false]);
    expect([job.devices[0], job.devices[1]].some((entry) => entry?.error !== undefined)).toBe(false);
    expect(job.devices[0]).not.toHaveProperty('idle');
  });

  it('a device that was named is in the undo, also one on which nothing was written', () => {
    const idle = device(1, [unit(0, 'unchanged')], { deviceId: 'd-gone' });
    const { devices } = begin([device(0, [unit(0, 'effective')]), idle], true);

    expect(devices[1]).toMatchObject({ state: 'done', idle: true, units: [] });
    expect(devices[1]?.error).toBeUndefined();
    expect(() => begin([idle], true)).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({ detail: { id: 'nothing-to-undo' } }) as object,
      }),
    );
  });

  // Would catch: a secret that is written and whose document before cannot be kept.
  it('asks whether documents can be sealed where one holds secrets, and only there', () => {
    let asked = 0;
    const canSeal = (): void => void (asked += 1);
    begin([device(0, [unit(0, 'effective')])], false, canSeal);
    expect(asked).toBe(0);
    begin([device(0, [unit(0, 'effective'), unit(1, 'effective', lock)])], false, canSeal);
    expect(asked).toBe(1);
  });

  it('an undo goes on with what is left of it, and with nothing that is through', () => {
    const source = jobOf([
      device(4, [unit(0, 'effective'), unit(1, 'effective')]),
      device(7, [unit(0, 'effective')]),
    ]);
    const resumed = (devices: readonly SettingsDevice[], from: SettingsJob | undefined = source) =>
      resumeUndo(
        jobOf(devices, { source: () => from }),
        { secrets: undefined, options: {} },
        { finder, canSeal: () => undefined },
      );
    const of = (sourcePosition: number) => ({ document: { values: {}, sourcePosition } });

    expect(
      resumed([
        device(0, [unit(0, 'pending'), unit(1, 'effective')], of(4)),
        device(1, [unit(0, 'effective')], of(7)),
        device(2, [unit(0, 'unknown')], { ...of(7), deviceId: 'd-gone' }),
      ]).map(({ position }) => position),
    ).toEqual([0, 2]);
    expect(() =>
      resumeUndo(jobOf([]), { secrets: undefined, options: {} }, { finder, canSeal: () => undefined }),
    ).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'storage-damaged' }) as object }),
    );
  });

  // Would catch: an undo that forgets what it sent itself, takes back another device's part, or what is back already.
  it('of what is left it knows what an earlier run of it may have sent', () => {
    const source = jobOf([
      device(4, [
        unit(0, 'effective'),
        unit(1, 'effective'),
        unit(2, 'effective', { hasBefore: false }),
        unit(3, 'effective'),
      ]),
      device(7, [unit(0, 'effective', { documents: () => ({ before: xml(8), sent: xml(9) }) })]),
    ]);
    const units = [
      unit(0, 'unknown', { error: LOST }),
      unit(1, 'effective'),
      unit(2, 'pending'),
      unit(3, 'pending'),
    ];
    const left = listRemainingUndo(source, device(0, units, { document: { values: {}, sourcePosition: 4 } }));

    expect(
      left.map(({ stored, goal: wanted, problem }) => [stored.key.index, wanted?.earlier, problem?.code]),
    ).toEqual([
      [3, undefined, undefined],
      [2, undefined, 'not-available'],
      [0, EARLIER, undefined],
    ]);
    expect(left.at(-1)?.goal?.before.document.text).toBe(BEFORE);
    expect(
      listRemainingUndo(source, device(0, units, { document: { values: {}, sourcePosition: 9 } })),
    ).toEqual([]);
  });
});
