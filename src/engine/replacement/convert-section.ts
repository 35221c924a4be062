/**
 * One section of a saved state on its way to another device: what that device does not know is lost,
 * what it limits is moved inside its limits where that makes sense. Pure.
 */
import { createDetail, type Detail } from '#shared/details.ts';
import {
  findConstraint,
  findField,
  convertAndRound,
  isPlain,
  isWithin,
  appendIndex,
  joinPath,
  listFieldLeaves,
  narrow,
  getOwn,
  getParentPath,
  removeAt,
  rootField,
  setAt,
  findUnitWord,
  getValueAt,
  type Constraints,
  type Field,
  type Issue,
  type NumberField,
  type Payload,
  type UnitFrom,
} from '#protocol/index.ts';
import { clampIssue } from '../planning/pure/clamp.ts';
import { computeDesiredState, type DeviceState } from '../planning/pure/desired.ts';
import { judge } from '../planning/pure/judge.ts';

export interface Conversion {
  /** Value that can be set; undefined if nothing remains. */
  readonly value: unknown;
  readonly converted: readonly {
    readonly path: string;
    readonly from: unknown;
    readonly to: unknown;
    readonly reasons: readonly Detail[];
  }[];
  /** An empty path: all of it. */
  readonly lost: readonly {
    readonly path: string;
    readonly from: unknown;
    readonly reasons: readonly Detail[];
  }[];
}

/** State and limits of the other device. */
interface OtherDevice {
  readonly state: DeviceState;
  /** Absent: it reports no limits for this. */
  readonly constraints?: Constraints;
}

/** Every round takes something away or moves it inside limits, so this is never reached by a sound document. */
const MOST_ROUNDS = 500;
const UNKNOWN_TO_IT = createDetail('not-on-device');

export function convertSection(payload: Payload, value: unknown, other: OtherDevice): Conversion {
  const work = new Work(payload, value, other);
  work.moveUnits();
  work.dropUnknown(rootField(payload), value, other.state.value, '');
  work.fitLimits();
  return { value: work.value, converted: [...work.converted.values()], lost: work.lost };
}

class Work {
  value: unknown;
  readonly converted = new Map<string, Conversion['converted'][number]>();
  lost: Conversion['lost'] = [];
  readonly #payload: Payload;
  readonly #original: unknown;
  readonly #other: OtherDevice;

  constructor(payload: Payload, value: unknown, other: OtherDevice) {
    this.#payload = payload;
    this.#original = value;
    this.value = value;
    this.#other = other;
  }

  moveUnits(): void {
    const counted = countedIn(this.#payload, this.value);
    const moved = new Map(counted.map(({ unitFrom }) => [unitFrom.path, this.#moveOf(unitFrom)]));
    for (const { field, path, number, unitFrom } of counted) {
      const move = moved.get(unitFrom.path);
      if (move !== undefined)
        this.#convert(
          path,
          convertAndRound(field, number, { unitFrom, ...move }),
          createDetail('unit-moved', move),
        );
    }
    for (const [path, move] of moved) {
      const isChosen =
        getValueAt(this.value, path) !== undefined && getValueAt(this.#other.state.value, path) !== undefined;
      if (move !== undefined && isChosen)
        this.#convert(path, move.to, createDetail('unit-not-offered', { from: move.from }));
    }
  }

  /** The unit that the numbers have to move to; undefined where they may stay, or the saved unit is not known. */
  #moveOf(unitFrom: UnitFrom): { readonly from: string; readonly to: string } | undefined {
    const { path, absent } = unitFrom;
    const from = findUnitWord(unitFrom, this.#original);
    if (from === undefined) return undefined;
    const there = getValueAt(this.#other.state.value, path);
    const field = findField(this.#payload, path);
    const offered = field?.kind === 'choice' ? optionsOf(this.#narrowed(field, path)) : undefined;
    // The unit that was saved is written with the numbers.
    if (
      there !== undefined &&
      getValueAt(this.#original, path) !== undefined &&
      offered?.includes(from) !== false
    )
      return undefined;
    const to = findUnitWord(unitFrom, this.#other.state.value) ?? absent;
    return to === from ? undefined : { from, to };
  }

  /** Drops fields that the device neither shows nor reports limits for. Inside lists its limits decide. */
  dropUnknown(field: Field, value: unknown, shown: unknown, path: string): void {
    if (field.kind !== 'object' || !isPlain(value)) return;
    for (const inner of field.fields) {
      const held = getOwn(value, inner.name);
      if (held === undefined) continue;
      const at = joinPath(path, inner.name);
      const there = isPlain(shown) ? getOwn(shown, inner.name) : undefined;
      if (there === undefined && inner.kind !== 'list' && !this.#isReported(at))
        this.#lose(at, UNKNOWN_TO_IT);
      else this.dropUnknown(inner, held, there, at);
    }
  }

  fitLimits(): void {
    for (let round = 0; this.value !== undefined && round < MOST_ROUNDS; round += 1) {
      const [issue] = judge(
        this.#payload,
        this.#other.state,
        computeDesiredState(this.#payload, this.value, this.#other.state),
        this.#other.constraints,
      );
      if (issue === undefined) return;
      this.#fit(issue);
    }
  }

  #fit(issue: Issue): void {
    const path = nearestHeld(this.value, issue.path);
    if (path === issue.path) {
      const clamped = clampIssue(this.#payload, this.value, issue);
      if (clamped !== undefined) {
        this.#convert(path, clamped.adjustment.given, clamped.adjustment.detail);
        return;
      }
      const held = getValueAt(this.value, path);
      const { max: most = Infinity, options = [] } = issue.allowed ?? {};
      if (Array.isArray(held) && held.length > most) {
        this.#lose(appendIndex(path, held.length - 1), createDetail('device-takes-entries', { max: most }));
        return;
      }
      const option = mappedOption(held, options);
      if (option !== undefined) {
        this.#convert(path, option, createDetail('device-offers', { options: options.join(', ') }));
        return;
      }
    }
    this.#lose(
      path,
      issue.code === 'missing-field'
        ? createDetail('not-without', { field: issue.path })
        : (issue.detail ?? createDetail('not-allowed-there')),
    );
  }

  #convert(path: string, to: unknown, reason: Detail): void {
    const earlier = this.converted.get(path);
    const from = getValueAt(this.#original, path);
    this.value = setAt(this.value, path, to);
    this.converted.set(path, { path, from, to, reasons: [...(earlier?.reasons ?? []), reason] });
  }

  #lose(path: string, reason: Detail): void {
    // Values converted inside this one are lost as well.
    for (const known of this.converted.keys()) if (isWithin(known, path)) this.converted.delete(known);
    this.lost = [
      ...this.lost.filter((known) => !isWithin(known.path, path)),
      { path, from: getValueAt(this.value, path), reasons: [reason] },
    ];
    this.value = removeAt(this.value, path);
  }

  #narrowed(field: Field, path: string): Field {
    return this.#other.constraints === undefined ? field : narrow(field, path, this.#other.constraints);
  }

  #isReported(path: string): boolean {
    const { constraints } = this.#other;
    if (constraints === undefined) return false;
    return (
      findConstraint(constraints, path) !== undefined ||
      [...constraints.keys()].some((known) => isWithin(known, path))
    );
  }
}

interface Counted {
  readonly field: NumberField;
  readonly unitFrom: UnitFrom;
  readonly path: string;
  readonly number: number;
}

/** The numbers in a value that count in a unit named beside them. */
function countedIn(payload: Payload, whole: unknown): readonly Counted[] {
  return listFieldLeaves(rootField(payload), whole).flatMap(({ field, path, value }) =>
    'unitFrom' in field && field.unitFrom !== undefined && typeof value === 'number'
      ? [{ field, unitFrom: field.unitFrom, path, number: value }]
      : [],
  );
}

/**
 * Returns the path itself, or the nearest one around it that exists in the value; empty for the whole value.
 */
function nearestHeld(value: unknown, path: string): string {
  return getValueAt(value, path) === undefined ? nearestHeld(value, getParentPath(path)) : path;
}

function optionsOf(field: Field): readonly unknown[] | undefined {
  return field.kind === 'choice' ? field.options.map(({ value }) => value) : undefined;
}

/** The same word in another spelling, or the nearest number: nothing else can be said to mean the same. */
function mappedOption(
  value: unknown,
  options: readonly (string | number | boolean)[],
): string | number | boolean | undefined {
  if (typeof value === 'string') {
    const plain = (text: unknown): string =>
      String(text)
        .toLowerCase()
        .replace(/[\s_-]/g, '');
    return options.find((option) => plain(option) === plain(value));
  }
  const numbers = options.filter((option) => typeof option === 'number');
  if (typeof value !== 'number' || numbers.length !== options.length) return undefined;
  return numbers.toSorted((a, b) => Math.abs(a - value) - Math.abs(b - value))[0];
}
