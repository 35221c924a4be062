/** Describes the obstacle of a step in terms of the person at the device, and what each way on means. */
import {
  isIdentityInDoubt,
  isGone,
  isShutOut,
  isWorthWaiting,
  isDeviceRefusal,
} from '#shared/error-meaning.ts';
import type { DetailId } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { DocumentText } from '#shared/report-document.ts';

type TroubleId = Extract<DetailId, `flow-trouble-${string}`>;

function troubleOf(error: ErrorShape): TroubleId | undefined {
  if (isGone(error)) return 'flow-trouble-away';
  if (isIdentityInDoubt(error) || error.code === 'unknown-device') return 'flow-trouble-other';
  if (isShutOut(error)) return 'flow-trouble-sign-in';
  if (isDeviceRefusal(error)) return 'flow-trouble-refused';
  if (isWorthWaiting(error)) return 'flow-trouble-busy';
  if (error.code === 'plan-outdated') return 'flow-trouble-changed';
  return error.code === 'vault-locked' ? 'flow-trouble-vault' : undefined;
}

/**
 * Describes an error of a step. `mayHaveSent`: something of this step was sent, and its arrival is unknown.
 */
export function describeStepError(error: ErrorShape, mayHaveSent: boolean): readonly DocumentText[] {
  const id = troubleOf(error);
  return [
    ...(id === undefined ? [] : [{ id }]),
    { id: mayHaveSent ? 'flow-trouble-open' : 'flow-trouble-kept' },
  ];
}
