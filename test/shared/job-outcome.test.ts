import { describe, expect, it } from 'vitest';
import { formatDetail } from '#shared/details.ts';
import { describeJobOutcome, describeSignIns } from '#shared/job-outcome.ts';

type Job = Parameters<typeof describeJobOutcome>[0];
const job = (more: Partial<Job>): Job => ({
  kind: 'apply',
  state: 'done',
  resumable: false,
  about: {},
  devices: 4,
  deviceCounts: { done: 4 },
  counts: { effective: 8 },
  ...more,
});
const PEOPLE = { work: 'import', from: 'people.csv', rows: 500, bad: 0 } as const;
const say = (...given: Parameters<typeof describeJobOutcome>): string =>
  describeJobOutcome(...given)
    .map(formatDetail)
    .join(' ');

describe('the outcome of a job', () => {
  // Would catch: a result without a number, failures before what went well, "read back" of what no device shows, and
  // devices that are chosen and in no count.
  it.each<[string, Partial<Job>, string]>([
    ['all', {}, '4 of 4 devices are as asked, read back.'],
    ['what cannot be read back', { counts: { accepted: 1, effective: 7 } }, '4 of 4 devices are as asked.'],
    [
      'an undo',
      { kind: 'undo', devices: 1, deviceCounts: { done: 1 } },
      '1 of 1 device is as before, read back.',
    ],
    [
      'a flow that was left after three steps',
      {
        kind: 'flow',
        state: 'interrupted',
        devices: 1,
        deviceCounts: { pending: 1 },
        counts: { effective: 2, skipped: 1, pending: 10 },
      },
      '3 of 13 steps are done. Interrupted before every device was done.',
    ],
    [
      'other work',
      { kind: 'model', deviceCounts: { done: 3, attention: 1 } },
      '3 of 4 devices are done. 1 still needs you.',
    ],
    [
      'some',
      {
        state: 'failed',
        devices: 9,
        deviceCounts: { done: 3, 'needs-reboot': 1, attention: 2, unsupported: 3 },
      },
      '3 of 9 devices are as asked, read back. 1 takes effect after a restart. 2 still need you. 3 have no such setting.',
    ],
    [
      'none',
      { state: 'cancelled', deviceCounts: { pending: 4 }, counts: {} },
      '0 of 4 devices are as asked. 4 were not begun. Cancelled; writes in progress were finished.',
    ],
    [
      'devices that were away',
      { state: 'partial', deviceCounts: { done: 3, pending: 1 } },
      '3 of 4 devices are as asked, read back. 1 was away and waits to be seen.',
    ],
    [
      'a failed trial',
      { state: 'partial', deviceCounts: { attention: 1, pending: 3 }, counts: {} },
      '0 of 4 devices are as asked. 1 still needs you. 3 were not begun. Stopped because devices failed.',
    ],
    [
      'what a later job finished',
      { state: 'failed', deviceCounts: { done: 2, attention: 2 }, finishedLater: 1 },
      '2 of 4 devices are as asked, read back. 1 still needs you. 1 was finished by a later job.',
    ],
    [
      'a job under way',
      { state: 'running', deviceCounts: { pending: 4 }, counts: {} },
      '0 of 4 devices are as asked. Running.',
    ],
  ])('counts %s', (_what, more, text) => {
    expect(say(job(more))).toBe(text);
  });

  // Would catch: "4 of 4 devices are done" for 500 people of whom 9 are nowhere; terminals counted where nothing can be finished.
  it('counts people where it is about people', () => {
    const people = {
      work: 'import',
      people: 500,
      devices: 4,
      everywhere: 491,
      unseen: 0,
      restart: 0,
      some: 0,
      nowhere: 9,
      open: 0,
      unsent: [],
    } as const;
    const done = job({ kind: 'people', about: { people: PEOPLE } });
    const cut = job({
      ...done,
      state: 'interrupted',
      resumable: true,
      deviceCounts: { done: 3, pending: 1 },
    });

    expect(say(done, { people })).toBe(
      '491 of 500 people are on all 4 terminals, read back. 9 are on no terminal as asked.',
    );
    expect(say(done)).toMatch(/^500 of 500 people are on all 4 terminals, read back\./);
    const wrong = job({ ...done, about: { people: { ...PEOPLE, bad: 9 } } });
    expect(say(wrong)).toMatch(/^491 of 500 people are on all 4 .* 9 are on no terminal as asked\./);
    expect(say(job({ ...wrong, deviceCounts: { done: 3, attention: 1 } }))).toMatch(
      /^9 of 500 rows are wrong/,
    );
    expect(say(cut, { people })).toMatch(
      /^491 of 500.*3 of 4 devices are done\. 1 was not begun\. Interrupted/,
    );
  });
});

// Would catch: fingerprints counted by devices, and a sign-in of many that does not say on how many it failed.
it('counts fingerprints by readers, and sign-ins by devices', () => {
  const unit = (counts: object) => ({ index: 0, label: '', outcome: 'effective', counts }) as const;
  const device = { deviceId: 'd', name: 'Gate', url: '', state: 'done' } as const;
  const results = [
    { ...device, units: [unit({ taken: 3, 'poor-quality': 1 })] },
    { ...device, units: [unit({ 'there-already': 4 })] },
  ];
  const prints = job({ kind: 'fingerprints', about: { prints: { work: 'import' } }, devices: 2 });

  expect(say(prints, { results })).toMatch(/^7 of 8 fingerprints on readers are as asked\. 1 is not\./);
  const tests = [...Array.from({ length: 58 }, () => ({ ok: true })), { ok: false }];
  expect(describeSignIns(tests, 1).map(formatDetail).join(' ')).toBe(
    '58 of 60 devices are signed in. 1 failed. 1 was not tried.',
  );
});
