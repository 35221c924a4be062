/** Readings that a gate gives of itself (part 2, 2.12), as decoded; every field may be absent. */
import type { StepContext } from '../flow.ts';

export type PassageMode = 'Controlled' | 'Forbid' | 'Free';
export type Direction = 'in' | 'out';

export interface GateStatus {
  readonly busSync?: string;
  readonly inDoorPassCount?: number;
  readonly inDoorAuthCount?: number;
  readonly outDoorPassCount?: number;
  readonly outDoorAuthCount?: number;
  readonly remoteControlRecvModule?: string;
  readonly caseTempUnit?: string;
  readonly currentInDoorMode?: PassageMode;
  readonly currentOutDoorMode?: PassageMode;
  readonly powerSupplyMode?: string;
  readonly gateCurrentStatus?: string;
}

/** Texts of numbers with commas between them. */
export interface Infrared {
  readonly IREmitter?: {
    readonly triggered?: string;
    readonly triggeredTimeout?: string;
    readonly receiveBoardAbnormal?: string;
    readonly sendBoardAbnormal?: string;
    readonly sendAndReceiveLocateAbnormal?: string;
  };
  readonly masterIRAdaptorCommFailed?: string;
  readonly slaveIRAdaptorCommFailed?: string;
}

export interface Controller {
  readonly motorSensor?: string;
  readonly dropArmSensorAbnormal?: string;
  readonly dropArm?: string;
  readonly fireInput?: string;
  readonly caseTemp?: number;
  readonly alarmInTriggered?: string;
  readonly alarmOutTriggered?: string;
  readonly brakeStatus?: string;
  readonly fanStatus?: string;
  readonly lampBoardCommFailed?: string;
}

export interface GateParts {
  readonly MasterChannelController?: Controller;
  readonly SlaveChannelController?: Controller;
}

export interface GateDial {
  readonly workMode?: string;
  readonly deviceType?: string;
  readonly DialMode?: { readonly InDoor?: PassageMode; readonly OutDoor?: PassageMode };
}

export interface GateReadings {
  readonly status: GateStatus;
  readonly infrared: Infrared;
  readonly parts: GateParts;
  readonly dial: GateDial;
}

export const STATUS = 'gate.status.get';
export const INFRARED = 'gate.irStatus.get';
export const PARTS = 'gate.relatedParts.get';
export const DIAL = 'gate.dialAndInfo.get';
export const MOST_EMITTERS = 48;
export const SIDES = ['MasterChannelController', 'SlaveChannelController'] as const;

export async function readGate(step: Pick<StepContext, 'read'>): Promise<GateReadings> {
  return {
    status: await step.read<GateStatus>(STATUS),
    infrared: await step.read<Infrared>(INFRARED),
    parts: await step.read<GateParts>(PARTS),
    dial: await step.read<GateDial>(DIAL),
  };
}

/** Parses the numbers of such a text, each once and rising; numbers outside 1 to `most` are omitted. */
export function parseIds(text: string | undefined, most: number): readonly number[] {
  const ids = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^\d{1,4}$/.test(part))
    .map(Number)
    .filter((id) => id >= 1 && id <= most);
  return [...new Set(ids)].sort((one, other) => one - other);
}

/** Formats ranges: `1–3, 7`. */
export function formatRanges(ids: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run?.[1] === id - 1) run[1] = id;
    else runs.push([id, id]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}

/** Returns true if the gate is open in one direction; undefined if it does not say. */
export function isOpen({ gateCurrentStatus }: GateStatus): boolean | undefined {
  return gateCurrentStatus === undefined ? undefined : gateCurrentStatus !== 'Close';
}

export function isFire(parts: GateParts): boolean {
  return SIDES.some((side) => parts[side]?.fireInput === 'Alarm');
}
