/** One section as a template, so that a write from the workspace is planned, journalled, read back and can be undone. */
import type { Field, Payload } from '#protocol/definition.ts';
import { isPlain, getOwn } from '#protocol/value.ts';
import type { Params } from '#shared/model.ts';
import { rootField } from '#protocol/fields/field-at.ts';

export interface WriteTemplate {
  readonly text: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** The template as JSON, which is YAML; secrets become variables and never stand in its text. */
export function writeTemplate(section: {
  readonly set: string;
  readonly label: string;
  readonly params: Params;
  readonly payload: Payload;
  readonly patch: unknown;
}): WriteTemplate {
  const secrets: Record<string, string> = {};
  const value = literal(rootField(section.payload), section.patch, secrets);
  const variables = Object.fromEntries(Object.keys(secrets).map((name) => [name, { type: 'secret' }]));
  const document = {
    fieldwright: 'template/1',
    name: section.label,
    ...(Object.keys(variables).length > 0 && { variables }),
    sections: [
      {
        set: section.set,
        ...(Object.keys(section.params).length > 0 && { params: escaped(section.params) }),
        value,
      },
    ],
  };
  return { text: JSON.stringify(document, null, 2), secrets };
}

function literal(field: Field | undefined, value: unknown, secrets: Record<string, string>): unknown {
  if (value === null || value === undefined) return value;
  if (field?.sensitive === true) {
    const name = `secret${Object.keys(secrets).length + 1}`;
    secrets[name] = String(value);
    return `\${${name}}`;
  }
  if (Array.isArray(value))
    return value.map((item: unknown) =>
      literal(field?.kind === 'list' ? field.item : undefined, item, secrets),
    );
  if (isPlain(value)) {
    return Object.fromEntries(
      Object.keys(value).map((name) => [
        name,
        literal(
          field?.kind === 'object' ? field.fields.find((inner) => inner.name === name) : undefined,
          getOwn(value, name),
          secrets,
        ),
      ]),
    );
  }
  return escaped(value);
}

/** `${` in a text that is meant as it stands. */
function escaped(value: unknown): unknown {
  // A function: in a replacement text `$$` would stand for one dollar.
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  return isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]))
    : value;
}
