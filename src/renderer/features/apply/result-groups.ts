import type { DeviceResult, SectionOutcome, SectionResult } from '../../../shared/model.ts';

/** Devices that ended in the same way. */
export interface ResultGroup {
  readonly key: string;
  readonly devices: readonly DeviceResult[];
  readonly sections: readonly SectionResult[];
  /** The outcome that wants most attention. */
  readonly worst: SectionOutcome;
}

/** Most in need of a person first. */
const ATTENTION: readonly SectionOutcome[] = [
  'refused', 'failed', 'unknown', 'blocked', 'ignored', 'needs-reboot', 'pending', 'accepted', 'effective', 'skipped', 'unchanged',
];
const NOT_DONE: ReadonlySet<SectionOutcome> = new Set(['refused', 'failed', 'unknown', 'blocked', 'ignored', 'pending']);

function keyOf(result: DeviceResult): string {
  return JSON.stringify([
    result.state === 'failed' ? (result.error?.code ?? 'failed') : 'done',
    result.sections.map(({ set, params, outcome, error, status }) => [set, params, outcome, error?.code, error?.path, status?.subStatusCode ?? error?.status?.subStatusCode]),
  ]);
}

export function worstOutcome(result: DeviceResult): SectionOutcome {
  if (result.state === 'failed' && result.sections.every((section) => section.outcome === 'pending')) return 'failed';
  return ATTENTION.find((outcome) => result.sections.some((section) => section.outcome === outcome)) ?? (result.state === 'failed' ? 'failed' : 'pending');
}

/** Results grouped by identical outcome, those that want attention first. */
export function resultGroups(results: readonly DeviceResult[]): readonly ResultGroup[] {
  const groups = new Map<string, DeviceResult[]>();
  for (const result of results) {
    const key = keyOf(result);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return [...groups]
    .map(([key, devices]): ResultGroup => {
      const first = devices[0] as DeviceResult;
      return { key, devices, sections: first.sections, worst: worstOutcome(first) };
    })
    .sort((a, b) => ATTENTION.indexOf(a.worst) - ATTENTION.indexOf(b.worst) || b.devices.length - a.devices.length);
}

/** Devices that are not, or not surely, as the template says: what a retry plans again. */
export function notDone(results: readonly DeviceResult[]): readonly string[] {
  return results
    .filter((result) => result.state !== 'done' || result.sections.some((section) => NOT_DONE.has(section.outcome)))
    .map((result) => result.deviceId);
}

/** How many sections ended how, in the order of attention. */
export function outcomeCounts(results: Iterable<DeviceResult>): readonly (readonly [SectionOutcome, number])[] {
  const counts = new Map<SectionOutcome, number>();
  for (const { sections } of results) for (const { outcome } of sections) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return ATTENTION.filter((outcome) => counts.has(outcome)).map((outcome) => [outcome, counts.get(outcome) ?? 0] as const);
}
