import type { Plan, PlanDevice, PlanSection } from '#shared/model.ts';

/** Devices for which the same would be done. */
export interface PlanGroup {
  readonly group: number;
  readonly state: PlanDevice['state'];
  readonly devices: readonly PlanDevice[];
  /** Sections of each of its devices: they are equal. */
  readonly sections: readonly PlanSection[];
  /** Something is written to its devices. */
  readonly isApplicable: boolean;
  /** Values that are written to each. */
  readonly changes: number;
}

const ORDER: readonly PlanDevice['state'][] = [
  'changes',
  'adjusted',
  'blocked',
  'failed',
  'unsupported',
  'unchanged',
];

/** Something would be written: a setting that is blocked stays out and does not hold back the others. */
export function isApplicable(device: PlanDevice): boolean {
  return device.state !== 'failed' && device.sections.some(isWritten);
}

function isWritten({ state }: PlanSection): boolean {
  return state === 'changes' || state === 'adjusted';
}

function changesOf({ sections }: PlanDevice): number {
  return sections.filter(isWritten).reduce((sum, { changes }) => sum + changes.length, 0);
}

/** Groups in the order a person reads them: what will be written, what will not, what need not. */
export function planGroups(plan: Pick<Plan, 'devices'>): readonly PlanGroup[] {
  const byNumber = new Map<number, PlanDevice[]>();
  for (const device of plan.devices) {
    const group = byNumber.get(device.group);
    if (group === undefined) byNumber.set(device.group, [device]);
    else group.push(device);
  }
  const groups = [...byNumber].map(([group, devices]): PlanGroup => {
    const [first] = devices as [PlanDevice, ...PlanDevice[]];
    const { sections, state } = first;
    const applicable = isApplicable(first);
    return {
      group,
      devices,
      sections,
      state,
      isApplicable: applicable,
      changes: applicable ? changesOf(first) : 0,
    };
  });
  return groups.sort(
    (a, b) =>
      Number(b.isApplicable) - Number(a.isApplicable) ||
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
      b.devices.length - a.devices.length ||
      a.group - b.group,
  );
}

interface PlanTotals {
  readonly applicable: readonly string[];
  readonly changes: number;
  /** Every device is already as the template says. */
  readonly nothingToDo: boolean;
}

export function planTotals(plan: Pick<Plan, 'devices'>): PlanTotals {
  const applicable = plan.devices.filter(isApplicable);
  return {
    applicable: applicable.map((device) => device.deviceId),
    changes: applicable.reduce((sum, device) => sum + changesOf(device), 0),
    nothingToDo: plan.devices.length > 0 && plan.devices.every((device) => device.state === 'unchanged'),
  };
}
