/** Two-sided proof of a card's password: the new one opens it, the former one no longer does; then it locks itself again. */
import { findConstraint, type CardStatus } from '#protocol/index.ts';
import type { Check, DocumentText } from '#shared/report-document.ts';
import type { FlowStep, StepContext, StepEnd } from '../flow.ts';
import type { KeptWrite } from '../step-writes.ts';
import { CARD_PASSWORD, OPENED, STATUS, tryPassword } from './card.ts';

const MINUTE_MS = 60_000;
const NEW_OPENS: DocumentText = { id: 'flow-lock-new-opens' };

export const prove: FlowStep = {
  id: 'prove',
  title: { id: 'flow-lock-prove' },
  writes: ['storage.unlock'],
  async run(step) {
    const lock = step.earlier<KeptWrite>('lock', 'lock')?.written;
    if (lock?.outcome === 'unknown') {
      record(step, { label: NEW_OPENS, result: 'skipped', reason: { id: 'flow-lock-which' } });
      return { outcome: 'unknown', open: true };
    }
    const minutes = await step.once('minutes', () => minutesOf(step));
    const { end, atMs } = await open(step);
    if (end.outcome !== 'effective' && end.outcome !== 'accepted') return end;
    const formerFails = await tryFormer(step);
    // The password that opens the card is known: the former one is no longer needed.
    if (end.outcome === 'effective' && formerFails) step.secrets.prove(CARD_PASSWORD);
    const locks = await waitForLock(step, minutes, atMs);
    return formerFails && locks ? end : { outcome: 'failed' };
  },
};

/** Returns how long an unlocked card is usable (part 3, 2.2): the device says, or at most three minutes. */
async function minutesOf(step: StepContext): Promise<number> {
  const { text, max } =
    findConstraint(await step.limits('storage.unlock.capabilities.get'), 'SDCardUnlockTime') ?? {};
  return Number(text) || max || 3;
}

/** Unlocks the card with the new password, and looks whether that opens it. */
async function open(step: StepContext): Promise<{ readonly end: StepEnd; readonly atMs: number }> {
  const openedAt = step.earlier<number>('lock', OPENED);
  if (openedAt !== undefined) {
    record(step, { label: NEW_OPENS, result: 'done', proof: 'function-tested' });
    return { end: { outcome: 'effective' }, atMs: openedAt };
  }
  const nth = step.saved<number>('tries') ?? 1;
  const name = nth === 1 ? 'unlock' : `unlock-${nth}`;
  const tried = await tryPassword(step, name, () => step.secrets.reveal(CARD_PASSWORD, 'current'), {
    text: [{ id: 'flow-lock-try' }],
  });
  const atMs = await step.once(`at-${name}`, () => step.now().getTime());
  switch (tried.opens) {
    case 'seen':
      record(step, { label: NEW_OPENS, result: 'done', proof: 'function-tested' });
      return { end: { outcome: 'effective' }, atMs };
    case 'said':
      record(step, {
        label: NEW_OPENS,
        result: 'done',
        proof: 'written',
        reason: { id: 'flow-lock-was-open' },
      });
      return { end: { outcome: 'accepted' }, atMs };
    case 'no':
    case 'shut':
      record(step, {
        label: NEW_OPENS,
        result: 'failed',
        ...('reason' in tried && { reason: tried.reason }),
      });
      return { end: { outcome: 'failed' }, atMs };
    case 'unclear':
      // Resuming the flow tries once more.
      step.save('tries', nth + 1);
      record(step, { label: NEW_OPENS, result: 'skipped', reason: tried.reason });
      return { end: { outcome: 'unknown', open: true }, atMs };
  }
}

/** Tries once, if the person agrees, whether the former password still opens the card. Returns false if it does. */
async function tryFormer(step: StepContext): Promise<boolean> {
  const former = (): string | undefined => step.secrets.reveal(CARD_PASSWORD, 'former');
  const hasFormer = await step.once('has-former', () => former() !== undefined);
  if (!hasFormer) return true;
  const answer = await step.ask('former', {
    text: [{ id: 'flow-lock-former' }],
    tone: 'warning',
    fields: [{ name: 'try', label: { id: 'flow-lock-former-try' }, kind: 'flag', value: false }],
  });
  if (answer['try'] !== true) return true;
  const tried = await tryPassword(step, 'former', former, { text: [{ id: 'flow-lock-former-try' }] });
  const label: DocumentText = { id: 'flow-lock-former-fails' };
  if (tried.opens === 'unclear' || tried.opens === 'shut')
    // A wrong password counts towards a lockout: it is not sent twice.
    record(step, { label, result: 'skipped', reason: tried.reason });
  else if (tried.opens === 'no') record(step, { label, result: 'done', proof: 'function-tested' });
  else record(step, { label, result: 'failed' });
  return tried.opens !== 'seen' && tried.opens !== 'said';
}

/** Waits for the lock if wanted: the card is usable for some minutes and then locked again by itself. */
async function waitForLock(step: StepContext, minutes: number, atMs: number): Promise<boolean> {
  const label: DocumentText = { id: 'flow-lock-locks-again' };
  const answer = await step.ask('relock', {
    text: [{ id: 'flow-lock-relock', values: { minutes } }],
    fields: [{ name: 'wait', label: { id: 'flow-lock-wait' }, kind: 'flag', value: true, kept: true }],
  });
  if (answer['wait'] !== true) {
    record(step, { label, result: 'skipped', reason: { id: 'flow-lock-not-waited' } });
    return true;
  }
  const left = (): number => (minutes * MINUTE_MS - (step.now().getTime() - atMs)) / 1000;
  const { met } = await step.watch('locked', {
    look: () => step.read<CardStatus>(STATUS),
    until: ({ SDCardState }) => SDCardState === 'locked',
    everyMs: 2000,
    seconds: Math.max(0, left()) + 60,
    show: () => ({
      text: [{ id: 'flow-lock-left' }],
      live: [
        {
          label: { id: 'flow-lock-seconds-left' },
          value: { number: Math.max(0, Math.round(left())), unit: 's' },
        },
      ],
    }),
  });
  record(step, met ? { label, result: 'done', proof: 'function-tested' } : { label, result: 'failed' });
  return met;
}

function record(step: StepContext, check: Check): void {
  step.record({ block: 'checklist', items: [check] });
}
