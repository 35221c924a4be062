/** Separates what several devices show into what is the same in all of them and what differs. */
import type { Block, DocumentText, Fact, Matrix } from '#shared/report-document.ts';
import type { Params } from '#shared/model.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { describeOperation, formatParamRanges } from '../document.ts';

/** Facts of one device under a title: the answer to a read with its parameters, or what a record or the journal has. */
export interface Told {
  readonly title: DocumentText;
  /** Channel, preset and the like, in words. */
  readonly where: DocumentText | null;
  readonly of?: { readonly operation: string; readonly params: Params };
  readonly facts: readonly Fact[];
  readonly omitted?: number;
}

interface Device {
  readonly id: string;
  readonly name: string;
}
interface ToldOnce {
  readonly common: readonly Told[];
  /** Lists that differ, each different one with the devices that have it. */
  readonly lists: readonly { readonly devices: readonly string[]; readonly told: readonly Told[] }[];
  readonly matrices: readonly Matrix[];
}

/** Compares the devices entry by entry; `told` has the entries of each, in the order of `devices`. */
export function separateShared(devices: readonly Device[], told: readonly (readonly Told[])[]): ToldOnce {
  const common: Told[] = [];
  const lists: { readonly devices: readonly string[]; readonly told: Told }[] = [];
  const settings: { readonly told: Told; readonly setting: Setting }[] = [];
  for (const entries of alignByKey(told, keyOf)) {
    const shown = entries.find((entry) => entry !== undefined);
    if (shown === undefined) continue;
    const facts: Fact[] = [];
    for (const part of splitIntoParts(entries)) {
      const shared = shareFacts(part.facts);
      if (shared !== undefined) facts.push(...shared);
      else if (part.isList)
        for (const [own, ids] of groupDevices(devices, part.facts))
          lists.push({ devices: ids, told: { ...shown, facts: own } });
      else settings.push({ told: shown, setting: compareSetting(devices, part.facts) });
    }
    const isSameInAll = entries.every((entry) => entry?.facts.length === 0);
    const omitted = Math.max(0, ...entries.map((entry) => entry?.omitted ?? 0));
    if (facts.length > 0 || isSameInAll || omitted > 0)
      common.push({ ...shown, facts, ...(omitted > 0 && { omitted }) });
  }
  const byDevices = Map.groupBy(lists, ({ devices: ids }) => ids.join('\n'));
  return {
    common,
    lists: [...byDevices.values()].map((group) => ({
      devices: group[0]?.devices ?? [],
      told: group.map((one) => one.told),
    })),
    matrices: buildMatrices(devices, settings),
  };
}

type Setting = Omit<Matrix['settings'][number], 'also' | 'where'>;

function keyOf({ title, where, of }: Told): string {
  return encodeCanonicalJson(of ?? [title, where]);
}

/** Aligns the items of several lists by their keys, in the order in which they appear; undefined where a list has none. */
function alignByKey<T>(
  lists: readonly (readonly T[])[],
  key: (item: T) => string,
): readonly (T | undefined)[][] {
  const rows = new Map<string, (T | undefined)[]>();
  lists.forEach((list, nth) => {
    const counts = new Map<string, number>();
    for (const item of list) {
      const name = key(item);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const own = `${name} ${count}`;
      const row = rows.get(own) ?? Array.from<T | undefined>({ length: lists.length });
      row[nth] = item;
      rows.set(own, row);
    }
  });
  return [...rows.values()];
}

interface Part {
  readonly isList: boolean;
  readonly facts: readonly (readonly Fact[])[];
}

/** Splits entries into single settings, and lists, which are compared as a whole. */
function splitIntoParts(entries: readonly (Told | undefined)[]): readonly Part[] {
  const own = entries.map((entry) => entry?.facts ?? []);
  const parts = new Map<string, { isList: boolean; facts: Fact[][] }>();
  own.forEach((facts, nth) => {
    for (const fact of facts) {
      const list = listOf(fact);
      const key = list ?? encodeCanonicalJson([fact.label, fact.proof ?? null]);
      const part = parts.get(key) ?? { isList: list !== undefined, facts: own.map(() => []) };
      part.facts[nth]?.push(fact);
      parts.set(key, part);
    }
  });
  return [...parts.values()];
}

/** Returns the path of the list that the fact is in. */
function listOf({ label }: Fact): string | undefined {
  const path = typeof label === 'object' && 'root' in label ? (label.path ?? '') : '';
  const end = path.indexOf('[');
  return end < 0 ? undefined : path.slice(0, end + 1);
}

/** Values that say that something is not as it was written: which device it is must not be lost. */
const TELLING: ReadonlySet<string> = new Set(['reports.changed-after', 'reports.read-before']);

/** Returns the facts if all devices have the same; undefined if not. */
function shareFacts(facts: readonly (readonly Fact[])[]): readonly Fact[] | undefined {
  const [first = []] = facts;
  const values = (own: readonly Fact[]): string =>
    encodeCanonicalJson(own.map(({ label, value, proof }) => [label, value, proof ?? null]));
  const sources = (own: readonly Fact[]): string =>
    encodeCanonicalJson(own.map(({ source }) => source ?? null));
  if (first.length === 0 || facts.some((own) => values(own) !== values(first))) return undefined;
  if (facts.every((own) => sources(own) === sources(first))) return first;
  if (facts.flat().some(isTelling)) return undefined;
  return first.map((fact, at) =>
    facts.every(
      (own) => encodeCanonicalJson(own[at]?.source ?? null) === encodeCanonicalJson(fact.source ?? null),
    )
      ? fact
      : { ...fact, source: { id: 'reports.several-sources' } },
  );
}

function isTelling({ source }: Fact): boolean {
  return typeof source === 'object' && 'id' in source && TELLING.has(source.id);
}

function groupDevices(
  devices: readonly Device[],
  facts: readonly (readonly Fact[])[],
): readonly (readonly [facts: readonly Fact[], ids: readonly string[]])[] {
  const groups = Map.groupBy(devices.keys(), (nth) => encodeCanonicalJson(facts[nth] ?? []));
  return [...groups.values()].flatMap((all) => {
    const own = facts[all[0] ?? 0] ?? [];
    return own.length === 0 ? [] : [[own, all.map((nth) => devices[nth]?.id ?? '')] as const];
  });
}

function compareSetting(devices: readonly Device[], facts: readonly (readonly Fact[])[]): Setting {
  const all = facts.flat();
  const [{ label, proof } = { label: '' }] = all;
  const without = devices.flatMap(({ id }, nth) => (facts[nth]?.length === 0 ? [id] : []));
  const sources = facts.map(([fact]) => fact?.source ?? '');
  const isOne = new Set(all.map(({ source }) => encodeCanonicalJson(source ?? null))).size <= 1;
  const source = all[0]?.source;
  return {
    label,
    values: facts.map(([fact]) => fact?.value ?? null),
    proof,
    ...(without.length > 0 && { without }),
    ...(isOne ? source !== undefined && { sources: [source] } : { sources }),
  };
}

/** Builds a matrix for each read, in which channels with the same values are one line. */
function buildMatrices(
  devices: readonly Device[],
  settings: readonly { readonly told: Told; readonly setting: Setting }[],
): readonly Matrix[] {
  const byTitle = Map.groupBy(settings, ({ told: { of, title } }) =>
    encodeCanonicalJson(of?.operation ?? title),
  );
  return [...byTitle.values()].map((own): Matrix => {
    const lines = Map.groupBy(own, ({ told: { of, where }, setting }) =>
      encodeCanonicalJson([setting, of === undefined ? where : null]),
    );
    const [{ told } = { told: undefined }] = own;
    return {
      block: 'matrix',
      title: told?.of === undefined ? (told?.title ?? '') : describeOperation(told.of.operation),
      devices: [...devices],
      settings: [...lines.values()].flatMap((alike) => {
        const [first] = alike;
        if (first === undefined) return [];
        const { of, where: named } = first.told;
        const places = alike.flatMap(({ told: { of: one } }): Params[] =>
          one === undefined ? [] : [one.params],
        );
        const where = of === undefined ? named : formatParamRanges(of.operation, places);
        return [
          {
            ...first.setting,
            ...(of !== undefined && { of }),
            ...(places.length > 1 && { also: places.slice(1) }),
            ...(where !== null && { where }),
          },
        ];
      }),
    };
  });
}

/** Lists the identities of devices that share a section, which tell one unit from another. */
export function buildIdentityMatrix(
  devices: readonly Device[],
  settings: readonly { readonly label: DocumentText; readonly values: readonly (string | null)[] }[],
): readonly Block[] {
  const known = settings.filter(({ values }) => values.some((value) => value !== null));
  return known.length === 0
    ? []
    : [{ block: 'matrix', title: { id: 'reports.identity' }, devices: [...devices], settings: known }];
}
