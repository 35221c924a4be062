import type { Detail } from '#shared/details.ts';
import { describeDetail } from './detail-text.ts';
import { changeLabel, findSectionField, useFieldLabels } from './field-labels.ts';

/** The setting that a person is. */
export const PERSON = 'accessControl.users.setUp';
/** Paths of members that are one column in a file and lie deeper in the document. */
const DEEPER: Readonly<Record<string, string>> = { planTemplateNo: 'RightPlan[0].planTemplateNo' };
/** Values of details that name members of a person, separated by commas. */
const NAMES = ['field', 'fields', 'name'];

/** Returns the label of a member of a person, or its name on the wire if it has no label. */
export function useFieldLabel(): (path: string) => string {
  const loaded = useFieldLabels();
  return (path) => {
    const at = DEEPER[path] ?? path;
    const label = findSectionField(PERSON, at)?.label ?? path;
    const whole = changeLabel(loaded.value.fields, PERSON, { path: at, label });
    return at === path ? whole : (whole.split(' › ').at(-1) ?? whole);
  };
}

/** Returns the sentence of a detail about people; members of a person are called as on the screen. */
export function formatPersonSentence(detail: Detail): string | undefined {
  const label = useFieldLabel();
  const values = Object.entries(detail.values ?? {}).map(([key, value]) => [
    key,
    NAMES.includes(key) && typeof value === 'string' ? value.split(', ').map(label).join(', ') : value,
  ]);
  return describeDetail({ ...detail, values: Object.fromEntries(values) as Detail['values'] });
}
