/**
 * Reads from the journal what was agreed for devices: the settings that jobs set and proved there, without those that were
 * undone, and the values that people accepted.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { readOwnJson } from '#shared/read-json.ts';
import type { AgreedBy } from '#shared/agreement.ts';
import type { Change, JobAbout, Params } from '#shared/model.ts';
import { findResource, isWithin, removeAt, setAt, type Resource } from '#protocol/index.ts';
import { selectContent } from '../jobs/job-columns.ts';
import { compareText, encodeCanonicalJson } from '../text/canonical-json.ts';
import type { Store } from '../store/index.ts';
import { getSectionKey, type ResolvedSection } from '../template/document.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { resolveTemplate, type Resolved } from '../template/values/resolve.ts';
import { readAccepted } from './accepted.ts';

/** One agreement about a section of a device. */
interface AgreedPart {
  /** Values that were agreed; the others of the section are not. */
  readonly section: ResolvedSection;
  readonly by: AgreedBy;
}

/** A section of a device with everything that was agreed about it, the oldest first. */
export interface AgreedSection {
  readonly set: string;
  readonly resource: Resource;
  readonly params: Params;
  readonly parts: readonly AgreedPart[];
}

interface ProvedRow {
  readonly device_id: string;
  readonly job_id: string;
  readonly title: string;
  readonly about: string;
  readonly body: string;
  readonly by_user: string;
  readonly document: string;
  readonly url: string;
  readonly idx: number;
  readonly detail: string;
  readonly at: string;
}

/** Outcomes of a unit whose settings the device showed afterwards, or before. */
export const PROVED = "('effective', 'unchanged')";

/** Reads what is agreed for each of the devices; those without an agreement are not in the map. */
export function readAgreed(
  store: Store,
  deviceIds: readonly string[],
): ReadonlyMap<string, readonly AgreedSection[]> {
  const ids = JSON.stringify(deviceIds);
  const rows = store.all<ProvedRow>(
    `SELECT job_devices.device_id AS device_id, jobs.id AS job_id, title, about, body, by_user, job_devices.document AS document,
       url, idx, ${selectContent('detail')}, coalesce(result_at, created_at) AS at
     FROM job_devices JOIN jobs ON jobs.id = job_devices.job_id
       JOIN job_units ON job_units.job_id = job_devices.job_id AND job_units.position = job_devices.position
     WHERE device_id IN (SELECT value FROM json_each(?)) AND kind <> 'undo' AND outcome IN ${PROVED}
     ORDER BY at, jobs.rowid, idx`,
    ids,
  );
  const undone = readUndone(store, ids);
  const resolve = createResolver();
  const found = rows.flatMap((row) => {
    const part = toPart(row, resolve);
    const left = part && withoutUndone(part, undone.get(unitKey(row.device_id, row.job_id, row.idx)) ?? []);
    return left === undefined ? [] : [{ deviceId: row.device_id, part: left }];
  });
  const accepted = readAccepted(store, deviceIds).flatMap(({ deviceId, set, params, value, by }) => {
    const resource = findResource(set);
    return resource === undefined
      ? []
      : [{ deviceId, part: { section: { ...BARE, set, resource, params, value }, by } }];
  });
  const byDevice = Map.groupBy(
    [...found, ...accepted].sort((a, b) => compareText(a.part.by.at, b.part.by.at)),
    ({ deviceId }) => deviceId,
  );
  return new Map([...byDevice].map(([id, parts]) => [id, groupParts(parts.map(({ part }) => part))]));
}

const BARE = { index: 0, optional: false, clamp: false, open: new Set<string>() };

function groupParts(parts: readonly AgreedPart[]): readonly AgreedSection[] {
  const places = Map.groupBy(parts, ({ section: { set, params } }) => getSectionKey(set, params));
  return [...places.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { set, resource, params } = first.section;
    return [{ set, resource, params, parts: own }];
  });
}

type Resolve = (templateText: string, device: Pick<ProvedRow, 'document' | 'url'>) => Resolved | undefined;

/** Devices with the same template and values share what they come to. */
function createResolver(): Resolve {
  const templates = new Map<string, ReturnType<typeof parseTemplate>>();
  const resolved = new Map<string, Resolved>();
  return (templateText, { document: kept, url }) => {
    const template = templates.get(templateText) ?? parseTemplate(templateText);
    templates.set(templateText, template);
    if (template.document === undefined) return undefined;
    const key = encodeCanonicalJson([templateText, kept]);
    const { values = {} } = readOwnJson(kept) as { readonly values?: Readonly<Record<string, unknown>> };
    const found =
      resolved.get(key) ??
      resolveTemplate(template.document, { values, secrets: {}, needSecrets: false, device: url });
    resolved.set(key, found);
    return found;
  };
}

function toPart(row: ProvedRow, resolve: Resolve): AgreedPart | undefined {
  const { templateText } = readOwnJson(row.body) as { readonly templateText?: string };
  const written = readOwnJson(row.detail) as Written;
  const section =
    templateText === undefined
      ? restoreWritten(written)
      : findSection(resolve(templateText, row), row, written);
  if (section === undefined) return undefined;
  const { template } = readOwnJson(row.about) as JobAbout;
  return {
    section,
    by: {
      at: row.at,
      user: row.by_user,
      jobId: row.job_id,
      title: row.title,
      ...removeUndefined({ version: template?.version }),
    },
  };
}

interface Written {
  readonly set?: string;
  readonly params?: Params;
  readonly changes?: readonly Change[];
}

function findSection(
  resolved: Resolved | undefined,
  { idx }: ProvedRow,
  written: Written,
): ResolvedSection | undefined {
  const section = resolved?.ok === true ? resolved.sections.find(({ index }) => index === idx) : undefined;
  return section === undefined || section.set !== written.set ? undefined : withAdjustments(section, written);
}

/** Restores from its changes what was set without a template: on the page of a device, by a call, by a guided flow. */
function restoreWritten({ set, params = {}, changes = [] }: Written): ResolvedSection | undefined {
  const resource = set === undefined ? undefined : findResource(set);
  if (set === undefined || resource === undefined) return undefined;
  const value = changes.reduce<unknown>((whole, { path, to, list, sensitive }) => {
    if (sensitive === true) return whole;
    if (list !== undefined) return setAt(whole, list.path, list.to);
    // An item alone does not say what its list is to be.
    return path.includes('[') ? whole : setAt(whole, path, to ?? null);
  }, undefined);
  return value === undefined ? undefined : { ...BARE, set, resource, params, value };
}

/** A value that was brought within the limits of the device is agreed as it was written. */
function withAdjustments(section: ResolvedSection, { changes = [] }: Written): ResolvedSection {
  if (!section.clamp) return section;
  const numbers = changes.filter(({ path, to }) => typeof to === 'number' && !path.includes('['));
  return numbers.reduce(
    (adjusted, { path, to }) => ({ ...adjusted, value: setAt(adjusted.value, path, to) }),
    section,
  );
}

function unitKey(deviceId: string, jobId: string, idx: number): string {
  return JSON.stringify([deviceId, jobId, idx]);
}

interface UndoneRow {
  readonly id: string;
  readonly undo_of: string;
  readonly device_id: string;
  readonly idx: number;
  readonly body: string;
}

/** Reads which units were undone; each with the paths that went back, an empty one for the whole section. */
function readUndone(store: Store, ids: string): ReadonlyMap<string, readonly string[]> {
  const rows = store.all<UndoneRow>(
    `SELECT jobs.id AS id, undo_of, device_id, idx, body
     FROM job_devices JOIN jobs ON jobs.id = job_devices.job_id
       JOIN job_units ON job_units.job_id = job_devices.job_id AND job_units.position = job_devices.position
     WHERE device_id IN (SELECT value FROM json_each(?)) AND undo_of IS NOT NULL AND outcome IN ${PROVED}
     ORDER BY jobs.rowid DESC`,
    ids,
  );
  const undone = new Map<string, readonly string[]>();
  // The newest first: an undo that was itself undone takes nothing back.
  for (const { id, undo_of: undoOf, device_id: deviceId, idx, body } of rows) {
    if (undone.get(unitKey(deviceId, id, idx))?.includes('') === true) continue;
    const { only } = readOwnJson(body) as { readonly only?: { readonly path: string } };
    const key = unitKey(deviceId, undoOf, idx);
    undone.set(key, [...(undone.get(key) ?? []), only?.path ?? '']);
  }
  return undone;
}

function withoutUndone(part: AgreedPart, paths: readonly string[]): AgreedPart | undefined {
  if (paths.includes('')) return undefined;
  const section = paths.reduce(
    (left: ResolvedSection, path) => ({
      ...left,
      value: removeAt(left.value, path),
      change: (left.change ?? []).filter((change) => !isWithin(change.path, path)),
    }),
    part.section,
  );
  return { ...part, section };
}
