/** Facts about devices from what they showed last, without asking them again. */
import { expect, it } from 'vitest';
import type { DeviceKind } from '#shared/model.ts';
import { GATE_PARTS } from '#simulator/areas/access/gate-parts.ts';
import { never, openSite } from '../site-engine.ts';

/** Reads a device once, and returns what is known of it then, and how often it was asked for that. */
async function know(kind: DeviceKind, prepare?: (site: Awaited<ReturnType<typeof openSite>>) => void) {
  const site = await openSite({ kinds: [kind] });
  const { engine, ids } = site;
  const deviceId = ids[0] ?? '';
  const before = await engine.snapshots.facts({ deviceId }, never);
  prepare?.(site);
  await engine.snapshots.take({ deviceId }, never);
  const asked = site.site.device(0).requests.length;
  const known = await engine.snapshots.facts({ deviceId }, never);
  return { before, known, asked: site.site.device(0).requests.length - asked };
}

// Would catch: a list that asks devices for what it shows, and a kind of device of which it shows nothing.
it.each([
  ['gate', 'gate', 'gateCurrentStatus'],
  ['gate', 'accessControl', 'protocol'],
  ['thermal', 'thermal', 'alarm'],
  ['counter', 'peopleCounting', 'status'],
  ['recorder', 'passback', 'beginTime'],
  ['ai', 'aiPlatform', ''],
  ['recorder', 'storage', 'healthState'],
] as const)('of a %s its part %s', async (kind, part, path) => {
  const { before, known, asked } = await know(kind);

  expect(before).toEqual({ facts: [], chains: [] });
  expect(known.at).toBeDefined();
  expect(known.facts.filter((fact) => fact.part === part).map((fact) => fact.path)).toContain(path);
  expect(asked).toBe(0);
});

// Would catch: a fault among the healthy values, an armed camera that is called silent.
it('tells faults of a gate apart, and whether a camera alarms now', async () => {
  const gate = await know('gate', ({ site }) => {
    site.device(0).part(GATE_PARTS).controllers = { slave: { motorSensor: 'Abnormal' } };
  });
  const camera = await know('thermal');

  expect(gate.known.facts.filter(({ isFault }) => isFault).map(({ path }) => path)).toEqual([
    'SlaveChannelController.motorSensor',
  ]);
  expect(camera.known.chains[0]?.links.find(({ link }) => link === 'armed')?.state).toBe('good');
});
