/** Values to JSON text, in the specification's order. */
import { say } from '#shared/details.ts';
import type { Field, ObjectField } from '../definition.ts';
import { joinPath } from '../fields/path.ts';
import { isPlain, getOwn } from '../value.ts';
import { createUnwritableError } from './problems.ts';
import { writeScalar, createWrongTypeError } from './scalar.ts';

/** How nested parts are laid out: `line` is the line end with the indentation of the holder. */
export interface JsonLayout {
  readonly line: string;
  readonly unit: string;
  /** White space between colon and value. */
  readonly space: string;
}

/** JSON text of a value; throws `wrong-type` for one that is none of this field. */
export function buildJson(field: Field, value: unknown, path: string, layout: JsonLayout): string {
  if (field.kind === 'object') return buildObject(field, value, path, layout);
  if (field.kind === 'list') {
    if (!Array.isArray(value)) throw createWrongTypeError(field, path);
    const inner = { ...layout, line: layout.line === '' ? '' : layout.line + layout.unit };
    return bracket(
      '[]',
      value.map((item: unknown, index) => buildJson(field.item, item, `${path}[${index}]`, inner)),
      layout,
    );
  }
  if (field.kind === 'opaque') return opaqueText(value, path);
  return formatLeaf(field, value, path);
}

function buildObject(holder: ObjectField, value: unknown, path: string, layout: JsonLayout): string {
  if (!isPlain(value)) throw createWrongTypeError(holder, path);
  const inner = { ...layout, line: layout.line === '' ? '' : layout.line + layout.unit };
  const parts = holder.fields.flatMap((field) => {
    const held = getOwn(value, field.name);
    if (held === undefined || held === null) return [];
    return [
      `${JSON.stringify(field.name)}:${layout.space}${buildJson(field, held, joinPath(path, field.name), inner)}`,
    ];
  });
  return bracket('{}', parts, layout);
}

function bracket(pair: '{}' | '[]', parts: readonly string[], layout: JsonLayout): string {
  if (parts.length === 0) return pair;
  const lead = layout.line === '' ? '' : layout.line + layout.unit;
  return `${pair[0]}${lead}${parts.join(`,${lead === '' ? layout.space : lead}`)}${layout.line}${pair[1]}`;
}

/** A single value: quoted where its type is text. */
export function formatLeaf(field: Field, value: unknown, path: string): string {
  const text = writeScalar(field, value, path);
  return typeof value === 'string' ? JSON.stringify(text) : text;
}

function opaqueText(value: unknown, path: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined)
    throw createUnwritableError('wrong-type', path, say('not-writable', { field: path }));
  return text;
}
