/** A plan of work on people as the terminal and scripts see it. */
import type { Engine } from '#engine/index.ts';
import { describeBadRows } from '#shared/people/people-outcome.ts';
import type { PeoplePlan, PeopleRow, PersonPlan } from '#shared/people/people.ts';
import type { Invocation } from '../invocation.ts';
import { cleanJson } from '../output/clean.ts';
import { formatError, translateError } from '../output/errors.ts';
import { formatSettingValue } from '../output/names.ts';

/** Operation whose fields describe a person. */
const PERSON = 'accessControl.users.setUp';
const PLANS: readonly PersonPlan[] = ['added', 'changed', 'removed', 'unchanged', 'absent', 'refused'];

export function printPlan({ out }: Invocation, plan: PeoplePlan): void {
  for (const note of plan.notes) out.note(out.sentence(note));
  if (plan.counts !== undefined) out.note(out.say('people-planned', { ...plan.counts }));
  for (const bad of describeBadRows(plan)) out.note(out.sentence(bad));
  const used = PLANS.filter((each) => plan.devices.some(({ counts }) => counts[each] !== undefined));
  out.table(plan.devices, {
    DEVICE: { value: ({ name, url }) => name || url, flexible: true },
    ...Object.fromEntries(
      used.map((each) => [
        each.toUpperCase(),
        ({ counts }: PeoplePlan['devices'][number]) => counts[each] ?? 0,
      ]),
    ),
    PEOPLE: {
      value: ({ people, capacity }) => `${people ?? '—'}${capacity === undefined ? '' : `/${capacity}`}`,
      align: 'right',
    },
  });
  for (const { name, url, notes, error } of plan.devices) {
    for (const note of notes) out.note(`${name || url}: ${out.sentence(note)}`);
    if (error !== undefined)
      for (const line of formatError({ ...error, device: error.device ?? url }, out)) out.note(line);
  }
}

/** More are in the file of failed rows, or in JSON. */
const MOST_SHOWN = 30;

/** Names the rows that a plan changes or leaves out; with `wrongOnly`, those that go to no device and why. */
export function printRows(
  invocation: Invocation,
  engine: Engine,
  plan: PeoplePlan,
  { wrongOnly = false } = {},
): void {
  const { out } = invocation;
  let left = MOST_SHOWN;
  const names = new Map(plan.devices.map(({ deviceId, name, url }) => [deviceId, name || url]));
  for (const row of engine.people.listed({ id: plan.id })) {
    if (row.plan === 'added' || (wrongOnly && row.error === undefined)) continue;
    if (left === 0) {
      out.note('…');
      return;
    }
    left -= 1;
    const place =
      plan.devices.length > 1 && row.deviceId !== undefined ? `${names.get(row.deviceId) ?? ''} ` : '';
    out.note(`  ${place}${row.line}: ${row.employeeNo || '—'} ${rowText(invocation, row)}`);
  }
}

function rowText({ out }: Invocation, { plan, error, changes = [] }: PeopleRow): string {
  if (error !== undefined) return translateError(error, out).message;
  if (changes.length === 0) return plan ?? '';
  const shown = (field: string, value: unknown): string => formatSettingValue(out, PERSON, field, value);
  return changes
    .map(({ field, from, to }) => `${field} ${shown(field, from)} → ${shown(field, to)}`)
    .join(', ');
}

export function toScriptPlan({ notes, devices, ...plan }: PeoplePlan): object {
  return {
    ...plan,
    notes,
    devices: devices.map(({ url, ...device }) => ({ device: url, ...device })),
  };
}

/** One document, row by row: of a hundred thousand people it is long. */
export async function printPlanJson({ out }: Invocation, engine: Engine, plan: PeoplePlan): Promise<void> {
  const head = JSON.stringify(toScriptPlan(plan));
  out.raw(`${cleanJson(head.slice(0, -1))},"people":[`);
  let isFirst = true;
  for (const row of engine.people.listed({ id: plan.id })) {
    out.raw(`${isFirst ? '' : ','}\n${cleanJson(JSON.stringify(row))}`);
    isFirst = false;
    await out.flush();
    if (out.left) return;
  }
  out.raw(']}\n');
}
