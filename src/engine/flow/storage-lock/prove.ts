/** Two-sided proof of a card's password: the new one opens it, the former one no longer does; then it locks itself again. */
import { constraintAt } from '../../../protocol/index.ts';
import type { Check, DocumentText } from '../../../shared/report.ts';
import type { FlowStep, StepContext } from '../flow.ts';
import { CARD_PASSWORD, MASKED, ORIGINAL, STATUS, UNLOCK, isOpen, type CardStatus } from './card.ts';

const SOON_S = 20;
const MINUTE_MS = 60_000;

export const prove: FlowStep = {
  id: 'prove',
  title: { id: 'flow-lock-prove' },
  async run(step) {
    const minutes = await step.once('minutes', () => minutesOf(step));
    const { opened, atMs } = await open(step, minutes);
    record(step, { id: 'flow-lock-new-opens' }, opened);
    if (!opened) return { outcome: 'failed' };
    const formerFails = await tryFormer(step);
    const locks = await waitForLock(step, minutes, atMs);
    return { outcome: formerFails && locks ? 'effective' : 'failed' };
  },
};

/** How long an unlocked card is usable (part 3, 2.2): the device says, or at most three minutes. */
async function minutesOf(step: StepContext): Promise<number> {
  const { text, max } =
    constraintAt(await step.limits('storage.unlock.capabilities.get'), 'SDCardUnlockTime') ?? {};
  return Number(text) || max || 3;
}

/** Unlocked with the new password, and seen so. Where the time ran out before somebody looked, it is done again. */
async function open(
  step: StepContext,
  minutes: number,
): Promise<{ readonly opened: boolean; readonly atMs: number }> {
  for (let nth = 1; ; nth += 1) {
    const end = nth === 1 ? '' : `-${nth}`;
    await step.call(
      `unlock${end}`,
      () => ({
        operation: UNLOCK,
        body: { passwd: step.secrets.reveal(CARD_PASSWORD, 'current') },
        took: () => isOpen(step),
      }),
      [MASKED],
      { text: [{ id: 'flow-lock-try' }] },
    );
    const atMs = await step.once(`unlocked-at${end}`, () => step.now().getTime());
    const usable = await step.watch(`usable${end}`, {
      look: () => step.read<CardStatus>(STATUS),
      until: ({ SDCardState }) => SDCardState === 'onLine',
      seconds: SOON_S,
      show: () => ({ text: [{ id: 'flow-lock-looking' }] }),
    });
    const isOver = step.now().getTime() - atMs >= minutes * MINUTE_MS;
    if (usable.met || !isOver || usable.seen?.SDCardState !== 'locked') return { opened: usable.met, atMs };
  }
}

/** That the former password opens the card no longer: asked once, and only where somebody wants it. False where it does. */
async function tryFormer(step: StepContext): Promise<boolean> {
  const hasFormer = await step.once(
    'has-former',
    () => step.secrets.reveal(ORIGINAL, 'pending') !== undefined,
  );
  if (!hasFormer) return true;
  const answer = await step.ask('former', {
    text: [{ id: 'flow-lock-former' }],
    tone: 'warning',
    fields: [{ name: 'try', label: { id: 'flow-lock-former-try' }, kind: 'flag', value: false }],
  });
  if (answer['try'] !== true) return true;
  const tried = await step.call(
    'former',
    () => ({
      operation: UNLOCK,
      body: { passwd: step.secrets.reveal(ORIGINAL, 'pending') },
      mayRefuse: true,
    }),
    [MASKED],
    { text: [{ id: 'flow-lock-former-try' }] },
  );
  const label: DocumentText = { id: 'flow-lock-former-fails' };
  if (tried.outcome === 'unknown') {
    // A wrong password counts towards a lockout: it is not sent twice.
    record(step, label, undefined, { id: 'flow-lock-former-unknown' });
    return true;
  }
  step.secrets.settle(ORIGINAL, false);
  record(step, label, tried.outcome === 'refused');
  return tried.outcome === 'refused';
}

/** The card is usable for some minutes and then locked again by itself: somebody may wait to see it. */
async function waitForLock(step: StepContext, minutes: number, atMs: number): Promise<boolean> {
  const label: DocumentText = { id: 'flow-lock-locks-again' };
  const answer = await step.ask('relock', {
    text: [{ id: 'flow-lock-relock', values: { minutes } }],
    fields: [{ name: 'wait', label: { id: 'flow-lock-wait' }, kind: 'flag', value: true, kept: true }],
  });
  if (answer['wait'] !== true) {
    record(step, label, undefined, { id: 'flow-lock-not-waited' });
    return true;
  }
  const left = (): number => (minutes * MINUTE_MS - (step.now().getTime() - atMs)) / 1000;
  const { met } = await step.watch('locked', {
    look: () => step.read<CardStatus>(STATUS),
    until: ({ SDCardState }) => SDCardState === 'locked',
    everyMs: 2000,
    seconds: Math.max(0, left()) + 60,
    show: () => ({
      text: [{ id: 'flow-lock-left', values: { seconds: Math.max(0, Math.round(left())) } }],
    }),
  });
  record(step, label, met);
  return met;
}

/** `passed` undefined: it was not looked at, for this reason. */
function record(
  step: StepContext,
  label: DocumentText,
  passed: boolean | undefined,
  reason?: DocumentText,
): void {
  const item: Check =
    passed === undefined
      ? { label, result: 'skipped', ...(reason !== undefined && { reason }) }
      : passed
        ? { label, result: 'done', proof: 'function-tested' }
        : { label, result: 'failed' };
  step.record({ block: 'checklist', items: [item] });
}
