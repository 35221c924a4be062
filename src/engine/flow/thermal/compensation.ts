/** Computes what would correct the camera, how certain that is, and where the device has a field for it. */
import { getValueAt } from '#protocol/index.ts';
import { buildFact } from '#engine/report-files/facts.ts';
import type { Fact, DocumentText } from '#shared/report-document.ts';
import { buildDoubtBlocks, endOf } from '../common/lines.ts';
import type { FlowStep, StepContext, Values } from '../flow.ts';
import type { KeptWrite } from '../step-writes.ts';
import {
  computeCompensation,
  DECIMALS,
  computeResult,
  roundValue,
  toStep,
  type Compensation,
} from './arithmetic.ts';
import { makeCelsiusValue, createField, numberIn } from './questions.ts';
import { toSeries, type Taken } from './series.ts';
import {
  readSettings,
  getTargetResource,
  getSettingField,
  getSettingLabel,
  getShownUnit,
  getTarget,
  type Target,
} from './target.ts';
import { convertDifferenceFromCelsius, convertFromCelsius, SYMBOLS } from './temperature.ts';

/** A field that takes a compensation. */
interface Way {
  readonly name: 'thermalCompensation' | 'correctionVolume' | 'calibrationCoefficient' | 'calibrationFactor';
  readonly path: string;
  readonly held: number;
  /** Value that it should have, in its unit and resolution. */
  readonly proposed: number;
  /** Unit; empty if it is not specified. */
  readonly unit: string;
}

/** Step of a float without a resolution of its own, as everywhere in this interface. */
const FLOAT_STEP = 0.1;
const FACTOR_STEP = 0.001;
/** Whichever of them changes, readings from before say nothing any more. */
const CORRECTIONS = [
  'thermalCompensation',
  'correctionVolume',
  'calibrationCoefficientEnabled',
  'calibrationCoefficient',
] as const;

/**
 * Lists the fields that this device shows, with what each should hold. The specification gives the unit of
 * `thermalCompensation`; of the two of a camera it gives neither the unit nor how a coefficient is used: one
 * that is 1 is taken for a factor, every other for something that is added in the unit of the display.
 */
function waysOf(target: Target, document: Values, taken: readonly Taken[]): readonly Way[] {
  const unit = getShownUnit(target, document);
  const { value } = computeCompensation(taken.map(toSeries));
  const added = (path: Exclude<Way['name'], 'calibrationFactor'>): readonly Way[] => {
    const held = numberIn(document, path);
    if (held === undefined) return [];
    const step = getSettingField(target, path, document).kind === 'int' ? 1 : FLOAT_STEP;
    const proposed = toStep(held + convertDifferenceFromCelsius(value, unit), step);
    return [{ name: path, path, held, proposed, unit: target.is === 'terminal' ? SYMBOLS[unit] : '' }];
  };
  if (target.is === 'terminal') return added('thermalCompensation');
  const coefficient = numberIn(document, 'calibrationCoefficient');
  return [
    ...added('correctionVolume'),
    ...(coefficient === 1 ? [factor(taken, unit)] : added('calibrationCoefficient')),
  ];
}

/** Computes the mean of set point by reading, in the unit of the display. */
function factor(taken: readonly Taken[], unit: Parameters<typeof convertFromCelsius>[1]): Way {
  const ratios = taken.map((one) => {
    const series = toSeries(one);
    return (
      convertFromCelsius(series.reference.setPoint, unit) /
      convertFromCelsius(computeResult(series).mean, unit)
    );
  });
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const proposed = toStep(mean, FACTOR_STEP);
  return {
    name: 'calibrationFactor',
    path: 'calibrationCoefficient',
    held: 1,
    proposed,
    unit: '',
  };
}

export const compensation: FlowStep = {
  id: 'compensation',
  title: { id: 'flow-thermal-compensation' },
  writes: ['thermal.thermometryBasic', 'accessControl.hostConfig'],
  async run(step) {
    const taken = step.earlier<readonly Taken[]>('readings', 'series') ?? [];
    const target = getTarget(step);
    const before = await step.once('before', () => readSettings(step, target));
    const suggested = computeCompensation(taken.map(toSeries));
    const ways = waysOf(target, before, taken);
    const facts = suggestionFacts(suggested, target, ways);
    step.record({ block: 'facts', facts });
    if (ways.length === 0) {
      step.record({ block: 'paragraph', text: { id: 'flow-thermal-no-way' }, tone: 'notice' });
      await step.ask('none', {
        text: [{ id: 'flow-thermal-no-way' }],
        shows: [{ block: 'facts', facts }],
      });
      return { outcome: 'unchanged', did: 'nothing-to-do' };
    }
    if (!step.mayWrite(target.set)) return { outcome: 'unchanged' };
    // The use of correction and coefficient by a camera is not specified: a person has to choose one.
    const isProposed = suggested.isCertain && target.is === 'terminal';
    const useful = isProposed ? ways.find(({ held, proposed }) => held !== proposed) : undefined;
    const { way: name } = await step.ask('way', {
      text: [
        { id: suggested.isCertain ? 'flow-thermal-way-text' : 'flow-thermal-uncertain' },
        ...(target.is === 'camera' ? [{ id: 'flow-thermal-not-specified' as const }] : []),
      ],
      shows: [{ block: 'facts', facts }],
      fields: [
        createField('way', 'flow-thermal-way', 'choice', {
          required: true,
          value: useful?.name ?? 'none',
          options: [
            ...ways.map((way) => ({ value: way.name, label: wordsOf(target, way) })),
            { value: 'none', label: { id: 'flow-thermal-way-none' } },
          ],
        }),
      ],
    });
    const way = ways.find((one) => one.name === name);
    if (way === undefined) {
      step.record({ block: 'paragraph', text: { id: 'flow-thermal-not-written' } });
      return { outcome: 'unchanged', did: 'answered' };
    }
    const { value } = await step.ask('value', {
      text: [{ id: 'flow-thermal-value-text', values: { held: way.held, proposed: way.proposed } }],
      fields: [
        {
          name: 'value',
          label: wordsOf(target, way),
          kind: 'number',
          required: true,
          value: way.proposed,
          ...(way.unit !== '' && { unit: way.unit }),
        },
      ],
    });
    const isSwitched =
      way.path === 'calibrationCoefficient' && before['calibrationCoefficientEnabled'] === false;
    const written = await step.write(
      'compensation',
      {
        set: target.set,
        params: target.params,
        value: { [way.path]: value, ...(isSwitched && { calibrationCoefficientEnabled: true }) },
      },
      { text: [{ id: 'flow-thermal-compensation-sends' }], tone: 'warning' },
    );
    const after = await step.once('after', () => readSettings(step, target));
    const { get } = getTargetResource(target);
    if (target.is === 'camera')
      step.record({ block: 'paragraph', text: { id: 'flow-thermal-not-specified' }, tone: 'notice' });
    step.record({
      block: 'facts',
      title: { id: 'flow-thermal-written' },
      facts: [
        { ...buildFact(get, way.path, before, { proof: 'read-back' }), label: { id: 'flow-thermal-before' } },
        ...(written.changes.length > 0
          ? written.changes.map(({ path, to }) =>
              buildFact(get, path, { ...after, [path]: to }, { proof: written.proof }),
            )
          : [buildFact(get, way.path, after, { proof: 'read-back' })]),
        {
          label: { id: 'flow-thermal-left' },
          value: leftOver(way, Number(value), suggested, target, before),
        },
      ],
    });
    step.record(...buildDoubtBlocks(step, written));
    return endOf(written);
  },
};

/** Compares the device with the readings: it says itself what came of the write. */
export async function checkSinceReadings(
  step: StepContext,
): Promise<'unchanged' | 'changed' | 'restarted' | 'needs-reboot'> {
  const written = step.earlier<KeptWrite>('compensation', 'compensation')?.written;
  const before = step.earlier<Values>('compensation', 'before');
  if (written?.outcome === 'needs-reboot') return 'needs-reboot';
  if (before === undefined) return 'unchanged';
  const now = await step.once('compensation-now', () => readSettings(step, getTarget(step)));
  const isChanged = CORRECTIONS.some((path) => getValueAt(before, path) !== getValueAt(now, path));
  if (!isChanged) return 'unchanged';
  return written?.restart === undefined ? 'changed' : 'restarted';
}

function suggestionFacts(
  { value, uncertainty, spread }: Compensation,
  target: Target,
  ways: readonly Way[],
): readonly Fact[] {
  return [
    { label: { id: 'flow-thermal-suggested' }, value: makeCelsiusValue(value) },
    { label: { id: 'flow-thermal-suggested-u' }, value: makeCelsiusValue(uncertainty) },
    { label: { id: 'flow-thermal-spread' }, value: makeCelsiusValue(spread) },
    ...ways.map((way): Fact => ({
      label: { id: 'flow-thermal-proposed' },
      value: { number: way.proposed, ...(way.unit !== '' && { unit: way.unit }) },
      source: wordsOf(target, way),
    })),
  ];
}

function wordsOf(target: Target, { name, path }: Way): DocumentText {
  return name === 'calibrationFactor' ? { id: 'flow-thermal-as-factor' } : getSettingLabel(target, path);
}

/**
 * Returns the remaining error, which the field's resolution or another number than the proposed one causes;
 * of a factor only the verification shows it.
 */
function leftOver(
  way: Way,
  value: number,
  suggested: Compensation,
  target: Target,
  document: Values,
): Fact['value'] {
  if (way.name === 'calibrationFactor') return null;
  const unit = getShownUnit(target, document);
  const left =
    convertDifferenceFromCelsius(suggested.value, unit) - (value - Number(getValueAt(document, way.path)));
  return { number: roundValue(left), decimals: DECIMALS, unit: SYMBOLS[unit] };
}
