/** What was applied to a device, from the journal: which template, which version, and how far each value is proved. */
import type { Params, UnitOutcome } from '../../shared/model.ts';
import type { JobsApi } from '../api.ts';
import { canonicalJson } from '../canonical-json.ts';

/** A job that wrote to the device. */
export interface AppliedJob {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly template?: { readonly name: string; readonly version?: number; readonly hash: string };
  /** Outcomes of what it was to write there. */
  readonly outcomes: readonly UnitOutcome[];
}

export interface Configuration {
  /** Newest first. */
  readonly jobs: readonly AppliedJob[];
  /** The latest job that wrote the value there. */
  writer(operation: string, params: Params, path: string): AppliedJob | undefined;
}

/** Jobs that are looked through of one device. */
const MOST_JOBS = 100;
const WROTE: ReadonlySet<UnitOutcome> = new Set(['effective', 'accepted', 'needs-reboot']);

interface SettingUnit {
  readonly set?: string;
  readonly params?: Params;
  readonly changes?: readonly { readonly path: string }[];
  readonly outcome: UnitOutcome;
}

export function configurationOf(deviceId: string, jobs: Pick<JobsApi, 'search' | 'show'>): Configuration {
  const writers = new Map<string, AppliedJob>();
  const applied: AppliedJob[] = [];
  for (const { id, kind, title, by, createdAt, about } of jobs.search({ deviceId, limit: MOST_JOBS }).jobs) {
    const results = jobs.show({ id }).results.filter((result) => result.deviceId === deviceId);
    const units = results.flatMap((result) => result.units as readonly SettingUnit[]);
    const settings = units.filter(({ set }) => set !== undefined);
    if (settings.length === 0) continue;
    const job: AppliedJob = {
      id,
      kind,
      title,
      by,
      at: createdAt,
      outcomes: settings.map(({ outcome }) => outcome),
      ...(about.template !== undefined && { template: about.template }),
    };
    applied.push(job);
    for (const { set = '', params = {}, changes = [], outcome } of settings) {
      if (!WROTE.has(outcome)) continue;
      for (const { path } of changes) {
        const key = keyOf(`${set}.get`, params, path);
        if (!writers.has(key)) writers.set(key, job);
      }
    }
  }
  return {
    jobs: applied,
    writer: (operation, params, path) => writers.get(keyOf(operation, params, path)),
  };
}

function keyOf(operation: string, params: Params, path: string): string {
  const named = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return `${operation}\n${canonicalJson(named)}\n${path}`;
}
