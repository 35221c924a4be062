import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '#engine/index.ts';
import { findCapabilityTwin, limitParams } from '#engine/device/limits.ts';
import {
  encode,
  findOperation,
  findResource,
  operations,
  readConstraints,
  validate,
  type Constraints,
  type Operation,
  type Payload,
} from '#protocol/index.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { DEVICE_KINDS, type CallAnswer, type DeviceKind } from '#shared/model.ts';
import { startSite, type Site } from '#simulator/index.ts';
import { validValue, wrongValue, type Plain } from '../protocol/valid-value.ts';
import { REQUEST_CASES, type RequestCase, type Reset } from './request-cases.ts';

/** Number of runs; a hunt takes more: `FUZZ_RUNS=500 vitest run test/operations/requests.test.ts`. */
const RUNS = {
  numRuns: Number(process.env['FUZZ_RUNS'] ?? 25),
  seed: Number(process.env['FUZZ_SEED'] ?? 104),
};
const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-requests-'));
const NAMESPACE = 'urn:requests';
let site: Site;
let engine: Engine;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  // A strict one whose close does not mind what was wrong on purpose.
  site = await startSite({
    devices: DEVICE_KINDS.length,
    kinds: DEVICE_KINDS,
    auth: 'none',
    seed: 3,
    namespace: NAMESPACE,
    strict: true,
  });
  engine = await createEngine({
    dataDir: folder,
    resourcesDir: folder,
    face: 'cli',
    version: '0',
    protections: [],
  });
  ids = Object.fromEntries(
    site.devices.map((device) => [
      device.kind,
      engine.devices.addTransient({ url: device.url, profile: { auth: 'none' } }).id,
    ]),
  );
});
afterAll(async () => {
  await engine.close();
  await site.close();
  rmSync(folder, { recursive: true });
});

const withRequest = operations.filter((operation) => operation.request !== undefined);
const cases = Object.entries(REQUEST_CASES).map(
  ([id, known]): readonly [string, RequestCase, Operation, Payload] => {
    const operation = findOperation(id);
    if (operation?.request === undefined) throw new Error(`${id} takes no body`);
    return [id, known, operation, operation.request];
  },
);

function deviceOf(kind: DeviceKind) {
  return site.device(DEVICE_KINDS.indexOf(kind));
}

function call(kind: DeviceKind, operation: string, sent: object): Promise<CallAnswer> {
  return engine.operations.call(
    { deviceId: ids[kind] ?? '', operation, allowPlainFields: true, confirmed: true, ...sent },
    never,
  );
}

/** Reads the limits that the device itself reports, past the engine's own check. */
async function limitsOf(
  { kind, params }: RequestCase,
  operation: Operation,
): Promise<Constraints | undefined> {
  const twin = findCapabilityTwin(operation);
  if (twin?.response === undefined) return undefined;
  const { outcome, raw = '' } = await call(kind, twin.id, {
    params: limitParams(twin, params ?? {}),
    raw: true,
  });
  return outcome === 'ok' ? readConstraints(twin.response, raw) : undefined;
}

async function settled({ kind, settle }: RequestCase): Promise<void> {
  const reset: Reset = { device: deviceOf(kind), call: (operation, sent) => call(kind, operation, sent) };
  await settle?.(reset);
}

describe('the cases', () => {
  // Would catch: a new operation with a body that is not checked against the virtual device.
  it('are all operations that take a body', () => {
    expect(Object.keys(REQUEST_CASES).toSorted()).toEqual(withRequest.map(({ id }) => id).toSorted());
  });
});

describe.each(cases)('%s', (id, known, operation, payload) => {
  const { kind, params = {} } = known;
  const fitted = validValue(payload).map((value) =>
    known.fit === undefined ? value : known.fit(value as Plain),
  );

  // Would catch: a definition and a device that read the specification differently.
  it('is taken whenever the definition takes it, and reads back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fitted, async (body) => {
        await settled(known);
        const constraints = await limitsOf(known, operation);
        if (constraints !== undefined && validate(payload, body, { mode: 'whole', constraints }).length > 0) {
          const before = deviceOf(kind).requests.filter(({ method }) => method !== 'GET').length;
          await expect(call(kind, id, { params, body })).rejects.toMatchObject({
            shape: { source: 'user', operation: id },
          });
          expect(deviceOf(kind).requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
          return;
        }

        const answer = await call(kind, id, { params, body });

        const why = known.refusedFor?.(body as Plain);
        expect(`${answer.outcome} ${answer.error?.status?.errorMsg ?? ''}`.trim()).toMatch(
          why === undefined ? /^ok$/ : /^refused/,
        );
        const resource = findResource(id.replace(/\.put$/, ''));
        if (why !== undefined || resource === undefined || known.notReadBack !== undefined) return;
        expect((await call(kind, resource.get.id, { params })).value).toEqual(body);
      }),
      RUNS,
    );
  });

  // Would catch: a limit that only one of the two knows, so that either a person or a device is asked too much.
  it('is refused by both where one thing in it is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(wrongValue(payload), async (wrong) => {
        if (wrong === undefined) return;
        await settled(known);
        const device = deviceOf(kind);
        const before = device.requests.length;

        const error = await call(kind, id, { params, body: wrong.value }).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        const sent = device.requests.length - before;
        const answer = await call(kind, id, { params, raw: true, body: spelled(payload, wrong.value) });

        expect(error instanceof FieldwrightError ? error.shape.source : `not refused: ${wrong.what}`).toBe(
          'user',
        );
        expect(sent).toBe(0);
        expect(`${wrong.what}: ${answer.outcome} ${String(answer.status.statusCode)}`).toBe(
          `${wrong.what}: refused 6`,
        );
        expect(operation.id).toBe(id);
      }),
      RUNS,
    );
  });
});

/**
 * Returns the body as wire text, with its faults: numbers may be words, objects may lack required members.
 */
function spelled(payload: Payload, value: unknown): string {
  return payload.format === 'json'
    ? JSON.stringify(payload.root === undefined ? value : { [payload.root]: value })
    : encode(payload, value, { namespace: NAMESPACE });
}
