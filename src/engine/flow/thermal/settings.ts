/**
 * Settings of the device on which the measurement depends: shown, changed, read back; the flow asks about
 * numbers in a wrong unit.
 */
import { getValueAt } from '#protocol/index.ts';
import { FIXED_EMISSIVITY } from '#protocol/definitions/thermal-basic.ts';
import { buildFact } from '#engine/report-files/facts.ts';
import type { Fact, Proof, DocumentText } from '#shared/report-document.ts';
import type { FlowField, FlowStep, StepContext, Values, Written } from '../flow.ts';
import { buildDoubtBlocks, endOf } from '../common/lines.ts';
import { findBlackbody, getGeometry, getLimits, getRoomTemperature } from './prepare.ts';
import { numberIn, settleDoubts } from './questions.ts';
import {
  readSettings,
  getTargetResource,
  getSettingField,
  getSettingLabel,
  getShownUnit,
  getTarget,
  type Target,
} from './target.ts';
import { guessUnit, SYMBOLS, convertToCelsius, toMeters } from './temperature.ts';

/**
 * Settings by target. `units` come first, for the others count in them. `shown` is only shown, and changed
 * elsewhere.
 */
const SETTINGS = {
  camera: {
    units: ['temperatureUnit', 'distanceUnit'],
    changed: [
      'temperatureRange',
      'emissivityMode',
      'emissivity',
      'distanceMode',
      'distance',
      'reflectiveEnable',
      'reflectiveTemperature',
      'enviroTemperature',
      'enviroHumidity',
      'thermalOpticalTransmittance',
      'externalOpticsWindowCorrection',
    ],
    shown: [
      'calibrationCoefficientEnabled',
      'calibrationCoefficient',
      'correctionVolume',
      'calibrationFileVersion',
      'toleranceTemperature',
    ],
  },
  terminal: {
    units: ['thermalUnit'],
    changed: ['thermalEnabled', 'thermalMode'],
    shown: [
      'highestThermalThreshold',
      'lowestThermalThreshold',
      'highestThermalThresholdF',
      'lowestThermalThresholdF',
      'thermalCompensation',
    ],
  },
} as const satisfies Record<Target['is'], Record<string, readonly string[]>>;

export const settings: FlowStep = {
  id: 'settings',
  title: { id: 'flow-thermal-settings' },
  writes: ['thermal.thermometryBasic', 'accessControl.hostConfig'],
  async run(step) {
    const target = getTarget(step);
    const { units, changed, shown } = SETTINGS[target.is];
    const before = await step.once('before', () => readSettings(step, target));
    const isAllowed = step.mayWrite(target.set);
    const unitsWritten = await change(step, target, {
      key: 'units',
      paths: isAllowed ? units : [],
      held: before,
    });
    const between = await step.once('between', () => readSettings(step, target));
    const written = await change(step, target, {
      key: 'settings',
      paths: isAllowed ? changed : [],
      held: between,
    });
    const after = await step.once('after', () => readSettings(step, target));

    const proofs = new Map<string, Proof>(
      [unitsWritten, written].flatMap((one) =>
        (one?.changes ?? []).map(({ path }) => [path, one?.proof ?? 'written'] as const),
      ),
    );
    const { get } = getTargetResource(target);
    step.record({
      block: 'table',
      title: { id: 'flow-thermal-settings-table' },
      columns: [
        { label: { id: 'flow-thermal-setting' }, type: 'text' },
        { label: { id: 'flow-thermal-before' }, type: 'text' },
        { label: { id: 'flow-thermal-after' }, type: 'text' },
        { label: { id: 'flow-thermal-proof' }, type: 'proof' },
      ],
      rows: [...units, ...changed, ...shown]
        .filter((path) => holds(before, path) || holds(after, path))
        .map((path) => [
          getSettingLabel(target, path),
          buildFact(get, path, before).value,
          buildFact(get, path, after).value,
          { proof: proofs.get(path) ?? 'read-back' },
        ]),
    });
    for (const one of [unitsWritten, written])
      if (one !== undefined) step.record(...buildDoubtBlocks(step, one));
    return endOf(unitsWritten, written);
  },
};

/**
 * Returns the present values of the settings that have changed since the step above: another client changed
 * them.
 */
export async function findChangedSettings(step: StepContext): Promise<readonly Fact[]> {
  const left = step.earlier<Values>('settings', 'after');
  if (left === undefined) return [];
  const target = getTarget(step);
  const now = await step.once('settings-now', () => readSettings(step, target));
  const { units, changed } = SETTINGS[target.is];
  return [...units, ...changed]
    .filter((path) => getValueAt(left, path) !== getValueAt(now, path))
    .map((path) => buildFact(getTargetResource(target).get, path, now, { proof: 'read-back' }));
}

function holds(document: Values, path: string): boolean {
  return getValueAt(document, path) !== undefined;
}

interface Changing {
  readonly key: 'units' | 'settings';
  readonly paths: readonly string[];
  readonly held: Values;
}

/** Asks for what the device shows; undefined where it shows none of it. */
async function change(
  step: StepContext,
  target: Target,
  { key, paths, held }: Changing,
): Promise<Written | undefined> {
  const there = paths.filter((path) => holds(held, path));
  if (there.length === 0) return undefined;
  const answer = await step.ask(key, {
    text: [{ id: key === 'units' ? 'flow-thermal-units-text' : 'flow-thermal-settings-text' }],
    fields: there.map((path) => questionOf(target, path, held)),
  });
  const wanted = Object.fromEntries(
    there.flatMap((path) =>
      answer[path] === undefined || answer[path] === getValueAt(held, path) ? [] : [[path, answer[path]]],
    ),
  );
  if (key === 'settings') await settleDoubts(step, 'sure', doubtsAbout(step, target, { ...held, ...answer }));
  return step.write(
    key,
    { set: target.set, params: target.params, value: withEmissivity(wanted, held) },
    { text: [{ id: 'flow-thermal-settings-sends' }] },
  );
}

function questionOf(target: Target, path: string, held: Values): FlowField {
  const found = getSettingField(target, path, held);
  const base = { name: path, label: getSettingLabel(target, path), value: getValueAt(held, path) };
  switch (found.kind) {
    case 'int':
    case 'float': {
      const { unit, min, max } = found;
      return {
        ...base,
        kind: 'number',
        unit,
        min,
        max,
      };
    }
    case 'bool':
      return { ...base, kind: 'flag' };
    case 'choice': {
      const { get } = getTargetResource(target);
      const isKnown = found.options.some(({ value }) => value === base.value);
      return {
        ...base,
        value: isKnown ? base.value : undefined,
        kind: 'choice',
        options: found.options.map(({ value }) => ({
          value,
          label: buildFact(get, path, { [path]: value }).value as DocumentText,
        })),
      };
    }
    default:
      return { ...base, kind: 'text' };
  }
}

/**
 * Matches mode and emissivity: a named mode fixes the emissivity, and another number needs the mode that
 * leaves it free.
 */
function withEmissivity(wanted: Values, held: Values): Values {
  const mode = wanted['emissivityMode'] ?? held['emissivityMode'];
  const fixed =
    typeof mode === 'string' && Object.hasOwn(FIXED_EMISSIVITY, mode) ? FIXED_EMISSIVITY[mode] : undefined;
  const emissivity = wanted['emissivity'] ?? held['emissivity'];
  if (fixed === undefined || emissivity === undefined || emissivity === fixed) return wanted;
  return wanted['emissivity'] === undefined
    ? { ...wanted, emissivity: fixed }
    : { ...wanted, emissivityMode: 'customsettings' };
}

/** Room and camera agree as far as this, in °C. */
const SAME_ROOM = 3;
/** One distance is a unit mistake of the other where it is so many times as far. */
const OTHER_DISTANCE = 2;
const SAME_EMISSIVITY = 0.005;

function doubtsAbout(step: StepContext, target: Target, shown: Values): readonly DocumentText[] {
  if (target.is !== 'camera') return [];
  const answer = step.earlier<Values>('environment', 'room');
  return [
    ...temperatureDoubts(target, shown, getRoomTemperature(answer)),
    ...distanceDoubts(target, shown, numberIn(getGeometry(step) ?? {}, 'distance')),
    ...emissivityDoubts(withEmissivity(shown, shown), {
      blackbody: findBlackbody(step)?.emissivity,
      wanted: getLimits(step).emissivity,
    }),
  ];
}

function temperatureDoubts(target: Target, shown: Values, room: number | undefined): readonly DocumentText[] {
  if (room === undefined) return [];
  const unit = getShownUnit(target, shown);
  const paths = [
    'enviroTemperature',
    ...(shown['reflectiveEnable'] === false ? [] : ['reflectiveTemperature']),
  ];
  return paths.flatMap((path): readonly DocumentText[] => {
    const value = numberIn(shown, path);
    if (value === undefined) return [];
    const meant = guessUnit(value, unit, room);
    if (meant !== undefined)
      return [{ id: 'flow-thermal-meant', values: { value, unit: SYMBOLS[unit], meant: SYMBOLS[meant] } }];
    const isFar = path === 'enviroTemperature' && Math.abs(convertToCelsius(value, unit) - room) > SAME_ROOM;
    return isFar ? [{ id: 'flow-thermal-other-room', values: { value, unit: SYMBOLS[unit], room } }] : [];
  });
}

function distanceDoubts(
  target: Target,
  shown: Values,
  measured: number | undefined,
): readonly DocumentText[] {
  const value = numberIn(shown, 'distance');
  // A camera that finds the distance itself uses no number.
  if (value === undefined || measured === undefined || shown['distanceMode'] === 'selfAdapt') return [];
  const reported = toMeters(value, shown['distanceUnit']);
  // The numbers are whole: a difference of less than one cannot be seen.
  if (Math.abs(reported - measured) <= toMeters(1, shown['distanceUnit'])) return [];
  if (reported < measured * OTHER_DISTANCE && measured < reported * OTHER_DISTANCE) return [];
  const found = getSettingField(target, 'distance', shown);
  const unit = 'unit' in found ? (found.unit ?? 'm') : 'm';
  return [{ id: 'flow-thermal-other-distance', values: { value, unit, measured } }];
}

function emissivityDoubts(
  shown: Values,
  { blackbody, wanted }: Readonly<Record<'blackbody' | 'wanted', number | undefined>>,
): readonly DocumentText[] {
  const value = numberIn(shown, 'emissivity');
  if (value === undefined) return [];
  const differs = (other: number | undefined): other is number =>
    other !== undefined && Math.abs(value - other) > SAME_EMISSIVITY;
  return [
    ...(differs(blackbody)
      ? [{ id: 'flow-thermal-other-emissivity' as const, values: { value, blackbody } }]
      : []),
    ...(differs(wanted)
      ? [{ id: 'flow-thermal-unwanted-emissivity' as const, values: { value, wanted } }]
      : []),
  ];
}
