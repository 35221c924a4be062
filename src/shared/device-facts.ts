/** Facts by the work of a device: its overview reads them, the list and the command line tell them from what is known. */
import type { AlarmChain } from './alarm-chain.ts';
import type { Params } from './model.ts';
import type { Fact } from './report-document.ts';

/** Fields of each part of a device, by the operation that answers with them. */
export const PART_FACTS = {
  thermal: { 'thermal.thermometryBasic.get': ['temperatureRange', 'alert', 'alarm'] },
  gate: {
    'gate.status.get': ['gateCurrentStatus', 'powerSupplyMode', 'inDoorPassCount', 'outDoorPassCount'],
  },
  accessControl: {
    'accessControl.hostConfig.get': [
      'protocol',
      'inputCardNo',
      'QRCodeEnabled',
      'RS485Backup',
      'voicePrompt',
    ],
  },
  peopleCounting: { 'peopleCounting.status.get': ['status', 'doorStatus'] },
  passback: { 'passback.basic.get': ['beginTime', 'endTime'] },
  // No fields are named: the first values of the answer count.
  aiPlatform: { 'aiPlatform.engines.list': [] },
  storage: {
    'storage.status.get': ['SDCardState', 'healthState', 'badBlocks', 'abnormalPowerLoss'],
    'storage.rwLock.get': ['enabled'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export type DevicePart = keyof typeof PART_FACTS;
export const DEVICE_PARTS = Object.keys(PART_FACTS) as readonly DevicePart[];

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
