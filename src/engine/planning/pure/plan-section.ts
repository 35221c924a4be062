/** One section of a template against one device: what would change, or why it cannot. */
import {
  mayCutOff,
  toKindValues,
  type Constraints,
  findField,
  getControllerPath,
  getValueAt,
  joinPath,
  namePath,
  type Issue,
  type Payload,
} from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import type { ErrorShape, ErrorCode } from '#shared/errors.ts';
import type { PlanSection, PlanFix } from '#shared/model.ts';
import type { ResolvedSection } from '#engine/template/document.ts';
import { issueError } from '#engine/template/check/issues.ts';
import { completeLists } from './complete-lists.ts';
import { clampIssue, type Adjustment } from './clamp.ts';
import { computeDesiredState, type Desired, type DeviceState } from './desired.ts';
import { listCautions, judge } from './judge.ts';
import { warnOfUnshown } from './unshown-secrets.ts';
import { locateInSection } from '#template/list-change.ts';

export type SectionRead =
  | {
      readonly kind: 'state';
      readonly state: DeviceState;
      /** SHA-256 of the document as read. */ readonly sha256: string;
    }
  | { readonly kind: 'unsupported'; readonly error: ErrorShape }
  /** The device answered, but refused to show it. */
  | { readonly kind: 'refused'; readonly error: ErrorShape };

export interface ReportedLimits {
  /** Limits of the section; undefined if the report has no place for them, or none that can be read. */
  readonly constraints?: Constraints;
  /** A report is there and cannot be read: what else limits the device is unknown. */
  readonly unread?: ErrorShape;
}

export interface SectionPlan {
  readonly plan: PlanSection;
  /** The patch as it will be applied: with whole lists, clamped where that was allowed. */
  readonly patch: unknown;
  /** Present where the device could be read and nothing blocks. */
  readonly desired?: Desired;
}

/** A number may run into several limits in turn (specification, then device). */
const CLAMP_ROUNDS = 4;

/** Pure: the result depends on its arguments alone. `known` spares a merge that was made before. */
export function planSection(
  section: ResolvedSection,
  read: SectionRead,
  { constraints, unread }: ReportedLimits,
  device: string,
  known?: Desired,
): SectionPlan {
  if (read.kind !== 'state') return { plan: unreadable(section, read), patch: section.value };
  const payload = section.resource.put.request;

  const complete = completeLists(section, read.state);
  let { patch } = complete;
  let desired = known ?? computeDesiredState(payload, patch, read.state);
  let issues = judge(payload, read.state, desired, constraints);
  const adjustments = new Map<string, Adjustment>();
  for (let round = 0; section.clamp && issues.length > 0 && round < CLAMP_ROUNDS; round += 1) {
    for (const issue of issues) {
      const clamped = clampIssue(payload, patch, issue);
      if (clamped === undefined) continue;
      patch = clamped.patch;
      const first = adjustments.get(issue.path);
      adjustments.set(issue.path, { ...clamped.adjustment, asked: first?.asked ?? clamped.adjustment.asked });
    }
    desired = computeDesiredState(payload, patch, read.state);
    issues = judge(payload, read.state, desired, constraints);
  }

  const context = { operation: section.resource.put.id, device };
  const blocking = [...complete.issues, ...issues].filter((issue) => !complete.open.has(issue.path));
  const problems = blocking.map((issue) => issueError(payload, issue, context));
  const fixes = findFixes(blocking, { section, payload, patch });
  const blocked = problems.length > 0;
  const state = blocked
    ? 'blocked'
    : desired.changes.length === 0
      ? 'unchanged'
      : adjustments.size > 0
        ? 'adjusted'
        : 'changes';
  const unshown = warnOfUnshown(payload, desired, context);
  const warnings: readonly ErrorShape[] = blocked
    ? []
    : [
        ...listCautions(payload, desired, constraints).map((issue) => issueError(payload, issue, context)),
        ...(unread === undefined ? [] : [unread]),
        ...(unshown === undefined ? [] : [unshown]),
      ];
  const plan: PlanSection = {
    ...head(section),
    state,
    changes: desired.changes,
    ...(desired.lost.length === 0 ? {} : { lost: desired.lost }),
    adjustments: [...adjustments.values()],
    problems,
    ...(fixes.length > 0 && { fixes }),
    ...(warnings.length > 0 && { warnings }),
    ...(desired.changes.some(({ path }) => mayCutOff(payload, path)) && { cutsOff: true }),
    baseline: read.sha256,
  };
  return { plan, patch, ...(blocked ? {} : { desired }) };
}

function head(
  section: ResolvedSection,
): Pick<PlanSection, 'index' | 'set' | 'label' | 'params' | 'optional'> {
  return {
    index: section.index,
    set: section.set,
    label: section.resource.get.label,
    params: section.params,
    optional: section.optional,
  };
}

function unreadable(section: ResolvedSection, read: Exclude<SectionRead, { kind: 'state' }>): PlanSection {
  const fixes = findAbsentFixes(section, read.error);
  return {
    ...head(section),
    state: read.kind === 'unsupported' ? 'unsupported' : 'blocked',
    changes: [],
    adjustments: [],
    problems: [read.error],
    ...(fixes.length > 0 && { fixes }),
  };
}

/** All sections of a device of another kind than the template is for. */
export function planForOtherKind(section: ResolvedSection, kinds: readonly string[]): PlanSection {
  // Optional in effect: the template asks nothing of such a device.
  return {
    ...unreadable(
      { ...section, optional: true },
      {
        kind: 'unsupported',
        error: {
          code: 'not-supported',
          source: 'app',
          ...say('for-other-kinds', toKindValues(kinds)),
        },
      },
    ),
  };
}

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
function findFixes(issues: readonly Issue[], blocked: Blocked): readonly PlanFix[] {
  const fixes = issues.flatMap((issue) => FIXES[issue.code]?.(issue, blocked) ?? []);
  return fixes.filter(({ path }, index) => fixes.findIndex((fix) => fix.path === path) === index);
}

/** Returns the fix of a section that the device does not have. */
function findAbsentFixes(section: ResolvedSection, { code }: Pick<ErrorShape, 'code'>): readonly PlanFix[] {
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
