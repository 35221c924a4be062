/** `snapshot` and `timeline`: devices as they were, and what changed on them. */
import type { Engine } from '#engine/api.ts';
import { describeChanges, formatSectionPlace } from '#cli/output/names.ts';
import type { Action } from '#cli/declarations/all.ts';
import { selectNamed } from '#cli/input/devices.ts';
import { listRows } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { tabulate } from '#cli/output/table.ts';
import type { Device } from '#shared/model.ts';
import { SNAPSHOT_FORMAT, type SnapshotDifference, type TimelineEntry } from '#shared/snapshots.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { applyTemplate } from './agreements.ts';

export const takeSnapshot: Action<'snapshot take'> = async (invocation, reference, options) => {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const device = await selectNamed(invocation, engine, options, reference);
  const taken = await engine.snapshots.take({ deviceId: device.id }, interrupts.signal);
  return {
    json: taken,
    text: out.say('cli.snapshot-taken', { n: taken.documents, changed: taken.changed, device: device.name }),
  };
};

/** Finds a device of the inventory, or by its id one that was replaced. */
function findSeen(engine: Engine, reference: string): Device {
  const archived = engine.replacements.archived().find(({ device }) => device.id === reference);
  return archived?.device ?? engine.devices.find(reference);
}

export const listSnapshots: Action<'snapshot list'> = async ({ open, out, globals }, reference) => {
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
};

/** Shows the documents as they were at a time; `--out` writes them to a file, from which a virtual device can be made. */
export const showSnapshot: Action<'snapshot show'> = async (
  invocation,
  reference,
  { at, out: file, force },
) => {
  const engine = await invocation.open();
  const { id, name, url, kinds } = findSeen(engine, reference);
  const documents = engine.snapshots.show({ deviceId: id, at });
  const json = { fieldwright: SNAPSHOT_FORMAT, name, url, kinds, at, documents };
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
};

export const showTimeline: Action<'timeline'> = async ({ open, out, globals }, reference, { since }) => {
  const engine = await open();
  const { id, name } = findSeen(engine, reference);
  const entries = engine.snapshots.timeline({ deviceId: id, since });
  if (entries.length === 0) return { json: [], note: out.say('cli.timeline-none', { device: name }) };
  const when = createDateFormat(globals.lang);
  return {
    json: entries.flatMap(toScript),
    text: tabulate(entries, {
      WHEN: ({ at }) => when(at),
      SETTING: { value: (entry) => formatSectionPlace(out, entry), flexible: true },
      CHANGE: { value: (entry) => describeChanges(out, entry), flexible: true },
      BY: ({ job }) => (job === undefined ? out.say('cli.agreement.outside') : `${job.title} (${job.id})`),
    }),
  };
};

function toScript({ at, job, ...difference }: TimelineEntry) {
  return toValues(difference).map((value) => ({
    at,
    ...value,
    job: job?.id,
    by: job?.user ?? 'outside',
  }));
}

export const compareSnapshots: Action<'snapshot compare'> = async (
  { open, out },
  reference,
  { from, to },
) => {
  const engine = await open();
  const { id, name } = findSeen(engine, reference);
  const differences = engine.snapshots.compare({ deviceId: id, from, to });
  if (differences.length === 0) return { json: [], note: out.say('cli.snapshot-same', { device: name }) };
  return {
    json: differences.flatMap(toValues),
    text: tabulate(differences, {
      SETTING: { value: (one) => formatSectionPlace(out, one), flexible: true },
      CHANGE: { value: (one) => describeChanges(out, one), flexible: true },
    }),
  };
};

/** Sets a device back to what it showed at a time; without `--yes` at a script only the plan. */
export const restoreSnapshot: Action<'snapshot restore'> = async (
  invocation,
  reference,
  { at, ...options },
) => {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const device = await selectNamed(invocation, engine, options, reference);
  const name = out.say('cli.snapshot-restore-name', { device: device.name, at });
  const { templateText, left } = await engine.snapshots.restore(
    { deviceId: device.id, at, name: name.slice(0, 200) },
    interrupts.signal,
  );
  out.note(out.say('cli.snapshot-secrets', { n: left }));
  if (templateText === undefined)
    return { json: [], note: out.say('cli.snapshot-same', { device: device.name }), code: EXIT.done };
  return applyTemplate(invocation, engine, { templateText, deviceIds: [device.id] }, options);
};

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
