/**
 * Changes of a template after which a section is no longer blocked: the one table, which the screen offers as buttons and
 * the command line as hints.
 */
import {
  findField,
  getControllerPath,
  getValueAt,
  joinPath,
  namePath,
  type Issue,
  type Payload,
} from '#protocol/index.ts';
import type { ErrorCode, ErrorShape } from '#shared/errors.ts';
import type { PlanFix } from '#shared/model.ts';
import type { ResolvedSection } from '#engine/template/document.ts';
import { locateInSection } from '#template/list-change.ts';
import { clampIssue } from './clamp.ts';

interface Blocked {
  readonly section: ResolvedSection;
  readonly payload: Payload;
  /** The section's value with whole lists. */
  readonly patch: unknown;
}
type Fixer = (issue: Issue, blocked: Blocked) => readonly PlanFix[];

/** Fixes by the code of what blocks. A code that is not here needs a person to decide about the value. */
const FIXES: Readonly<Partial<Record<ErrorCode, Fixer>>> = {
  'out-of-range': (issue, { section, payload, patch }) =>
    section.clamp || clampIssue(payload, patch, issue) === undefined
      ? []
      : [{ kind: 'clamp', path: 'clamp', value: true }],
  'condition-not-met': setControllers,
  'not-allowed': (issue, blocked) => {
    if (issue.detail?.id === 'device-lacks-key') return addMissing(issue, blocked);
    const controllers = setControllers(issue, blocked);
    return controllers.length > 0 ? controllers : followController(issue, blocked);
  },
};

/** Returns the fixes of a blocked section, each once, in the order of what blocks it. */
export function findFixes(issues: readonly Issue[], blocked: Blocked): readonly PlanFix[] {
  const fixes = issues.flatMap((issue) => FIXES[issue.code]?.(issue, blocked) ?? []);
  return fixes.filter(({ path }, index) => fixes.findIndex((fix) => fix.path === path) === index);
}

/** Returns the fix of a section that the device does not have. */
export function findAbsentFixes(
  section: ResolvedSection,
  { code }: Pick<ErrorShape, 'code'>,
): readonly PlanFix[] {
  return section.optional || code !== 'not-supported'
    ? []
    : [{ kind: 'optional', path: 'optional', value: true }];
}

/** Sets the fields on which the field of the issue depends, unless the template names them itself. */
function setControllers({ path }: Issue, { section, payload }: Blocked): readonly PlanFix[] {
  if (isInPart(section, path)) return [];
  const { when = [], freeWhile } = findField(payload, path) ?? {};
  if (getValueAt(section.value, path) === undefined) return [];
  return [...when, ...(freeWhile === undefined ? [] : [freeWhile])].flatMap((condition) => {
    const controller = getControllerPath(condition, path);
    const [value] = condition.oneOf;
    return value !== undefined && getValueAt(section.value, controller) === undefined
      ? [setField(payload, controller, value)]
      : [];
  });
}

/** Gives a field the one value that another, which the template sets, leaves it. */
function followController({ path, detail }: Issue, { section, payload }: Blocked): readonly PlanFix[] {
  const fixed = detail?.id === 'fixed-emissivity' ? detail.values?.['fixed'] : undefined;
  return typeof fixed !== 'number' || isInPart(section, path) ? [] : [setField(payload, path, fixed)];
}

function addMissing({ path }: Issue, { section: { change = [] } }: Blocked): readonly PlanFix[] {
  return [{ kind: 'add', path: joinPath(locateInSection(change, path), 'missing'), value: 'add' }];
}

function setField(payload: Payload, path: string, value: PlanFix['value']): PlanFix {
  const label = namePath(payload, path, { items: undefined });
  return { kind: 'set', path: joinPath('value', path), value, field: path, label };
}

/** Returns true inside a list that is changed in part: its positions are those of the device, not of the template. */
function isInPart({ change = [] }: ResolvedSection, path: string): boolean {
  return change.some((list) => path === list.path || path.startsWith(`${list.path}[`));
}
