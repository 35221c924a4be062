/** Checks of a step, and what they leave to be done: the list of defects at the end is made of it. */
import type { Check, OpenPoint, Proof, DocumentText } from '#shared/report-document.ts';
import type { FlowField, Question, StepContext, StepEnd, Values } from '../flow.ts';

export type Severity = OpenPoint['severity'];

export interface Finding {
  readonly text: DocumentText;
  readonly severity: Severity;
}

/** A line of the record, and how much it matters where it failed. */
export interface Checked {
  readonly check: Check;
  readonly severity: Severity;
}

const KEY = 'findings';

export function createChecked(
  label: DocumentText,
  passed: boolean,
  {
    severity,
    reason,
    proof,
  }: { readonly severity: Severity; readonly reason?: DocumentText; readonly proof?: Proof },
): Checked {
  return {
    severity,
    check: passed ? { label, result: 'done', proof } : { label, result: 'failed', reason },
  };
}

/**
 * Makes the check like `checked`, but for something that the device may omit: an omitted value is neither
 * good nor bad.
 */
export function createCheckedIfReported<T>(
  label: DocumentText,
  told: T | undefined,
  isGood: (told: T) => boolean,
  judged: Parameters<typeof createChecked>[2],
): Checked {
  return told === undefined
    ? createSkippedCheck(label, { id: 'flow-not-told' })
    : createChecked(label, isGood(told), judged);
}

/** Was not looked at, for this reason. */
export function createSkippedCheck(label: DocumentText, reason: DocumentText): Checked {
  return { severity: 'note', check: { label, result: 'skipped', reason } };
}

/**
 * Puts them on record and, what failed, into the list at the end. The step has failed where one of them has, unless a write
 * of it (`went`) is to be found out about first.
 */
export function conclude(
  step: StepContext,
  all: readonly Checked[],
  went: StepEnd = { outcome: 'unchanged' },
): StepEnd {
  const failed = all.filter(({ check }) => check.result === 'failed');
  step.record({ block: 'checklist', items: all.map(({ check }) => check) });
  step.save(
    KEY,
    failed.map(({ check, severity }): Finding => ({ text: check.reason ?? check.label, severity })),
  );
  if (failed.length > 0 && went.outcome !== 'unknown') return { outcome: 'failed' };
  const isTried = all.some(({ check }) => check.result !== 'skipped');
  return { ...went, ...(went.outcome === 'unchanged' && { did: isTried ? 'checked' : 'not-checked' }) };
}

/** Returns the findings of an earlier step; undefined if it was left out. */
export function getFindings(step: StepContext, of: string): readonly Finding[] | undefined {
  return step.earlier<readonly Finding[]>(of, KEY);
}

/** Something that a person saw, where no device can say it. */
export interface Seen {
  readonly name: string;
  readonly label: DocumentText;
  readonly severity: Severity;
}

/** Asks a person for each whether it was as it should be; what else was asked is in the values. */
export async function attest(
  step: StepContext,
  key: string,
  question: Question,
  items: readonly Seen[],
): Promise<{ readonly all: readonly Checked[]; readonly values: Values }> {
  const values = await step.ask(key, {
    ...question,
    fields: [
      ...items.map(({ name, label }): FlowField => ({
        name,
        label,
        kind: 'choice',
        required: true,
        isCheck: true,
        options: [
          { value: 'good', label: { id: 'flow-seen-good' } },
          { value: 'bad', label: { id: 'flow-seen-bad' } },
          { value: 'not-tested', label: { id: 'flow-seen-not-tested' } },
        ],
      })),
      ...(question.fields ?? []),
    ],
  });
  return {
    values,
    all: items.map(({ name, label, severity }) =>
      values[name] === 'not-tested'
        ? createSkippedCheck(label, { id: 'flow-seen-not-tested' })
        : createChecked(label, values[name] === 'good', { severity, proof: 'attested' }),
    ),
  };
}
