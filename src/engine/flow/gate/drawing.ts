/** A gate from above, lit by what it says of itself: the same picture in a flow, in its record and on the pages of the device. */
import type { Drawing, Fact, Shape, ShapeState, Value, DocumentText } from '#shared/report-document.ts';
import { buildFact, listFacts, type FactOptions } from '#engine/report-files/facts.ts';
import {
  DIAL,
  INFRARED,
  MOST_EMITTERS,
  PARTS,
  SIDES,
  STATUS,
  parseIds,
  isOpen,
  formatRanges,
  type Controller,
  type Direction,
  type GateReadings,
  type Infrared,
  type PassageMode,
} from './readings.ts';
import { getLastName } from '#protocol/index.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';
import type { PictureFault } from '#shared/flows.ts';
import type { GateFault } from './faults.ts';

/** Known values of a gate; none is required. */
interface GateModel extends Partial<GateReadings> {
  /** Numbers of the beams that the gate has; all of them without. */
  readonly fitted?: readonly number[];
  /** Beams that a walk-test saw interrupted and clear again. */
  readonly tested?: readonly number[];
}

const WIDTH = 640;
const HEIGHT = 340;
const LEFT = 32;
const RIGHT = WIDTH - LEFT;
const LANE = { top: 132, bottom: 244 };
const CABINETS = { MasterChannelController: 108, SlaveChannelController: 52 } as const;
const IN_A_ROW = MOST_EMITTERS / 2;
const PITCH = (RIGHT - LEFT) / IN_A_ROW;

export function buildGateDrawing(model: GateModel): Drawing {
  const shapes: readonly Shape[] = [
    ...cabinet(model, 'MasterChannelController'),
    ...cabinet(model, 'SlaveChannelController'),
    ...beamsOf(model),
    ...doors(model),
    ...directions(model),
    { shape: 'text', x: LEFT - 12, y: HEIGHT - 8, text: { id: 'flow-gate-legend' }, size: 10 },
  ];
  return {
    block: 'drawing',
    title: { id: 'flow-gate-drawing' },
    width: WIDTH,
    height: HEIGHT,
    shapes,
    twin: twinOf(model),
  };
}

function twinOf(model: GateModel): Drawing['twin'] {
  const { status, infrared, parts, dial, tested, fitted = ALL } = model;
  const lines = [
    ...(dial === undefined ? [] : listFacts(getSpecifiedOperation(DIAL), dial)),
    ...(status === undefined
      ? []
      : [
          'gateCurrentStatus',
          'currentInDoorMode',
          'currentOutDoorMode',
          'powerSupplyMode',
          'busSync',
          'remoteControlRecvModule',
        ].map((path) => buildFact(getSpecifiedOperation(STATUS), path, status))),
    ...(tested === undefined
      ? []
      : [
          {
            label: { id: 'flow-gate-beams-tested' as const },
            value: `${formatRanges(sorted(tested))} (${tested.length}/${fitted.length})`,
          },
        ]),
    ...(infrared === undefined ? [] : listBeamFacts(infrared)),
    ...(parts === undefined ? [] : listPartFacts(model)),
  ];
  return lines.length === 0 ? [{ label: { id: 'flow-gate-drawing' }, value: null }] : lines;
}

/**
 * Lists the facts of both channel controllers; the case temperature is in the unit that the gate names
 * elsewhere (part 2, 2.12).
 */
export function listPartFacts(
  { parts, status }: Pick<GateModel, 'parts' | 'status'>,
  options?: FactOptions,
): readonly Fact[] {
  const unit = { Centigrade: '°C', Fahrenheit: '°F' }[status?.caseTempUnit ?? ''];
  return listFacts(getSpecifiedOperation(PARTS), parts, options).map((fact): Fact => {
    const { value } = fact;
    return unit !== undefined && isNumber(value) ? { ...fact, value: { ...value, unit } } : orNone(fact);
  });
}

export function listBeamFacts(infrared: Infrared, options?: FactOptions): readonly Fact[] {
  return listFacts(getSpecifiedOperation(INFRARED), infrared, options).map(orNone);
}

/** Replaces an empty text by the word for none. */
function orNone(fact: Fact): Fact {
  return fact.value === '' ? { ...fact, value: { id: 'report.none' } } : fact;
}

function isNumber(value: Value): value is Extract<Value, { number: number }> {
  return typeof value === 'object' && value !== null && 'number' in value;
}

const ALL = Array.from({ length: MOST_EMITTERS }, (_, index) => index + 1);

function sorted(ids: readonly number[]): readonly number[] {
  return [...ids].sort((one, other) => one - other);
}

/**
 * Draws emitters in two rows on the master side, with a line across the passage from each that is
 * interrupted.
 */
function beamsOf({ infrared, fitted = ALL, tested }: GateModel): readonly Shape[] {
  const { IREmitter = {} } = infrared ?? {};
  const interrupted = parseIds(IREmitter.triggered, MOST_EMITTERS);
  const faulty = new Set(
    [
      IREmitter.triggeredTimeout,
      IREmitter.receiveBoardAbnormal,
      IREmitter.sendBoardAbnormal,
      IREmitter.sendAndReceiveLocateAbnormal,
    ].flatMap((text) => parseIds(text, MOST_EMITTERS)),
  );
  const stateOf = (id: number): ShapeState => {
    if (!fitted.includes(id)) return 'off';
    if (faulty.has(id)) return 'bad';
    if (interrupted.includes(id)) return 'warning';
    return tested?.includes(id) === true ? 'good' : 'plain';
  };
  return ALL.flatMap((id): readonly Shape[] => {
    const [x, y] = locateBeam(id);
    const state = stateOf(id);
    return [
      { shape: 'circle', x, y, r: 6, state },
      { shape: 'text', x, y: y - 9, text: String(id), size: 9, anchor: 'middle' },
      ...(state === 'warning' || state === 'bad'
        ? [
            {
              shape: 'path' as const,
              points: [
                [x, LANE.top],
                [x, LANE.bottom],
              ] as const,
              state,
            },
          ]
        : []),
    ];
  });
}

function locateBeam(id: number): readonly [number, number] {
  return [LEFT + PITCH * (((id - 1) % IN_A_ROW) + 0.5), id <= IN_A_ROW ? LANE.top - 42 : LANE.top - 13];
}

/** Returns the places of the faulty parts in the drawing; none for the gate as a whole. */
export function locateFault({ path, ids = [1] }: GateFault): PictureFault['at'] {
  if (path.startsWith('IREmitter.'))
    return ids.map((id) => {
      const [x, y] = locateBeam(id);
      return { x, y, along: LANE.top + GAP };
    });
  const isSlave = path.startsWith('slave') || path.startsWith('SlaveChannelController');
  const side = isSlave ? 'SlaveChannelController' : 'MasterChannelController';
  const name = getLastName(path);
  if (name === 'dropArm') {
    const y = isSlave ? LANE.bottom - 30 : LANE.top + 30;
    return [{ x: WIDTH / 2, y, along: y }];
  }
  const index = MARKS.indexOf(path.endsWith('IRAdaptorCommFailed') ? 'adapters' : name);
  if (index < 0) return [];
  const along = isSlave ? LANE.bottom - GAP : LANE.top - CABINETS[side] - GAP;
  return ids.map((id) => {
    const { x, y } = locateMark(side, index, id - 1);
    return { x: x + MARK / 2, y: y + MARK / 2, along };
  });
}

/** Distance of a line from the cabinet that it leaves. */
const GAP = 4;

/** Marks of a cabinet, in the order in which they are drawn. */
const MARKS: readonly string[] = [
  'motorSensor',
  'dropArmSensorAbnormal',
  'brakeStatus',
  'fanStatus',
  'lampBoardCommFailed',
  'fireInput',
  'adapters',
];
const MARK = 11;

function locateMark(
  side: (typeof SIDES)[number],
  index: number,
  nth: number,
): { readonly x: number; readonly y: number } {
  const top = side === 'MasterChannelController' ? LANE.top - CABINETS[side] : LANE.bottom;
  return { x: LEFT + (index * (RIGHT - LEFT)) / MARKS.length + nth * 14, y: top + 10 };
}

/**
 * Draws two leaves between the cabinets: shut across the passage, or swung along it in the free direction.
 */
function doors({ status, parts }: GateModel): readonly Shape[] {
  const middle = (LANE.top + LANE.bottom) / 2;
  const x = WIDTH / 2;
  const open = status === undefined ? undefined : isOpen(status);
  const swing = status?.gateCurrentStatus === 'OutDoorOpen' ? -52 : 52;
  return SIDES.flatMap((side): readonly Shape[] => {
    const hinge = side === 'MasterChannelController' ? LANE.top : LANE.bottom;
    const tip: readonly [number, number] = open === true ? [x + swing, hinge] : [x, middle];
    const inset = hinge < middle ? 6 : -6;
    const controller = parts?.[side];
    return [
      {
        shape: 'path',
        points: [
          [x - 3, hinge + inset],
          [x + 3, hinge + inset],
          open === true ? [tip[0], tip[1] + inset + 3] : [tip[0] + 3, tip[1]],
          open === true ? [tip[0], tip[1] + inset - 3] : [tip[0] - 3, tip[1]],
        ],
        closed: true,
        state:
          controller?.dropArm === 'Abnormal' ? 'bad' : open === undefined ? 'off' : open ? 'good' : 'plain',
      },
    ];
  });
}

function directions({ status }: GateModel): readonly Shape[] {
  const middle = (LANE.top + LANE.bottom) / 2;
  const arrow = (
    direction: Direction,
    mode: PassageMode | undefined,
    label: DocumentText,
    y: number,
  ): readonly Shape[] => {
    const [from, to, head] = direction === 'in' ? [52, 132, 122] : [RIGHT - 20, RIGHT - 100, RIGHT - 90];
    const state: ShapeState = mode === 'Controlled' ? 'plain' : mode === 'Free' ? 'good' : 'off';
    return [
      {
        shape: 'path',
        points: [
          [from, y],
          [to, y],
        ],
        state,
      },
      {
        shape: 'path',
        points: [
          [head, y - 6],
          [to, y],
          [head, y + 6],
        ],
        closed: true,
        state,
      },
      { shape: 'text', x: Math.min(from, to), y: y - 12, text: label, size: 11 },
    ];
  };
  return [
    ...arrow('in', status?.currentInDoorMode, modeText('in', status?.currentInDoorMode), middle + 12),
    ...arrow('out', status?.currentOutDoorMode, modeText('out', status?.currentOutDoorMode), middle + 12),
  ];
}

const MODES = {
  in: {
    Controlled: 'flow-gate-in-controlled',
    Forbid: 'flow-gate-in-forbidden',
    Free: 'flow-gate-in-free',
  },
  out: {
    Controlled: 'flow-gate-out-controlled',
    Forbid: 'flow-gate-out-forbidden',
    Free: 'flow-gate-out-free',
  },
} as const;

function modeText(direction: Direction, mode: PassageMode | undefined): DocumentText {
  if (mode === undefined || !Object.hasOwn(MODES[direction], mode))
    return { id: direction === 'in' ? 'flow-gate-in' : 'flow-gate-out' };
  return { id: MODES[direction][mode] };
}

interface Part {
  readonly label: DocumentText;
  readonly state: ShapeState;
  /** One mark for each, where there are several. */
  readonly states?: readonly ShapeState[];
}

/** Draws one side of the passage: its outline, and a mark with its name for each of its parts. */
function cabinet({ infrared, parts }: GateModel, side: (typeof SIDES)[number]): readonly Shape[] {
  const isMaster = side === 'MasterChannelController';
  const top = isMaster ? LANE.top - CABINETS[side] : LANE.bottom;
  const height = CABINETS[side];
  const controller = parts?.[side];
  const failed =
    infrared === undefined
      ? undefined
      : parseIds(isMaster ? infrared.masterIRAdaptorCommFailed : infrared.slaveIRAdaptorCommFailed, 2);
  const list: readonly Part[] = [
    ...partsOf(controller),
    {
      label: { id: 'flow-gate-adapters' },
      state: 'off',
      states: [1, 2].map((id) => (failed === undefined ? 'off' : failed.includes(id) ? 'bad' : 'good')),
    },
  ];
  return [
    { shape: 'rect', x: LEFT - 12, y: top, width: RIGHT - LEFT + 24, height },
    {
      shape: 'text',
      x: LEFT - 12,
      y: isMaster ? top - 6 : top + height + 16,
      text: { id: isMaster ? 'flow-gate-master' : 'flow-gate-slave' },
      size: 12,
    },
    ...list.flatMap(({ label, state, states = [state] }, index): readonly Shape[] => {
      return [
        ...states.map((each, nth): Shape => ({
          shape: 'rect',
          ...locateMark(side, index, nth),
          width: MARK,
          height: MARK,
          state: each,
        })),
        { shape: 'text', x: locateMark(side, index, 0).x, y: top + 36, text: label, size: 10 },
      ];
    }),
  ];
}

function partsOf(controller: Controller | undefined): readonly Part[] {
  const judged = (value: string | undefined, bad: string): ShapeState =>
    value === undefined ? 'off' : value === bad ? 'bad' : 'good';
  const running = (value: string | undefined, on: string): ShapeState => (value === on ? 'good' : 'off');
  const each = (text: string | undefined): readonly ShapeState[] =>
    [1, 2, 3, 4].map((id) =>
      controller === undefined ? 'off' : parseIds(text, 4).includes(id) ? 'bad' : 'good',
    );
  const { motorSensor, fireInput, brakeStatus, fanStatus } = controller ?? {};
  return [
    { label: { id: 'flow-gate-motor' }, state: judged(motorSensor, 'Abnormal') },
    {
      label: { id: 'flow-gate-arm-sensors' },
      state: 'off',
      states: each(controller?.dropArmSensorAbnormal),
    },
    { label: { id: 'flow-gate-brake' }, state: running(brakeStatus, 'Brake') },
    { label: { id: 'flow-gate-fan' }, state: running(fanStatus, 'Start') },
    {
      label: { id: 'flow-gate-lamp-boards' },
      state: 'off',
      states: each(controller?.lampBoardCommFailed),
    },
    { label: { id: 'flow-gate-fire-input' }, state: judged(fireInput, 'Alarm') },
  ];
}
