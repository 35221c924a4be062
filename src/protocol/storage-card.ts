/** Judges a storage card by what its device says of it (part 3, 2.2). */
import { createDetail, type Detail } from '#shared/details.ts';

export interface CardStatus {
  readonly healthState?: string;
  readonly SDCardState?: string;
  readonly badBlocks?: number;
  readonly remainingLife?: number;
}

/** Remaining life, in percent, below which a card is due for replacement. */
const SHORT_LIFE = 20;

/** Lists the reasons why a card should be replaced; none for a good card. */
export function findCardDoubts({ healthState, remainingLife, badBlocks = 0 }: CardStatus): readonly Detail[] {
  return [
    ...(healthState === 'bad' || healthState === 'damage' ? [createDetail('flow-lock-bad-card')] : []),
    ...(remainingLife !== undefined && remainingLife < SHORT_LIFE
      ? [createDetail('flow-lock-short-life', { percent: remainingLife })]
      : []),
    ...(healthState === 'unknown' && badBlocks > 0
      ? [createDetail('flow-lock-bad-blocks', { count: badBlocks })]
      : []),
  ];
}
