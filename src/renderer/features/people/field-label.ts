import { changeLabel, sectionField, useFieldLabels } from '../../common/labels/field-labels.ts';

/** The setting that a person is. */
export const PERSON = 'accessControl.users.setUp';
/** What a file has in one column stands deeper in the document. */
const DEEPER: Readonly<Record<string, string>> = { planTemplateNo: 'RightPlan[0].planTemplateNo' };

/** The word for a member of a person; its name on the wire where nobody has a word for it. */
export function useFieldLabel(): (path: string) => string {
  const loaded = useFieldLabels();
  return (path) => {
    const at = DEEPER[path] ?? path;
    const label = sectionField(PERSON, at)?.label ?? path;
    const whole = changeLabel(loaded.value.words, PERSON, { path: at, label });
    return at === path ? whole : (whole.split(' › ').at(-1) ?? whole);
  };
}
