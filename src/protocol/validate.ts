/**
 * Checks values against the specification and, given its capabilities, against one device, before
 * anything is sent. Issues name path and limit, never a sensitive value.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import { findNearestName } from './nearest.ts';
import { resolveLimits } from './capability/limits-for.ts';
import { narrow, findConstraint } from './capability/narrow.ts';
import type { Constraints } from './capability/types.ts';
import type { Condition, Field, ListField, ObjectField, Payload, PeriodsPerDay } from './definition.ts';
import { getTypeName } from './codec/scalar.ts';
import { resolveUnit } from './units.ts';
import { checkLeaf } from './validate-leaf.ts';
import { issueOf, type Issue } from './issue.ts';
import { getControllerName, locateController, getDecidingValue, findFirstUnmet } from './fields/condition.ts';
import { rootField } from './fields/field-at.ts';
import { appendIndex, joinPath, parsePath } from './fields/path.ts';
import { getMember, getValueAt } from './fields/values.ts';
import { isPlain, getOwn, type Plain } from './value.ts';

export interface ValidateOptions {
  /**
   * Mode of validation. `patch`: only present values are checked, `null` removes, read-only fields are
   * refused, and conditions count if their controlling field is in the patch too. `whole`: required fields
   * and all conditions count, with defaults for absent values; read-only fields pass, since an object that
   * was read is written back with them.
   */
  readonly mode: 'whole' | 'patch';
  /** Limits of one device: what both allow is allowed. */
  readonly constraints?: Constraints;
  /**
   * Patch that limits the report: only issues about what it names are reported, since a device's own oddities
   * are not its fault.
   */
  readonly touched?: unknown;
}

/**
 * Maximum number of unknown names for which the nearest known name is looked up: that costs far more than the
 * complaint itself.
 */
const NEAREST_SOUGHT = 200;

interface Check {
  readonly mode: ValidateOptions['mode'];
  readonly constraints: Constraints | undefined;
  readonly root: unknown;
  readonly issues: Issue[];
}
/** Every complaint about `value`; none where it may be sent. */
export function validate(payload: Payload, value: unknown, options: ValidateOptions): readonly Issue[] {
  const constraints = resolveLimits(payload, value, options.constraints);
  const check: Check = { mode: options.mode, constraints, root: value, issues: [] };
  const field = rootField(payload);
  checkField(field, value, { path: '', holders: [], open: options.mode === 'whole' ? 0 : Infinity, check });
  if (check.issues.length === 0 && isPlain(value)) checkRules(payload, value, check);
  return options.touched === undefined
    ? check.issues
    : check.issues.filter((issue) => isTouched(issue.path, options.touched));
}

interface At {
  readonly path: string;
  /** The objects from the field's holder outwards. */
  readonly holders: readonly Plain[];
  /**
   * How many of the outermost holders a device may complete. Of the others everything is known: required fields and
   * conditions count there, in all of a whole value and in items of a patch that nothing else may complete.
   */
  readonly open: number;
  readonly check: Check;
}

function checkField(given: Field, value: unknown, at: At): void {
  const { check, path } = at;
  if (
    given.emptyWhen !== undefined &&
    (value === '' || (Array.isArray(value) && value.length === 0)) &&
    unmet(given.emptyWhen, at) === undefined
  )
    return;
  const specified = resolveUnit(given, check.root, check.mode);
  const field =
    check.constraints === undefined ? withoutDevice(specified) : narrow(specified, path, check.constraints);
  if (field.kind === 'object') {
    checkObject(field, value, at);
    return;
  }
  if (field.kind === 'list') {
    checkList(field, value, at);
    return;
  }
  if (field.kind === 'opaque') {
    if (!isPlain(value)) check.issues.push(wrongType(field, path));
    return;
  }
  const only = check.constraints && findConstraint(check.constraints, path)?.options;
  const issue = checkLeaf(field, value, path, only);
  if (issue !== undefined) check.issues.push(issue);
}

function checkObject(field: ObjectField, value: unknown, at: At): void {
  const { path, check } = at;
  if (!isPlain(value)) {
    check.issues.push(wrongType(field, path));
    return;
  }
  for (const name of Object.keys(value)) {
    if (field.fields.some((inner) => inner.name === name)) continue;
    const inner = joinPath(path, name.slice(0, 100));
    const nearest =
      check.issues.length < NEAREST_SOUGHT
        ? findNearestName(
            name,
            field.fields.map((inner) => inner.name),
          )
        : undefined;
    check.issues.push(
      removeUndefined({
        ...issueOf('unknown-field', inner, createDetail('not-known', { field: inner })),
        nearest,
      }),
    );
  }
  const holders = [value, ...at.holders];
  for (const inner of field.fields) {
    const held = getOwn(value, inner.name);
    const place: At = { ...at, path: joinPath(path, inner.name), holders };
    if (held === undefined || (held === null && isWhole(at))) checkAbsent(inner, place);
    else if (held === null) checkRemoval(inner, place);
    else checkPresent(inner, held, place);
  }
}

/** A highest value that a device may report is unknown without one. */
function withoutDevice(field: Field): Field {
  if (!('maxAt' in field)) return field;
  const { max: _usual, ...open } = field;
  return open;
}

function checkAbsent(field: Field, at: At): void {
  if (!isWhole(at) || !field.required || field.readOnly || unmet(field.when, at) !== undefined) return;
  at.check.issues.push(issueOf('missing-field', at.path, createDetail('is-required', { field: at.path })));
}

function checkRemoval(field: Field, at: At): void {
  if (field.required)
    at.check.issues.push(issueOf('missing-field', at.path, createDetail('stays', { field: at.path })));
  else if (field.readOnly) at.check.issues.push(readOnly(at.path));
}

function checkPresent(field: Field, value: unknown, at: At): void {
  const { check, path } = at;
  if (field.readOnly && check.mode === 'patch') {
    check.issues.push(readOnly(path));
    return;
  }
  const condition = unmet(field.when, at);
  if (condition !== undefined) {
    check.issues.push(
      issueOf(
        'condition-not-met',
        path,
        createDetail('counts-only-when', {
          field: path,
          controller: getControllerName(condition),
          values: condition.oneOf.map(String).join(', '),
        }),
      ),
    );
    return;
  }
  checkField(field, value, at);
}

/** The first condition that does not hold; one whose field a patch leaves alone is not judged. */
function unmet(conditions: readonly Condition[] | undefined, { holders, open }: At): Condition | undefined {
  return findFirstUnmet(conditions, (condition) => {
    const held = getDecidingValue(condition, holders);
    const { outwards } = locateController(condition);
    const isKnown = (outwards || holders.length) <= holders.length - open;
    return held === undefined && !isKnown ? undefined : { held };
  });
}

function isWhole({ open }: At): boolean {
  return Number.isFinite(open);
}

function checkList(field: ListField, value: unknown, at: At): void {
  const { path, check } = at;
  if (!Array.isArray(value)) {
    check.issues.push(wrongType(field, path));
    return;
  }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  if (value.length < minItems || value.length > maxItems) {
    const about = { field: path || 'The list', count: value.length };
    const detail =
      maxItems === Number.POSITIVE_INFINITY
        ? createDetail('needs-entries-from', { ...about, min: minItems })
        : minItems === 0
          ? createDetail('needs-entries-up-to', { ...about, max: maxItems })
          : createDetail('needs-entries', { ...about, min: minItems, max: maxItems });
    check.issues.push({
      ...issueOf('out-of-range', path, detail),
      allowed: { min: minItems, ...(maxItems !== Number.POSITIVE_INFINITY && { max: maxItems }) },
    });
  }
  value.forEach((item: unknown, index) => {
    const inner = appendIndex(path, index);
    if (item === undefined || item === null) check.issues.push(wrongType(field.item, inner));
    else
      checkField(field.item, item, {
        ...at,
        path: inner,
        open: check.mode === 'whole' ? 0 : isNamed(field, item) ? Infinity : at.holders.length,
      });
  });
  const crowded =
    field.perDay === undefined || field.perDay.usual ? undefined : describeOverfullDay(value, field.perDay);
  if (crowded !== undefined) check.issues.push(issueOf('not-allowed', path, crowded));
}

/** The complaint where one day has more periods than it may. */
export function describeOverfullDay(
  items: readonly unknown[],
  { day, most }: PeriodsPerDay,
): Detail | undefined {
  const counts = new Map<unknown, number>();
  for (const item of items) {
    const on = getValueAt(item, day);
    if (on !== undefined) counts.set(on, (counts.get(on) ?? 0) + 1);
  }
  return [...counts.values()].some((count) => count > most)
    ? createDetail('too-many-a-day', { most })
    : undefined;
}

/** Such an item of a patch may be merged into the one that a device has, which then holds the rest. */
function isNamed({ key }: ListField, item: unknown): boolean {
  return key !== undefined && isPlain(item) && (getOwn(item, key) ?? undefined) !== undefined;
}

function checkRules(payload: Payload, value: Plain, check: Check): void {
  const counts = ({ path }: Issue): boolean =>
    check.mode === 'whole' || getMember(value, parsePath(path)[0] ?? '') !== undefined;
  check.issues.push(...findBrokenRules(payload, value).filter(counts));
}

/** Complaints of the payload's rules between fields, also where something else is wrong with the value. */
export function findBrokenRules(payload: Payload, value: Plain): readonly Issue[] {
  return listComplaints(payload, value, false).map(({ path, complaint }) =>
    issueOf('not-allowed', path, complaint),
  );
}

/** Returns the complaints of rules that forbid something, or of those that only warn. */
export function listComplaints(
  payload: Payload,
  value: Plain,
  warns: boolean,
): readonly { readonly path: string; readonly complaint: Detail }[] {
  return (payload.rules ?? [])
    .filter((rule) => (rule.warns ?? false) === warns)
    .flatMap(({ path, check }) => {
      const complaint = check(value);
      return complaint === undefined ? [] : [{ path, complaint }];
    });
}

function wrongType(field: Field, path: string): Issue {
  return issueOf(
    'wrong-type',
    path,
    createDetail('needs-type', { field: path || 'The value', takes: getTypeName(field) }),
  );
}

function readOnly(path: string): Issue {
  return issueOf('read-only-field', path, createDetail('read-only', { field: path }));
}

/** True where the patch names the path, something inside it, or an array around it. */
function isTouched(path: string, patch: unknown): boolean {
  let at: unknown = patch;
  for (const step of parsePath(path)) {
    if (Array.isArray(at) || at === null) return true;
    if (!isPlain(at)) return at !== undefined;
    at = getMember(at, step);
  }
  return at !== undefined;
}
