import { changeLabel, sectionField, useFieldWords } from '../../common/words/field-words.ts';

/** The word for a member of a person; its name on the wire where nobody has a word for it. */
export function useFieldLabel(): (path: string) => string {
  const loaded = useFieldWords();
  return (path) =>
    changeLabel(loaded.value.words, 'accessControl.users.setUp', {
      path,
      label: sectionField('accessControl.users.setUp', path)?.label ?? path,
    });
}
