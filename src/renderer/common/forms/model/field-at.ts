import type { Field, Payload } from '../../../../protocol/definition.ts';
import { rootField } from '../../../../protocol/value.ts';
import { pathSteps } from '../../words/field-words.ts';

/** The definition of the field at a path of the payload; indices may be left out (`TimeBlockList.dayOfWeek`). */
export function fieldAtPath(payload: Payload, path: string): Field | undefined {
  let field: Field | undefined = rootField(payload);
  for (const step of pathSteps(path)) {
    if (field?.kind === 'list' && typeof step === 'number') {
      field = field.item;
      continue;
    }
    while (field?.kind === 'list') field = field.item;
    field =
      field?.kind === 'object' && typeof step === 'string'
        ? field.fields.find((inner) => inner.name === step)
        : undefined;
  }
  return field;
}
