import type { CapabilityFlag } from '#shared/model.ts';

export type FlagState = CapabilityFlag['state'];
export const FLAG_STATES = ['true', 'false', 'not-reported'] as const satisfies readonly FlagState[];
export const FLAG_TONES = { true: 'good', false: 'quiet', 'not-reported': 'warn' } as const;

export function countFlags(
  flags: readonly Pick<CapabilityFlag, 'state'>[],
): Readonly<Record<FlagState, number>> {
  const counts: Record<FlagState, number> = { true: 0, false: 0, 'not-reported': 0 };
  for (const { state } of flags) counts[state] += 1;
  return counts;
}
