/** Devices of a plan: their strongest state, and those with equal results together. */
import type { Plan, PlanDevice, PlanSection, PlanState } from '../../shared/model.ts';
import { oncePer } from '../../shared/once.ts';
import { sharedJson } from '../canonical-json.ts';

/** Strongest first: what needs a person, then what will be written, then what will not. */
function rank(section: PlanSection): number {
  switch (section.state) {
    case 'blocked':
      return 0;
    case 'unsupported':
      return section.optional ? 5 : 1;
    case 'adjusted':
      return 2;
    case 'changes':
      return 3;
    case 'unchanged':
      return 4;
  }
}

/** The state of the section that matters most; a device without a single one has nothing to do. */
export function strongestState(sections: readonly PlanSection[]): PlanState {
  return [...sections].sort((a, b) => rank(a) - rank(b))[0]?.state ?? 'unchanged';
}

/** Equal for devices on which the same would happen for the same reason. */
export const resultKey = oncePer((device: Pick<PlanDevice, 'state' | 'error' | 'sections'>): string =>
  JSON.stringify([
    device.state,
    device.error === undefined ? null : [device.error.code, device.error.message],
    device.sections.map((section) => [
      section.index,
      section.state,
      section.params,
      // Alike devices share theirs.
      sharedJson(section.changes),
      section.lost ?? [],
      section.adjustments,
      [...section.problems, ...(section.warnings ?? [])].map((problem) => [
        problem.code,
        problem.path,
        problem.message,
      ]),
    ]),
  ]),
);

interface GroupedDevices {
  readonly devices: readonly PlanDevice[];
  readonly groups: Plan['groups'];
  readonly counts: Plan['counts'];
}

/** Gives devices with equal results the same number, from 1, in the order in which they come. */
export function groupDevices(devices: readonly Omit<PlanDevice, 'group'>[]): GroupedDevices {
  const groups = new Map<
    string,
    { readonly group: number; readonly devices: string[]; readonly state: PlanDevice['state'] }
  >();
  const counts: Record<PlanDevice['state'], number> = {
    failed: 0,
    blocked: 0,
    unsupported: 0,
    adjusted: 0,
    changes: 0,
    unchanged: 0,
  };
  const numbered = devices.map((device) => {
    const key = resultKey(device);
    const known = groups.get(key) ?? { group: groups.size + 1, devices: [], state: device.state };
    groups.set(key, known);
    known.devices.push(device.deviceId);
    counts[device.state] += 1;
    return { ...device, group: known.group };
  });
  return { devices: numbered, groups: [...groups.values()], counts };
}
