/** Which devices of a job wait for a restart, and their turns in a follow-up. */
import PQueue from 'p-queue';
import type { FollowUpDevice } from '../../../shared/history.ts';
import type { DeviceResult } from '../../../shared/model.ts';
import { cannotFollowUp, followUpDevice } from './follow-up-device.ts';
import type { JobContext } from '../device-turn.ts';
import { locate } from '../../jobs/locate-device.ts';
import type { Finder } from '../../jobs/locate-device.ts';
import type { FollowUpRecord } from '../../jobs/journal.ts';
import type { StoredDevice, StoredJob, StoredJobs } from '../../jobs/stored-job.ts';

const LOOKS_AT_ONCE = 32;

export function waitsForRestart({
  sections,
}: {
  readonly sections: readonly { readonly outcome: string }[];
}): boolean {
  return sections.some(({ outcome }) => outcome === 'needs-reboot');
}

export function followUpDevices(results: readonly DeviceResult[]): readonly FollowUpDevice[] {
  return results.filter(waitsForRestart).map(({ deviceId, name, url, sections }) => ({
    deviceId,
    name,
    url,
    sections: sections.filter(({ outcome }) => outcome === 'needs-reboot').length,
  }));
}

/** Devices of a follow-up that was cut off and still wait. */
export function followedUp({ followUp, devices }: StoredJob): readonly StoredDevice[] {
  const positions = new Set(followUp?.positions);
  return devices.filter((device) => positions.has(device.position) && waitsForRestart(device));
}

export interface FollowUpInput {
  readonly devices: readonly StoredDevice[];
  readonly record: FollowUpRecord;
  readonly finder: Finder;
  readonly stored: Pick<StoredJobs, 'documents'>;
}

/** One turn a device. */
export function followUpTurns({
  devices,
  record,
  finder,
  stored,
}: FollowUpInput): readonly ((context: JobContext) => Promise<boolean>)[] {
  const looks = new PQueue({ concurrency: LOOKS_AT_ONCE });
  return devices.map((device) => (context: JobContext) => {
    const located = locate(device, finder);
    if (!located.ok) return cannotFollowUp(device, located.error, context);
    const { id: deviceId, url } = located.device;
    return followUpDevice(
      {
        device,
        deviceId,
        url,
        waitMs: record.waitSeconds * 1000,
        documents: (section) => stored.documents(section.key),
        inTurn: (look) => looks.add(look),
      },
      context,
    );
  });
}
