import { describe, expect, it } from 'vitest';
import { JobModel, listJobSteps } from '#renderer/common/jobs/run/job-model.ts';
import { listSectionsByOutcome, findWorstOutcome } from '#renderer/common/jobs/results/result-groups.ts';
import { findCurrentWave, computeWaveSizes } from '#renderer/common/jobs/run/waves.ts';
import type { DeviceResult, Job, JobEvent, UnitResult } from '#shared/model.ts';
import { getDeviceOutcome, getShownJobState, needsSomebody } from '#shared/outcomes.ts';
import { deviceResult, sectionResult } from './samples.ts';

const refused = sectionResult({
  outcome: 'refused',
  error: { code: 'invalid-content', source: 'device', message: 'no' },
});

const job: Job = {
  id: 'j',
  kind: 'apply',
  state: 'running',
  createdAt: '2026-01-01T00:00:00Z',
  by: 'me',
  title: 't',
  about: { template: { name: 't', hash: 'h' } },
  devices: 2,
  deviceCounts: {},
  counts: {},
  resumable: false,
  results: [
    deviceResult('a', { state: 'pending', units: [sectionResult({ outcome: 'pending' })] }),
    deviceResult('b', { state: 'pending', units: [sectionResult({ outcome: 'pending' })] }),
  ],
};

function tell(model: JobModel, ...events: readonly JobEvent[]): void {
  for (const event of events) for (const step of listJobSteps(event)) model.apply(step);
}
function ended(...results: readonly DeviceResult[]): JobModel {
  const end: Job = { ...job, state: 'done', results };
  const model = new JobModel(end);
  tell(model, { type: 'end', job: end });
  return model;
}

describe('groups of results', () => {
  it('puts identical outcomes together and those that want a person first', () => {
    const groups = ended(
      deviceResult('a'),
      deviceResult('b', { units: [refused] }),
      deviceResult('c'),
      deviceResult('d', { units: [refused] }),
    ).groups();

    expect(groups.map(({ worst, devices }) => [worst, devices.map(({ deviceId }) => deviceId)])).toEqual([
      ['refused', ['b', 'd']],
      ['effective', ['a', 'c']],
    ]);
  });

  it('call a step by what it did, and count it so (else: a new key and a sign-off are "Unchanged")', () => {
    const step = (index: number, more: Partial<UnitResult>): UnitResult => ({
      index,
      label: `Step ${index}`,
      outcome: 'unchanged',
      ...more,
    });
    const model = ended(
      deviceResult('a', {
        units: [
          step(0, { did: 'answered' }),
          step(1, { did: 'done', outcome: 'effective' }),
          step(2, { outcome: 'accepted' }),
          step(3, { did: 'checked', outcome: 'failed' }),
          step(4, { did: 'signed-off' }),
        ],
      }),
    );

    expect(Object.fromEntries(model.counts())).toEqual({
      answered: 1,
      done: 1,
      accepted: 1,
      failed: 1,
      'signed-off': 1,
    });
    expect(model.groups()[0]?.worst).toBe('failed');
  });

  it.each([
    ['flow', true, 'stopped'],
    ['flow', false, 'cancelled'],
    ['apply', true, 'cancelled'],
  ])('a %s that was left (to go on with: %s) is %s', (kind, resumable, standing) => {
    expect(getShownJobState({ kind, resumable, state: 'cancelled' })).toBe(standing);
  });

  it.each([
    [0, 'done'],
    [1, 'partial'],
  ])('an import of which %i rows go to no terminal is %s', (bad, standing) => {
    const about = { people: { work: 'import', rows: 3, bad } } as const;

    expect(getShownJobState({ kind: 'people', about, resumable: false, state: 'done' })).toBe(standing);
  });

  it('of a job that writes no settings go by what its units are called', () => {
    const step = (index: number, label: string): UnitResult => ({ index, label, outcome: 'effective' });
    const results = [
      deviceResult('a', { units: [step(0, 'Lift the barrier')] }),
      deviceResult('b', { units: [step(0, 'Lift the barrier')] }),
      deviceResult('c', { units: [step(0, 'Format the disk')] }),
    ];
    const end: Job = { ...job, kind: 'flow', state: 'done', results };
    const model = new JobModel(end);
    tell(model, { type: 'end', job: end });

    expect(model.groups().map(({ devices }) => devices.map(({ deviceId }) => deviceId))).toEqual([
      ['a', 'b'],
      ['c'],
    ]);
    expect(listSectionsByOutcome(end, results, 'effective')).toEqual([]);
  });

  it('does not mix two refusals with different reasons', () => {
    const other = sectionResult({
      outcome: 'refused',
      error: { code: 'not-supported', source: 'device', message: 'no' },
    });

    expect(
      ended(deviceResult('a', { units: [refused] }), deviceResult('b', { units: [other] })).groups(),
    ).toHaveLength(2);
  });

  it('names a device that was never reached as failed, not as waiting', () => {
    const unreachable = deviceResult('a', {
      state: 'failed',
      error: { code: 'unreachable', source: 'device', message: 'no' },
      units: [sectionResult({ outcome: 'pending' })],
    });

    expect(findWorstOutcome(unreachable)).toBe('failed');
  });
});

describe('what became of a device', () => {
  it('is one word by its outcomes, and what needs somebody is planned again', () => {
    const results = (
      [
        'effective',
        'accepted',
        'unchanged',
        'skipped',
        'needs-reboot',
        'ignored',
        'refused',
        'unknown',
        'failed',
        'blocked',
        'pending',
      ] as const
    ).map((outcome) => deviceResult(outcome, { units: [sectionResult({ outcome })] }));

    expect(
      results.filter((result) => needsSomebody(getDeviceOutcome(result))).map(({ deviceId }) => deviceId),
    ).toEqual(['ignored', 'refused', 'unknown', 'failed', 'blocked', 'pending']);
    expect(getDeviceOutcome(deviceResult('stopped', { state: 'pending', units: [] }))).toBe('pending');
  });

  const absent = sectionResult({
    outcome: 'failed',
    error: { code: 'not-supported', source: 'device', message: 'no' },
  });
  it.each([
    [
      'nothing of it is there',
      deviceResult('a', { state: 'failed', units: [absent, sectionResult({ outcome: 'skipped' })] }),
      'unsupported',
    ],
    [
      'a part that is not optional is missing',
      deviceResult('a', { state: 'failed', units: [absent, sectionResult()] }),
      'attention',
    ],
    [
      'an optional part is missing',
      deviceResult('a', { units: [sectionResult({ outcome: 'skipped' }), sectionResult()] }),
      'done',
    ],
    [
      'it could not be read',
      deviceResult('a', { state: 'failed', error: absent.error, units: [] } as Partial<DeviceResult>),
      'attention',
    ],
    [
      'one write waits for a restart',
      deviceResult('a', { units: [sectionResult({ outcome: 'needs-reboot' }), sectionResult()] }),
      'needs-reboot',
    ],
  ] as const)('where %s', (_what, result, expected) => {
    expect(getDeviceOutcome(result)).toBe(expected);
  });
});

describe('sectionsWith', () => {
  it('lists a section once with all devices that have that outcome', () => {
    const accepted = sectionResult({ outcome: 'accepted' });
    const found = listSectionsByOutcome(
      { kind: 'apply' },
      [deviceResult('a', { units: [accepted] }), deviceResult('b'), deviceResult('c', { units: [accepted] })],
      'accepted',
    );

    expect(found.map(({ devices }) => devices.map(({ deviceId }) => deviceId))).toEqual([['a', 'c']]);
  });
});

describe('JobModel', () => {
  it('follows phases, sections and devices to the end', () => {
    const model = new JobModel(job);
    tell(
      model,
      { type: 'job', job },
      { type: 'phase', jobId: 'j', deviceId: 'a', index: 0, phase: 'writing' },
      { type: 'phase', jobId: 'j', deviceId: 'b', index: 0, phase: 'reading' },
      { type: 'unit', jobId: 'j', deviceId: 'a', result: sectionResult() },
      { type: 'device', jobId: 'j', device: deviceResult('a'), done: 1, total: 2 },
    );

    expect(model.finished).toBe(1);
    expect([...model.phases.keys()]).toEqual(['b']);
    expect(model.counts()).toEqual([
      ['pending', 1],
      ['effective', 1],
    ]);
    expect(
      model.groups().map(({ devices }) => devices.length),
      'a device under way is in no group',
    ).toEqual([1]);

    tell(model, {
      type: 'end',
      job: { ...job, state: 'done', results: [deviceResult('a'), deviceResult('b')] },
    });

    expect(model.summary.state).toBe('done');
    expect(model.phases.size).toBe(0);
    expect(model.finished).toBe(2);
    expect(model.counts()).toEqual([['effective', 2]]);
    expect(model.groups().map(({ devices }) => devices.length)).toEqual([2]);
  });

  it('is told whole before it says how it stands, so that an end is never shown without its results', () => {
    const model = new JobModel(job);
    const [first, ...rest] = listJobSteps({ type: 'end', job: { ...job, state: 'done' } });
    if (first !== undefined) model.apply(first);
    expect(model.isComplete).toBe(false);
    rest.forEach((step) => model.apply(step));

    expect(model.isComplete).toBe(true);
    expect(model.summary.state).toBe('done');
  });

  it('counts again where a finished device goes on after a restart', () => {
    const waits = deviceResult('a', { units: [sectionResult({ outcome: 'needs-reboot' })] });
    const model = ended(waits, deviceResult('b'));
    tell(
      model,
      { type: 'job', job: { ...job, results: [{ ...waits, state: 'pending' }, deviceResult('b')] } },
      { type: 'phase', jobId: 'j', deviceId: 'a', index: 0, phase: 'waiting' },
    );
    expect(model.finished).toBe(1);

    tell(model, { type: 'device', jobId: 'j', device: deviceResult('a'), done: 2, total: 2 });

    expect(model.finished).toBe(2);
    expect(model.counts()).toEqual([['effective', 2]]);
  });

  it('passes over events of another job', () => {
    const model = new JobModel(job);
    tell(
      model,
      { type: 'job', job },
      { type: 'device', jobId: 'other', device: deviceResult('a'), done: 1, total: 1 },
      { type: 'paused', jobId: 'other', paused: true },
    );

    expect(model.finished).toBe(0);
    expect(model.summary.paused).toBeUndefined();
  });
});

describe('waves', () => {
  it('are as the engine makes them: a trial, then equal ones, a rest last', () => {
    expect(computeWaveSizes(12, { canary: 2, wave: 4 })).toEqual([2, 4, 4, 2]);
    expect(computeWaveSizes(12, {})).toEqual([12]);
    expect(computeWaveSizes(3, { canary: 5 })).toEqual([3]);
  });

  it('tell where a job is by the first device that is not through', () => {
    const states = (done: number) =>
      Array.from({ length: 12 }, (_, at) => (at < done ? ('done' as const) : ('pending' as const)));

    expect(findCurrentWave({ canary: 2, wave: 4 }, states(1), 12)).toMatchObject({
      isTrial: true,
      devices: 2,
    });
    expect(findCurrentWave({ canary: 2, wave: 4 }, states(6), 12)).toEqual({
      isTrial: false,
      number: 2,
      of: 3,
      devices: 4,
    });
    expect(findCurrentWave({ wave: 4 }, states(11), 12)).toMatchObject({ number: 3, of: 3 });
    expect(findCurrentWave({ wave: 4 }, states(12), 12)).toBeUndefined();
    expect(findCurrentWave({}, states(0), 12)).toBeUndefined();
  });
});
