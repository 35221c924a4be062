/**
 * The address of a generated body for each operation, the values that have to fit the device, and the bodies
 * that the device refuses although the definition takes them: each of those names the place in the
 * specification that explains it.
 */
import type { DeviceKind, Params } from '#shared/model.ts';
import { MODELS } from '#simulator/areas/models/models.ts';
import { STORAGE_CARD } from '#simulator/areas/storage-card.ts';
import type { VirtualDevice } from '#simulator/index.ts';
import { withoutTwins, type Plain } from '../protocol/valid-value.ts';

export interface RequestCase {
  readonly kind: DeviceKind;
  readonly params?: Params;
  /** Makes the body one for this device: ids that are in the address, a password that is set. */
  readonly fit?: (body: Plain) => unknown;
  /** Returns the reason why the device refuses this body; nothing if it must take it. */
  readonly refusedFor?: (body: Plain) => string | undefined;
  /** Brings the device into a state that accepts the next body; a change of its own comes with `call`. */
  readonly settle?: (reset: Reset) => Promise<unknown>;
  /** Reason why the written value differs from the read one. */
  readonly notReadBack?: string;
}

export interface Reset {
  readonly device: VirtualDevice;
  /** Calls an operation that must succeed or be refused, either way. */
  readonly call: (
    operation: string,
    sent: { readonly params?: Params; readonly body?: unknown },
  ) => Promise<unknown>;
}

const DELIVERED_PACKAGE = 'delivered-safety-helmet';
const WEB_ADDRESS = 'http://127.0.0.1:9/package.bin';
const TASK = 'task';
const EVENT_TYPES: Readonly<Record<number, readonly number[]>> = {
  1: [1024, 1025, 1026, 1027],
  2: [39, 58, 59, 1024],
  3: [80, 90, 112, 113],
  5: [1, 2, 3, 4],
};

/** Removes all packages but the delivered one; some generated ids cannot be in a path. */
function removePackages(device: VirtualDevice): void {
  const { packages } = device.part(MODELS).snapshot() as {
    readonly packages: readonly { readonly MPID: string }[];
  };
  for (const { MPID } of packages) if (MPID !== DELIVERED_PACKAGE) device.part(MODELS).remove(MPID);
}

/** Ids of the device instead of generated ones. */
function withIds(ids: Plain): (body: Plain) => Plain {
  return (body) => ({
    ...body,
    ...Object.fromEntries(Object.entries(ids).filter(([name]) => name === 'id' || body[name] !== undefined)),
  });
}

function schedule(kind: DeviceKind, eventType: string): RequestCase {
  return { kind, params: { channelID: 2 }, fit: withIds({ id: `${eventType}-2`, eventType }) };
}

function taskFit(body: Plain): Plain {
  const { channel } = body;
  return {
    ...body,
    ...(Array.isArray(channel) ? { channel: channel.map((_, index) => (index % 4) + 1) } : {}),
    ...(body['engine'] === undefined ? {} : { engine: 2 }),
  };
}

export const REQUEST_CASES: Readonly<Record<string, RequestCase>> = {
  'aiPlatform.models.create': {
    kind: 'ai',
    notReadBack: 'listed only after download and restart (1:3)',
    fit: (body) => ({
      ...body,
      ...(body['engine'] === undefined ? {} : { engine: [2] }),
      ...(body['URL'] === undefined ? {} : { URL: WEB_ADDRESS }),
      ...(body['licenseKeyUrl'] === undefined ? {} : { licenseKeyUrl: WEB_ADDRESS }),
    }),
    settle: async ({ device }) => removePackages(device),
  },
  'aiPlatform.models.update': {
    kind: 'ai',
    fit: ({ URL: _url, ...body }) => ({ ...body, MPID: DELIVERED_PACKAGE }),
  },
  'aiPlatform.engine.load': {
    kind: 'ai',
    params: { engineID: 1 },
    fit: (body) => ({ ...body, MPID: DELIVERED_PACKAGE }),
  },
  'aiPlatform.picturePollingTasks.create': {
    kind: 'ai',
    fit: (body) => ({ ...taskFit(body), taskID: TASK }),
    settle: ({ call }) => call('aiPlatform.picturePollingTasks.delete', { params: { taskID: TASK } }),
  },
  'aiPlatform.picturePollingTasks.update': {
    kind: 'ai',
    params: { taskID: TASK },
    fit: taskFit,
    settle: ({ call }) =>
      call('aiPlatform.picturePollingTasks.create', {
        body: { taskID: TASK, engine: 1, channel: [1], pollingTime: 1 },
      }),
  },
  'accessControl.eventTotal.query': {
    kind: 'gate',
    fit: (body) => ({
      ...body,
      major: Math.abs(Number(body['major'])) % 6,
      minor: Math.abs(Number(body['minor'])) % 3,
    }),
    // The capability lists the types this device has (2:2.3).
    refusedFor: ({ major, minor }) => {
      const known = major === 0 ? Object.values(EVENT_TYPES).flat() : EVENT_TYPES[Number(major)];
      return known !== undefined && (minor === 0 || known.includes(Number(minor))) ? undefined : '2:2.3';
    },
  },
  'accessControl.eventOptimization.put': { kind: 'gate' },
  'accessControl.users.search': { kind: 'gate' },
  'accessControl.users.setUp': { kind: 'gate', fit: ({ deleteUser: _delete, ...body }) => body },
  'accessControl.users.record': {
    kind: 'gate',
    fit: (body) => ({ ...body, employeeNo: 'new' }),
    settle: ({ call }) =>
      call('accessControl.users.setUp', {
        body: { employeeNo: 'new', userType: 'normal', deleteUser: true },
      }),
  },
  'accessControl.fingerprints.query': { kind: 'gate' },
  'accessControl.fingerprints.setUp': {
    kind: 'gate',
    fit: ({ fingerData, ...body }) => ({
      ...body,
      employeeNo: 'nobody',
      enableCardReader: [1],
      fingerPrintID: 1,
      // A deletion carries no fingerprint.
      ...(fingerData === undefined || body['deleteFingerPrint'] === true ? {} : { fingerData }),
    }),
    // The device then has one to change and to delete.
    settle: ({ call }) =>
      call('accessControl.fingerprints.setUp', {
        body: {
          employeeNo: 'nobody',
          enableCardReader: [1],
          fingerPrintID: 1,
          fingerType: 'normalFP',
          fingerData: 'AAAA',
        },
      }),
    // No person is enrolled under this number (2:2.7).
    refusedFor: (body) =>
      body['checkEmployeeNo'] === true && body['deleteFingerPrint'] !== true ? '2:2.7' : undefined,
  },
  'accessControl.hostConfig.put': { kind: 'gate' },
  'accessControl.remoteCheck.put': {
    kind: 'gate',
    // The serial number is that of an uploaded event (2:2.9); a virtual gate has three that wait.
    refusedFor: ({ serialNo }) => ([598, 599, 600].includes(Number(serialNo)) ? undefined : '2:2.9'),
  },
  'accessControl.localController.add': {
    kind: 'gate',
    fit: (body) => ({ ...body, localControllerID: 64 }),
    settle: ({ call }) => call('accessControl.localController.delete', { params: { localControllerID: 64 } }),
  },
  'accessControl.localController.put': {
    kind: 'gate',
    params: { localControllerID: 1 },
    fit: (body) => ({ ...body, localControllerID: 1 }),
  },
  'accessControl.controllerAudio.put': { kind: 'gate', params: { audioID: 16 } },
  'peopleCounting.flashStorage.remove': { kind: 'counter', params: { channelID: 1 } },
  'peopleCounting.shield.put': { kind: 'counter', params: { channelID: 1 } },
  'storage.rwLock.put': {
    kind: 'counter',
    notReadBack: 'a password is never told',
    settle: async ({ device }) => device.part(STORAGE_CARD).removeLock(),
  },
  'storage.unlock.put': {
    kind: 'recorder',
    fit: (body) => ({ ...body, passwd: 'p1' }),
    settle: ({ call }) => call('storage.rwLock.put', { body: { enabled: true, passwd: 'p1' } }),
  },
  'events.storageSchedule.put': schedule('recorder', 'storageDetections'),
  'events.thermometrySchedule.put': schedule('thermal', 'thermometry'),
  'events.temperatureSchedule.put': schedule('thermal', 'temperature'),
  'events.hdBadBlockTrigger.put': {
    kind: 'recorder',
    fit: withIds({ id: 'hdBadBlock', eventType: 'hdBadBlock' }),
  },
  'events.severeHdFailureTrigger.put': {
    kind: 'recorder',
    fit: withIds({ id: 'severeHDFailure', eventType: 'severeHDFailure' }),
  },
  'events.thermometryPresetTrigger.put': {
    kind: 'thermal',
    params: { channelID: 1, presetID: 7 },
    fit: withIds({ id: 'thermometry-1', eventType: 'thermometry' }),
  },
  'passback.basic.put': { kind: 'recorder' },
  'passback.historyPlan.put': { kind: 'recorder', params: { streamID: 'a/b c', channelID: 3 } },
  'token.secretKey.set': { kind: 'counter' },
  'humanRecognition.config.put': { kind: 'ai', params: { channelID: 3 }, fit: withIds({ id: '3' }) },
  // Ids that are there are different ones.
  'humanRecognition.regions.put': {
    kind: 'ai',
    params: { channelID: 4 },
    fit: (body) => withoutTwins(body as unknown as readonly Plain[], 'id'),
  },
  'thermal.thermometryBasic.put': {
    kind: 'thermal',
    params: { channelID: 1 },
    fit: (body) => (body['id'] === undefined ? body : { ...body, id: 1 }),
  },
  // The capability of this device does not list the mode AI.
  'thermal.thermometryMode.put': { kind: 'thermal', params: { channelID: 1 } },
};
