/** People are brought to devices once each, looked at afterwards, and what went wrong is known by row. */
import { describe, expect, it } from 'vitest';
import { formatDetail } from '#shared/details.ts';
import { describeJobOutcome } from '#shared/job-outcome.ts';
import { getShownJobState, isLeftOpen } from '#shared/outcomes.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { openSite, type TestSite, waitForEnd } from '../site-engine.ts';
import { applied, carriedOut, fileOf, outcomes, people, planOf } from './people-work.ts';

let at: TestSite;

const onDevice = (device = 0) => at.site.device(device).part(PEOPLE);

describe('an import', () => {
  it('adds everybody on every device, proves it, and has nothing left to do after that', async () => {
    at = await openSite({ devices: 2, kinds: ['gate'] });

    const { plan, job, rows } = await carriedOut(at, fileOf(people(65)));
    const again = await planOf(at, fileOf(people(65)));

    expect(plan.devices.map(({ people: count, counts }) => [count, counts])).toEqual([
      [12, { added: 65 }],
      [12, { added: 65 }],
    ]);
    expect(job.state).toBe('done');
    expect(outcomes(rows)).toEqual({ done: 130 });
    expect([onDevice(0).count, onDevice(1).count]).toEqual([77, 77]);
    expect(again.devices.map(({ counts }) => counts)).toEqual([{ unchanged: 65 }, { unchanged: 65 }]);
  });

  // Would catch: a change that wipes what the file does not name, or what the specification does not know.
  it('changes what differs and leaves everything else as the device has it', async () => {
    at = await openSite({ kinds: ['gate'] });
    const before = onDevice()
      .search('t', 0, { only: new Set(['1003']) })
      .page(0, 1)[0]?.record;

    const { plan, rows } = await carriedOut(at, fileOf('employeeNo,name\n1003,Lobelia\n1004,\n'));

    expect(plan.devices[0]?.counts).toEqual({ changed: 1, unchanged: 1 });
    expect(rows[0]).toMatchObject({ outcome: 'done' });
    const { record } =
      onDevice()
        .search('t', 0, { only: new Set(['1003']) })
        .page(0, 1)[0] ?? {};
    expect(record).toEqual({ ...before, name: 'Lobelia' });
  });

  it('refuses beforehand what the specification does not allow, and does the others', async () => {
    at = await openSite({ kinds: ['gate'] });
    const text = people(40, (nth) => (nth % 10 === 0 ? ',never' : ',')).replace(
      'doorRight\n',
      'doorRight,userVerifyMode\n',
    );

    const { plan, job, rows } = await carriedOut(at, fileOf(text));

    expect(plan.devices[0]?.counts).toEqual({ added: 36, refused: 4 });
    expect(outcomes(rows)).toEqual({ done: 36, refused: 4 });
    expect(rows[0]?.error).toMatchObject({ code: 'not-allowed', path: 'userVerifyMode' });
    expect([job.state, getShownJobState(job)]).toEqual(['done', 'partial']);
  });

  // Would catch: a list of jobs where terminals that have everyone they can have need a person for ever, and wrong rows
  // of which only those are counted that the file itself shows.
  it('counts rows that no terminal takes as rows, wherever it is found out, and no terminal as unfinished', async () => {
    at = await openSite({ devices: 2, kinds: ['gate'] });
    const text = people(20, (nth) => (nth % 10 === 0 ? ',never' : ',')).replace(
      'doorRight\n',
      'doorRight,userVerifyMode\n',
    );

    const { plan, job } = await carriedOut(at, fileOf(`${text}5001,Again,normal,1,\n`));
    const listed = at.engine.jobs.list().find(({ id }) => id === job.id);

    expect(plan.bad).toBe(3);
    expect(describeJobOutcome(listed ?? job).map(formatDetail)).toEqual([
      '18 of 21 people are on both terminals, read back.',
      '3 are on no terminal as asked.',
      '2 of 2 devices are done.',
    ]);
    expect(isLeftOpen(listed ?? job)).toBe(false);
    expect([...at.engine.people.failedParts({ id: job.id })].join('').trimEnd().split('\n')).toHaveLength(4);
  });

  // Would catch: a terminal that lacks someone whom another has, shown as done.
  it('leaves a terminal unfinished that refuses what another takes', async () => {
    at = await openSite({ devices: 2, kinds: ['gate'] });
    onDevice(1).setLimits({ span: { begin: '2000-01-01T00:00:00', end: '2037-12-31T23:59:59' } });

    const { plan, job } = await carriedOut(
      at,
      fileOf('employeeNo,name,validFrom\n9001,Ada,1999-01-01\n9002,Eve,2001-01-01\n'),
    );

    expect(plan.bad).toBe(0);
    expect(describeJobOutcome(job).map(formatDetail)).toContain('1 still needs you.');
  });

  // Would catch: a device that is full asked for each of thousands.
  it('stops asking a device that says it is full, and says so for each', async () => {
    at = await openSite({ kinds: ['gate'] });
    onDevice().setLimits({ capacity: 32 });

    const { rows } = await carriedOut(at, fileOf(people(100)));

    expect(onDevice().count).toBe(32);
    expect(outcomes(rows)).toEqual({ done: 20, refused: 80 });
    const tried = at.site
      .device(0)
      .requests.filter(({ operation }) => operation === 'accessControl.users.setUp');
    expect(tried.length).toBeLessThan(30);
  });

  it('finds out by reading what became of answers that were lost, and writes nobody twice', async () => {
    at = await openSite({ kinds: ['gate'] });
    const scope = { operation: 'accessControl.users.setUp' };
    at.site.device(0).setFault('reset-after', 0.1, scope);
    at.site.device(0).setFault('reset', 0.1, scope);

    const { rows } = await carriedOut(at, fileOf(people(120)));

    expect(onDevice().count).toBe(12 + (outcomes(rows)['done'] ?? 0));
    expect(applied(at)).toHaveLength(new Set(applied(at)).size);
    expect(outcomes(rows)['done']).toBeGreaterThan(100);
  });

  it('says who is not there although the device said yes', async () => {
    at = await openSite({ kinds: ['gate'] });
    at.site.device(0).setFault('ignored', 1, { times: 3, operation: 'accessControl.users.setUp' });

    const { job, rows } = await carriedOut(at, fileOf(people(10)));

    expect(outcomes(rows)).toEqual({ done: 7, ignored: 3 });
    expect(job.state).toBe('failed');
    const file = [...at.engine.people.failedParts({ id: job.id })].join('');
    expect(file.trimEnd().split('\n')).toHaveLength(4);
    expect(file).toContain('Underhill');
  });

  it('leaves alone whom somebody changed since the plan was made, unless told otherwise', async () => {
    at = await openSite({ kinds: ['gate'] });
    const plan = await planOf(at, fileOf('employeeNo,name\n1003,Lobelia\n'));
    onDevice().put('1003', { employeeNo: '1003', userType: 'normal', name: 'Somebody else' }, true);

    await waitForEnd(at.engine, at.engine.people.begin({ id: plan.id }).jobId);

    expect([...at.engine.people.listed({ id: plan.id })]).toMatchObject([
      { outcome: 'refused', error: { code: 'changed-meanwhile' } },
    ]);
  });

  it('goes on where it was cancelled, without writing anybody twice', async () => {
    at = await openSite({ devices: 2, kinds: ['gate'] });
    const plan = await planOf(at, fileOf(people(150)));
    const { jobId } = at.engine.people.begin({ id: plan.id });
    for await (const event of at.engine.jobs.watch({ id: jobId }, new AbortController().signal))
      if (event.type === 'unit' && (event.result.progress?.done ?? 0) > 30) {
        at.engine.jobs.cancel({ id: jobId });
        break;
      }
    const stopped = await waitForEnd(at.engine, jobId);

    at.engine.jobs.resume({ id: jobId });
    const job = await waitForEnd(at.engine, jobId);

    expect(stopped).toMatchObject({ state: 'cancelled', resumable: true });
    expect(job.state).toBe('done');
    expect([onDevice(0).count, onDevice(1).count]).toEqual([162, 162]);
    for (const device of [0, 1]) expect(applied(at, device)).toHaveLength(150);
  });

  // Would catch: what was wanted of people wiped with a job that still has to bring them somewhere, so that they arrive
  // without their names.
  it('still knows what it wants of those whom a terminal did not get', async () => {
    at = await openSite({ devices: 2, kinds: ['gate'] });
    at.site.device(1).setFault('reset', 1);
    const begun = await carriedOut(at, fileOf(`${people(3)}9001,Rosie,king,1\n`));
    at.site.device(1).clearFaults();
    const failed = [...at.engine.people.failedParts({ id: begun.job.id })].join('');

    at.engine.jobs.resume({ id: begun.job.id });
    await waitForEnd(at.engine, begun.job.id);

    expect(begun.job.resumable).toBe(true);
    expect(failed).toContain('9001,Rosie,king,1');
    expect(
      onDevice(1)
        .search('t', 0, { text: 'Underhill' })
        .page(0, 9)
        .map(({ record }) => record['name']),
    ).toEqual(['Underhill 0', 'Underhill 1', 'Underhill 2']);
  });

  it('reads a device as a whole that does not heed the numbers it is asked for', async () => {
    at = await openSite({ kinds: ['gate'] });
    onDevice().setLimits({ heedsNumbers: false });

    const { rows } = await carriedOut(at, fileOf(`${people(5)}1003,Lobelia,visitor,1\n`));

    expect(rows.map(({ plan, outcome }) => [plan, outcome]).at(-1)).toEqual(['changed', 'done']);
    expect(onDevice().count).toBe(17);
  });

  // Would catch: names and passwords of people lying about in the data folder.
  it('leaves nothing of the people in the data folder', async () => {
    at = await openSite({ kinds: ['gate'] });
    const text = people(40, (nth) => `,Sesame-${nth}-open`).replace('doorRight\n', 'doorRight,password\n');

    const { job } = await carriedOut(at, fileOf(text));

    expect(job.state).toBe('done');
    expect(at.stored()).not.toContain('Underhill');
    expect(at.stored()).not.toContain('Sesame');
    expect(
      [...at.engine.people.listed({ id: job.id, only: 'all' })].every(({ name }) => name === undefined),
    ).toBe(true);
  });
});

describe('a removal', () => {
  it('asks each device again, and keeps what could not be reached as open work', async () => {
    at = await openSite({ devices: 3, kinds: ['gate'] });
    await at.site.device(2).restart(0);
    at.site.device(2).setFault('reset', 1);

    const { job } = await carriedOut(at, { kind: 'remove', employeeNos: ['1003', '1005', '9999'] });
    at.site.device(2).clearFaults();
    const open = job.resumable;
    at.engine.jobs.resume({ id: job.id });
    const after = await waitForEnd(at.engine, job.id);

    expect(open).toBe(true);
    expect(after.state).toBe('done');
    expect([0, 1, 2].map((device) => onDevice(device).count)).toEqual([10, 10, 10]);
    expect(outcomes([...at.engine.people.listed({ id: job.id, only: 'all' })])).toEqual({
      done: 6,
      absent: 3,
    });
  });
});

// Would catch: a receipt for a person who is still there, because the device lost them from the list that was
// to prove it.
it('of somebody who may only be missing from the list stays open', async () => {
  at = await openSite({ kinds: ['gate'] });
  onDevice().setLimits({ heedsNumbers: false });
  at.site.device(0).setFault('person-lost', 1);

  const { job, plan } = await carriedOut(at, { kind: 'remove', employeeNos: ['1001'] });

  expect(plan.devices[0]?.error).toMatchObject({ code: 'changed-meanwhile' });
  expect(job.resumable).toBe(true);
  expect(JSON.parse(at.engine.people.receipt({ id: job.id }).text)).toMatchObject({
    complete: false,
    devices: [{ people: [{ employeeNo: '1001', result: 'open' }] }],
  });
});

describe('a copy', () => {
  it('lists exactly what a smaller device did not keep', async () => {
    at = await openSite({ devices: 2, kinds: ['gate'], models: ['standard', 'compact'] });
    at.site
      .device(1)
      .part(PEOPLE)
      .setLimits({ forgets: new Set(['groupName']) });
    const [from = '', to = ''] = at.ids;

    const plan = await planOf(at, { kind: 'copy', from, replaceOthers: true }, [to]);
    await waitForEnd(at.engine, at.engine.people.begin({ id: plan.id }).jobId);

    expect(plan.notes.map(({ id }) => id)).toContain('people-left-behind');
    const rows = [...at.engine.people.listed({ id: plan.id, only: 'all' })];
    expect(rows.filter(({ plan: what }) => what !== 'unchanged').length).toBe(12);
    for (const { outcome, changes } of rows)
      if (outcome === 'ignored') expect(changes?.map(({ field }) => field)).toEqual(['groupName']);
  });
});
