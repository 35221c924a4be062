/** Groups of fields that several payloads share, and ways to turn a group into another form of it. */
import type { Constraints } from '../capability/types.ts';
import { choice, flag, int, list, object, type Field } from '../definition.ts';

/**
 * The same fields as the device returns them: everything inside is read-only, and conditions, which
 * say what may be written, no longer apply.
 */
export function makeReadOnly<const F extends readonly Field[]>(fields: F): F {
  return fields.map(asReturned) as unknown as F;
}

function asReturned(field: Field): Field {
  const { when: _condition, ...rest } = field;
  const marked = { ...rest, readOnly: true } as Field;
  if (marked.kind === 'object') return { ...marked, fields: marked.fields.map(asReturned) };
  if (marked.kind === 'list') return { ...marked, item: asReturned(marked.item) };
  return marked;
}

/** Read-only flags from `[name, label]` pairs: capability reports (part 1, 2.1; part 3, 2.7). */
export function defineReportedFlags<const N extends string>(pairs: readonly (readonly [N, string])[]) {
  return pairs.map(([name, label]) => flag<N>(name, label, { readOnly: true }));
}

/** Weekday by number, Monday first (part 1, 2.8; part 3, 2.3). */
export const WEEKDAYS = [
  [1, 'Monday'],
  [2, 'Tuesday'],
  [3, 'Wednesday'],
  [4, 'Thursday'],
  [5, 'Friday'],
  [6, 'Saturday'],
  [7, 'Sunday'],
] as const;

/** Weekday by name (part 3, 2.4). */
export const WEEKDAY_NAMES = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** Paths of the size of the normalized plane (part 3, 2.1, 2.6). */
export const PLANE_WIDTH = 'normalizedScreenSize.normalizedScreenWidth';
export const PLANE_HEIGHT = 'normalizedScreenSize.normalizedScreenHeight';

/** The size of the plane as a document shows it, in a group of its own or at its root. */
export function findPlaneLimits(found: Constraints): Constraints {
  const sides = [PLANE_WIDTH, PLANE_HEIGHT].map(
    (path) => [path, found.get(path) ?? found.get(path.slice(path.indexOf('.') + 1))] as const,
  );
  return new Map(sides.flatMap(([path, side]) => (side === undefined ? [] : [[path, side] as const])));
}

/** A point on the normalized plane, origin at the bottom left (part 3, 2.1, 2.6). */
export const point = [
  int('positionX', 'X', {
    min: 0,
    max: 1000,
    maxAt: PLANE_WIDTH,
    help: 'From the left edge; the plane is 1000 wide unless the device reports another width.',
  }),
  int('positionY', 'Y', {
    min: 0,
    max: 1000,
    maxAt: PLANE_HEIGHT,
    help: 'From the bottom edge; the plane is 1000 high unless the device reports another height.',
  }),
] as const;

/** Condition of a slot that is not set up: devices list such regions too, without name and corners. */
export const UNUSED_SLOT = [{ path: '^.enabled', oneOf: [false], absentAs: false }] as const;

/** The corners of a region: 3 to 10 points (part 3, 2.1, 2.6 and 8). */
export const regionCoordinatesList = list(
  'RegionCoordinatesList',
  'Corners',
  object('RegionCoordinates', 'Corner', point),
  {
    minItems: 3,
    maxItems: 10,
    emptyWhen: UNUSED_SLOT,
    help: 'Between 3 and 10 corners, counted from the bottom left of the picture.',
  },
);

/** Reported size of the normalized plane (part 3, 2.6, 2.7). */
export const normalizedScreenSize = object('normalizedScreenSize', 'Normalized screen size', [
  int('normalizedScreenWidth', 'Normalized width', { help: '1000 is usual.' }),
  int('normalizedScreenHeight', 'Normalized height', { help: '1000 is usual.' }),
]);

/** A colour by its three parts (part 3, 2.7). */
export const rgb = [int('R', 'Red'), int('G', 'Green'), int('B', 'Blue')] as const;

/** `enable` and `disable` where the wire does not use a boolean (part 2, 2.12). */
export function enableDisable<const N extends string>(name: N, label: string) {
  return choice(name, label, [
    ['enable', 'Enabled'],
    ['disable', 'Disabled'],
  ]);
}
