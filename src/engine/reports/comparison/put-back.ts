/** Writes the template that sets a device as a hand-over document has it, where it differs today. */
import { extractSettable } from '#engine/template/capture/settable.ts';
import { escapeValue, formatTemplateAsJson } from '#engine/template/write/yaml-text.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { findResource, getSettingPath, isPlain, parsePath, type Resource } from '#protocol/index.ts';
import type { PutBack } from '#shared/reports.ts';
import type { Value } from '#shared/report-document.ts';
import { compare } from './compare.ts';
import type { Then } from './dates.ts';
import { indexReading, isSetting, type KeyedValue } from './keyed.ts';

/** Lists go back as a whole, single settings alone. Without a text there is nothing that could be put back. */
export function buildPutBack({ before, subject, name }: Then): PutBack {
  const reading = subject?.known.reading;
  if (before === undefined || reading === undefined) return { left: 0 };
  const asked = new Set([...before.values()].map(({ operation }) => operation));
  const now = new Map(
    [...indexReading(reading, isSetting)].filter(([, { operation }]) => asked.has(operation)),
  );
  const changed = compare(before, now).filter(
    ({ mark }) => mark === 'changed' || mark === 'gone' || mark === 'added',
  );
  const places = Map.groupBy(changed, ({ at: { operation, params } }) =>
    encodeCanonicalJson([operation, params]),
  );
  let left = 0;
  const sections = [...places.values()].flatMap((differences) => {
    const [{ at: { operation, params } } = changed[0] as (typeof changed)[number]] = differences;
    const resource = findResource(operation.slice(0, -'.get'.length));
    const wanted = new Set(differences.map(({ at }) => getSettingPath(at.path)));
    const own = [...before.values()].filter(
      (value) =>
        value.operation === operation && encodeCanonicalJson(value.params) === encodeCanonicalJson(params),
    );
    const value =
      resource &&
      extractSettable(resource.put.request, buildDocument(own, wanted), { params, segments: [] }).value;
    if (resource === undefined || value === undefined) {
      left += differences.length;
      return [];
    }
    left += differences.filter(({ at }) => !has(value, getSettingPath(at.path))).length;
    return [{ set: resource.name, ...paramsOf(resource, params), value: escapeValue(value) }];
  });
  if (sections.length === 0) return { left };
  return { left, templateText: formatTemplateAsJson(name, sections) };
}

function paramsOf(resource: Resource, params: KeyedValue['params']): object {
  const named = Object.entries(params).filter(([name]) =>
    resource.put.params.some((param) => param.name === name),
  );
  return named.length === 0 ? {} : { params: Object.fromEntries(named) };
}

function has(value: unknown, path: string): boolean {
  let at = value;
  for (const step of parsePath(path)) {
    if (!isPlain(at) || !Object.hasOwn(at, String(step))) return false;
    at = at[String(step)];
  }
  return true;
}

/** Builds the document of the values that the paths name. */
function buildDocument(values: readonly KeyedValue[], wanted: ReadonlySet<string>): unknown {
  const root: Record<string, unknown> = {};
  for (const { path, value } of values) {
    const raw = toRaw(value);
    if (raw === undefined || !wanted.has(getSettingPath(path))) continue;
    const steps = parsePath(path);
    let at = root as Record<string | number, unknown>;
    steps.forEach((step, nth) => {
      if (nth === steps.length - 1) at[step] = raw;
      else
        at = (at[step] ??= typeof steps[nth + 1] === 'number' ? [] : {}) as Record<string | number, unknown>;
    });
  }
  return root;
}

/** Returns the value as the device has it; undefined for what no document shows whole. */
function toRaw(value: Value): string | number | boolean | undefined {
  if (typeof value === 'string') return value;
  if (value === null) return undefined;
  if ('number' in value) return value.number;
  if ('yes' in value) return value.yes;
  return 'option' in value ? value.option : undefined;
}
