import { describe, expect, it } from 'vitest';
import { DEVICE_KINDS } from '#shared/model.ts';
import { OPERATIONS } from '#simulator/specification/operations.ts';
import { callEveryOperation, report } from './every-operation.ts';
import type { Row } from './trial.ts';

function problemsOf(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ id, problems }) => problems.map((problem) => `${id}: ${problem}`));
}

describe('every operation', () => {
  // Would catch: an operation that has a definition, a form and a handler, and does not work between them.
  it('works on a virtual device, and is refused by a kind that lacks it', async () => {
    const rows = await callEveryOperation();

    expect(problemsOf(rows)).toEqual([]);
    expect(rows.map(({ id, method, path }) => [id, method, path])).toEqual(
      OPERATIONS.map(({ id, method, path }) => [id, method, `/API${path}`]),
    );
    // Operations of every kind are refused by none.
    expect(rows.filter(({ refusedBy }) => refusedBy === '-').map(({ id }) => id)).toEqual([
      'token.secretKey.capabilities.get',
      'token.secretKey.set',
      'token.check',
      'system.capabilities.get',
    ]);
    expect(rows.filter(({ outcome }) => outcome.includes('not specified')).map(({ id }) => id)).toEqual([
      'accessControl.users.record',
      'accessControl.localController.control.put',
      'token.check',
    ]);
  });

  // Would catch: a table that is green whatever the devices do.
  it('is not as expected where a device ignores a write, answers nothing, or cuts the connection', async () => {
    const rows = await callEveryOperation({
      prepare: (site) => {
        const thermal = site.device(DEVICE_KINDS.indexOf('thermal'));
        thermal.setFault('ignored', 1, { operation: 'thermal.thermometryMode.put' });
        thermal.setFault('empty', 1, { operation: 'events.thermometrySchedule.get' });
        site
          .device(DEVICE_KINDS.indexOf('counter'))
          .setFault('reset-after', 1, { operation: 'peopleCounting.count.reset' });
      },
    });

    const problems = problemsOf(rows);
    expect(problems).toEqual(
      expect.arrayContaining([
        'thermal.thermometryMode.put: it reads back otherwise',
        expect.stringMatching(/^events\.thermometrySchedule\.get: malformed-answer: /),
        'events.thermometrySchedule.put: it was not called',
        // Nothing shows a reset afterwards; a document that can be read back would be found out.
        expect.stringMatching(/^peopleCounting\.count\.reset: unknown: /),
      ]),
    );
    expect(rows.find(({ id }) => id === 'events.hdBadBlockTrigger.put')?.problems).toEqual([]);
    expect(report(rows)).toContain('NOT AS EXPECTED: ');
  });
});
