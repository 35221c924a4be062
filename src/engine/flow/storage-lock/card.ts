/** The storage card as its device tells of it (part 3, 2.2), and its secrets in the vault. */
import type { CardStatus } from '#protocol/index.ts';
import type { Change } from '#shared/model.ts';
import { isContentRefusal, isDeviceRefusal } from '#shared/error-meaning.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { listFacts } from '#engine/report-files/facts.ts';
import type { Question, StepContext } from '../flow.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';

/** Name of the secret in the vault. */
export const CARD_PASSWORD = 'storage-card';
/** Name of the password that the card already has, as a person typed it; stored until it is changed. */
export const ORIGINAL = 'storage-card-before';
/** Key under which the locking step saves when the new password was seen to open the card, in milliseconds since 1970. */
export const OPENED = 'opened';
export const STATUS = 'storage.status.get';
const UNLOCK = 'storage.unlock.put';

/** Display of a password that is sent. */
const MASKED: Change = { path: 'passwd', label: 'Card password', to: '••••••', sensitive: true };

export function recordStatus(step: StepContext, status: CardStatus): void {
  step.record({
    block: 'facts',
    facts: listFacts(getSpecifiedOperation(STATUS), status, { proof: 'read-back' }),
  });
}

/**
 * Effect of a password. `seen`: the locked card was usable after it. `said`: the device said yes, and the card was open
 * before. `no`: the device refused this password. `shut`: the device said yes, and the card stayed locked. `unclear`: nothing
 * of it is known, for this reason.
 */
export type Tried =
  | { readonly opens: 'seen' | 'said' | 'no' }
  | { readonly opens: 'shut' | 'unclear'; readonly reason: DocumentText };

/** A card that takes longer than any write does to be usable. */
const SOON_S = 20;

/** Tries a password on the card, once: a wrong one may count towards a lockout. */
export async function tryPassword(
  step: StepContext,
  key: string,
  password: () => string | undefined,
  question: Question,
): Promise<Tried> {
  const before = await step.once(`card-${key}`, () => step.read<CardStatus>(STATUS));
  const look = (): Promise<CardStatus> => step.read<CardStatus>(STATUS);
  const isOpen = ({ SDCardState }: CardStatus): boolean => SDCardState === 'onLine';
  const { outcome, error } = await step.call(
    key,
    () => ({
      operation: UNLOCK,
      body: { passwd: password() },
      mayRefuse: true,
      isTrial: true,
      // A card that was open before shows nothing of this password.
      ...(before.SDCardState === 'locked' && {
        look: async () => (isOpen(await look()) ? 'taken' : 'untouched'),
      }),
    }),
    [MASKED],
    question,
  );
  const reason = error?.detail ?? error?.message ?? ({ id: 'flow-arrival-unknown' } as const);
  switch (outcome) {
    case 'effective':
      return { opens: 'seen' };
    case 'accepted':
      return { opens: 'said' };
    case 'ignored': {
      const { met } = await step.watch(`usable-${key}`, {
        look,
        until: isOpen,
        seconds: SOON_S,
        show: () => ({ text: [{ id: 'flow-lock-looking' }] }),
      });
      return met ? { opens: 'seen' } : { opens: 'shut', reason };
    }
    case 'refused':
      return error !== undefined && refusesPassword(error) ? { opens: 'no' } : { opens: 'unclear', reason };
    default:
      return { opens: 'unclear', reason };
  }
}

/** Spellings of a wrong password in `subStatusCode`: `wrongPassword`, `passwordError`, `badPasswd`. */
const ABOUT_PASSWORD = /pass_?w(?:or)?d|pwd/i;
/** The password is all the content there is: `badXmlContent`, `badParameters`, `invalidContent`, or nothing more. */
const ABOUT_CONTENT = /^$|content|param|value/i;

/**
 * Returns true if the document went out in a namespace that the device did not show, which may be the reason
 * for the refusal.
 */
function isForeign({ detail }: ErrorShape): boolean {
  return detail?.id === 'device.namespace-unseen' || detail?.id === 'device.namespace-other';
}

/**
 * Returns true if the error refuses the password. A refusal proves only what it says: busy, trouble, a
 * missing right and a namespace say nothing of a password.
 */
function refusesPassword(error: ErrorShape): boolean {
  const reason = error.status?.subStatusCode ?? '';
  if (!isDeviceRefusal(error)) return false;
  if (ABOUT_PASSWORD.test(reason)) return true;
  return isContentRefusal(error) && ABOUT_CONTENT.test(reason) && !isForeign(error);
}
