/** Tasks of each device, from a plan or from the journal: decided without a network. */
import { describe, expect, it } from 'vitest';
import { prepareTasks } from '#engine/apply/prepare-job.ts';
import { needsSecrets, planResume } from '#engine/apply/resume-plan.ts';
import { createRetry } from '#engine/apply/retry-plan.ts';
import {
  createPendingUnit,
  type SettingsDevice,
  type SettingsJob,
  type SettingsUnit,
} from '#engine/apply/settings-documents.ts';
import type { PlanRequest } from '#engine/api.ts';
import type { Finder } from '#engine/jobs/locate-device.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { hashTemplate } from '#engine/template/versions.ts';
import { userError } from '#shared/errors.ts';
import type { Device, Plan, PlanDevice, PlanSection, UnitOutcome } from '#shared/model.ts';
import { say } from '#shared/details.ts';
import { BASIC, LOCK, TEXT } from './two-sections.ts';

/** The template without its secret. */
const PLAIN = TEXT.slice(0, TEXT.indexOf(`  - set: ${LOCK}`)).replace(/ {2}key.*\n/, '');
const documentOf = (text: string) => {
  const { document } = parseTemplate(text);
  if (document === undefined) throw new Error('no template');
  return document;
};

function section(index: number, extra: Partial<PlanSection> = {}): PlanSection {
  return {
    index,
    set: index === 0 ? BASIC : LOCK,
    label: `Section ${index}`,
    params: index === 0 ? { channelID: 1 } : {},
    optional: false,
    state: 'changes',
    changes: [{ path: 'distance', label: 'Distance', from: 5, to: 3 }],
    adjustments: [],
    problems: [],
    ...extra,
  };
}
function planned(name: string, extra: Partial<PlanDevice> = {}): PlanDevice {
  return {
    deviceId: name,
    name,
    url: `http://${name}`,
    state: 'changes',
    sections: [section(0)],
    group: 1,
    values: {},
    ...extra,
  };
}
const plan = (devices: readonly PlanDevice[], text = PLAIN): Plan => ({
  fieldwright: 'plan/1',
  id: 'p-1',
  createdAt: '2026-01-01T00:00:00.000Z',
  template: { name: 'Both', hash: hashTemplate(text), text },
  devices,
  groups: [],
  counts: { changes: 0, adjusted: 0, unchanged: 0, blocked: 0, unsupported: 0, failed: 0 },
});

const profile = { pathPrefix: '/API' };
/**
 * Finds every device but those whose name begins with "gone"; "moved" has another address, "pinned" was named
 * with its certificate.
 */
const find = (reference: string): Device => {
  const name = reference.replace('http://', '');
  if (name.startsWith('gone')) throw userError('unknown-device', say('device-gone'));
  const trust = { how: name.startsWith('given') ? 'given' : 'seen', fingerprint: 'AB:CD' };
  return {
    id: name,
    name: `The ${name}`,
    url: name === 'moved' ? 'https://10.0.0.9' : `http://${name}`,
    profile,
    ...(name.startsWith('given') || name.startsWith('seen') ? { trust } : {}),
  } as unknown as Device;
};
const finder: Finder = { find, addTransient: ({ url }) => ({ ...find('again'), url }) };

function prepare(
  devices: readonly PlanDevice[],
  extra: Partial<Parameters<typeof prepareTasks>[0]> = {},
  text = PLAIN,
) {
  let sealed = 0;
  const prepared = prepareTasks({
    plan: plan(devices, text),
    deviceIds: undefined,
    secrets: {},
    find,
    allowPlainFields: false,
    canSeal: () => {
      sealed += 1;
    },
    ...extra,
  });
  return { prepared, sealed };
}
const code = (is: string, extra: object = {}) =>
  expect.objectContaining({ shape: expect.objectContaining({ code: is, ...extra }) as unknown }) as Error;

describe('a plan', () => {
  it('becomes what each device is sent, where it is now', () => {
    const { prepared, sealed } = prepare([planned('moved', { values: { meters: 4 } }), planned('b')]);

    expect(prepared).toMatchObject([
      {
        deviceId: 'moved',
        name: 'The moved',
        url: 'https://10.0.0.9',
        connection: { profile },
        task: {
          position: 0,
          deviceId: 'moved',
          url: 'https://10.0.0.9',
          sections: [{ index: 0, set: BASIC, params: { channelID: 1 }, value: { distance: 4 } }],
          planned: [{ index: 0 }],
          secrets: [],
        },
      },
      { task: { position: 1, sections: [{ value: { distance: 3 } }] } },
    ]);
    expect(sealed).toBe(0);
  });

  // Would catch: a certificate that a person may change meanwhile, kept for good in the journal.
  it('keeps the certificate that was named for this run, and no other', () => {
    const [given, seen] = prepare([planned('given'), planned('seen')]).prepared;

    expect(given?.connection).toEqual({ profile, certificate: 'AB:CD' });
    expect(seen?.connection).toEqual({ profile });
  });

  // Would catch: a template that was changed in the file beside what was confirmed, and is sent.
  it('whose template is another one than was confirmed is refused', () => {
    const other = plan([planned('a')]);
    const changed = {
      ...other,
      template: { ...other.template, text: PLAIN.replace('default: 3', 'default: 9') },
    };

    expect(() => prepare([], { plan: changed })).toThrow(code('plan-outdated'));
    expect(() => prepare([], {}, 'fieldwright: template/1\nname: Bad')).toThrow(code('missing-field'));
  });

  it.each([
    ['another setting', [section(0, { set: LOCK })]],
    ['another channel', [section(0, { params: { channelID: 2 } })]],
    ['another place', [section(1, { set: BASIC, params: { channelID: 1 } })]],
    ['one more', [section(0), section(1)]],
    ['none', []],
  ])('that names %s than its template is refused, with and without a turn', (_what, sections) => {
    const misfit = code('plan-outdated', { device: 'http://a' });

    expect(() => prepare([planned('a', { sections, state: 'unchanged' })])).toThrow(misfit);
    expect(() => prepare([planned('a', { sections, state: 'blocked' })], { deviceIds: [] })).toThrow(misfit);
  });

  // Would catch: a job that stops at the first device, so that a person mends and starts it ten times.
  it('tells all that is wrong with all devices at once, each thing once', () => {
    const wrong = { values: { meters: 'far' } };
    const failed = (): unknown =>
      prepare([planned('a', wrong), planned('gone'), planned('gone too'), planned('b', wrong)]);

    expect(failed).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({
          others: [expect.objectContaining({ code: 'unknown-device' })],
        }) as unknown,
      }) as Error,
    );
  });
});

describe('a device of a plan', () => {
  const turns = (devices: readonly PlanDevice[], deviceIds?: readonly string[]) =>
    prepare(devices, { deviceIds }).prepared.map(({ deviceId, task }) => [deviceId, task !== undefined]);

  it.each([
    ['changes', 'changes', true],
    ['adjusted', 'adjusted', true],
    ['unchanged', 'unchanged', true],
    ['blocked', 'blocked', false],
    ['unsupported', 'unsupported', false],
    ['blocked', 'changes', true],
    ['blocked', 'adjusted', true],
    ['failed', 'changes', false],
  ] as const)('that is %s, its section %s, has a turn: %s', (state, of, hasTurn) => {
    expect(turns([planned('a', { state, sections: [section(0, { state: of })] })])).toEqual([['a', hasTurn]]);
  });

  // Would catch: a device that was not chosen and is written, or one that vanishes from the job.
  it('that was not chosen is left out where it would get something, and stays without a turn where not', () => {
    const devices = [
      planned('a'),
      planned('b'),
      planned('c', { state: 'adjusted', sections: [section(0, { state: 'adjusted' })] }),
      planned('d', { state: 'unchanged', sections: [section(0, { state: 'unchanged' })] }),
      planned('e', { state: 'failed', sections: [] }),
    ];

    expect(turns(devices, ['a'])).toEqual([
      ['a', true],
      ['d', false],
      ['e', false],
    ]);
    expect(() => turns(devices, ['a', 'z'])).toThrow(code('unknown-device', { device: 'z' }));
  });

  // Would catch: a job that cannot begin because a device that gets nothing anyway was removed from the list.
  it('that gets nothing need not be known, nor its secret given', () => {
    const idle = planned('gone', {
      state: 'blocked',
      sections: [section(0, { state: 'blocked' }), section(1, { state: 'blocked' })],
    });
    const [kept] = prepare([idle], {}, TEXT).prepared;

    expect(kept).toEqual({ planned: idle, deviceId: 'gone', name: 'gone', url: 'http://gone' });
    expect(() => prepare([planned('gone')])).toThrow(code('unknown-device'));
  });
});

describe('a secret', () => {
  const both = (state: PlanSection['state'] = 'changes') => [section(0), section(1, { state })];

  it('is asked for where the section that holds it is written, and the journal must be able to seal it', () => {
    expect(() => prepare([planned('a', { sections: both() })], {}, TEXT)).toThrow(code('undefined-variable'));
    const { prepared, sealed } = prepare(
      [planned('a', { sections: both() })],
      { secrets: { key: 'hunter22' } },
      TEXT,
    );

    expect(prepared[0]?.task).toMatchObject({
      secrets: ['hunter22'],
      sections: [{}, { value: { enabled: true, passwd: 'hunter22' } }],
    });
    expect(sealed).toBe(1);
    const locked = (): never => {
      throw userError('vault-locked', say('device-gone'));
    };
    expect(() =>
      prepare([planned('a', { sections: both() })], { secrets: { key: 'hunter22' }, canSeal: locked }, TEXT),
    ).toThrow(code('vault-locked'));
  });

  it.each(['blocked', 'unsupported'] as const)('is not asked for where that section is %s', (state) => {
    expect(prepare([planned('a', { sections: both(state) })], {}, TEXT).prepared[0]?.task).toBeDefined();
  });

  // Would catch: two devices of equal values, of which the first needs no secret: the second is sent its template without one.
  it('is asked for on the second device although the first of equal values needs none', () => {
    expect(() =>
      prepare([planned('a', { sections: both('blocked') }), planned('b', { sections: both() })], {}, TEXT),
    ).toThrow(code('undefined-variable'));
  });
});

/** Makes a device of a stored job, with a unit for each of these outcomes. */
function kept(
  name: string,
  outcomes: readonly UnitOutcome[],
  extra: Partial<SettingsDevice> = {},
): SettingsDevice {
  const units = outcomes.map((outcome, index): SettingsUnit => {
    const { label, changes, set, params } = section(index);
    return {
      key: { jobId: 'j-1', position: 3, index },
      label,
      outcome,
      detail: { set, params, changes: [...changes] },
      document: () =>
        createPendingUnit(section(index, { optional: true, baseline: 'hash' })).document as ReturnType<
          SettingsUnit['document']
        >,
      documents: () => ({}),
      attempts: 1,
      hasBefore: false,
    };
  });
  return {
    position: 3,
    deviceId: name,
    name,
    url: `http://${name}`,
    state: 'failed',
    document: { values: {} },
    units,
    ...extra,
  };
}
const withUnit = (device: SettingsDevice, extra: Partial<SettingsUnit>): SettingsDevice => ({
  ...device,
  units: device.units.map((unit) => ({ ...unit, ...extra })),
});
const jobOf = (text: string, devices: readonly SettingsDevice[]): SettingsJob =>
  ({
    id: 'j-1',
    kind: 'apply',
    title: 'Both',
    about: {},
    state: 'interrupted',
    options: {},
    source: () => undefined,
    body: { planId: 'p-1', templateText: text, backwards: false },
    devices,
  }) satisfies SettingsJob;

function resume(
  devices: readonly SettingsDevice[],
  text = PLAIN,
  extra: Partial<Parameters<typeof planResume>[0]> = {},
) {
  let sealed = 0;
  const tasks = planResume({
    job: jobOf(text, devices),
    devices,
    secrets: {},
    finder,
    allowPlainFields: false,
    canSeal: () => {
      sealed += 1;
    },
    ...extra,
  });
  return { tasks, sealed };
}

describe('a job that is resumed', () => {
  // Would catch: what is done already done again, or a write that may have arrived sent as if nothing was known of it.
  it('goes on with what is left, as it was confirmed, with what an earlier run sent', () => {
    const error = { code: 'connection-lost', source: 'device', message: 'gone' } as const;
    const done = kept('moved', ['effective', 'unknown']);
    const device = {
      ...done,
      units: done.units.map((unit) => (unit.outcome === 'unknown' ? { ...unit, error } : unit)),
    };
    const { tasks, sealed } = resume([device], TEXT, { secrets: { key: 'hunter22' } });

    expect(tasks).toMatchObject([
      {
        kind: 'planned',
        task: {
          position: 3,
          deviceId: 'moved',
          url: 'https://10.0.0.9',
          secrets: ['hunter22'],
          sections: [{ index: 1, value: { passwd: 'hunter22' } }],
          planned: [{ ...section(1), optional: true, baseline: 'hash' }],
        },
      },
    ]);
    const [task] = tasks;
    expect(task?.kind === 'planned' && [...(task.task.earlier ?? [])]).toEqual([
      [1, { changes: section(1).changes, error }],
    ]);
    expect(sealed).toBe(1);
  });

  it('knows of no earlier write where none was sent', () => {
    const [task] = resume([kept('a', ['pending'])]).tasks;

    expect(task?.kind === 'planned' && task.task.earlier?.size).toBe(0);
  });

  it('plans anew what could not be planned, and says what it cannot reach', () => {
    const { tasks, sealed } = resume([kept('a', []), kept('gone', ['pending']), kept('t-gone', [])]);

    expect(tasks).toMatchObject([
      {
        kind: 'unplanned',
        task: {
          position: 3,
          deviceId: 'a',
          url: 'http://a',
          secrets: [],
          resolved: { ok: true, values: { meters: 3 } },
        },
      },
      { kind: 'impossible', position: 3, error: { code: 'unknown-device' } },
      { kind: 'unplanned', task: { url: 'http://t-gone' } },
    ]);
    expect(sealed).toBe(0);
  });

  it.each([
    ['changes', [{ path: 'distance', label: 'Distance', from: 5, to: 3 }]],
    ['unchanged', []],
  ])('of an older version is told as %s from its changes', (state, changes) => {
    const device = withUnit(kept('a', ['pending']), { document: () => ({ planned: [...changes] }) });
    const [task] = resume([device]).tasks;

    expect(task?.kind === 'planned' && task.task.planned).toEqual([
      section(0, { state, changes } as Partial<PlanSection>),
    ]);
    const none = resume([withUnit(device, { document: () => undefined })]).tasks[0];
    expect(none).toMatchObject({ task: { planned: [{ state: 'unchanged', changes: [] }] } });
  });

  it.each([
    ['setting', { set: LOCK, params: { channelID: 1 } }],
    ['channel', { set: BASIC, params: { channelID: 2 } }],
  ])('whose journal names another %s than its template is not gone on with', (_what, detail) => {
    expect(() => resume([withUnit(kept('a', ['pending']), { detail: { ...detail, changes: [] } })])).toThrow(
      code('storage-damaged'),
    );
    expect(() =>
      resume([withUnit(kept('a', ['pending']), { key: { jobId: 'j-1', position: 3, index: 7 } })]),
    ).toThrow(code('storage-damaged'));
  });

  it('tells what is wrong with its template, and with every device once', () => {
    expect(() => resume([], 'fieldwright: template/1\nname: Bad')).toThrow(code('missing-field'));
    const wrong = { document: { values: { meters: 'far' } } };
    expect(() =>
      resume([kept('a', ['pending'], wrong), kept('b', ['pending'], { document: { values: { other: 1 } } })]),
    ).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({ others: [expect.anything()] }) as unknown,
      }) as Error,
    );
  });

  it('asks for a secret only where a section that holds it is left to be written', () => {
    const document = documentOf(TEXT);
    const confirmed = (state: PlanSection['state']) => {
      const { planned: changes = [], confirmed: known } = kept('a', ['pending']).units[0]?.document() ?? {};
      return () => ({ planned: changes, ...(known === undefined ? {} : { confirmed: { ...known, state } }) });
    };
    const pending = kept('a', ['pending', 'pending']);

    expect(needsSecrets(pending, document)).toBe(true);
    expect(needsSecrets(kept('a', []), document)).toBe(true);
    expect(needsSecrets(kept('a', []), documentOf(PLAIN))).toBe(false);
    expect(needsSecrets(kept('a', ['pending', 'effective']), document)).toBe(false);
    for (const state of ['blocked', 'unsupported'] as const)
      expect(needsSecrets(withUnit(pending, { document: confirmed(state) }), document)).toBe(false);
    expect(needsSecrets(withUnit(pending, { document: () => undefined }), document)).toBe(true);
    expect(needsSecrets(withUnit(pending, { key: { jobId: 'j-1', position: 3, index: 9 } }), document)).toBe(
      false,
    );
  });
});

describe('a retry', () => {
  function retry(
    devices: readonly SettingsDevice[],
    {
      kind = 'apply',
      text = PLAIN,
      ...request
    }: {
      readonly kind?: string;
      readonly text?: string;
      readonly deviceIds?: readonly string[];
      readonly secrets?: Record<string, string>;
    } = {},
  ) {
    const asked: unknown[] = [];
    const api = createRetry({
      jobs: { stored: () => ({ ...jobOf(text, devices), kind }) },
      devices: finder,
      plans: {
        async *create(plans: PlanRequest, _signal: AbortSignal, lost: unknown) {
          asked.push(plans, lost);
        },
      },
      saved: { mark: (variables) => variables.map((variable) => ({ ...variable, saved: true })) },
    });
    const all = { jobId: 'j-1', ...request };
    return {
      preview: () => api.retryPreview(all),
      async plan() {
        for await (const _event of api.retry(all, new AbortController().signal));
        return asked;
      },
    };
  }
  const notAllowed = code('not-allowed');

  it('plans those that need somebody with the values they had, and keeps those that are gone', async () => {
    const values = { meters: 7 };
    const devices = [
      kept('a', ['failed'], { document: { values } }),
      kept('b', ['effective'], { state: 'done' }),
      kept('gone', ['ignored'], { document: { values } }),
    ];

    expect(await retry(devices, { secrets: { key: 'hunter22' } }).plan()).toEqual([
      { templateText: PLAIN, deviceIds: ['a'], valuesByDevice: { a: values }, secrets: { key: 'hunter22' } },
      [
        {
          deviceId: 'gone',
          name: 'gone',
          url: 'http://gone',
          values,
          state: 'failed',
          error: expect.objectContaining({ code: 'unknown-device' }) as unknown,
          sections: [],
        },
      ],
    ]);
    expect((await retry(devices).plan())[0]).not.toHaveProperty('secrets');
    await expect(retry(devices.slice(2)).plan()).rejects.toThrow(code('unknown-device'));
  });

  it('takes a device without the setting where it is named, and nothing that is as asked', () => {
    const lacking = kept('a', ['skipped'], { state: 'done' });
    const done = kept('b', ['effective'], { state: 'done' });

    expect(retry([lacking, done], { deviceIds: ['a', 'b'] }).preview().devices).toMatchObject([
      { deviceId: 'a' },
    ]);
    expect(retry([lacking]).preview).toThrow(notAllowed);
    expect(retry([done], { deviceIds: ['b'] }).preview).toThrow(notAllowed);
    expect(retry([kept('a', ['failed'])], { kind: 'undo' }).preview).toThrow(notAllowed);
  });

  it('tells which secrets it needs', () => {
    expect(retry([kept('a', ['failed'])], { text: TEXT }).preview().secrets).toMatchObject([
      { name: 'key', type: 'secret', saved: true },
    ]);
    expect(retry([kept('a', ['failed'])], { text: 'no template' }).preview().secrets).toEqual([]);
  });
});
