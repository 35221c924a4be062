/**
 * Locks the storage card of a device with a password that is in the vault before the device hears of it: a card
 * whose password is lost is a lost card (part 3, 2.2).
 */
import { say } from '#shared/details.ts';
import { appError, deviceError, userError } from '#shared/errors.ts';
import { findCardDoubts, findConstraint, type CardStatus } from '#protocol/index.ts';
import { endOf, buildWrittenBlocks } from '../common/lines.ts';
import { generatePassword } from '../common/password.ts';
import { SIGN_IDENTITY, signOffWithIdentity } from '../common/sign-off.ts';
import type { Flow, StepContext } from '../flow.ts';
import { alarms } from './alarms.ts';
import { CARD_PASSWORD, OPENED, ORIGINAL, STATUS, recordStatus, tryPassword } from './card.ts';
import { prove } from './prove.ts';

export const storageLock: Flow = {
  name: 'storage-lock',
  title: { id: 'flow-lock-title' },
  about: { id: 'flow-lock-about' },
  kinds: ['thermal', 'ai', 'counter', 'recorder'],
  identity: SIGN_IDENTITY,
  steps: [
    {
      id: 'health',
      title: { id: 'flow-lock-health' },
      required: true,
      async run(step) {
        const status = await step.once('status', async () => {
          const seen = await step.read<CardStatus>(STATUS);
          if (seen.SDCardState === 'offLine') throw deviceError('not-available', say('flow-lock-no-card'));
          return seen;
        });
        recordStatus(step, status);
        const doubts = findCardDoubts(status);
        if (doubts.length > 0) {
          const answer = await step.ask('doubts', {
            text: doubts,
            tone: 'warning',
            fields: [{ name: 'goOn', label: { id: 'flow-lock-go-on' }, kind: 'flag', required: true }],
          });
          step.record({
            block: 'openPoints',
            points: doubts.map((text) => ({ text, severity: 'major' as const })),
          });
          if (answer['goOn'] !== true) throw new Error('required');
        }
        return { outcome: 'unchanged', did: 'checked' };
      },
    },
    {
      id: 'password',
      title: { id: 'flow-lock-password' },
      required: true,
      async run(step) {
        const isLocked = await step.once('was-locked', async () => {
          const lock = await step.read<{ readonly enabled?: boolean }>('storage.rwLock.get');
          return lock.enabled === true;
        });
        const { min, max } = await step.once('length', () => lengths(step));
        if (isLocked && step.secrets.reveal(CARD_PASSWORD, 'current') === undefined)
          await step.ask(
            'original',
            {
              text: [{ id: 'flow-lock-original' }],
              fields: [
                {
                  name: 'original',
                  label: { id: 'flow-lock-original-label' },
                  kind: 'secret',
                  required: true,
                  maxLength: 15,
                },
              ],
            },
            (secrets) => step.secrets.keep(ORIGINAL, secrets['original'] as string),
          );
        const how = await step.ask('how', {
          text: [{ id: 'flow-lock-how', values: { min, max } }],
          fields: [
            {
              name: 'password',
              label: { id: 'flow-lock-how-label' },
              kind: 'choice',
              value: 'generated',
              kept: true,
              options: [
                { value: 'generated', label: { id: 'flow-lock-generated' } },
                { value: 'typed', label: { id: 'flow-lock-typed' } },
              ],
            },
          ],
        });
        if (how['password'] === 'typed')
          await step.ask(
            'typed',
            {
              text: [{ id: 'flow-lock-type-twice' }],
              fields: ['new', 'again'].map((name) => ({
                name,
                label: { id: name === 'new' ? 'flow-lock-new' : 'flow-lock-again' } as const,
                kind: 'secret' as const,
                required: true,
                minLength: min,
                maxLength: max,
              })),
            },
            (secrets) => {
              if (secrets['new'] !== secrets['again'])
                throw userError('not-allowed', say('flow-lock-differs'), { path: 'password.again' });
              step.secrets.keep(CARD_PASSWORD, secrets['new'] as string);
            },
          );
        else
          await step.once('made', () => {
            step.secrets.keep(CARD_PASSWORD, generatePassword(max));
            return true;
          });
        await step.ask('sure', {
          text: [{ id: 'flow-lock-sure' }],
          tone: 'danger',
          fields: [
            { name: 'kept', label: { id: 'flow-lock-kept' }, kind: 'flag', required: true },
            { name: 'understood', label: { id: 'flow-lock-understood' }, kind: 'flag', required: true },
          ],
        });
        step.record({
          block: 'facts',
          facts: [
            { label: { id: 'flow-lock-kept-in' }, value: { id: 'flow-lock-vault' } },
            {
              label: { id: 'flow-lock-made' },
              value: { id: how['password'] === 'typed' ? 'flow-lock-typed' : 'flow-lock-generated' },
            },
          ],
        });
        return { outcome: 'unchanged', did: 'done' };
      },
    },
    {
      id: 'lock',
      title: { id: 'flow-lock-lock' },
      writes: ['storage.rwLock'],
      required: true,
      async run(step) {
        const changing = step.earlier<boolean>('password', 'was-locked') === true;
        const pending =
          step.secrets.reveal(CARD_PASSWORD, 'pending') ?? step.secrets.reveal(CARD_PASSWORD, 'current');
        const original =
          step.secrets.reveal(ORIGINAL, 'pending') ?? step.secrets.reveal(CARD_PASSWORD, 'current');
        if (pending === undefined) throw appError('vault-damaged', say('flow-lock-no-password'));
        const written = await step.write(
          'lock',
          {
            set: 'storage.rwLock',
            value: {
              enabled: true,
              passwd: pending,
              ...(changing && original !== undefined && { originalPasswd: original }),
            },
            look: () => lookAtLock(step, changing, pending),
            noUndo: 'no-undo-lock',
            secret: { name: CARD_PASSWORD, former: changing ? original : undefined },
          },
          { text: [{ id: 'flow-lock-sends' }], tone: 'danger' },
        );
        const isUnknown = written.outcome === 'unknown';
        // The vault keeps it as the former one from now on.
        if (!isUnknown) step.secrets.drop(ORIGINAL);
        step.record(...buildWrittenBlocks(step, written, { id: 'flow-lock-lock' }));
        if (isUnknown) step.record({ block: 'paragraph', text: { id: 'flow-lock-which' }, tone: 'danger' });
        recordStatus(step, await step.once('after', () => step.read<CardStatus>(STATUS)));
        return endOf(written);
      },
    },
    prove,
    alarms,
    signOffWithIdentity,
  ],
};

/** Reads whether there is a lock; only trying shows which of two passwords it has. */
async function lookAtLock(
  step: StepContext,
  changing: boolean,
  password: string,
): Promise<'taken' | 'untouched' | 'hidden'> {
  if (!changing) {
    const { enabled } = await step.read<{ readonly enabled?: boolean }>('storage.rwLock.get');
    return enabled === true ? 'taken' : 'untouched';
  }
  const nth = step.saved<number>('settle') ?? 1;
  const { opens } = await tryPassword(step, `settle-${nth}`, () => password, {
    text: [{ id: 'flow-lock-settle' }],
    tone: 'warning',
  });
  // The proof needs no second try.
  if (opens === 'seen') step.save(OPENED, step.now().getTime());
  if (opens === 'seen' || opens === 'said') return 'taken';
  // It may be sent again: what becomes of that has to be found out anew.
  step.save('settle', nth + 1);
  return opens === 'no' ? 'untouched' : 'hidden';
}

/** Returns the lengths that the device accepts; the specification's range if it does not say. */
async function lengths(step: StepContext): Promise<{ readonly min: number; readonly max: number }> {
  const limits = await step.limits('storage.rwLock.capabilities.get');
  const { min = 1, max = 10 } = findConstraint(limits, 'passwd') ?? {};
  return { min: Math.max(1, min), max: Math.min(10, max) };
}
