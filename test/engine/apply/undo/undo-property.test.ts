/**
 * Applies a plan over real HTTP, for every writable setting and generated values: planning again finds
 * nothing to do, and undoing restores the very bytes the device showed before, including everything that is
 * in no list of ours.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPath, resources, type Payload, type Resource } from '#protocol/index.ts';
import { DEFAULT_PROFILE, DEVICE_KINDS } from '#shared/model.ts';
import { OUTCOMES } from '#shared/outcomes.ts';
import { fieldValue } from '#test/protocol/arbitrary.ts';
import {
  applyPlan,
  makePlan,
  never,
  startTestSite,
  watchToEnd,
  type TestSite,
} from '#test/engine/site-engine.ts';

let at: TestSite;
beforeAll(async () => {
  at = await startTestSite({ devices: DEVICE_KINDS.length, kinds: DEVICE_KINDS });
});
afterAll(() => at.close());

/** Tries for one setting; many generated values are refused by the specification or by the device's own limits. */
const TRIES = 30;
/** Number of runs, enough for one setting: each is a plan, an apply, another plan and an undo. */
const WRITTEN = 3;

function paramsOf({ put }: Resource): Readonly<Record<string, string | number>> {
  return Object.fromEntries(put.params.map(({ name }) => [name, 1]));
}

/** Finds the device that has this setting. */
async function placeOf(resource: Resource): Promise<string | undefined> {
  for (const id of at.ids) {
    const answer = await at.engine.operations
      .call({ deviceId: id, operation: resource.get.id, params: paramsOf(resource) }, never)
      .catch(() => undefined);
    if (answer?.outcome === 'ok') return id;
  }
  return undefined;
}

/** Additions of a maker, as no program of ours would write them. */
const STRANGER = {
  xml: '<v:extra\t xmlns:v="urn:v" q=\'a&#65;\'>007 &lt;é</v:extra><!-- ours -->',
  json: '\r\n "vendorExtra" :{"code":1.50,"\\u0041":[ ]} ,',
} as const;
const ROOT = { xml: /<\w+[^>]*>/, json: /^\s*\{[^{]*\{/ } as const;

/** Makes the device hold it, right at the beginning of the document's root. */
async function addStranger(resource: Resource, deviceId: string): Promise<string> {
  const { put } = resource;
  const { format = 'xml' } = put.request ?? {};
  const body = (await raw(resource, deviceId))?.replace(ROOT[format], (root) => root + STRANGER[format]);
  const path = buildPath(put, paramsOf(resource), DEFAULT_PROFILE.pathPrefix);
  await at.site.device(at.ids.indexOf(deviceId)).hold(path, body ?? '');
  return STRANGER[format];
}

async function raw(resource: Resource, deviceId: string): Promise<string | undefined> {
  return (
    await at.engine.operations.call(
      { deviceId, operation: resource.get.id, params: paramsOf(resource), raw: true },
      never,
    )
  ).raw;
}

function templateOf(resource: Resource, value: unknown): string {
  return JSON.stringify({
    fieldwright: 'template/1',
    name: 'Generated',
    sections: [
      {
        set: resource.name,
        ...(resource.put.params.length > 0 ? { params: paramsOf(resource) } : {}),
        value,
      },
    ],
  });
}

/** Generates one to three members with new values, or a whole list if the document is one. */
function patches(payload: Payload | undefined): fc.Arbitrary<unknown> {
  if (payload?.rootItem !== undefined) return fc.array(fieldValue(payload.rootItem), { maxLength: 2 });
  const writable = (payload?.fields ?? []).filter(
    (field) => field.readOnly !== true && field.sensitive !== true,
  );
  return fc
    .subarray(writable, { minLength: 1, maxLength: Math.min(3, writable.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((field) => [field.name, fieldValue(field)]))));
}

/** Its password is part of every write and never shown, so that a lock cannot be taken back: undo.test.ts says so. */
const NEEDS_A_SECRET = 'storage.rwLock';

describe.each(
  resources
    .filter(({ name }) => name !== NEEDS_A_SECRET)
    .map((resource) => [resource.name, resource] as const),
)('%s', (_name, resource) => {
  it('is empty to plan again after applying, and byte for byte as before after undoing', async () => {
    const place = await placeOf(resource);
    if (place === undefined) throw new Error('no virtual device has this setting');
    const stranger = await addStranger(resource, place);
    const engine = { engine: at.engine, ids: [place] };
    let written = 0;
    for (const patch of fc.sample(patches(resource.put.request), { numRuns: TRIES, seed: 7 })) {
      if (written >= WRITTEN) break;
      const text = templateOf(resource, patch);
      if (!at.engine.templates.check({ text }).ok) continue;
      const plan = await makePlan(engine, text).catch(() => undefined);
      if (plan?.devices[0]?.state !== 'changes') continue;
      const before = await raw(resource, place);

      const job = await applyPlan(at.engine, plan);
      const outcome = at.engine.jobs.show({ id: job.id }).results[0]?.units[0]?.outcome ?? 'pending';
      if (!OUTCOMES[outcome].written) {
        expect(await raw(resource, place)).toBe(before);
        continue;
      }
      const again = await makePlan(engine, text);
      const applied = await raw(resource, place);
      const { jobId } = at.engine.jobs.undo({ id: job.id });
      await watchToEnd(at.engine, jobId);

      // A write that was not seen in force, or that the device took in its own way, goes as well.
      expect(await raw(resource, place)).toBe(before);
      if (outcome !== 'effective') continue;
      expect(again.counts).toMatchObject({ unchanged: 1, changes: 0 });
      expect(at.engine.jobs.show({ id: jobId })).toMatchObject({
        state: 'done',
        results: [{ units: [{ outcome: 'effective', note: 'put-back-exactly' }] }],
      });
      expect(before).toContain(stranger);
      expect(applied).toContain(stranger);
      written += 1;
    }

    expect(written).toBeGreaterThan(0);
  });
});
