/** Previews of resuming or undoing, from the journal alone: no device is asked, no device is named anew. */
import { describe, expect, it } from 'vitest';
import type { JobKind } from '#engine/jobs/job-kind.ts';
import type { Finder } from '#engine/jobs/locate-device.ts';
import { buildResumePreview, buildUndoPreview } from '#engine/jobs/previews.ts';
import type { StoredDevice, StoredJob } from '#engine/jobs/types.ts';
import { say } from '#shared/details.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import type { Device, JobSummary, UndoPreviewSection, UnitOutcome } from '#shared/model.ts';

const LATE: ErrorShape = { code: 'timeout', source: 'device', message: 'late' };
const finder: Finder = {
  find(reference) {
    if (reference.includes('gone')) throw userError('unknown-device', say('device-gone'));
    return { id: reference, url: `http://${reference}` } as Device;
  },
  addTransient: () => {
    throw new Error('a look names no device');
  },
};
function device(position: number, deviceId: string, outcomes: readonly UnitOutcome[], error?: ErrorShape) {
  const units = outcomes.map((outcome, index) => ({ key: { index }, outcome, label: `${index}` }));
  const place = { position, deviceId, name: deviceId, url: `http://${deviceId}` };
  return {
    ...place,
    state: 'failed',
    units,
    document: {},
    ...(error && { error }),
  } as unknown as StoredDevice;
}
const sourceOf = (devices: readonly StoredDevice[], extra: object = {}, kind: object = {}) => ({
  summary: { id: 'j-1', resumable: true, about: {} } as JobSummary,
  job: { devices, ...extra } as unknown as StoredJob,
  kind: kind as JobKind,
  finder,
});

describe('resuming', () => {
  const devices = [
    device(0, 'gate', ['effective', 'pending', 'unknown', 'needs-reboot']),
    device(1, 'door', ['failed', 'effective'], LATE),
    device(2, 'yard', ['effective', 'needs-reboot']),
    device(3, 'lobby', ['needs-reboot', 'needs-reboot']),
    device(4, 'done', ['effective']),
  ];

  // Would catch: a dialog that says "2 settings" where five are written, or asks for the sign-in of a device that is done.
  it('names the devices with what is left on each, and the restarts that were cut off', () => {
    const asked: unknown[] = [];
    const kind = {
      secretsFor: (_job: unknown, of: readonly StoredDevice[]) => {
        asked.push(of.map(({ name }) => name));
        return [{ name: 'key' }];
      },
    };
    const preview = buildResumePreview(
      sourceOf(devices, { followUp: { positions: [0, 2, 4], waitSeconds: 5 } }, kind),
    );

    expect(preview.devices.map(({ name, pending, unknown }) => [name, pending, unknown])).toEqual([
      ['gate', 1, 1],
      ['door', 1, 0],
      ['yard', 1, 0],
    ]);
    expect(preview).toMatchObject({ job: { id: 'j-1' }, secrets: [{ name: 'key' }] });
    expect(asked).toEqual([['gate', 'door']]);
  });

  it('of a job of which nothing is left names nothing', () => {
    const source = sourceOf(devices, { followUp: { positions: [2], waitSeconds: 5 } });

    expect(buildResumePreview({ ...source, summary: { resumable: false } as JobSummary })).toMatchObject({
      devices: [],
      secrets: [],
    });
    expect(buildResumePreview(sourceOf([])).secrets).toEqual([]);
  });
});

describe('undoing', () => {
  const section = (problem?: ErrorShape) =>
    ({ label: 'L', ...(problem && { problem }) }) as unknown as UndoPreviewSection;
  const sections: Readonly<Record<string, readonly UndoPreviewSection[]>> = {
    gate: [section(), section(LATE), section()],
    gone: [section(), section(LATE)],
    't-gone': [section()],
    idle: [],
  };
  const kind = { undo: { preview: (_job: unknown, { name }: StoredDevice) => sections[name] ?? [] } };

  // Would catch: "all can be undone" although a device is no longer in the list, or a device of one run that is named anew by looking.
  it('counts what is possible: not on a device that is gone, but on one that was named for its run', () => {
    const chosen = Object.keys(sections).map((name, at) => device(at, name, ['effective']));
    const preview = buildUndoPreview(sourceOf(chosen, {}, kind), chosen);

    expect(preview).toMatchObject({ job: { id: 'j-1' }, possible: 3, impossible: 3 });
    expect(preview.devices.map(({ name, problem }) => [name, problem?.code])).toEqual([
      ['gate', undefined],
      ['gone', 'unknown-device'],
      ['t-gone', undefined],
    ]);
    expect(preview.devices[0]).not.toHaveProperty('problem');
  });

  it('of a kind that cannot be undone is nothing', () => {
    const chosen = [device(0, 'gate', ['effective'])];

    expect(buildUndoPreview(sourceOf(chosen), chosen)).toMatchObject({
      devices: [],
      possible: 0,
      impossible: 0,
    });
  });
});
