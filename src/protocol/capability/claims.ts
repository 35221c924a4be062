/**
 * Capabilities that a device claims, beside what it answers: flags that promise an operation, and its
 * capability document.
 */
import type { Operation } from '../definition.ts';

/** An operation, and the flag that promises it: the operation that reports the flag, and its path there. */
const PROMISES: Readonly<Record<string, readonly [operation: string, path: string]>> = {
  'aiPlatform.picturePollingTasks.list': [
    'aiPlatform.capabilities.get',
    'isSupportPicturePollingAnalysisTask',
  ],
  'aiPlatform.picturePollingTask.capabilities.get': [
    'aiPlatform.capabilities.get',
    'isSupportPicturePollingAnalysisTask',
  ],
  'aiPlatform.videoTask.capabilities.get': ['aiPlatform.capabilities.get', 'isSupportVideoTask'],
  'thermal.fireDetection.get': ['thermal.capabilities.get', 'isSupportFireDetection'],
  'thermal.fireDetection.capabilities.get': ['thermal.capabilities.get', 'isSupportFireDetection'],
  'thermal.thermometryBasic.get': ['thermal.capabilities.get', 'isSupportThermometry'],
  'thermal.thermometryMode.get': ['thermal.capabilities.get', 'isSupportThermometryMode'],
  'thermal.thermometryMode.capabilities.get': ['thermal.capabilities.get', 'isSupportThermometryMode'],
  'thermal.faceThermometry.capabilities.get': ['thermal.capabilities.get', 'isSupportFaceThermometry'],
  'events.thermometrySchedule.get': ['thermal.capabilities.get', 'isSupportThermometrySchedule'],
  'events.temperatureSchedule.get': ['thermal.capabilities.get', 'isSupportTemperatureSchedule'],
};

export interface Claim {
  readonly state: 'true' | 'false' | 'not-reported';
  /** The operation that reports it, and the path of the flag there; the document as a whole where there is none. */
  readonly by?: { readonly operation: string; readonly path?: string };
}

export interface Claimed {
  /** State of a reported flag; undefined where its document was not answered. */
  flag(operation: string, path: string): Claim['state'] | undefined;
  /** Returns whether a capability document was answered. */
  answered(operation: string): boolean;
}

/**
 * Determines what a device claims about an operation. A flag decides; without one, a capability document of
 * the operation is a claim too, and a missing one means nothing.
 */
export function determineClaim(
  { id, capability }: Pick<Operation, 'id' | 'capability'>,
  claimed: Claimed,
): Claim {
  const promise = PROMISES[id];
  if (promise !== undefined) {
    const [operation, path] = promise;
    const state = claimed.flag(operation, path);
    if (state !== undefined && state !== 'not-reported') return { state, by: { operation, path } };
  }
  if (capability !== undefined && claimed.answered(capability))
    return { state: 'true', by: { operation: capability } };
  return { state: 'not-reported' };
}
