/** Facts of a hand-over in their form. */
import { expect, it } from 'vitest';
import { handoverDetails, type HandoverDetails } from '#shared/contract/handover.ts';
import { toDetails, toDraft } from '#renderer/features/reports/handover-draft.ts';

const DETAILS: HandoverDetails = {
  project: 'Quay',
  checks: [
    { check: 'day', result: 'done', by: 'K. Jansen', at: '2026-03-31' },
    { check: 'Horn', result: 'failed', reason: 'Silent' },
  ],
  openPoints: [{ text: 'Dirty', severity: 'minor', device: 'Gate 1', due: '2026-04-01' }],
  keys: [{ what: 'Master key', where: 'Safe' }],
  documents: ['Plan'],
  warranty: { from: '2026-04-01', until: '2028-04-01', terms: 'Parts' },
  maintenanceDue: '2027-04-01',
  signatures: [{ name: 'A. Miller', role: 'Owner' }],
};

// Would catch: what a file has and the form does not show, lost when the form is saved.
it('come out of the form as they went in', () => {
  expect(toDetails(toDraft(DETAILS))).toEqual(DETAILS);
  expect(toDetails(toDraft({}))).toEqual({});
});

// Would catch: a row that is begun and refuses the whole form.
it('leave out rows that are not filled in', () => {
  const draft = toDraft({});
  draft.openPoints.push({ text: ' ', severity: 'minor', owner: 'A', due: '', device: '' });
  draft.keys.push({ what: 'Key', where: '' });
  draft.from = '2026-04-01';

  expect(handoverDetails.parse(toDetails(draft))).toEqual({});
});
