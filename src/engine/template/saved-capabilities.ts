/** Capability reports saved as JSON on site (`caps --json`), to check a template at the office. */
import { z } from 'zod';
import { say } from '#shared/details.ts';
import type { Constraint, Constraints } from '#protocol/index.ts';
import { userError } from '#shared/errors.ts';
import type { CapabilityLimit } from '#shared/model.ts';
import { computeOnce } from '#shared/once.ts';
import { readJson } from '#shared/read-json.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

/** Capabilities that one device reported, by operation. */
export interface SavedCapabilities {
  readonly device: string;
  limits(capability: string): Constraints | undefined;
}

const BOUNDS = { bytes: 20_000_000, depth: 16, nodes: 2_000_000, items: 100_000 } as const;
const reports = computeOnce(() => {
  const limit = z.object({
    operation: z.string().max(200),
    path: z.string().max(500),
    options: z.array(z.string()).optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    size: z.number().optional(),
    count: z.number().optional(),
  });
  const report = z.object({
    name: z.string().max(500).optional(),
    url: z.string().max(500).optional(),
    limits: z.array(limit).max(100_000),
  });
  return z.union([report.transform((one) => [one]), z.array(report).min(1).max(1000)]);
});

/** Reads one report or a list of them; throws `unreadable-file` for anything else. `file` is a name for messages. */
export function readSavedCapabilities(text: string, file: string): readonly SavedCapabilities[] {
  const parsed = reports().safeParse(readJson(text, BOUNDS, { file }));
  if (!parsed.success) {
    throw userError('unreadable-file', say('no-report'), { file });
  }
  return parsed.data.map(({ name, url, limits }, index) => ({
    device: name ?? url ?? `${file} (${index + 1})`,
    limits: indexLimits(limits),
  }));
}

type Limit = Pick<CapabilityLimit, 'operation' | 'path' | 'options' | 'min' | 'max' | 'size' | 'count'>;

/** Returns what finds the limits of an operation in the flat list of a report. */
export function indexLimits(limits: readonly Limit[]): SavedCapabilities['limits'] {
  const byOperation = new Map<string, Map<string, Constraint>>();
  for (const { operation, path, options, min, max, size, count } of limits) {
    const known = byOperation.get(operation) ?? new Map<string, Constraint>();
    const text = count === undefined ? undefined : String(count);
    byOperation.set(
      operation,
      known.set(path, { state: 'reported', ...removeUndefined({ options, min, max, size, text }) }),
    );
  }
  return (capability) => byOperation.get(capability);
}
