/**
 * Secrets that a device never shows may be lost by writing beside them; the plan says so before anything is
 * sent.
 */
import { expect, it } from 'vitest';
import { describePeopleOutcome } from '#shared/people/people-outcome.ts';
import { openSite, type TestSite } from '../site-engine.ts';
import { carriedOut, fileOf, planOf } from './people-work.ts';

let at: TestSite;
async function gates(devices: number): Promise<TestSite> {
  at = await openSite({ kinds: ['gate'], devices });
  for (let device = 0; device < devices; device += 1) at.site.device(device).setFault('pin-hidden');
  return at;
}

// Would catch: a changed name that costs everybody their PIN, Verified.
it('a change without the PIN that a device hides says that it may be lost', async () => {
  const site = await gates(1);

  const plan = await planOf(site, fileOf('employeeNo,name\n1001,Ann\n1002,Bea\n7001,New\n'));

  for (const name of ['password', 'dynamicCode'])
    expect(plan.devices[0]?.notes).toContainEqual({
      id: 'people-unseen-left-out',
      values: { name, count: 2 },
    });
});

it('a PIN that goes with the change is not called lost', async () => {
  const site = await gates(1);

  const plan = await planOf(site, fileOf('employeeNo,name,password\n1001,Ann,1234\n'));

  expect(plan.devices[0]?.notes).not.toContainEqual({
    id: 'people-unseen-left-out',
    values: { name: 'password', count: 1 },
  });
});

it('a copy says which secrets stay behind', async () => {
  const site = await gates(2);
  const [to = '', from = ''] = site.ids;

  const plan = await planOf(site, { kind: 'copy', from, only: ['1001', '1002'], prints: false }, [to]);

  for (const name of ['password', 'dynamicCode'])
    expect(plan.notes).toContainEqual({ id: 'people-unseen-not-copied', values: { name, count: 2 } });
});

// Would catch: a PIN that the change may have cost, below a result that calls everything verified.
it('the result says which secrets went with no change and cannot be read back', async () => {
  const site = await gates(2);

  const { job, rows } = await carriedOut(
    site,
    fileOf('employeeNo,name,password\n1001,Ann,1234\n7001,New,\n'),
  );

  const outcome = site.engine.people.outcome({ id: job.id });
  expect(rows.map(({ outcome: now }) => now)).toContain('done');
  expect(outcome.unsent).toEqual([{ name: 'dynamicCode', devices: 2 }]);
  expect(describePeopleOutcome(outcome)).toContainEqual({
    id: 'people-outcome-unsent',
    values: { name: 'dynamicCode', count: 2 },
  });
});

// Would catch: "everybody is there, read back" after a copy without anybody's PIN.
it('the result of a copy says which secrets stayed behind', async () => {
  const site = await gates(2);
  const [to = '', from = ''] = site.ids;

  const { job } = await carriedOut(
    { ...site, ids: [to] },
    { kind: 'copy', from, only: ['1001', '1002'], prints: false },
  );

  const said = describePeopleOutcome(site.engine.people.outcome({ id: job.id }));
  for (const name of ['password', 'dynamicCode'])
    expect(said).toContainEqual({ id: 'people-unseen-not-copied', values: { name, count: 2 } });
});

it('new people have no secret that could be lost', async () => {
  const site = await gates(1);

  const { job } = await carriedOut(site, fileOf('employeeNo,name\n7001,New\n'));

  expect(site.engine.people.outcome({ id: job.id }).unsent).toEqual([]);
});
