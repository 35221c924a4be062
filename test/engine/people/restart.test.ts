/**
 * People that a terminal took and that count after its next restart (status 7): reported, kept, and checked
 * after it.
 */
import { expect, it, onTestFinished, vi } from 'vitest';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { startSite } from '#simulator/index.ts';
import { startWriteProxy, WRITE_CASES } from '#test/helpers/write-cases.ts';
import { openSite, type TestSite, waitForEnd } from '../site-engine.ts';
import { carriedOut, fileOf, outcomes, people } from './people-work.ts';

let at: TestSite;

const rowsOf = (id: string) => [...at.engine.people.listed({ id, only: 'all' })];

// Would catch: "not there" for people who come with the restart, or wiped rows that nothing can be compared with.
it('waits for the restart and proves everybody after it', async () => {
  at = await openSite({ kinds: ['gate'] });
  at.site.device(0).setFault('reboot', 1, { operation: 'accessControl.users.setUp' });
  const { job } = await carriedOut(at, fileOf(people(40)));
  const waiting = outcomes(rowsOf(job.id));
  await at.site.device(0).restart(0);

  at.engine.jobs.followUp({ id: job.id });
  const after = await waitForEnd(at.engine, job.id);

  expect(job).toMatchObject({
    state: 'done',
    rebootPending: 1,
    results: [{ units: [{}, { outcome: 'needs-reboot' }] }],
  });
  expect(waiting).toEqual({ 'needs-reboot': 40 });
  expect(outcomes(rowsOf(job.id))).toEqual({ done: 40 });
  expect(after.results[0]?.units[1]?.outcome).toBe('effective');
  expect(after.rebootPending).toBeUndefined();
});

// Would catch: a person called proved because the terminal shows them before the restart that makes them
// count.
it('does not take for proof what the terminal showed before its restart', async () => {
  at = await openSite({ kinds: ['gate'] });
  const site = await startSite({ devices: 1, kinds: ['gate'], auth: 'none' });
  const proxy = await startWriteProxy({
    target: site.device(0).url,
    isWrite: ({ path }) => path.includes('/UserInfo/SetUp'),
    format: 'json',
  });
  onTestFinished(async () => {
    await proxy.close();
    await site.close();
  });
  const [restart] = WRITE_CASES.filter(({ answer }) => answer === 'restart');
  proxy.play(restart && { ...restart, effect: 'taken' });
  const { id } = at.engine.devices.addTransient({ url: proxy.url, name: 'gate' });
  const { job } = await carriedOut({ ...at, ids: [id] }, fileOf('employeeNo,name\n7001,Rosie\n'));

  at.engine.jobs.followUp({ id: job.id, waitSeconds: 30 });
  const early = await waitForEnd(at.engine, job.id);

  expect(early.results[0]?.units[1]).toMatchObject({
    outcome: 'needs-reboot',
    error: { detail: { id: 'not-restarted' } },
  });
});

// Would catch: a follow-up that ends well although the restart did not bring the people.
it('says who is not there after the restart', async () => {
  at = await openSite({ kinds: ['gate'] });
  const device = at.site.device(0);
  device.setFault('reboot', 1, { operation: 'accessControl.users.setUp' });
  const { job } = await carriedOut(at, fileOf('employeeNo,name\n7001,Rosie\n'));
  await device.restart(0);
  device.part(PEOPLE).remove('7001');
  await device.unplug();

  // Waits pass at once here: there have to be enough of them until the device is back.
  at.engine.jobs.followUp({ id: job.id, waitSeconds: 86_400 });
  const begun = at.delays.length;
  await vi.waitUntil(() => at.delays.length > begun + 3);
  await device.plugIn();
  const after = await waitForEnd(at.engine, job.id);

  expect(after).toMatchObject({ state: 'failed', results: [{ units: [{}, { outcome: 'ignored' }] }] });
  expect(rowsOf(job.id)).toMatchObject([
    { outcome: 'ignored', error: { detail: { id: 'people-not-there' } } },
  ]);
});

// Would catch: a removal that waits for a restart and is called complete.
it('calls a removal incomplete until the restart, and complete after it', async () => {
  at = await openSite({ kinds: ['gate'] });
  at.site.device(0).setFault('reboot', 1, { operation: 'accessControl.users.setUp' });
  const { job } = await carriedOut(at, { kind: 'remove', employeeNos: ['1010'] });
  const before = at.engine.people.removed({ id: job.id });
  await at.site.device(0).restart(0);

  at.engine.jobs.followUp({ id: job.id });
  await waitForEnd(at.engine, job.id);

  expect(before).toMatchObject({
    complete: false,
    devices: [{ lines: [{ says: { id: 'people-receipt-needs-reboot' } }, {}] }],
  });
  expect(at.engine.people.removed({ id: job.id }).complete).toBe(true);
});
