/** A device that needs a restart says so, wherever the write came from, until it was restarted. */
import { describe, expect, it } from 'vitest';
import type { Device } from '#shared/model.ts';
import {
  BASIC,
  applyPlan,
  makePlan,
  never,
  openEngine,
  openSite,
  template,
  watchToEnd,
  type TestSite,
} from '#test/engine/site-engine.ts';

let at: TestSite;
let ids: readonly string[];

/** A site of devices that are kept in the inventory and take every write only with a restart. */
async function open(devices: number): Promise<void> {
  at = await openSite({ devices, faults: ['reboot'] });
  ids = at.site.devices.map(({ url, user: userName, password }, index) => {
    const { id } = at.engine.devices.add({
      address: url.replace('127.0.0.1', 'localhost'),
      name: `Device ${index}`,
    });
    at.engine.credentials.save({ label: id, userName, password, deviceIds: [id] });
    return id;
  });
}
const device = (index = 0): Device => at.engine.devices.find(ids[index] ?? '');

describe('a device that took a setting and needs a restart', () => {
  it('says so in the list, also to another process, and the job of it is waiting', async () => {
    await open(2);

    const job = await applyPlan(at.engine, await makePlan({ engine: at.engine, ids }, template(BASIC)));
    await at.engine.close();
    const other = await openEngine(at.dataDir);
    const listed = other.devices.list();
    await other.close();

    expect(job).toMatchObject({ state: 'done', rebootPending: 2, deviceCounts: { 'needs-reboot': 2 } });
    expect(listed.map(({ restartDue }) => typeof restartDue)).toEqual(['string', 'string']);
  });

  it('no longer says so once it was followed up', async () => {
    await open(2);
    const job = await applyPlan(at.engine, await makePlan({ engine: at.engine, ids }, template(BASIC)));
    const { jobId } = at.engine.jobs.followUp({ id: job.id, deviceIds: ids.slice(0, 1), waitSeconds: 3600 });
    let restarting = false;

    for await (const event of at.engine.jobs.watch({ id: jobId }, never)) {
      if (event.type !== 'phase' || event.phase !== 'waiting' || restarting) continue;
      restarting = true;
      void at.site.device(0).restart(30);
    }

    expect([device(0).restartDue, typeof device(1).restartDue]).toEqual([undefined, 'string']);
    expect(at.engine.jobs.show({ id: jobId }).deviceCounts).toEqual({ done: 1, 'needs-reboot': 1 });
  });

  it('says so after a single request too, and no longer when somebody says that it was restarted', async () => {
    await open(1);
    const body = (
      await at.engine.operations.call(
        { deviceId: ids[0] ?? '', operation: 'thermal.thermometryMode.get', params: { channelID: 1 } },
        never,
      )
    ).value;

    const answer = await at.engine.operations.call(
      { deviceId: ids[0] ?? '', operation: 'thermal.thermometryMode.put', params: { channelID: 1 }, body },
      never,
    );
    const due = device().restartDue;
    at.engine.devices.update({ id: ids[0] ?? '', restarted: true });

    expect([answer.outcome, typeof due, device().restartDue]).toEqual(['needs-reboot', 'string', undefined]);
  });

  it('is seen restarted where it refused the connection and answers again; an answer alone says nothing', async () => {
    await open(1);
    await applyPlan(at.engine, await makePlan({ engine: at.engine, ids }, template(BASIC)));
    const look = (): Promise<unknown> =>
      at.engine.operations
        .call(
          { deviceId: ids[0] ?? '', operation: 'thermal.thermometryMode.get', params: { channelID: 1 } },
          never,
        )
        .catch(() => undefined);
    await look();
    const before = device().restartDue;

    const back = at.site.device(0).restart(2000);
    while (device().reach !== 'unreachable') await look();
    const away = device();
    await back;
    await look();

    expect(before).toBeDefined();
    expect(away).toMatchObject({ reach: 'unreachable', restartDue: before });
    expect(device().restartDue).toBeUndefined();
  });
});

it('a follow-up of a device that is no longer known says why it goes on waiting', async () => {
  await open(2);
  const job = await applyPlan(at.engine, await makePlan({ engine: at.engine, ids }, template(BASIC)));
  at.engine.devices.remove({ ids: ids.slice(0, 1) });

  const { jobId } = at.engine.jobs.followUp({
    id: job.id,
    deviceIds: [at.engine.jobs.rebootPending({ id: job.id })[0]?.deviceId ?? ''],
    waitSeconds: 1,
  });
  await watchToEnd(at.engine, jobId);

  expect(at.engine.jobs.show({ id: jobId }).results[0]?.units).toMatchObject([
    { outcome: 'needs-reboot', error: { code: 'unknown-device' } },
  ]);
});
