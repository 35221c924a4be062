/** `snapshot` and `timeline`: devices as they were, and what changed on them. */
import type { Engine } from '#engine/api.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { STATE } from '#cli/declarations/state.ts';
import { selectOne } from '#cli/input/devices.ts';
import type { Invocation } from '#cli/invocation.ts';
import { listRows, type Outcome } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import {
  formatDifferences,
  formatSectionName,
  formatSettingName,
  formatSettingValue,
  placeName,
} from '#cli/output/names.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { tabulate } from '#cli/output/table.ts';
import type { Device } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { SNAPSHOT_FORMAT, type SnapshotDifference, type TimelineEntry } from '#shared/snapshots.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Output } from '#cli/output/output.ts';
import { applyTemplate } from './agreements.ts';

type Commands = (typeof STATE)['snapshot']['commands'];

export async function takeSnapshot(
  invocation: Invocation,
  reference: string,
  options: OptionsOf<Commands['take']>,
): Promise<Outcome> {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const device = await selectOne(invocation, engine, { ...options, device: [reference] });
  const taken = await engine.snapshots.take({ deviceId: device.id }, interrupts.signal);
  return {
    json: taken,
    text: out.say('cli.snapshot-taken', { n: taken.documents, changed: taken.changed, device: device.name }),
  };
}

/** Finds a device of the inventory, or by its id one that was replaced. */
function findSeen(engine: Engine, reference: string): Device {
  const archived = engine.replacements.archived().find(({ device }) => device.id === reference);
  return archived?.device ?? engine.devices.find(reference);
}

export async function listSnapshots({ open, out, globals }: Invocation, reference: string): Promise<Outcome> {
  const engine = await open();
  const { id, name } = findSeen(engine, reference);
  const when = createDateFormat(globals.lang);
  return listRows(
    engine.snapshots.list({ deviceId: id }),
    {
      WHEN: ({ at }) => when(at),
      DOCUMENTS: { value: 'documents', align: 'right' },
      CHANGED: { value: 'changed', align: 'right' },
      BY: 'by',
    },
    out.say('cli.snapshots-none', { device: name }),
  );
}

/** Shows the documents as they were at a time; `--out` writes them to a file, from which a virtual device can be made. */
export async function showSnapshot(
  invocation: Invocation,
  reference: string,
  { at, out: file, force }: OptionsOf<Commands['show']>,
): Promise<Outcome> {
  const engine = await invocation.open();
  const { id, name, url, kinds } = findSeen(engine, reference);
  const documents = engine.snapshots.show({ deviceId: id, ...removeUndefined({ at }) });
  const json = { fieldwright: SNAPSHOT_FORMAT, name, url, kinds, ...removeUndefined({ at }), documents };
  if (file === undefined)
    return {
      json,
      text: documents.flatMap(({ operation, params, text }) => [
        `# ${operation} ${JSON.stringify(params)}`,
        text,
      ]),
    };
  const target = await openOutputFile(invocation, file, { force: force === true });
  await target.write(`${JSON.stringify(json, null, 1)}\n`);
  return { json: { file, documents: documents.length }, text: file };
}

export async function showTimeline(
  { open, out, globals }: Invocation,
  reference: string,
  { since }: OptionsOf<(typeof STATE)['timeline']>,
): Promise<Outcome> {
  const engine = await open();
  const { id, name } = findSeen(engine, reference);
  const entries = engine.snapshots.timeline({ deviceId: id, ...removeUndefined({ since }) });
  if (entries.length === 0) return { json: [], note: out.say('cli.timeline-none', { device: name }) };
  const when = createDateFormat(globals.lang);
  return {
    json: entries.flatMap(toScript),
    text: tabulate(entries, {
      WHEN: ({ at }) => when(at),
      SETTING: { value: (entry) => describeSection(out, entry), flexible: true },
      CHANGE: { value: (entry) => describeChanges(out, entry), flexible: true },
      BY: ({ job }) => (job === undefined ? out.say('cli.agreement.outside') : `${job.title} (${job.id})`),
    }),
  };
}

function describeSection(out: Output, entry: SnapshotDifference): string {
  return `${formatSectionName(out, entry)}${placeName(out, entry.params)}`;
}

function describeChanges(out: Output, { set, changes }: SnapshotDifference): string {
  return formatDifferences(out, set, changes, (change) => {
    const value = (held: unknown): string =>
      change.sensitive === true ? '•••' : formatSettingValue(out, set, change.path, held);
    return `${formatSettingName(out, set, change)}: ${value(change.from)} → ${value(change.to)}`;
  }).join('; ');
}

function toScript({ at, job, ...difference }: TimelineEntry) {
  return toValues(difference).map((value) => ({
    at,
    ...value,
    ...removeUndefined({ job: job?.id }),
    by: job?.user ?? 'outside',
  }));
}

export async function compareSnapshots(
  { open, out }: Invocation,
  reference: string,
  { from, to }: OptionsOf<Commands['compare']>,
): Promise<Outcome> {
  const engine = await open();
  const { id, name } = findSeen(engine, reference);
  const differences = engine.snapshots.compare({ deviceId: id, from, ...removeUndefined({ to }) });
  if (differences.length === 0) return { json: [], note: out.say('cli.snapshot-same', { device: name }) };
  return {
    json: differences.flatMap(toValues),
    text: tabulate(differences, {
      SETTING: { value: (one) => describeSection(out, one), flexible: true },
      CHANGE: { value: (one) => describeChanges(out, one), flexible: true },
    }),
  };
}

/** Sets a device back to what it showed at a time; without `--yes` at a script only the plan. */
export async function restoreSnapshot(
  invocation: Invocation,
  reference: string,
  { at, ...options }: OptionsOf<Commands['restore']>,
): Promise<Outcome> {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const device = await selectOne(invocation, engine, { ...options, device: [reference] });
  const name = out.say('cli.snapshot-restore-name', { device: device.name, at });
  const { templateText, left } = await engine.snapshots.restore(
    { deviceId: device.id, at, name: name.slice(0, 200) },
    interrupts.signal,
  );
  out.note(out.say('cli.snapshot-secrets', { n: left }));
  if (templateText === undefined)
    return { json: [], note: out.say('cli.snapshot-same', { device: device.name }), code: EXIT.done };
  return applyTemplate(invocation, engine, { templateText, deviceIds: [device.id] }, options);
}

/** Returns a line for each value; a list that is shown as a whole is one. */
function toValues({ set, params, path, changes }: SnapshotDifference) {
  const list = changes.find((change) => change.list !== undefined)?.list;
  const values =
    list === undefined
      ? changes.map((change) => ({ path: change.path, before: change.from, after: change.to }))
      : [{ path, before: list.from, after: list.to }];
  return values.map((value) => ({
    section: set,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...value,
  }));
}
