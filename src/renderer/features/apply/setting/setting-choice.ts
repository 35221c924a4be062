/** Settings to choose one from, and the template that sets it. */
import type { Field } from '#protocol/definition.ts';
import { resources, type Resource } from '#protocol/catalogue.ts';
import { rootField } from '#protocol/fields/field-at.ts';
import { isExpectedArea, sortAreas } from '#protocol/kinds.ts';
import { getPartKey } from '#protocol/list-parts.ts';
import { getUsualParam } from '#protocol/variable-of.ts';
import type { DeviceKind, Params } from '#shared/model.ts';
import { TEMPLATE_FORMAT } from '#template/grammar.ts';
import { createFirstItems } from '#renderer/common/forms/lists/first-items.ts';
import { isInterfaceId } from '#renderer/common/forms/model/interface-id.ts';
import { getFieldLabel } from '#renderer/common/forms/model/form-labels.ts';
import { NEW_PART, writeParts, type FormParts } from '#renderer/common/forms/templates/form-parts.ts';
import { addWithControllers, getInitialValue } from '#renderer/common/forms/templates/template-form.ts';
import { getSectionLabel, type FieldLabels } from '#renderer/common/labels/field-labels.ts';

export interface Setting {
  readonly id: string;
  readonly resource: Resource;
  readonly field: Field;
  /** Path in the section's value; '' for a list that is the whole document. */
  readonly path: string;
  readonly label: string;
  readonly section: string;
  /** False for areas that devices of these kinds do not have. */
  readonly isExpected: boolean;
}

/** Every setting that a template can set, those of the kinds' own areas first. */
export function listSettings(words: FieldLabels, kinds: readonly DeviceKind[]): readonly Setting[] {
  const all = resources.flatMap((resource): readonly Setting[] => {
    const { name, put } = resource;
    const root = rootField(put.request);
    const section = getSectionLabel(words, name, put.label);
    const isExpected = isExpectedArea(put.area, kinds);
    const toSetting = (field: Field, path: string): Setting => ({
      id: `${name} ${path}`,
      resource,
      field,
      path,
      label: path === '' ? section : getFieldLabel(words, put.request.root ?? put.id, path, field),
      section: path === '' ? '' : section,
      isExpected,
    });
    return root.kind === 'list'
      ? [toSetting(root, '')]
      : root.fields
          .filter(
            (field) => field.readOnly !== true && field.sensitive !== true && !isInterfaceId(field, 'any'),
          )
          .map((field) => toSetting(field, field.name));
  });
  const areas = sortAreas(kinds);
  const rankOf = ({ resource }: Setting): number => areas.indexOf(resource.put.area);
  return all.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Words of a search, in any order; all settings without one. */
export function findSettings(settings: readonly Setting[], search: string): readonly Setting[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ label, section, resource, path, field }) => {
    const text = `${label} ${section} ${resource.name} ${path} ${field.label}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Returns the first content of the form of a setting: a list with a key is changed in part. */
export function beginSetting({ field, path, resource }: Setting): {
  readonly value: unknown;
  readonly parts: FormParts;
  readonly params: Params;
} {
  const isPart = field.kind === 'list' && getPartKey(field) !== undefined;
  const initial = isPart
    ? []
    : field.kind === 'list'
      ? createFirstItems(field, path, undefined)
      : getInitialValue(field);
  return {
    value: path === '' ? initial : addWithControllers(field, path, { value: {}, initial }),
    parts: isPart ? { [path]: NEW_PART } : {},
    params: Object.fromEntries(resource.put.params.map((param) => [param.name, getUsualParam(param)])),
  };
}

/** Text of a template with this one section. JSON is YAML, and every value is written as it is. */
export function buildSettingTemplate(
  name: string,
  { resource }: Setting,
  { value, parts, params }: ReturnType<typeof beginSetting>,
): string {
  const written = writeParts(resource.put.request, { value, parts });
  const section = {
    set: resource.name,
    ...(Object.keys(params).length > 0 && { params }),
    ...(written.value !== undefined && { value: written.value }),
    ...(written.change !== undefined && { change: written.change }),
  };
  return `${JSON.stringify({ fieldwright: TEMPLATE_FORMAT, name, sections: [section] }, null, 2)}\n`;
}
