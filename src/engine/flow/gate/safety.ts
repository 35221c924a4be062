/** Checks that only people can do: an obstruction, two persons behind one another, the return to order. */
import { attest, conclude } from '../common/findings.ts';
import type { FlowStep } from '../flow.ts';

export const safety: FlowStep = {
  id: 'safety',
  title: { id: 'flow-gate-safety' },
  async run(step) {
    const { all } = await attest(step, 'safety', { text: [{ id: 'flow-gate-safety-text' }] }, [
      { name: 'obstruction', label: { id: 'flow-gate-obstruction' }, severity: 'unsafe' },
      { name: 'tailgate', label: { id: 'flow-gate-tailgate' }, severity: 'major' },
      { name: 'reset', label: { id: 'flow-gate-reset' }, severity: 'major' },
    ]);
    return conclude(step, all);
  },
};
