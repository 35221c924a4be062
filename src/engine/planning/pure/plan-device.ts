/** Devices of a plan: their strongest state, and those with equal results together. */
import type { Plan, PlanDevice, PlanSection, PlanState } from '#shared/model.ts';
import { computeOncePer } from '#shared/once.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';

export type Ungrouped = Omit<PlanDevice, 'group'>;

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
export function getStrongestState(sections: readonly PlanSection[]): PlanState {
  return [...sections].sort((a, b) => rank(a) - rank(b))[0]?.state ?? 'unchanged';
}

/** Equal for devices on which the same would happen for the same reason. */
function resultKey(device: Ungrouped): string {
  return JSON.stringify([
    device.state,
    device.error === undefined ? null : [device.error.code, device.error.message],
    device.sections.map((section) => [
      section.index,
      section.state,
      section.params,
      // Alike devices share theirs.
      changesKey(section.changes),
      section.lost ?? [],
      section.adjustments,
      [...section.problems, ...(section.warnings ?? [])].map((problem) => [
        problem.code,
        problem.path,
        problem.message,
      ]),
    ]),
  ]);
}

/** The rest of a list that changes may differ from device to device, and what is done to it is the same. */
const changesKey = computeOncePer<PlanSection['changes'], string>((changes) =>
  encodeCanonicalJson(changes.map(({ list: _list, ...change }) => change)),
);

/** A number for each device, from 1 in the order in which they are asked for; the same for equal results. */
export function numberResults(): (device: Ungrouped) => number {
  const known = new Map<string, number>();
  return computeOncePer((device) => {
    const key = resultKey(device);
    const number = known.get(key) ?? known.size + 1;
    known.set(key, number);
    return number;
  });
}

interface GroupedDevices {
  readonly devices: readonly PlanDevice[];
  readonly groups: Plan['groups'];
  readonly counts: Plan['counts'];
}

/** Gives devices with equal results, which `resultOf` tells, the same number, from 1, in the order in which they come. */
export function groupDevices(devices: readonly Ungrouped[], resultOf = numberResults()): GroupedDevices {
  const groups = new Map<
    number,
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
    const result = resultOf(device);
    const known = groups.get(result) ?? { group: groups.size + 1, devices: [], state: device.state };
    groups.set(result, known);
    known.devices.push(device.deviceId);
    counts[device.state] += 1;
    return { ...device, group: known.group };
  });
  return { devices: numbered, groups: [...groups.values()], counts };
}
