import { describe, expect, it } from 'vitest';
import { applyJobEvents, finished } from '../../src/renderer/features/apply/job-events.ts';
import { notDone, outcomeCounts, resultGroups, worstOutcome } from '../../src/renderer/features/apply/result-groups.ts';
import type { Job } from '../../src/shared/model.ts';
import { deviceResult, sectionResult } from './samples.ts';

const refused = sectionResult({ outcome: 'refused', error: { code: 'invalid-content', source: 'device', message: 'no' } });

describe('resultGroups', () => {
  it('puts identical outcomes together and those that want a person first', () => {
    const groups = resultGroups([deviceResult('a'), deviceResult('b', { sections: [refused] }), deviceResult('c'), deviceResult('d', { sections: [refused] })]);

    expect(groups.map(({ worst, devices }) => [worst, devices.map(({ deviceId }) => deviceId)])).toEqual([['refused', ['b', 'd']], ['effective', ['a', 'c']]]);
  });

  it('does not mix two refusals with different reasons', () => {
    const other = sectionResult({ outcome: 'refused', error: { code: 'not-supported', source: 'device', message: 'no' } });

    expect(resultGroups([deviceResult('a', { sections: [refused] }), deviceResult('b', { sections: [other] })])).toHaveLength(2);
  });

  it('names a device that was never reached as failed, not as waiting', () => {
    const unreachable = deviceResult('a', { state: 'failed', error: { code: 'unreachable', source: 'device', message: 'no' }, sections: [sectionResult({ outcome: 'pending' })] });

    expect(worstOutcome(unreachable)).toBe('failed');
  });
});

describe('notDone', () => {
  it('plans again what is not, or not surely, as the template says', () => {
    const results = (['effective', 'accepted', 'unchanged', 'skipped', 'needs-reboot', 'ignored', 'refused', 'unknown', 'failed', 'blocked', 'pending'] as const)
      .map((outcome) => deviceResult(outcome, { sections: [sectionResult({ outcome })] }));

    expect(notDone(results)).toEqual(['ignored', 'refused', 'unknown', 'failed', 'blocked', 'pending']);
    expect(notDone([deviceResult('stopped', { state: 'pending', sections: [] })])).toEqual(['stopped']);
  });
});

describe('applyJobEvents', () => {
  const job: Job = {
    id: 'j', kind: 'apply', state: 'running', createdAt: '2026-01-01T00:00:00Z', by: 'me', template: { name: 't', hash: 'h' }, devices: 2, counts: {}, resumable: false,
    results: [deviceResult('a', { state: 'pending', sections: [sectionResult({ outcome: 'pending' })] }), deviceResult('b', { state: 'pending', sections: [sectionResult({ outcome: 'pending' })] })],
  };

  it('follows phases, sections and devices to the end', () => {
    const running = applyJobEvents(undefined, [
      { type: 'job', job }, { type: 'phase', jobId: 'j', deviceId: 'a', index: 0, phase: 'writing' },
      { type: 'phase', jobId: 'j', deviceId: 'b', index: 0, phase: 'reading' }, { type: 'section', jobId: 'j', deviceId: 'a', result: sectionResult() },
      { type: 'device', jobId: 'j', device: deviceResult('a'), done: 1, total: 2 },
    ]);

    expect(running && finished(running)).toBe(1);
    expect([...(running?.phases.keys() ?? [])]).toEqual(['b']);
    expect(outcomeCounts(running?.results.values() ?? [])).toEqual([['pending', 1], ['effective', 1]]);

    const ended = applyJobEvents(running, [{ type: 'end', job: { ...job, state: 'done', results: [deviceResult('a'), deviceResult('b')] } }]);

    expect(ended?.summary.state).toBe('done');
    expect(ended?.phases.size).toBe(0);
    expect(running?.summary.state, 'the earlier state is not changed in place').toBe('running');
  });

  it('passes over events that came before the job, or belong to another', () => {
    expect(applyJobEvents(undefined, [{ type: 'phase', jobId: 'j', deviceId: 'a', index: 0, phase: 'writing' }])).toBeUndefined();

    const after = applyJobEvents(undefined, [{ type: 'job', job }, { type: 'device', jobId: 'other', device: deviceResult('a'), done: 1, total: 1 }]);

    expect(after && finished(after)).toBe(0);
  });
});
