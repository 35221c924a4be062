/** Facts by the work of a device: its overview reads them, the list and the command line tell them from what is known. */
import type { AlarmChain } from './alarm-chain.ts';
import type { Params } from './model.ts';
import type { Fact } from './report-document.ts';

/** Fields of the host of a terminal, by what they are about. */
export const HOST_FACTS = {
  readers: ['protocol', 'inputCardNo', 'QRCodeEnabled', 'RS485Backup', 'remoteCheckDoorEnabled'],
  audio: ['voicePrompt'],
  temperature: ['thermalEnabled', 'thermalMode', 'lowestThermalThreshold', 'highestThermalThreshold'],
} as const;

/** Fields of each part of a device, by the operation that answers with them. */
export const PART_FACTS = {
  thermal: { 'thermal.thermometryBasic.get': ['temperatureRange', 'alert', 'alarm'] },
  gate: {
    'gate.status.get': ['gateCurrentStatus', 'powerSupplyMode', 'inDoorPassCount', 'outDoorPassCount'],
  },
  accessControl: {
    'accessControl.hostConfig.get': Object.values(HOST_FACTS).flat(),
    'accessControl.localController.get': ['devType', 'offlineWorkMode', 'networkEnable', 'ipAddress'],
  },
  peopleCounting: {
    'peopleCounting.status.get': ['status', 'doorStatus'],
    'peopleCounting.recommendedWidth.get': ['width'],
  },
  passback: {
    'passback.basic.get': ['beginTime', 'endTime', 'maxTotalConcurrenceNum', 'maxDvrConcurrenceNum'],
  },
  // No fields are named: the first values of the answer count.
  aiPlatform: { 'aiPlatform.engines.list': [] },
  storage: {
    'storage.status.get': ['SDCardState', 'healthState', 'badBlocks', 'abnormalPowerLoss'],
    'storage.rwLock.get': ['enabled'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export type DevicePart = keyof typeof PART_FACTS;
export const DEVICE_PARTS = Object.keys(PART_FACTS) as readonly DevicePart[];

/** Returns the fields of an operation in a part; undefined if the part has none of it. */
export function listFactFields(part: DevicePart, operation: string): readonly string[] | undefined {
  return (PART_FACTS[part] as Readonly<Record<string, readonly string[]>>)[operation];
}

/** A value that a device showed. */
export interface KnownFact extends Pick<Fact, 'label' | 'value'> {
  readonly part: DevicePart;
  readonly operation: string;
  readonly path: string;
  readonly params: Params;
  /** True for something that the device reports as faulty. */
  readonly isFault?: true;
}

/** Values that a device showed when it was last read. */
export interface KnownFacts {
  /** ISO 8601: when the newest of them was seen; absent if the device was never read. */
  readonly at?: string;
  readonly facts: readonly KnownFact[];
  /** Chains of its temperature alarms, concluded for this moment. */
  readonly chains: readonly AlarmChain[];
}
