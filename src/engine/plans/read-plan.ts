/** Reads a plan from a file: reviewed by a person, yet as untrusted as any file. Loaded when one is read. */
import { say } from '../../shared/details.ts';
import { z } from 'zod';
import { FieldwrightError, userError } from '../../shared/errors.ts';
import { checkBounds } from '../../shared/json-bounds.ts';
import type { Plan } from '../../shared/model.ts';
import { PROTOTYPE_KEYS, TEMPLATE_LIMITS } from '../../shared/template/limits.ts';
import { detailSchema, errorSchema } from './error-schema.ts';

const PLAN_LIMITS = {
  characters: 64 * 1024 * 1024,
  depth: 40,
  nodes: 3_000_000,
  devices: 10_000,
  forbidden: PROTOTYPE_KEYS,
} as const;

const id = z.string().min(1).max(64);
const line = z.string().max(2000);
const path = z.string().max(1000);
const count = z.number().int().min(0);
const planState = z.enum(['changes', 'unchanged', 'unsupported', 'adjusted', 'blocked']);
const deviceState = z.enum(['changes', 'unchanged', 'unsupported', 'adjusted', 'blocked', 'failed']);

const change = z.object({
  path,
  label: line,
  unit: z.string().max(20).optional(),
  fromUnit: z.string().max(20).optional(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  sensitive: z.boolean().optional(),
});
const section = z.object({
  index: count.max(TEMPLATE_LIMITS.sections),
  set: z.string().max(200),
  label: line,
  params: z.record(z.string().max(100), z.union([z.string().max(1024), z.number()])),
  optional: z.boolean(),
  state: planState,
  changes: z.array(change).max(10_000),
  lost: z.array(path).max(1000).optional(),
  adjustments: z
    .array(z.object({ path, asked: z.unknown(), given: z.unknown(), reason: line, detail: detailSchema }))
    .max(10_000),
  problems: z.array(errorSchema).max(1000),
  warnings: z.array(errorSchema).max(1000).optional(),
  baseline: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
const device = z.object({
  deviceId: id,
  name: line,
  url: line,
  state: deviceState,
  error: errorSchema.optional(),
  sections: z.array(section).max(TEMPLATE_LIMITS.sections),
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
  devices: z.array(device).max(PLAN_LIMITS.devices),
  groups: z
    .array(z.object({ group: count, devices: z.array(id), state: deviceState }))
    .max(PLAN_LIMITS.devices),
  counts: z.object({
    failed: count,
    blocked: count,
    unsupported: count,
    adjusted: count,
    changes: count,
    unchanged: count,
  }),
});

/** Throws `input-too-large`, or `unreadable-file` with the place of what does not belong. */
export function parsePlan(text: string, options: { readonly file?: string } = {}): Plan {
  const place = options.file === undefined ? {} : { file: options.file };
  if (text.length > PLAN_LIMITS.characters)
    throw userError('input-too-large', say('plan-too-long', { max: PLAN_LIMITS.characters }), place);
  const raw = readJson(text.startsWith('\ufeff') ? text.slice(1) : text, place);
  checkBounds(raw, PLAN_LIMITS, place);
  const parsed = planSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where =
    issue?.path
      .map((step, index) =>
        typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`,
      )
      .join('') ?? '';
  throw new FieldwrightError({
    code: 'unreadable-file',
    source: 'user',
    ...place,
    ...(where === '' ? {} : { path: where }),
    ...say(where === 'fieldwright' || where === '' ? 'no-plan' : 'plan-damaged'),
  });
}

function readJson(text: string, place: { readonly file?: string }): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw userError('unreadable-file', say('plan-not-json'), { ...place, cause });
  }
}
