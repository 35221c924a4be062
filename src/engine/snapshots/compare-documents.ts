/** Compares documents of a device at two times, and finds the way back to the earlier one. */
import type { Change } from '#shared/model.ts';
import type { Restore, SnapshotDifference, SnapshotDocument } from '#shared/snapshots.ts';
import {
  computeChanges,
  decode,
  findResource,
  getSettingPath,
  getValueAt,
  setAt,
  type Resource,
} from '#protocol/index.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { extractSettable } from '../template/capture/settable.ts';
import { escapeValue, formatTemplateAsJson } from '../template/write/yaml-text.ts';

interface Comparison {
  readonly settings: readonly { readonly path: string; readonly changes: readonly Change[] }[];
  /** Value of the second document. */
  readonly value: unknown;
}

/** Returns what a document is a setting of; undefined where it cannot be set. */
export function findDocumentResource({
  operation,
}: Pick<SnapshotDocument, 'operation'>): Resource | undefined {
  return operation.endsWith('.get') ? findResource(operation.slice(0, -'.get'.length)) : undefined;
}

/** Returns the value of a document of a setting; undefined where it cannot be read. */
export function readDocumentValue({ get }: Resource, text: string): unknown {
  try {
    return get.response === undefined ? undefined : decode(get.response, text).value;
  } catch {
    return undefined;
  }
}

/** Returns no difference where one of the documents cannot be read; secrets are never compared. */
export function compareDocuments(resource: Resource, before: string, after: string): Comparison {
  const payload = resource.get.response;
  if (payload === undefined || before === after) return { settings: [], value: undefined };
  try {
    const { value } = decode(payload, after);
    const changes = computeChanges(resource.put.request, decode(payload, before).value, value).filter(
      ({ sensitive }) => sensitive !== true,
    );
    const settings = [...Map.groupBy(changes, ({ path }) => getSettingPath(path))];
    return { settings: settings.map(([path, own]) => ({ path, changes: own })), value };
  } catch {
    return { settings: [], value: undefined };
  }
}

type Compared = SnapshotDifference & { readonly resource: Resource; readonly value: unknown };

function compareAll(
  before: readonly SnapshotDocument[],
  after: readonly SnapshotDocument[],
): readonly Compared[] {
  const later = new Map(after.map((document) => [placeOf(document), document]));
  return before.flatMap((document) => {
    const resource = findDocumentResource(document);
    const other = later.get(placeOf(document));
    if (resource === undefined || other === undefined) return [];
    const { settings, value } = compareDocuments(resource, document.text, other.text);
    const head = { set: resource.name, label: resource.get.label, params: document.params };
    return settings.map((setting) => ({ ...head, ...setting, resource, value }));
  });
}

function placeOf({ operation, params }: SnapshotDocument): string {
  return encodeCanonicalJson([operation, params]);
}

/** Lists the settings that differ between two times; documents that were not seen at both are left out. */
export function compareSnapshots(
  before: readonly SnapshotDocument[],
  after: readonly SnapshotDocument[],
): readonly SnapshotDifference[] {
  return compareAll(before, after).map(({ resource: _resource, value: _value, ...difference }) => difference);
}

/** Builds the template that leads from what a device shows now to what it showed then. */
export function buildRestore(
  name: string,
  now: readonly SnapshotDocument[],
  then: readonly SnapshotDocument[],
): Restore {
  const settable = compareAll(now, then).map(({ resource, params, path, value, set }) => {
    const alone = setAt(undefined, path, getValueAt(value, path));
    const picked = extractSettable(resource.put.request, alone, { params, segments: [] }).value;
    return { set, params, path, value: getValueAt(picked, path) };
  });
  const places = Map.groupBy(
    settable.filter(({ value }) => value !== undefined),
    ({ set, params }) => encodeCanonicalJson([set, params]),
  );
  const sections = [...places.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const value = own.reduce<unknown>((whole, one) => setAt(whole, one.path, one.value), undefined);
    const params = Object.keys(first.params).length === 0 ? {} : { params: first.params };
    return [{ set: first.set, ...params, value: escapeValue(value) }];
  });
  return {
    ...(sections.length > 0 && { templateText: formatTemplateAsJson(name, sections) }),
    left: settable.filter(({ value }) => value === undefined).length,
  };
}
