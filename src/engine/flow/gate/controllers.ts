/**
 * Reads the local controllers that the gate knows; adds, changes and deletes them if wanted (part 2, 2.10).
 */
import { findConstraint, type Constraints } from '#protocol/index.ts';
import { listFacts } from '#engine/report-files/facts.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { listFieldChanges, buildDeviceFields, buildAnswerDocument } from '../common/device-fields.ts';
import { createChecked, conclude, createSkippedCheck, type Checked } from '../common/findings.ts';
import { buildDoubtBlocks, endOf, buildWrittenBlocks } from '../common/lines.ts';
import type { FlowStep, StepContext, Values, Written } from '../flow.ts';
import { isMissingOnDevice } from '#shared/error-meaning.ts';
import { lookIfAny, readUnless } from '../common/read-if-any.ts';
import { getSpecifiedOperation, getSpecifiedResponse } from '#engine/operations/specified.ts';

const GET = 'accessControl.localController.get';
const ADD = 'accessControl.localController.add';
const DELETE = 'accessControl.localController.delete';
const LIMITS = 'accessControl.localController.capabilities.get';
const ID = 'localControllerID';
const MOST = 64;

export const controllers: FlowStep = {
  id: 'controllers',
  title: { id: 'flow-gate-controllers' },
  writes: ['accessControl.localController'],
  async run(step) {
    const first = await step.once('ids', () => lookIfAny(() => presentIds(step)));
    if ('none' in first)
      return conclude(step, [createSkippedCheck({ id: 'flow-gate-controllers' }, first.none)]);
    const all: Checked[] = [];
    const ends: Written[] = [];
    let ids = first.value;
    for (let nth = 1; ; nth += 1) {
      const wish = await wishOf(step, nth, ids);
      if (wish === undefined) break;
      const { check, written } =
        wish.action === 'add'
          ? await add(step, nth, { id: wish.id, isThere: ids.includes(wish.id) })
          : await alter(step, nth, wish);
      all.push(check);
      if (written !== undefined) ends.push(written);
      ids = await step.once(`ids-${nth}`, () => presentIds(step));
    }
    for (const id of ids) {
      const held = await step.once(`held-${id}`, () => read(step, id));
      if (held !== null)
        step.record({
          block: 'facts',
          title: { id: 'flow-gate-controller', values: { id } },
          facts: listFacts(getSpecifiedOperation(GET), held, { proof: 'read-back' }),
        });
    }
    if (ids.length === 0) step.record({ block: 'paragraph', text: { id: 'flow-gate-no-controllers' } });
    return all.length === 0 ? { outcome: 'unchanged', did: 'checked' } : conclude(step, all, endOf(...ends));
  },
};

/**
 * Finds the ids by asking for each number: no operation lists them. Throws if the device has no such thing.
 */
async function presentIds(step: StepContext): Promise<readonly number[]> {
  const limits = await step.limits(LIMITS);
  const ids: number[] = [];
  const { min = 1, max = MOST } = findConstraint(limits, ID) ?? {};
  for (let id = Math.max(1, min); id <= Math.min(MOST, max); id += 1)
    if ((await read(step, id)) !== null) ids.push(id);
  return ids;
}

/** Reads a controller; null if there is none of this number. */
async function read(step: StepContext, id: number): Promise<Values | null> {
  return (await readUnless(isMissingOnDevice, () => step.read<Values>(GET, { [ID]: id }))) ?? null;
}

/** Outcome of a wish; nothing was written where there was nothing to write to. */
interface Done {
  readonly check: Checked;
  readonly written?: Written;
}

interface Wish {
  readonly action: 'add' | 'change' | 'delete';
  readonly id: number;
}

async function wishOf(step: StepContext, nth: number, ids: readonly number[]): Promise<Wish | undefined> {
  const action = `action-${nth}`;
  const number = `id-${nth}`;
  const answer = await step.ask(`wish-${nth}`, {
    text: [{ id: 'flow-gate-controllers-text', values: { ids: ids.join(', ') || '–' } }],
    fields: [
      {
        name: action,
        label: { id: 'flow-gate-controllers-action' },
        kind: 'choice',
        value: 'none',
        options: [
          { value: 'none', label: { id: 'flow-gate-go-on' } },
          { value: 'add', label: { id: 'flow-gate-controllers-add' } },
          ...(ids.length === 0
            ? []
            : [
                { value: 'change', label: { id: 'flow-gate-controllers-change' } as DocumentText },
                { value: 'delete', label: { id: 'flow-gate-controllers-delete' } as DocumentText },
              ]),
        ],
      },
      {
        name: number,
        label: { id: 'flow-gate-controllers-number' },
        kind: 'number',
        min: 1,
        max: MOST,
        value: nextFree(ids),
      },
    ],
  });
  const chosen = answer[action];
  if (chosen === 'none' || chosen === undefined) return undefined;
  return { action: chosen as Wish['action'], id: Math.floor(answer[number] as number) };
}

function nextFree(ids: readonly number[]): number {
  return Array.from({ length: MOST }, (_, index) => index + 1).find((id) => !ids.includes(id)) ?? MOST;
}

function payload() {
  return getSpecifiedResponse(getSpecifiedOperation(GET));
}

async function fieldsFor(step: StepContext, held?: Values) {
  const limits: Constraints = await step.limits(LIMITS);
  return buildDeviceFields(payload(), { limits, held, wanted: (path) => path !== ID }).map((field) => {
    const proposed = field.value ?? findConstraint(limits, field.name)?.def;
    if (proposed === undefined || proposed === '') return field;
    return { ...field, value: field.kind === 'number' ? Number(proposed) : proposed };
  });
}

async function add(
  step: StepContext,
  nth: number,
  { id, isThere }: { readonly id: number; readonly isThere: boolean },
): Promise<Done> {
  const label: DocumentText = { id: 'flow-gate-controller-added', values: { id } };
  const values = await step.ask(`new-${nth}`, {
    text: [{ id: 'flow-gate-controller', values: { id } }],
    fields: await fieldsFor(step),
  });
  const body = { [ID]: id, ...buildAnswerDocument(values) };
  const written = await step.call(
    `add-${nth}`,
    () => ({
      operation: ADD,
      body,
      mayRefuse: true,
      noUndo: 'no-undo-controller',
      // One that was there before proves nothing.
      ...(!isThere && { look: async () => ((await read(step, id)) === null ? 'untouched' : 'taken') }),
    }),
    listFieldChanges(payload(), { [ID]: id, ...values }),
    { text: [{ id: 'flow-gate-controller-adds', values: { id } }] },
  );
  step.record(...buildDoubtBlocks(step, written));
  return done(label, written);
}

async function alter(step: StepContext, nth: number, { action, id }: Wish): Promise<Done> {
  const held = await step.once(`before-${nth}`, () => read(step, id));
  const isDelete = action === 'delete';
  const label: DocumentText = {
    id: isDelete ? 'flow-gate-controller-deleted' : 'flow-gate-controller-changed',
    values: { id },
  };
  if (held === null) {
    const reason = { id: 'flow-gate-controller-none', values: { id } } as const;
    return { check: createChecked(label, false, { severity: 'note', reason }) };
  }
  if (isDelete) {
    const written = await step.call(
      `delete-${nth}`,
      () => ({
        operation: DELETE,
        params: { [ID]: id },
        mayRefuse: true,
        noUndo: 'no-undo-controller',
        look: async () => ((await read(step, id)) === null ? 'taken' : 'untouched'),
      }),
      [{ path: ID, label: 'Local controller', from: id }],
      { text: [{ id: 'flow-gate-controller-deletes', values: { id } }], tone: 'warning' },
    );
    step.record(...buildDoubtBlocks(step, written));
    return done(label, written);
  }
  const values = await step.ask(`values-${nth}`, {
    text: [{ id: 'flow-gate-controller', values: { id } }],
    fields: await fieldsFor(step, held),
  });
  const written = await step.write(
    `change-${nth}`,
    { set: 'accessControl.localController', params: { [ID]: id }, value: buildAnswerDocument(values, held) },
    { text: [{ id: 'flow-gate-controller-changes', values: { id } }] },
  );
  step.record(...buildWrittenBlocks(step, written, label));
  return done(label, written);
}

/** Judges a wish by what the device shows afterwards, and adds the reason where it is not as wished. */
function done(label: DocumentText, written: Written): Done {
  const { error, outcome, proof } = written;
  const isDone = outcome === 'effective' || outcome === 'accepted' || outcome === 'unchanged';
  const check = createChecked(label, isDone, {
    severity: 'minor',
    proof,
    ...(error !== undefined && { reason: error.detail ?? error.message }),
  });
  return { check, written };
}
