/** Fields of a device's document as fields that a person fills in, and back. */
import {
  findField,
  listFieldsBelow,
  isSensitiveAt,
  narrow,
  rootField,
  setAt,
  getValueAt,
  type Constraints,
  type Field,
  type Payload,
} from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Change } from '#shared/model.ts';
import type { FlowField, Values } from '../flow.ts';

interface DeviceFieldsOptions {
  readonly limits?: Constraints;
  readonly held?: unknown;
  readonly wanted?: (path: string) => boolean;
}

/** Builds a field for each single value that is no secret; their names are its paths. */
export function buildDeviceFields(
  payload: Payload,
  { limits = new Map(), held, wanted = () => true }: DeviceFieldsOptions,
): readonly FlowField[] {
  return listFieldsBelow(rootField(payload)).flatMap(({ field, path }) =>
    isSensitiveAt(payload, path) || !wanted(path)
      ? []
      : flowField(payload, narrow(field, path, limits), path, getValueAt(held, path)),
  );
}

function flowField({ root = '' }: Payload, field: Field, path: string, held: unknown): readonly FlowField[] {
  const common = {
    name: path,
    label: { root, path, label: field.label },
    ...removeUndefined({ required: field.required, value: held ?? undefined, help: field.help }),
  };
  switch (field.kind) {
    case 'bool':
      // A required flag of a flow must be yes; a device's may be either.
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
        {
          ...common,
          kind: 'number',
          min: field.min,
          max: field.max,
          unit: field.unit,
        },
      ];
    case 'string':
      return [
        {
          ...common,
          kind: 'text',
          minLength: field.minLength,
          maxLength: field.maxLength,
        },
      ];
    default:
      return [];
  }
}

/** Builds a document of what was answered; what is as in `held` is not in it. */
export function buildAnswerDocument(values: Values, held?: unknown): Values {
  return Object.entries(values).reduce<Values>(
    (document, [path, value]) =>
      held !== undefined && getValueAt(held, path) === value
        ? document
        : (setAt(document, path, value) as Values),
    {},
  );
}

/** Lists what would be sent, line by line. */
export function listFieldChanges(payload: Payload, values: Values): readonly Change[] {
  return Object.entries(values).map(([path, to]) => ({
    path,
    label: findField(payload, path)?.label ?? path,
    to,
  }));
}
