/** How a list is best laid before a person: as a plane, a week, a table or cards. */
import type { Field, ListField } from '#protocol/definition.ts';
import { findWeekShape } from '#protocol/week-shape.ts';
import { joinPath } from '#protocol/fields/path.ts';

type ListShape = 'region' | 'week' | 'table' | 'cards';

/** One column of a table: a simple field, perhaps inside a group of the entry. */
export interface Column {
  /** Relative to the entry; `''` where the entry itself is a simple value. */
  readonly path: string;
  readonly field: Field;
  /** Fields from the entry to this one, for the heading. */
  readonly holders: readonly Field[];
}

const MOST_COLUMNS = 5;

export function listShape(field: ListField): ListShape {
  if (isRegion(field)) return 'region';
  if (findWeekShape(field) !== undefined) return 'week';
  return findColumns(field.item) === undefined ? 'cards' : 'table';
}

/** Corners of a region on the normalized plane. */
export function isRegion(field: ListField): boolean {
  return (
    field.item.kind === 'object' &&
    field.item.fields.length === 2 &&
    field.item.fields[0]?.name === 'positionX' &&
    field.item.fields[1]?.name === 'positionY'
  );
}

/** Columns of a table for entries of this form; undefined where a table would hide or squeeze something. */
export function findColumns(item: Field): readonly Column[] | undefined {
  const columns = flatten(item, '', []);
  return columns === undefined || columns.length > MOST_COLUMNS ? undefined : columns;
}

function flatten(field: Field, path: string, holders: readonly Field[]): readonly Column[] | undefined {
  if (field.kind === 'list' || field.kind === 'opaque') return undefined;
  if (field.kind !== 'object') return [{ path, field, holders }];
  const columns: Column[] = [];
  for (const inner of field.fields) {
    if (inner.when !== undefined) return undefined;
    const found = flatten(inner, joinPath(path, inner.name), path === '' ? [] : [...holders, field]);
    if (found === undefined) return undefined;
    columns.push(...found);
  }
  return columns.length === 0 ? undefined : columns;
}
