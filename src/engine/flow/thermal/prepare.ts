/**
 * Preparation before the first reading: the device and its mode, the profile, room and warm-up, the
 * blackbody.
 */
import { findConstraint } from '#protocol/index.ts';
import { formatLocalTime } from '#engine/host/local-time.ts';
import { buildFact } from '#engine/report-files/facts.ts';
import type { Check, Fact, DocumentText } from '#shared/report-document.ts';
import { buildDoubtBlocks, endOf } from '../common/lines.ts';
import { lookIfAny, readIfAny } from '../common/read-if-any.ts';
import type { FlowField, FlowStep, StepContext, StepEnd, Values } from '../flow.ts';
import { LIMIT_FIELDS, PROFILES, getProfile, type Limits } from './profiles.ts';
import { listAttestedFacts, createField, numberIn, settleDoubts, createUnitField } from './questions.ts';
import { CAPABILITIES, createCameraTarget, findTarget, type Target } from './target.ts';
import { guessUnit, SYMBOLS, convertToCelsius, parseTemperatureUnit } from './temperature.ts';
import { warmUp } from './warm-up.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';

const CAMERA_FIELDS: readonly FlowField[] = [
  createField('model', 'flow-thermal-model', 'text', { maxLength: 100, kept: true }),
  createField('serial', 'flow-thermal-serial', 'text', { maxLength: 100 }),
  createField('firmware', 'flow-thermal-firmware', 'text', { maxLength: 100, kept: true }),
  createField('lens', 'flow-thermal-lens', 'text', { maxLength: 100, kept: true }),
];

export const capability: FlowStep = {
  id: 'capability',
  title: { id: 'flow-thermal-capability' },
  required: true,
  async run(step) {
    const found = await step.once('found', () => findTarget(step));
    const isCamera = found.is === 'camera';
    const fields = [
      ...(isCamera
        ? [
            createField('channel', 'flow-thermal-channel', 'number', {
              required: true,
              min: 1,
              max: 1024,
              value: found.params['channelID'],
            }),
          ]
        : []),
      ...CAMERA_FIELDS,
    ];
    const answer = await step.ask('camera', {
      text: [{ id: isCamera ? 'flow-thermal-is-camera' : 'flow-thermal-is-terminal' }],
      fields,
    });
    const target = await step.once('target', () =>
      isCamera ? createCameraTarget(Number(answer['channel'])) : found,
    );
    step.record({ block: 'facts', facts: listAttestedFacts(step, fields, answer) });
    if (!isCamera) return { outcome: 'unchanged', did: 'checked' };
    step.record({ block: 'facts', facts: await reportedFacts(step) });
    return setMode(step, target);
  },
};

async function reportedFacts(step: StepContext): Promise<readonly Fact[]> {
  const reported = await step.once('capabilities', () => step.read(CAPABILITIES));
  const operation = getSpecifiedOperation(CAPABILITIES);
  const paths = [
    'isSupportThermometry',
    'isSupportBodyTemperatureCompensation',
    'AlgVersionInfo.thermometryAlgName',
  ];
  return paths.map((path) => buildFact(operation, path, reported, { proof: 'read-back' }));
}

const MODE = 'thermal.thermometryMode';

async function setMode(step: StepContext, { params }: Target): Promise<StepEnd> {
  const held = await step.once('mode-before', async () => {
    const found = await readIfAny<{ readonly mode?: string }>(step, `${MODE}.get`, params);
    return 'value' in found ? (found.value.mode ?? null) : null;
  });
  if (held === null || !step.mayWrite(MODE)) return { outcome: 'unchanged' };
  const operation = getSpecifiedOperation(`${MODE}.get`);
  const modes = await step.once('modes', async () => {
    const limits = await lookIfAny(() => step.limits(`${MODE}.capabilities.get`, params));
    return 'none' in limits ? [held] : (findConstraint(limits.value, 'mode')?.options ?? [held]);
  });
  const wordsOf = (mode: string): DocumentText =>
    buildFact(operation, 'mode', { mode }).value as DocumentText;
  const { mode } = await step.ask('mode', {
    text: [{ id: 'flow-thermal-mode' }],
    fields: [
      createField('mode', 'flow-thermal-mode-label', 'choice', {
        required: true,
        kept: true,
        value: held,
        options: [...new Set([held, ...modes])].map((value) => ({ value, label: wordsOf(value) })),
      }),
    ],
  });
  const written = await step.write(
    'mode',
    { set: MODE, params, value: { mode } },
    { text: [{ id: 'flow-thermal-mode-sends' }] },
  );
  step.record({
    block: 'facts',
    facts: [buildFact(operation, 'mode', { mode }, { proof: written.proof })],
  });
  step.record(...buildDoubtBlocks(step, written));
  return endOf(written);
}

export const profile: FlowStep = {
  id: 'profile',
  title: { id: 'flow-thermal-profile' },
  required: true,
  async run(step) {
    const chosen = await step.ask('profile', {
      text: [{ id: 'flow-thermal-profile-text' }],
      isShared: true,
      fields: [
        createField('profile', 'flow-thermal-profile', 'choice', {
          required: true,
          value: step.earlier<Target>('capability', 'target')?.is === 'terminal' ? 'screening' : undefined,
          options: PROFILES.map(({ name, label }) => ({ value: name, label: { id: label } })),
        }),
      ],
    });
    const { label, sources, limits } = getProfile(chosen['profile']);
    const fields = LIMIT_FIELDS.map(({ label: id, ...rest }) => ({
      ...rest,
      label: { id },
      kind: 'number' as const,
      isFolded: true as const,
      value: limits[rest.name],
    }));
    const answer = await step.ask(limitsKey(chosen), {
      text: [...sources.map((id) => ({ id })), { id: 'flow-thermal-limits-text' }],
      isShared: true,
      fields,
    });
    step.record(
      { block: 'facts', facts: [{ label: { id: 'flow-thermal-profile' }, value: { id: label } }] },
      ...sources.map((id) => ({ block: 'paragraph' as const, text: { id } })),
      {
        block: 'facts',
        facts: fields.flatMap(({ name, label: words, unit }): readonly Fact[] => {
          const value = numberIn(answer, name);
          if (value === undefined && limits[name] === undefined) return [];
          return [
            {
              label: words,
              value: value === undefined ? null : { number: value, unit },
              source:
                value === limits[name]
                  ? { id: label }
                  : { id: 'flow-thermal-changed-by', values: { name: step.user } },
            },
          ];
        }),
      },
    );
    return { outcome: 'unchanged', did: 'answered' };
  },
};

/**
 * Returns the key of the limits of one profile: changes are proposed for the next device with the same
 * profile only.
 */
function limitsKey(chosen: Values | undefined): string {
  return `limits-${getProfile(chosen?.['profile']).name}`;
}

/** Returns the limits as the step above set them. */
export function getLimits(step: StepContext): Limits {
  const answer = step.earlier<Values>('profile', limitsKey(step.earlier<Values>('profile', 'profile')));
  if (answer === undefined) return getProfile(undefined).limits;
  const limits = answer as unknown as Limits;
  const { from, to, points, readings } = limits;
  const turned = from !== undefined && to !== undefined && from > to ? { from: to, to: from } : {};
  return { ...limits, ...turned, points: Math.ceil(points), readings: Math.ceil(readings) };
}

/** Less than this many pixels of the picture, and the edge of the target is measured as well. */
const LEAST_PIXELS = 5;
const WIDEST_ANGLE = 45;
/** Usual room temperature in °C, for a profile that gives none. */
const USUAL_ROOM = 22;

const ROOM_FIELDS: readonly FlowField[] = [
  createUnitField('roomUnit', 'flow-thermal-room-unit', 'degreeCentigrade'),
  createField('room', 'flow-thermal-room', 'number', { required: true, min: -100, max: 400 }),
  createField('humidity', 'flow-thermal-humidity', 'number', { unit: '%', min: 0, max: 100 }),
];
const GEOMETRY_FIELDS: readonly FlowField[] = [
  createField('distance', 'flow-thermal-distance', 'number', {
    unit: 'm',
    min: 0.01,
    max: 10_000,
    kept: true,
  }),
  createField('angle', 'flow-thermal-angle', 'number', { unit: '°', min: 0, max: 90, kept: true }),
  createField('pixels', 'flow-thermal-pixels', 'number', { min: 1, max: 100_000, kept: true }),
];
const CHECKS = ['still', 'draught', 'perpendicular', 'radiation'] as const;

export const environment: FlowStep = {
  id: 'environment',
  title: { id: 'flow-thermal-environment' },
  async run(step) {
    const limits = getLimits(step);
    // A job that was begun with an earlier version has both in one answer.
    const isWhole = step.earlier<Values>('environment', 'room')?.['distance'] !== undefined;
    const answer = await step.ask('room', {
      text: [{ id: 'flow-thermal-room-text' }],
      isShared: true,
      fields: ROOM_FIELDS,
    });
    await settleDoubts(step, 'roomSure', roomDoubts(answer, limits), { isShared: true });
    const geometry = isWhole
      ? answer
      : await step.ask('geometry', { text: [{ id: 'flow-thermal-geometry-text' }], fields: GEOMETRY_FIELDS });
    const { pixels = LEAST_PIXELS, angle = 0 } = geometry as Readonly<Record<string, number | undefined>>;
    await settleDoubts(step, 'geometrySure', [
      ...(pixels < LEAST_PIXELS
        ? [{ id: 'flow-thermal-few-pixels' as const, values: { least: LEAST_PIXELS } }]
        : []),
      ...(angle >= WIDEST_ANGLE
        ? [{ id: 'flow-thermal-wide-angle' as const, values: { most: WIDEST_ANGLE } }]
        : []),
    ]);
    const place = await step.ask('place', {
      text: [{ id: 'flow-thermal-place-text' }],
      fields: [
        ...CHECKS.map((name) => createField(name, `flow-thermal-is-${name}`, 'flag', { value: false })),
        createField('warmedUp', 'flow-thermal-warmed-up', 'number', {
          unit: 'min',
          min: 0,
          max: 1_000_000,
          value: 0,
        }),
      ],
    });
    step.record(
      { block: 'facts', facts: roomFacts(step, answer) },
      { block: 'facts', facts: listAttestedFacts(step, GEOMETRY_FIELDS, geometry) },
      {
        block: 'checklist',
        items: CHECKS.map((name): Check => ({
          label: { id: `flow-thermal-is-${name}` },
          result: place[name] === true ? 'done' : 'open',
          ...(place[name] === true && { proof: 'attested' as const, by: step.user }),
        })),
      },
    );
    await warmUp(step, numberIn(place, 'warmedUp') ?? 0, limits.warmUp ?? 0);
    return { outcome: 'unchanged', did: 'answered' };
  },
};

/** Returns the room temperature in °C; undefined if the step was left out. */
export function getRoomTemperature(answer: Values | undefined): number | undefined {
  const room = numberIn(answer ?? {}, 'room');
  return room === undefined ? undefined : convertToCelsius(room, parseTemperatureUnit(answer?.['roomUnit']));
}

function roomDoubts(answer: Values, limits: Limits): readonly DocumentText[] {
  const unit = parseTemperatureUnit(answer['roomUnit']);
  const { roomFrom = -Infinity, roomTo = Infinity, humidityFrom = 0, humidityTo = 100 } = limits;
  const typed = numberIn(answer, 'room') ?? NaN;
  const room = getRoomTemperature(answer) ?? NaN;
  const humidity = numberIn(answer, 'humidity');
  const meant = guessUnit(typed, unit, USUAL_ROOM);
  if (meant !== undefined)
    return [
      {
        id: 'flow-thermal-meant',
        values: { value: typed, unit: SYMBOLS[unit], meant: SYMBOLS[meant] },
      },
    ];
  return [
    ...(room < roomFrom || room > roomTo
      ? [{ id: 'flow-thermal-room-outside' as const, values: { value: room } }]
      : []),
    ...(humidity !== undefined && (humidity < humidityFrom || humidity > humidityTo)
      ? [{ id: 'flow-thermal-humidity-outside' as const, values: { value: humidity } }]
      : []),
  ];
}

function roomFacts(step: StepContext, answer: Values): readonly Fact[] {
  const [, room, humidity] = ROOM_FIELDS;
  const shown = { room: getRoomTemperature(answer), humidity: answer['humidity'] };
  return listAttestedFacts(step, [{ ...room, unit: '°C' } as FlowField, humidity as FlowField], shown);
}

/** Returns distance, angle and pixels as measured; undefined if the step was left out. */
export function getGeometry(step: StepContext): Values | undefined {
  return step.earlier<Values>('environment', 'geometry') ?? step.earlier<Values>('environment', 'room');
}

/** Asks for temperature and humidity again, when the last reading is taken. */
export async function askRoomAtEnd(step: StepContext): Promise<void> {
  const before = step.earlier<Values>('environment', 'room');
  const answer = await step.ask('room', {
    text: [{ id: 'flow-thermal-room-end-text' }],
    fields: ROOM_FIELDS.map((one) =>
      one.name === 'roomUnit' ? { ...one, value: before?.['roomUnit'] ?? one.value } : one,
    ),
  });
  await settleDoubts(step, 'roomSure', roomDoubts(answer, getLimits(step)));
  step.record({ block: 'facts', title: { id: 'flow-thermal-room-end' }, facts: roomFacts(step, answer) });
}

const BLACKBODY_FIELDS: readonly FlowField[] = [
  createField('maker', 'flow-thermal-maker', 'text', { required: true, maxLength: 100 }),
  createField('serial', 'flow-thermal-serial', 'text', { required: true, maxLength: 100 }),
  createField('certificate', 'flow-thermal-certificate', 'text', {
    required: true,
    maxLength: 100,
  }),
  createField('due', 'flow-thermal-due', 'date', { required: true }),
  createField('emissivity', 'flow-thermal-emissivity', 'number', {
    required: true,
    min: 0.01,
    max: 1,
  }),
  createField('uncertainty', 'flow-thermal-reference-u', 'number', {
    required: true,
    unit: '°C',
    min: 0.001,
    max: 100,
  }),
  createField('stability', 'flow-thermal-stability', 'text', { maxLength: 200 }),
];

export const blackbody: FlowStep = {
  id: 'blackbody',
  title: { id: 'flow-thermal-blackbody' },
  required: true,
  async run(step) {
    const answer = await step.ask('blackbody', {
      text: [{ id: 'flow-thermal-blackbody-text' }],
      isShared: true,
      fields: BLACKBODY_FIELDS,
    });
    const today = await step.once('today', () => formatLocalTime(step.now()).slice(0, 10));
    const due = String(answer['due']);
    const uncertainty = numberIn(answer, 'uncertainty') ?? 0;
    const most = getLimits(step).referenceUncertainty;
    step.record({ block: 'facts', facts: listAttestedFacts(step, BLACKBODY_FIELDS, answer) });
    await settleDoubts(
      step,
      'sure',
      [
        ...(due < today ? [{ id: 'flow-thermal-expired' as const, values: { due } }] : []),
        ...(most !== undefined && uncertainty >= most
          ? [{ id: 'flow-thermal-great-u' as const, values: { most } }]
          : []),
      ],
      { severity: 'major', isShared: true },
    );
    return { outcome: 'unchanged', did: 'answered' };
  },
};

interface Blackbody {
  readonly emissivity: number;
  /** Expanded, k = 2, in °C. */
  readonly uncertainty: number;
}

export function findBlackbody(step: StepContext): Blackbody | undefined {
  return step.earlier<Blackbody>('blackbody', 'blackbody');
}
