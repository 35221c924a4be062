/**
 * Field verification of a thermal camera, or of the thermometer of an access terminal, against a blackbody. The interface
 * shows no operation that gives a temperature: readings are typed from what the device shows.
 */
import type { Block, Check, Leaf, DocumentText } from '#shared/report-document.ts';
import { signOff } from '../common/sign-off.ts';
import type { Flow, FlowStep, StepContext, Values } from '../flow.ts';
import { isWithin, computeResult, roundValue } from './arithmetic.ts';
import { compensation, checkSinceReadings } from './compensation.ts';
import { blackbody, capability, environment, getLimits, profile, askRoomAtEnd } from './prepare.ts';
import { getProfile, type Limits } from './profiles.ts';
import { createField, settleDoubts, createUnitField } from './questions.ts';
import { schedule } from './schedule.ts';
import { displayOf, plotOf, buildSeriesBlocks, toSeries, takeAll, type Taken } from './series.ts';
import { findChangedSettings, settings } from './settings.ts';
import { readSettings, getShownUnit, getTarget } from './target.ts';

const readings: FlowStep = {
  id: 'readings',
  title: { id: 'flow-thermal-readings-title' },
  required: true,
  async run(step) {
    const target = getTarget(step);
    const unit = await step.once('unit', async () => getShownUnit(target, await readSettings(step, target)));
    const display = await step.ask('display', {
      text: [{ id: 'flow-thermal-display-text' }],
      fields: [
        createUnitField('unit', 'flow-thermal-unit', unit),
        createUnitField('setPointUnit', 'flow-thermal-set-point-unit', unit),
        createField('resolution', 'flow-thermal-resolution', 'number', {
          required: true,
          min: 0.0001,
          max: 10,
          value: 0.1,
          kept: true,
        }),
        createField('interval', 'flow-thermal-interval', 'number', {
          required: true,
          unit: 's',
          min: 0.1,
          max: 3600,
          value: 10,
          kept: true,
        }),
      ],
    });
    await settleDoubts(
      step,
      'unitSure',
      display['unit'] === unit ? [] : [{ id: 'flow-thermal-other-unit' as const }],
    );
    const taken = await takeAll(step, displayOf(display));
    step.record(...displayFacts(taken), ...buildSeriesBlocks(taken, getLimits(step)));
    return { outcome: 'unchanged', did: 'done' };
  },
};

function displayFacts([first]: readonly Taken[]): readonly Block[] {
  if (first === undefined) return [];
  const { unit, resolution, interval } = first.display;
  return [
    {
      block: 'facts',
      facts: [
        {
          label: { id: 'flow-thermal-resolution' },
          value: {
            number: resolution,
            unit: unit === 'degreeKelvin' ? 'K' : unit === 'degreeFahrenheit' ? '°F' : '°C',
          },
          proof: 'attested',
        },
        { label: { id: 'flow-thermal-interval' }, value: { number: interval, unit: 's' }, proof: 'attested' },
      ],
    },
  ];
}

const verification: FlowStep = {
  id: 'verification',
  title: { id: 'flow-thermal-verification' },
  async run(step) {
    const state = await checkSinceReadings(step);
    if (state === 'needs-reboot' || state === 'restarted') {
      const text = {
        id: state === 'restarted' ? 'flow-thermal-warm-again' : 'flow-thermal-restart',
      } as const;
      await step.ask('restart', { text: [text], tone: 'warning' });
      step.record({ block: 'paragraph', text, tone: 'notice' });
    }
    if (state !== 'unchanged' || step.isRehearsal === true) {
      const taken = await takeAll(step, displayOf(step.earlier<Values>('readings', 'display') ?? {}));
      step.record(...buildSeriesBlocks(taken, getLimits(step)));
    } else step.record({ block: 'paragraph', text: { id: 'flow-thermal-nothing-changed' } });
    await askRoomAtEnd(step);
    return { outcome: 'unchanged', did: 'checked' };
  },
};

type Verdict = 'passed' | 'failed' | 'incomplete';

const verdict: FlowStep = {
  id: 'verdict',
  title: { id: 'flow-thermal-verdict' },
  required: true,
  async run(step) {
    const limits = getLimits(step);
    const counted = await countedSeries(step);
    const found = verdictOf(counted, limits);
    const text: DocumentText = { id: `flow-thermal-${found}`, values: { limit: limits.limit } };
    const changes = await findChangedSettings(step);
    const meanwhile: readonly DocumentText[] =
      changes.length === 0 ? [] : [{ id: 'flow-thermal-changed-meanwhile' }];
    const changed: readonly Leaf[] = changes.length === 0 ? [] : [{ block: 'facts', facts: changes }];
    const points: Leaf = { block: 'checklist', items: counted.map((taken) => pointCheck(taken, limits)) };
    const plot: readonly Leaf[] = counted.length === 0 ? [] : [plotOf(counted, limits.limit)];
    await step.ask('verdict', {
      text: [text, ...meanwhile],
      shows: [points, ...changed, ...plot],
      tone: found === 'passed' ? 'plain' : found === 'failed' ? 'danger' : 'warning',
    });
    const chosen = getProfile(step.earlier<Values>('profile', 'profile')?.['profile']);
    const open = [...(found === 'passed' ? [] : [text]), ...meanwhile].map((one) => ({
      text: one,
      severity: 'major' as const,
    }));
    step.record(
      {
        block: 'paragraph',
        text,
        tone: found === 'passed' ? 'good' : found === 'failed' ? 'danger' : 'warning',
      },
      points,
      ...changed,
      ...(open.length === 0 ? [] : [{ block: 'openPoints' as const, points: open }]),
      { block: 'paragraph', text: { id: 'flow-thermal-no-certificate' } },
      { block: 'paragraph', text: { id: 'flow-thermal-radiation-only' } },
      ...(chosen.isScreening
        ? [{ block: 'paragraph' as const, text: { id: 'flow-thermal-clinical' as const } }]
        : []),
    );
    return { outcome: found === 'passed' ? 'effective' : found === 'failed' ? 'failed' : 'unknown' };
  },
};

/** Readings from before a change say nothing of the camera as it is now. */
async function countedSeries(step: StepContext): Promise<readonly Taken[]> {
  const after = step.earlier<readonly Taken[]>('verification', 'series');
  if (after !== undefined) return after;
  if ((await checkSinceReadings(step)) !== 'unchanged') return [];
  return step.earlier<readonly Taken[]>('readings', 'series') ?? [];
}

/** Every set point within the rule; enough of them, with enough readings, in the profile's range. */
function verdictOf(taken: readonly Taken[], limits: Limits): Verdict {
  const { limit, points, readings: least, from = -Infinity, to = Infinity } = limits;
  const inRange = taken
    .map(toSeries)
    .filter(({ reference: { setPoint } }) => setPoint >= from && setPoint <= to);
  if (inRange.some((series) => !isWithin(computeResult(series), limit))) return 'failed';
  const counted = inRange.filter((series) => series.readings.length >= least);
  const different = new Set(counted.map(({ reference }) => reference.setPoint));
  return different.size >= points ? 'passed' : 'incomplete';
}

function pointCheck(taken: Taken, { limit }: Limits): Check {
  const { reference, ...series } = toSeries(taken);
  const result = computeResult({ reference, ...series });
  return {
    label: { id: 'flow-thermal-at', values: { value: roundValue(reference.setPoint), unit: '°C' } },
    result: isWithin(result, limit) ? 'done' : 'failed',
    reason: {
      id: 'flow-thermal-rule-of',
      values: {
        error: roundValue(Math.abs(result.error)).toFixed(3),
        uncertainty: roundValue(result.uncertainty).toFixed(3),
        sum: roundValue(roundValue(Math.abs(result.error)) + roundValue(result.uncertainty)).toFixed(3),
        limit,
      },
    },
  };
}

export const thermal: Flow = {
  name: 'thermal',
  title: { id: 'flow-thermal-title' },
  about: { id: 'flow-thermal-about' },
  kinds: ['thermal', 'gate'],
  identity: { step: 'capability', key: 'camera' },
  steps: [
    capability,
    profile,
    environment,
    blackbody,
    settings,
    readings,
    compensation,
    verification,
    verdict,
    schedule,
    signOff,
  ],
};
