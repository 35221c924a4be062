/** Fields of a device's document as fields that a person fills in, and back. */
import {
  fieldAt,
  fieldsBelow,
  isSensitiveAt,
  narrow,
  rootField,
  setAt,
  valueAt,
  type Constraints,
  type Field,
  type Payload,
} from '#protocol/index.ts';
import { defined } from '#shared/defined.ts';
import type { Change } from '#shared/model.ts';
import type { FlowField, Values } from '../flow.ts';

interface DeviceFieldsOptions {
  /** What the device takes. */
  readonly limits?: Constraints;
  /** What it has now. */
  readonly held?: unknown;
  readonly wanted?: (path: string) => boolean;
}

/** One for each single value that is no secret; their names are its paths. */
export function deviceFields(
  payload: Payload,
  { limits = new Map(), held, wanted = () => true }: DeviceFieldsOptions,
): readonly FlowField[] {
  return fieldsBelow(rootField(payload)).flatMap(({ field, path }) =>
    isSensitiveAt(payload, path) || !wanted(path)
      ? []
      : flowField(payload, narrow(field, path, limits), path, valueAt(held, path)),
  );
}

function flowField({ root = '' }: Payload, field: Field, path: string, held: unknown): readonly FlowField[] {
  const common = {
    name: path,
    label: { root, path, label: field.label },
    ...defined({ required: field.required, value: held ?? undefined, help: field.help }),
  };
  switch (field.kind) {
    case 'bool':
      // Of a flow, a required flag is a yes; a device's may be either.
      return [{ ...common, kind: 'flag', required: false, value: held ?? false }];
    case 'choice':
      return [
        {
          ...common,
          kind: 'choice',
          options: field.options.map(({ value, label }) => ({
            value,
            label: { root, path, option: String(value), label },
          })),
        },
      ];
    case 'int':
    case 'float':
      return [
        { ...common, kind: 'number', ...defined({ min: field.min, max: field.max, unit: field.unit }) },
      ];
    case 'string':
      return [
        {
          ...common,
          kind: 'text',
          ...defined({ minLength: field.minLength, maxLength: field.maxLength }),
        },
      ];
    default:
      return [];
  }
}

/** A document of what was answered; what is as in `held` is not in it. */
export function documentOf(values: Values, held?: unknown): Values {
  return Object.entries(values).reduce<Values>(
    (document, [path, value]) =>
      held !== undefined && valueAt(held, path) === value
        ? document
        : (setAt(document, path, value) as Values),
    {},
  );
}

/** What would be sent, line by line. */
export function changesOf(payload: Payload, values: Values): readonly Change[] {
  return Object.entries(values).map(([path, to]) => ({
    path,
    label: fieldAt(payload, path)?.label ?? path,
    to,
  }));
}
