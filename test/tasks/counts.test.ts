/** The last line of `npm test` must never look better than the run was. */
import { describe, expect, it } from 'vitest';
import { addCounts, countTests } from '../../build/tasks/support/test-counts.mjs';

const GOOD = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [] }],
};

describe('counts', () => {
  it('sums what passed, failed and was skipped', () => {
    expect(addCounts([countTests(GOOD, 0), { passed: 1, failed: 0, skipped: 0 }])).toEqual({
      passed: 4,
      failed: 0,
      skipped: 2,
    });
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(countTests({ ...GOOD, testResults: [{ status: 'failed', assertionResults: [] }] }, 1).failed).toBe(
      1,
    );
  });

  it('counts a run without a report, or one that ended badly all the same, as a failure', () => {
    expect(countTests(undefined, 0).failed).toBe(1);
    expect(countTests(GOOD, 1).failed).toBe(1);
  });
});
