/** A plan for people: equal results once, old and new values side by side. */
import type { Change, Plan, PlanDevice, PlanSection } from '#shared/model.ts';
import { cleanLine, formatUnitChange, showValue } from './clean.ts';
import { formatError } from './errors.ts';
import {
  formatDifferences,
  formatSettingName,
  formatTemplateName,
  formatSettingValue,
  formatSectionPlace,
} from './names.ts';
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

function nameList(devices: readonly PlanDevice[], out: Output): string {
  const names = devices
    .slice(0, 6)
    .map(({ name }) => cleanLine(name))
    .join(', ');
  return devices.length > 6 ? out.say('cli.more', { names, count: devices.length - 6 }) : names;
}

function changeLine(set: string, change: Change, out: Output): string {
  const show = (value: unknown): string =>
    change.sensitive && value !== undefined ? '•••' : formatSettingValue(out, set, change.path, value);
  return `${formatSettingName(out, set, change)}: ${formatUnitChange(change, show(change.from), change.to === undefined ? out.say('cli.removed') : show(change.to))}`;
}

function sectionLines(section: PlanSection, out: Output): readonly string[] {
  const { paint } = out;
  const title = `    ${formatSectionPlace(out, section)}`;
  // An optional setting that a device does not have is no problem of anybody.
  if (section.state === 'unsupported' && section.optional)
    return [`${title}: ${paint.dim(out.say('cli.skipped'))}`];
  const color = COLORS[section.state];
  const word = out.status('plan', section.state);
  const state = color ? paint[color](word) : word;
  return [
    `${title}: ${state}`,
    ...formatDifferences(out, section.set, section.changes, (change) =>
      changeLine(section.set, change, out),
    ).map((line) => `      ${line}`),
    ...(section.lost ?? []).map((path) => `      ${paint.warn(out.say('cli.lost'))}: ${cleanLine(path)}`),
    ...section.adjustments.map(({ path, label = path, items, asked, given, reason, detail }) => {
      const why = cleanLine(detail === undefined ? reason : out.sentence(detail));
      const values = { asked: showValue(asked), given: showValue(given), reason: why };
      const name = formatSettingName(out, section.set, { path, label, items });
      return `      ${name}: ${out.say('cli.adjusted', values)}`;
    }),
    ...section.problems.flatMap((problem) => formatError(problem, out)).map((line) => `      ${line}`),
    ...(section.fixes ?? []).map(
      ({ path, value }) =>
        `      ${cleanLine(out.say('cli.fix', { path, value: showValue(value), section: section.index + 1 }))}`,
    ),
    ...(section.warnings ?? [])
      .flatMap((warning) => formatError(warning, out))
      .map((line) => `      ${paint.warn(out.say('cli.warning', { line }))}`),
  ];
}

export function printPlan(out: Output, plan: Plan): void {
  const byId = new Map(plan.devices.map((device) => [device.deviceId, device]));
  out.line(
    out.paint.strong(
      out.say('cli.plan-for', {
        devices: out.devices(plan.devices.length),
        name: formatTemplateName(out, plan.template),
      }),
    ),
  );
  for (const group of plan.groups) {
    const devices = group.devices.map((id) => byId.get(id)).filter((device) => device !== undefined);
    const [first] = devices;
    if (!first) continue;
    const color = COLORS[group.state];
    const word = out.status('plan', group.state);
    out.line(`\n  ${devices.length} × ${color ? out.paint[color](word) : word}: ${nameList(devices, out)}`);
    if (first.error) for (const line of formatError(first.error, out)) out.line(`    ${line}`);
    for (const section of first.sections) for (const line of sectionLines(section, out)) out.line(line);
  }
  const counts = Object.entries(plan.counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${out.say(`cli.plan.${state as PlanDevice['state']}`)}`);
  out.line(`\n${out.say('cli.plan-counts', { counts: counts.join(', ') })}`);
}
