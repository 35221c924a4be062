/** Faults that a gate reports of itself (part 2, 2.12), each as the field that says it. */
import {
  DIAL,
  INFRARED,
  MOST_EMITTERS,
  PARTS,
  SIDES,
  STATUS,
  parseIds,
  type Controller,
  type GateReadings,
  type Infrared,
} from './readings.ts';

export interface GateFault {
  readonly operation: string;
  /** Path of the field in what the operation answers. */
  readonly path: string;
  /** Numbers of the parts concerned, if the field lists several. */
  readonly ids?: readonly number[];
}

const EMITTER_FAULTS = [
  'triggeredTimeout',
  'receiveBoardAbnormal',
  'sendBoardAbnormal',
  'sendAndReceiveLocateAbnormal',
] as const;
const ADAPTER_FAULTS = ['masterIRAdaptorCommFailed', 'slaveIRAdaptorCommFailed'] as const;
const STATES = [
  [STATUS, 'busSync', 'Normal'],
  [STATUS, 'powerSupplyMode', 'ACPower'],
  [DIAL, 'workMode', 'Normal'],
] as const;

/** Lists the faults: of the gate as a whole, then of each side, then of the beams. */
export function findGateFaults({
  status,
  dial,
  parts,
  infrared,
}: Partial<GateReadings>): readonly GateFault[] {
  const states: Readonly<Record<string, unknown>> = { ...status, ...dial };
  return [
    ...STATES.filter(([, path, good]) => states[path] !== undefined && states[path] !== good).map(
      ([operation, path]) => ({ operation, path }),
    ),
    ...(status?.remoteControlRecvModule === 'Abnormal'
      ? [{ operation: STATUS, path: 'remoteControlRecvModule' }]
      : []),
    ...SIDES.flatMap((side) => findPartFaults(parts?.[side], side)),
    ...SIDES.filter((side) => parts?.[side]?.fireInput === 'Alarm').map((side) => ({
      operation: PARTS,
      path: `${side}.fireInput`,
    })),
    ...listFault(
      INFRARED,
      'IREmitter.triggeredTimeout',
      infrared?.IREmitter?.triggeredTimeout,
      MOST_EMITTERS,
    ),
    ...findBoardFaults(infrared),
  ];
}

/** Lists the faults of one channel controller, without its fire input. */
export function findPartFaults(
  controller: Controller | undefined,
  side: (typeof SIDES)[number],
): readonly GateFault[] {
  const at = (name: keyof Controller): string => `${side}.${name}`;
  return [
    ...(['motorSensor', 'dropArm'] as const)
      .filter((name) => controller?.[name] === 'Abnormal')
      .map((name) => ({ operation: PARTS, path: at(name) })),
    ...(
      [
        ['dropArmSensorAbnormal', 4],
        ['lampBoardCommFailed', 4],
        ['alarmInTriggered', 8],
      ] as const
    ).flatMap(([name, most]) => listFault(PARTS, at(name), controller?.[name], most)),
  ];
}

/** Lists the faults of the boards of the beams and of their adapters. */
export function findBoardFaults(infrared: Infrared | undefined): readonly GateFault[] {
  return [
    ...EMITTER_FAULTS.slice(1).flatMap((name) =>
      listFault(INFRARED, `IREmitter.${name}`, infrared?.IREmitter?.[name], MOST_EMITTERS),
    ),
    ...ADAPTER_FAULTS.flatMap((name) => listFault(INFRARED, name, infrared?.[name], 2)),
  ];
}

function listFault(
  operation: string,
  path: string,
  text: string | undefined,
  most: number,
): readonly GateFault[] {
  const ids = parseIds(text, most);
  return ids.length === 0 ? [] : [{ operation, path, ids }];
}
