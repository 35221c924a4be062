/** Black box of devices. */
import { type } from '@orpc/contract';
import { z } from 'zod';
import type { KnownFacts } from '../device-facts.ts';
import type { Restore, Snapshot, SnapshotDifference, SnapshotDocument, TimelineEntry } from '../snapshots.ts';
import { id, moment, shortText } from './inputs.ts';
import { route, waiting } from './route.ts';

export const snapshotsRoutes = {
  /** Reads everything that a device shows, and keeps it without secrets. Rejects with what keeps the device from being read. */
  take: waiting('none')
    .input(z.object({ deviceId: id }))
    .output(type<Snapshot>()),
  /** Lists the snapshots of a device, the newest first. Throws `unknown-device`. */
  list: route('none')
    .input(z.object({ deviceId: id }))
    .output(type<readonly Snapshot[]>()),
  /** Returns the documents of a device as they were at a time, by default now. Throws `not-found` if nothing was seen by then. */
  show: route('none')
    .input(z.object({ deviceId: id, at: moment.optional() }))
    .output(type<readonly SnapshotDocument[]>()),
  /** Compares a device at two times, the second of which is now by default. Throws `not-found` if nothing was seen by the first. */
  compare: route('none')
    .input(z.object({ deviceId: id, from: moment, to: moment.optional() }))
    .output(type<readonly SnapshotDifference[]>()),
  /**
   * Reads the device and returns a template that sets what it showed at a time. Secrets are in no snapshot and stay as they
   * are. Rejects with `not-found` if nothing was seen by then, and with what keeps the device from being read.
   */
  restore: waiting('none')
    .input(z.object({ deviceId: id, at: moment, name: shortText.min(1) }))
    .output(type<Restore>()),
  /**
   * Returns the last settings that a device showed as the text of a template, without asking it. Throws `not-found` if
   * nothing was seen of it, `not-supported` if none of that is a setting.
   */
  capture: route('none')
    .input(z.object({ deviceId: id }))
    .output(type<string>()),
  /** Returns what a device showed when it was last read, by its parts; asks it nothing. Throws `unknown-device`. */
  facts: waiting('none')
    .input(z.object({ deviceId: id }))
    .output(type<KnownFacts>()),
  /** Lists what changed on a device, the newest first; of changes from outside, what looks and snapshots saw. */
  timeline: route('none')
    .input(z.object({ deviceId: id, since: moment.optional() }))
    .output(type<readonly TimelineEntry[]>()),
};
