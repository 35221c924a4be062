/**
 * Properties over real HTTP, for every kind of device and generated settings: a capture is a valid template,
 * asks nothing of the device it came from, and makes another device of the kind equal to it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resources, type Payload, type Resource } from '#protocol/index.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { fieldValue } from '#test/protocol/arbitrary.ts';
import { applyPlan, makePlan, openSite, type TestSite } from '../site-engine.ts';
import { capture } from './capture.ts';

let at: TestSite;

/** Settings changed on the device before it is captured. */
const CHANGED = 6;
const TRIES = 40;

function patches(payload: Payload | undefined): fc.Arbitrary<unknown> {
  if (payload?.rootItem !== undefined) return fc.array(fieldValue(payload.rootItem), { maxLength: 2 });
  const writable = (payload?.fields ?? []).filter(
    (field) => field.readOnly !== true && field.sensitive !== true && field.name !== 'id',
  );
  return fc
    .subarray(writable, { minLength: 1, maxLength: Math.min(4, writable.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((field) => [field.name, fieldValue(field)]))));
}

function templateOf(resource: Resource, value: unknown): string {
  const params = Object.fromEntries(resource.put.params.map(({ name }) => [name, 1]));
  return JSON.stringify({
    fieldwright: 'template/1',
    name: 'Generated',
    sections: [{ set: resource.name, ...(resource.put.params.length > 0 ? { params } : {}), value }],
  });
}

/** Writes generated settings wherever the device takes them; how many it took. */
async function changeDevice(id: string, seed: number): Promise<number> {
  let changed = 0;
  for (const resource of resources.filter(({ name }) => name !== 'storage.rwLock')) {
    for (const patch of fc.sample(patches(resource.put.request), { numRuns: TRIES, seed })) {
      const text = templateOf(resource, patch);
      if (!at.engine.templates.check({ text }).ok) continue;
      const plan = await makePlan({ engine: at.engine, ids: [id] }, text);
      if (plan.devices[0]?.state === 'unsupported') break;
      if (plan.devices[0]?.state !== 'changes') continue;
      const job = await applyPlan(at.engine, plan);
      changed += job.counts.effective ?? 0;
      if (changed >= CHANGED) return changed;
      break;
    }
  }
  return changed;
}

describe.each(DEVICE_KINDS)('a %s', (kind) => {
  it('is captured as it is, and another one made like it', async () => {
    at = await openSite({ devices: 2, kinds: [kind] });
    const [first = '', second = ''] = at.ids;
    expect(await changeDevice(first, 11)).toBeGreaterThan(0);

    const captured = await capture(at.engine, { deviceId: first, name: 'Same' });
    const same = await makePlan({ engine: at.engine, ids: [first] }, captured.text, {
      values: captured.values,
    });
    const job = await applyPlan(
      at.engine,
      await makePlan({ engine: at.engine, ids: [second] }, captured.text, { values: captured.values }),
    );
    const copy = await capture(at.engine, { deviceId: second, name: 'Same' });

    expect(at.engine.templates.check({ text: captured.text })).toMatchObject({ ok: true, errors: [] });
    expect(same.devices[0]?.sections.filter(({ state }) => state !== 'unchanged')).toEqual([]);
    expect(
      job.results[0]?.units.filter(({ outcome }) => outcome !== 'effective' && outcome !== 'unchanged'),
    ).toEqual([]);
    expect(copy.values).toEqual(captured.values);
    expect(contentOf(copy.text)).toEqual(contentOf(captured.text));
  });
});

function contentOf(text: string): unknown {
  return parseTemplate(text).document?.sections.map(({ set, params, value }) => ({ set, params, value }));
}
