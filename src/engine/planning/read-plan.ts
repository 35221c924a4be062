/** Reads a plan from a file: reviewed by a person, yet as untrusted as any file. Loaded when one is read. */
import { say } from '#shared/details.ts';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { userError } from '#shared/errors.ts';
import { readJson } from '#shared/read-json.ts';
import type { Plan } from '#shared/model.ts';
import { PROTOTYPE_KEYS, TEMPLATE_LIMITS } from '#template/limits.ts';
import { detailSchema, errorSchema } from './error-schema.ts';

const PLAN_LIMITS = {
  bytes: 64 * 1024 * 1024,
  depth: 40,
  nodes: 3_000_000,
  /** Devices, and changes of a section. */
  items: 10_000,
  forbidden: PROTOTYPE_KEYS,
} as const;

/** Sections checked before other work gets its turn: a few milliseconds. */
const SECTIONS_A_TURN = 500;

const id = z.string().min(1).max(64);
const line = z.string().max(2000);
const path = z.string().max(1000);
const count = z.number().int().min(0);
const planState = z.enum(['changes', 'unchanged', 'unsupported', 'adjusted', 'blocked']);
const deviceState = z.enum(['changes', 'unchanged', 'unsupported', 'adjusted', 'blocked', 'failed']);

const items = z.array(z.array(z.object({ path, value: z.string().max(100) })).max(100)).max(20);
const change = z.object({
  path,
  label: line,
  items: items.optional(),
  unit: z.string().max(20).optional(),
  fromUnit: z.string().max(20).optional(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  sensitive: z.boolean().optional(),
  list: z.object({ path, from: z.array(z.unknown()).max(200), to: z.array(z.unknown()).max(200) }).optional(),
});
const sectionSchema = z.object({
  index: count.max(TEMPLATE_LIMITS.sections),
  set: z.string().max(200),
  label: line,
  params: z.record(z.string().max(100), z.union([z.string().max(1024), z.number()])),
  optional: z.boolean(),
  state: planState,
  changes: z.array(change).max(PLAN_LIMITS.items),
  lost: z.array(path).max(1000).optional(),
  adjustments: z
    .array(
      z.object({
        path,
        label: line.optional(),
        items: items.optional(),
        asked: z.unknown(),
        given: z.unknown(),
        reason: line,
        detail: detailSchema,
      }),
    )
    .max(PLAN_LIMITS.items),
  problems: z.array(errorSchema).max(1000),
  fixes: z
    .array(
      z.object({
        kind: z.enum(['clamp', 'set', 'add', 'optional']),
        path,
        value: z.union([line, z.number(), z.boolean()]),
        field: path.optional(),
        label: line.optional(),
      }),
    )
    .max(1000)
    .optional(),
  warnings: z.array(errorSchema).max(1000).optional(),
  cutsOff: z.boolean().optional(),
  baseline: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
const deviceSchema = z.object({
  deviceId: id,
  name: line,
  url: line,
  state: deviceState,
  error: errorSchema.optional(),
  sections: z.array(z.unknown()).max(TEMPLATE_LIMITS.sections),
  group: count,
  values: z.record(z.string().max(100), z.union([z.string().max(5000), z.number(), z.boolean()])),
});
const planSchema = z.object({
  fieldwright: z.literal('plan/1'),
  id,
  createdAt: z.iso.datetime(),
  template: z.object({
    name: line,
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    text: z.string().max(TEMPLATE_LIMITS.characters),
  }),
  devices: z.array(z.unknown()).min(1).max(PLAN_LIMITS.items),
  groups: z
    .array(z.object({ group: count, devices: z.array(id), state: deviceState }))
    .max(PLAN_LIMITS.items),
  counts: z.object({
    failed: count,
    blocked: count,
    unsupported: count,
    adjusted: count,
    changes: count,
    unchanged: count,
  }),
});

/**
 * Reads a plan, one section after the other: other work gets its turn in between, and the first mistake ends it. Throws
 * `input-too-large`, or `unreadable-file` with the place of what does not belong.
 */
export async function parsePlan(text: string, options: { readonly file?: string } = {}): Promise<Plan> {
  const { file } = options;
  const raw = readJson(text, PLAN_LIMITS, { file, broken: say('plan-not-json') });
  const head = checked(planSchema, raw, [], file);
  const devices: Plan['devices'][number][] = [];
  const seen = new Set<string>();
  let pending = 0;
  for (const [at, one] of head.devices.entries()) {
    const place = ['devices', at];
    const { sections: rawSections, ...device } = checked(deviceSchema, one, place, file);
    if (seen.has(device.deviceId)) throw refusePlan(`devices[${at}].deviceId`, file);
    seen.add(device.deviceId);
    const sections = rawSections.map((section, index) =>
      checked(sectionSchema, section, [...place, 'sections', index], file),
    );
    devices.push({ ...device, sections });
    pending += 1 + sections.length;
    if (pending < SECTIONS_A_TURN) continue;
    pending = 0;
    await setImmediate();
  }
  return { ...head, devices };
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: readonly (string | number)[],
  file: string | undefined,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = [...place, ...(parsed.error.issues[0]?.path ?? [])]
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`,
    )
    .join('');
  throw refusePlan(where, file);
}

function refusePlan(path: string, file: string | undefined): Error {
  return userError(
    'unreadable-file',
    say(path === 'fieldwright' || path === '' ? 'no-plan' : 'plan-damaged'),
    {
      ...removeUndefined({ file }),
      ...(path === '' ? {} : { path }),
    },
  );
}
