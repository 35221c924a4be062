import { changeLabel, sectionField, useFieldLabels } from '../../common/labels/field-labels.ts';

/** The word for a member of a person; its name on the wire where nobody has a word for it. */
export function useFieldLabel(): (path: string) => string {
  const loaded = useFieldLabels();
  return (path) =>
    changeLabel(loaded.value.words, 'accessControl.users.setUp', {
      path,
      label: sectionField('accessControl.users.setUp', path)?.label ?? path,
    });
}
