/** Templates that set what drifted back to what was agreed: devices with equal differences share one. */
import type { DeviceAgreement, DriftedSetting, PutRight } from '#shared/agreement.ts';
import { getValueAt, setAt } from '#protocol/index.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { escapeValue, formatTemplateAsJson } from '../template/write/yaml-text.ts';
import { extractSettable } from '../template/capture/settable.ts';
import { compareText, encodeCanonicalJson } from '../text/canonical-json.ts';
import type { AgreedSection } from './agreed-sections.ts';
import { layOver } from './find-drift.ts';
import { getSectionKey } from '../template/document.ts';

/** Settings that no template may set are left out; a device with nothing else gets no template. */
export function buildPutRight(
  name: string,
  devices: readonly DeviceAgreement[],
  agreed: ReadonlyMap<string, readonly AgreedSection[]>,
): readonly PutRight[] {
  const byText = new Map<string, string[]>();
  for (const { deviceId, differences } of devices) {
    const places = new Map(
      agreed.get(deviceId)?.map((section) => [getSectionKey(section.set, section.params), section]),
    );
    const parts = new Map(
      differences.flatMap((one) => {
        const change = findListPart(places.get(getSectionKey(one.set, one.params)), one.path);
        return change === undefined ? [] : [[one, change] as const];
      }),
    );
    const sections = [
      ...buildSections(
        differences.filter((one) => !parts.has(one)),
        ({ agreed: value }) => value,
      ).map(({ set, params, value }) => ({ set, params, value: escapeValue(value) })),
      ...[...parts].map(([{ set, params, path }, change]) => ({ set, params, change: { [path]: change } })),
    ];
    if (sections.length === 0) continue;
    const text = formatTemplateAsJson(
      name,
      sections.map(({ params, ...section }) => ({
        ...section,
        ...(Object.keys(params).length === 0 ? {} : { params }),
      })),
    );
    byText.set(text, [...(byText.get(text) ?? []), deviceId]);
  }
  return [...byText].map(([templateText, deviceIds]) => ({ templateText, deviceIds }));
}

/** Returns all that was agreed for a device, as a template without secrets: the same text for the same agreement. */
export function formatAgreed(name: string, agreed: readonly AgreedSection[]): string | undefined {
  const sections = agreed
    .map(({ set, resource, params, parts }) => {
      const value = parts.reduce<unknown>((whole, { section }) => layOver(whole, section.value), undefined);
      return {
        set,
        params,
        value: extractSettable(resource.put.request, value, { params, segments: [] }).value,
      };
    })
    .filter(({ value }) => value !== undefined)
    .map(({ value, ...section }) => ({ ...section, value: escapeValue(value) }))
    .sort((a, b) => compareText(getSectionKey(a.set, a.params), getSectionKey(b.set, b.params)));
  if (sections.length === 0) return undefined;
  return formatTemplateAsJson(name, readOwnJson(encodeCanonicalJson(sections)) as readonly object[]);
}

/**
 * Returns the items of a list of which only these were agreed, so that the others stay as they are; undefined where the
 * list was agreed as a whole, or in several parts.
 */
function findListPart(section: AgreedSection | undefined, path: string): object | undefined {
  const own = section?.parts.filter(({ section: { value } }) => getValueAt(value, path) !== undefined) ?? [];
  const [only] = own;
  const change = only?.section.change?.find((one) => one.path === path);
  if (only === undefined || own.length > 1 || change === undefined || path === '') return undefined;
  return {
    keep: 'others',
    missing: change.missing,
    items: escapeValue(getValueAt(only.section.value, path)),
  };
}

/** Groups settings by their section, with the value that `read` gives for each; those without one are left out. */
export function buildSections(
  settings: readonly DriftedSetting[],
  read: (setting: DriftedSetting) => unknown,
): readonly (Pick<DriftedSetting, 'set' | 'params'> & { readonly value: unknown })[] {
  const places = Map.groupBy(
    settings.filter((setting) => read(setting) !== undefined),
    ({ set, params }) => getSectionKey(set, params),
  );
  return [...places.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const value = own.reduce<unknown>(
      (built, setting) => setAt(built, setting.path, read(setting)),
      undefined,
    );
    return [{ set: first.set, params: first.params, value }];
  });
}
