/** The specification was read twice: for the client's definitions and for the site's table. Here the two are compared. */
import { describe, expect, it } from 'vitest';
import { operations } from '#protocol/catalogue.ts';
import type { Field, Payload } from '#protocol/definition.ts';
import { OPERATIONS } from '#simulator/specification/operations.ts';
import { readShapes, type Shape } from '#simulator/specification/shape.ts';

const FROM_ANY = Number.NEGATIVE_INFINITY;
const TO_ANY = Number.POSITIVE_INFINITY;

/** `path kind required least most`, one a field, in order. */
function ofClient(payload: Payload): readonly string[] {
  const xml = payload.format === 'xml';
  const visit = (field: Field, path: string, inList = false): string[] => {
    const where = `${path}${field.name}`;
    const required = field.required === true && !inList && field.when === undefined ? ' required' : '';
    const flags = `${required}${field.readOnly ? ' read-only' : ''}`;
    switch (field.kind) {
      case 'object':
        return [`${where} object${flags}`, ...field.fields.flatMap((part) => visit(part, `${where}.`))];
      case 'list': {
        const items = xml
          ? visit(field.item, field.bare ? path : `${where}.`, true)
          : visit({ ...field.item, name: field.name } as Field, path, true).slice(
              field.item.kind === 'object' ? 1 : 0,
            );
        return xml && field.bare ? items : [`${where} ${xml ? 'object' : 'list'}${flags}`, ...items];
      }
      case 'choice':
        return [
          typeof field.options[0]?.value === 'number' && !isWords(field.name)
            ? `${where} number 1..${field.options.length}${flags}`
            : `${where} ${field.options.map(({ value }) => value).join('|')}${flags}`,
        ];
      case 'int':
      case 'float':
        return [
          `${where} number ${field.min ?? FROM_ANY}..${field.maxAt ? TO_ANY : (field.max ?? TO_ANY)}${flags}`,
        ];
      case 'string':
        return [
          field.csv
            ? `${where} text 0..${TO_ANY}${flags}`
            : `${where} text ${field.minLength ?? 0}..${field.maxLength ?? TO_ANY}${flags}`,
        ];
      case 'bool':
      case 'opaque':
        return [`${where} ${field.kind}${flags}`];
      default:
        return [`${where} time${flags}`];
    }
  };
  return [
    ...(payload.rootItem ? visit(payload.rootItem, '', true) : []),
    ...payload.fields.flatMap((field) => visit(field, '')),
  ];
}

/** Choices that are numbers in the client's definitions and options in the table, because they have gaps. */
function isWords(name: string): boolean {
  return name === 'iterationTimes' || name === 'keyLen';
}

function ofSite(shapes: readonly Shape[], format: 'xml' | 'json'): readonly string[] {
  const visit = (shape: Shape, path: string): string[] => {
    const where = `${path}${shape.name}`;
    const flags = `${shape.required ? ' required' : ''}${shape.readOnly ? ' read-only' : ''}`;
    const list = format === 'json' && shape.repeats ? [`${where} list${flags}`] : [];
    const own = list.length > 0 ? '' : flags;
    const { type } = shape;
    if (type === undefined)
      return [
        ...(list.length > 0 ? list : [`${where} object${own}`]),
        ...shape.parts.flatMap((part) => visit(part, `${where}.`)),
      ];
    switch (type.kind) {
      case 'text':
        return [...list, `${where} text ${type.length.min}..${type.length.max}${own}`];
      case 'int':
      case 'float':
        return [...list, `${where} number ${type.range.min}..${type.range.max}${own}`];
      case 'options':
        return [...list, `${where} ${type.options.join('|')}${own}`];
      case 'numbers':
        return [...list, `${where} text 0..${TO_ANY}${own}`];
      case 'bool':
        return [...list, `${where} bool${own}`];
      case 'free':
        return [...list, `${where} opaque${own}`];
      default:
        return [...list, `${where} time${own}`];
    }
  };
  return shapes.flatMap((shape) => visit(shape, ''));
}

describe('the two readings of the specification', () => {
  // Would catch: an operation that was forgotten, renamed, moved, listed twice or in another order than the specification's.
  it('know the same operations at the same addresses', () => {
    const client = operations.map(({ id, method, path, format }) => ({ id, method, path, format }));
    const own = OPERATIONS.map(({ id, method, path, format }) => ({
      id,
      method,
      path: `/API${path}`,
      format,
    }));

    expect(client).toEqual(own);
    expect(new Set(client.map(({ id }) => id)).size).toBe(104);
  });

  // Would catch: a body kept in clear in the log of requests although it may hold a password or a fingerprint.
  it('agree about what is secret and what is not shown', () => {
    const client = operations.filter(({ sensitive }) => sensitive).map(({ id }) => id);
    const unshown = operations.filter(({ specified }) => !specified).map(({ id }) => id);

    expect(
      OPERATIONS.filter(({ isSecret }) => isSecret)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(client.sort());
    expect(
      OPERATIONS.filter(({ isShown }) => !isShown)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(unshown.sort());
  });

  it.each(OPERATIONS.filter(({ body }) => body).map((operation) => [operation.id, operation] as const))(
    'agree about the body of %s',
    (id, { body, format }) => {
      const payload = operations.find((operation) => operation.id === id)?.request;

      expect([payload?.root, payload?.version]).toEqual([body?.root, body?.version]);
      const [own, client] = [ofSite(body?.shapes ?? [], format), payload ? ofClient(payload) : []];
      // the members of a JSON object have no order
      expect(format === 'xml' ? own : [...own].sort()).toEqual(
        format === 'xml' ? client : [...client].sort(),
      );
    },
  );

  it('refuses a line of the table that cannot be read', () => {
    expect(() => readShapes('one text\n  *broken')).toThrow(/cannot be read/);
  });
});
