/** A plan for people: equal results once, old and new values side by side. */
import type { Change, Plan, PlanDevice, PlanSection } from '../../shared/model.ts';
import { cleanLine, fromTo, showValue } from './clean.ts';
import { errorLines } from './errors.ts';
import type { Output } from './output.ts';
import type { Paint } from './paint.ts';

const COLORS: Readonly<Record<PlanDevice['state'], keyof Paint | undefined>> = {
  changes: 'strong',
  unchanged: 'dim',
  unsupported: 'warn',
  adjusted: 'warn',
  blocked: 'bad',
  failed: 'bad',
};

/** How many devices are … */
const WORDS: Readonly<Record<PlanDevice['state'], string>> = {
  changes: 'to change',
  unchanged: 'unchanged',
  unsupported: 'without these settings',
  adjusted: 'to change with adjusted values',
  blocked: 'blocked',
  failed: 'not read',
};

function nameList(devices: readonly PlanDevice[]): string {
  const shown = devices
    .slice(0, 6)
    .map(({ name }) => cleanLine(name))
    .join(', ');
  return devices.length > 6 ? `${shown} and ${devices.length - 6} more` : shown;
}

function changeLine(change: Change): string {
  const show = (value: unknown): string =>
    change.sensitive && value !== undefined ? '•••' : showValue(value);
  return `      ${cleanLine(change.label)}: ${fromTo(change, show(change.from), change.to === undefined ? 'removed' : show(change.to))}`;
}

function sectionLines(section: PlanSection, paint: Paint): readonly string[] {
  const params = Object.entries(section.params)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  const title = `    ${cleanLine(section.label)}${params ? ` (${cleanLine(params)})` : ''}`;
  // An optional setting that a device does not have is no problem of anybody.
  if (section.state === 'unsupported' && section.optional)
    return [`${title}: ${paint.dim('not on this device, skipped')}`];
  const color = COLORS[section.state];
  const state = color ? paint[color](section.state) : section.state;
  return [
    `${title}: ${state}`,
    ...section.changes.map(changeLine),
    ...(section.lost ?? []).map(
      (path) =>
        `      ${paint.warn('lost with it, for the specification does not know it')}: ${cleanLine(path)}`,
    ),
    ...section.adjustments.map(
      ({ path, asked, given, reason }) =>
        `      ${cleanLine(path)}: asked ${showValue(asked)}, given ${showValue(given)} (${cleanLine(reason)})`,
    ),
    ...section.problems.flatMap(errorLines).map((line) => `      ${line}`),
    ...(section.warnings ?? []).flatMap(errorLines).map((line) => `      ${paint.warn(`Warning: ${line}`)}`),
  ];
}

export function printPlan(out: Output, plan: Plan): void {
  const byId = new Map(plan.devices.map((device) => [device.deviceId, device]));
  out.line(
    out.paint.strong(
      `Plan for ${plan.devices.length} ${plan.devices.length === 1 ? 'device' : 'devices'}: ${cleanLine(plan.template.name)}`,
    ),
  );
  for (const group of plan.groups) {
    const devices = group.devices.map((id) => byId.get(id)).filter((device) => device !== undefined);
    const [first] = devices;
    if (!first) continue;
    const color = COLORS[group.state];
    out.line(
      `\n  ${devices.length} × ${color ? out.paint[color](group.state) : group.state}: ${nameList(devices)}`,
    );
    if (first.error) for (const line of errorLines(first.error)) out.line(`    ${line}`);
    for (const section of first.sections) for (const line of sectionLines(section, out.paint)) out.line(line);
  }
  const counts = Object.entries(plan.counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${WORDS[state as PlanDevice['state']]}`);
  out.line(`\nDevices: ${counts.join(', ')}`);
}
