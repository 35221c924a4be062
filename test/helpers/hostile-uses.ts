/** Every way an answer of a device goes through the engine. */
import type { Engine } from '#engine/index.ts';
import { getOnce } from '#engine/discovery/sweep/get-once.ts';
import { recognise } from '#engine/discovery/sweep/recognise.ts';
import { guardOperations } from '#rpc/guard-operations.ts';
import { HOSTILE_SHAPES } from './hostile-shapes.ts';

const TEMPLATE = `fieldwright: template/1
name: Hostile
sections:
  - set: events.thermometrySchedule
    params: { channelID: 1 }
    value: { TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: "07:00:00", endTime: "19:00:00" } }] }
  - set: accessControl.hostConfig
    value: { voicePrompt: true }
`;

export interface Use {
  readonly name: string;
  /** It asks for one answer only; the others for several. */
  readonly isSingle?: true;
  /** Ends when the answer was dealt with, however it ended. */
  run(): Promise<unknown>;
}

/** `url` is the hostile device's; `nth` the place of the shape. */
export function usesOf(engine: Engine, url: string, nth: number): readonly Use[] {
  const signal = AbortSignal.timeout(60_000);
  // An address is in the list once.
  engine.devices.remove({ ids: engine.devices.list().map(({ id }) => id) });
  const deviceId = engine.devices.add({
    address: url,
    name: HOSTILE_SHAPES[nth]?.name ?? '',
    profile: { pathPrefix: `/${nth}/API`, deadlineMs: 10_000 },
  }).id;
  engine.credentials.save({
    label: `Shape ${nth}`,
    userName: 'admin',
    password: 'a-Passw0rd',
    deviceIds: [deviceId],
  });
  const page = guardOperations(engine.operations);
  const uses: readonly Use[] = [
    {
      name: 'read XML',
      isSingle: true,
      run: () =>
        page['operations.call'](
          { deviceId, operation: 'events.thermometrySchedule.get', params: { channelID: 1 }, trace: true },
          signal,
        ),
    },
    {
      name: 'read JSON',
      isSingle: true,
      run: () =>
        page['operations.call']({ deviceId, operation: 'accessControl.hostConfig.get', trace: true }, signal),
    },
    {
      name: 'raw',
      isSingle: true,
      run: () =>
        page['operations.request'](
          { deviceId, method: 'GET', path: '/API/System/other', trace: true },
          signal,
        ),
    },
    {
      // Six more answers: a write without a clear answer is looked for until patience ends.
      name: 'write',
      run: () =>
        page['operations.call'](
          { deviceId, operation: 'accessControl.hostConfig.put', body: { voicePrompt: true }, trace: true },
          signal,
        ),
    },
    { name: 'capabilities', run: () => page['operations.capabilities']({ deviceId }, signal) },
    { name: 'apply', run: () => apply(engine, deviceId, signal) },
    { name: 'probe', isSingle: true, run: () => probe(url, nth, signal) },
  ];
  return uses.map((use) => ({ ...use, run: () => use.run().catch(() => undefined) }));
}

async function apply(engine: Engine, deviceId: string, signal: AbortSignal): Promise<void> {
  for await (const event of engine.plans.create({ templateText: TEMPLATE, deviceIds: [deviceId] }, signal)) {
    if (event.type !== 'plan') continue;
    const { jobId } = engine.jobs.start({ plan: event.plan, options: { acceptDrift: true } });
    for await (const told of engine.jobs.watch({ id: jobId }, signal)) if (told.type === 'end') return;
  }
}

async function probe(url: string, nth: number, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  const result = await getOnce(
    { host: hostname, port: Number(port), secure: false },
    `/${nth}/API/System/capabilities`,
    { connectMs: 5_000, totalMs: 10_000 },
    signal,
  );
  if (result.kind === 'answer') recognise(result.answer);
}
