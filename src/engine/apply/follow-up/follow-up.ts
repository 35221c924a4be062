/** The turns of devices that wait for a restart. */
import PQueue from 'p-queue';
import { locate, type Finder } from '#engine/jobs/locate-device.ts';
import type { JobTurn } from '#engine/jobs/job-kind.ts';
import type { FollowUpRecord, StoredDevice } from '#engine/jobs/types.ts';
import type { Undoable } from '../settings-documents.ts';
import { recordFollowUpFailure, followUpDevice, type FollowUpTask } from './follow-up-device.ts';

const LOOKS_AT_ONCE = 32;

interface FollowUpOptions extends Pick<FollowUpTask, 'onRestarted'> {
  readonly finder: Finder;
}

export function followUpTurns(
  devices: readonly StoredDevice<Undoable>[],
  record: FollowUpRecord,
  { finder, onRestarted }: FollowUpOptions,
): readonly JobTurn[] {
  const looks = new PQueue({ concurrency: LOOKS_AT_ONCE });
  return devices.map((device) => (context) => {
    const located = locate(device, finder);
    if (!located.ok) return recordFollowUpFailure(device, located.error, context);
    const { id: deviceId, url } = located.device;
    return followUpDevice(
      {
        device,
        deviceId,
        url,
        waitMs: record.waitSeconds * 1000,
        hasRestarted: record.restarted === true,
        onRestarted,
        inTurn: (look) => looks.add(look),
      },
      context,
    );
  });
}
