import { formatDeviceReason } from '#shared/device-reason.ts';
import type { DeviceResult, JobSummary, SectionResult, UnitOutcome, UnitResult } from '#shared/model.ts';
import { ATTENTION, getShownOutcome, type ShownOutcome } from '#shared/outcomes.ts';
import { getSectionResult } from '#shared/units.ts';

/** Its kind says what its units are. */
type JobOfKind = Pick<JobSummary, 'kind'>;

/** Devices that ended in the same way. */
export interface ResultGroup {
  readonly key: string;
  readonly job: JobOfKind;
  readonly devices: readonly DeviceResult[];
  readonly units: readonly UnitResult[];
  readonly worst: ShownOutcome;
}

/** Equal for units that are the same work, on whichever device. */
function workKey(job: JobOfKind, unit: UnitResult): unknown {
  const section = getSectionResult(job, unit);
  return section === undefined ? unit.label : [section.set, section.params];
}

/** Equal for devices that fared alike. */
export function buildResultKey(job: JobOfKind, result: DeviceResult): string {
  return JSON.stringify([
    result.state === 'failed' ? (result.error?.code ?? 'failed') : 'done',
    result.units.map((unit) => {
      const { outcome, did, error, status, note } = unit;
      return [
        workKey(job, unit),
        getSectionResult(job, unit)?.warnings?.map(({ path }) => path),
        outcome,
        did,
        note,
        error?.code,
        error?.path,
        formatDeviceReason(status ?? error?.status),
      ];
    }),
  ]);
}

export function findWorstOutcome(result: DeviceResult): ShownOutcome {
  if (result.state === 'failed' && result.units.every(({ outcome }) => outcome === 'pending'))
    return 'failed';
  const outcomes = new Set(result.units.map(getShownOutcome));
  return (
    ATTENTION.find((outcome) => outcomes.has(outcome)) ?? (result.state === 'failed' ? 'failed' : 'pending')
  );
}

export function groupOf(job: JobOfKind, key: string, devices: readonly DeviceResult[]): ResultGroup {
  const first = devices[0] as DeviceResult;
  return { key, job, devices, units: first.units, worst: findWorstOutcome(first) };
}

export function sortByAttention(groups: Iterable<ResultGroup>): readonly ResultGroup[] {
  return [...groups].sort(
    (a, b) => ATTENTION.indexOf(a.worst) - ATTENTION.indexOf(b.worst) || b.devices.length - a.devices.length,
  );
}

/** Sections of all devices with one outcome, by section: what was accepted but not seen to be effective, … */
export function listSectionsByOutcome(
  job: JobOfKind,
  results: Iterable<DeviceResult>,
  outcome: UnitOutcome,
): readonly {
  readonly key: string;
  readonly section: SectionResult;
  readonly devices: readonly DeviceResult[];
}[] {
  const found = new Map<
    string,
    { readonly key: string; readonly section: SectionResult; readonly devices: DeviceResult[] }
  >();
  for (const device of results) {
    for (const unit of device.units) {
      const section = getSectionResult(job, unit);
      if (section?.outcome !== outcome) continue;
      const key = JSON.stringify([section.set, section.params]);
      const entry = found.get(key);
      if (entry === undefined) found.set(key, { key, section, devices: [device] });
      else entry.devices.push(device);
    }
  }
  return [...found.values()];
}
