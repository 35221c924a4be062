/** Values of devices under keys that mean the same on another device and another day. */
import type { Params } from '#shared/model.ts';
import type { Block, Fact, SealedDocument, Value, DocumentText } from '#shared/report-document.ts';
import { findField, findOperation, findResource, toGeneralPath } from '#protocol/index.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import type { DeviceReading } from '../reading.ts';

export interface KeyedValue {
  readonly operation: string;
  readonly params: Params;
  /** Path in the payload; empty for a statement on the read as a whole. */
  readonly path: string;
  readonly label: DocumentText;
  readonly value: Value;
}
export type Keyed = ReadonlyMap<string, KeyedValue>;

/** Returns true for values that are set, as opposed to those that change by themselves. */
export function isSetting(operation: string): boolean {
  return operation.endsWith('.get') && findResource(operation.slice(0, -'.get'.length)) !== undefined;
}

/** Indexes what a device reports and answers: flags, and values of `wanted` operations. */
export function indexReading(reading: DeviceReading, wanted: (operation: string) => boolean): Keyed {
  const keyed = new Map<string, KeyedValue>();
  for (const { operation, params, facts } of reading.answers)
    if (facts !== undefined && wanted(operation)) addFacts(keyed, { operation, params }, facts);
  return keyed;
}

/** Flags of capability documents, and whether each read works. */
export function indexCapabilities({ flags, answers }: DeviceReading): Keyed {
  const keyed = new Map<string, KeyedValue>();
  for (const { operation, path, label, state } of flags) {
    const root = findOperation(operation)?.response?.root ?? operation;
    keyed.set(keyOf({ operation, params: {} }, path), {
      operation,
      params: {},
      path,
      label: { root, path, label },
      value: { mark: state },
    });
  }
  for (const { operation, params, mark } of answers)
    keyed.set(keyOf({ operation, params }, ''), {
      operation,
      params,
      path: '',
      label: { id: 'reports.answered' },
      value: { mark },
    });
  return keyed;
}

/** Indexes a hand-over document by the ids of its devices. Several blocks on the same place are merged. */
export function indexDocument({ document }: SealedDocument): ReadonlyMap<string, Keyed> {
  const devices = new Map<string, Map<string, { readonly place: Place; readonly facts: Fact[] }>>();
  const add = (
    device: string,
    { of, also = [] }: Pick<Facts, 'of' | 'also'>,
    facts: readonly Fact[],
  ): void => {
    if (of === undefined) return;
    const places = devices.get(device);
    for (const params of [of.params, ...also]) {
      const place = { operation: of.operation, params };
      const key = keyOf(place, '');
      const held = places?.get(key) ?? { place, facts: [] };
      places?.set(key, held);
      held.facts.push(...facts);
    }
  };
  for (const { device, devices: alike, blocks } of document.sections) {
    const named = device === undefined ? (alike ?? []) : [device];
    for (const id of named) if (!devices.has(id)) devices.set(id, new Map());
    for (const block of blocks.flatMap((each) => (each.block === 'group' ? each.blocks : [each]))) {
      if (block.block === 'facts') for (const id of block.devices ?? named) add(id, block, block.facts);
      if (block.block !== 'matrix') continue;
      for (const setting of block.settings)
        for (const [nth, { id }] of block.devices.entries()) {
          const { label, without = [] } = setting;
          if (!without.includes(id)) add(id, setting, [{ label, value: setting.values[nth] ?? null }]);
        }
    }
  }
  return new Map(
    [...devices].map(([device, places]) => {
      const keyed = new Map<string, KeyedValue>();
      for (const { place, facts } of places.values()) addFacts(keyed, place, facts);
      return [device, keyed];
    }),
  );
}

type Facts = Extract<Block, { readonly block: 'facts' }>;
type Place = Pick<KeyedValue, 'operation' | 'params'>;

function keyOf({ operation, params }: Place, path: string): string {
  return `${operation}\n${encodeCanonicalJson(params)}\n${path}`;
}

function addFacts(keyed: Map<string, KeyedValue>, place: Place, facts: readonly Fact[]): void {
  const paths = facts.flatMap(({ label }) =>
    typeof label === 'object' && 'root' in label && label.path !== undefined ? [label.path] : [],
  );
  const named = namesOfItems(place.operation, facts, paths);
  for (const { label, value } of facts) {
    if (typeof label !== 'object' || !('root' in label) || label.path === undefined) continue;
    // A reading says of a secret at most that it is set: nothing to compare.
    if (value !== null && typeof value === 'object' && 'isSet' in value) continue;
    const { operation, params } = place;
    keyed.set(keyOf(place, named(label.path)), { operation, params, path: label.path, label, value });
  }
}

/** Items of lists by what tells them apart instead of by their place: `Region[id=3]`; several with one name are counted. */
function namesOfItems(
  operation: string,
  facts: readonly Fact[],
  paths: readonly string[],
): (path: string) => string {
  const payload = findOperation(operation)?.response;
  if (payload === undefined || !paths.some((path) => path.includes('['))) return (path) => path;
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { label, value } of facts) {
    if (typeof label !== 'object' || !('root' in label) || label.path === undefined) continue;
    const item = /^(.*\[\d+\])\.([^.[\]]+)$/.exec(label.path);
    if (item === null) continue;
    const [, prefix = '', name = ''] = item;
    const list = findField(payload, toGeneralPath(prefix).replace(/\[\]$/, ''));
    if (list?.kind !== 'list' || list.key !== name) continue;
    const base = `${prefix.replace(/\[\d+\]$/, '')}[${name}=${encodeCanonicalJson(value)}`;
    const nth = (counts.get(base) ?? 0) + 1;
    counts.set(base, nth);
    names.set(prefix, nth === 1 ? `${base}]` : `${base}#${nth}]`);
  }
  return (path) => {
    for (let end = path.lastIndexOf(']'); end > 0; end = path.lastIndexOf(']', end - 1)) {
      const name = names.get(path.slice(0, end + 1));
      if (name !== undefined) return name + path.slice(end + 1);
    }
    return path;
  };
}
