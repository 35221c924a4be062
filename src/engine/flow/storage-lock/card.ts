/** The storage card as its device tells of it (part 3, 2.2), and its secrets in the vault. */
import type { Change } from '../../../shared/model.ts';
import { factsOf } from '../../report/facts.ts';
import type { StepContext } from '../flow.ts';
import { specifiedOperation } from '../../specified.ts';

/** Name of the secret in the vault. */
export const CARD_PASSWORD = 'storage-card';
/** The one that the device has from elsewhere, or had before. */
export const ORIGINAL = 'storage-card-before';
export const STATUS = 'storage.status.get';
export const UNLOCK = 'storage.unlock.put';

export interface CardStatus {
  readonly healthState?: string;
  readonly SDCardState?: string;
  readonly badBlocks?: number;
  readonly remainingLife?: number;
}

/** What is shown of a password that goes out. */
export const MASKED: Change = { path: 'passwd', label: 'Card password', to: '••••••', sensitive: true };

export function recordStatus(step: StepContext, status: CardStatus): void {
  step.record({
    block: 'facts',
    facts: factsOf(specifiedOperation(STATUS), status, { proof: 'read-back' }),
  });
}

export async function isOpen(step: StepContext): Promise<boolean> {
  return (await step.read<CardStatus>(STATUS)).SDCardState === 'onLine';
}
