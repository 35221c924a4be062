/** A thermal camera and an access terminal verified against a blackbody. */
import { expect, it } from 'vitest';
import type { Answers } from '#engine/flow/scripted.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { asAnotherProgram, never, openSite, type TestSite } from '../site-engine.ts';
import { follow } from './run-flow.ts';
import { ANSWERS, HOT, HOT_AFTER, WARM, WARM_AFTER } from './thermal-answers.ts';

let site: TestSite;

it('has what was computed in the record, to the digit, and the compensation in the camera', async () => {
  site = await openSite({ kinds: ['thermal'] });

  const { record, outcomes } = await verify(site, ANSWERS);

  expect(valuesOf(record)).toMatchObject({
    'flow-thermal-mean': [35.38, 37.42, 35, 37.01],
    'flow-thermal-deviation': [0.063, 0.063, 0.067, 0.057],
    // 0.00485 °C and −0.00242 °C a reading, six readings a minute
    'flow-thermal-drift': [0.029, -0.015, 0.029, -0.011],
    'flow-thermal-drift-u': [0.043, 0.044, 0.046, 0.04],
    'flow-thermal-error': [0.38, 0.42, 0, 0.01],
    'flow-thermal-u': [0.212, 0.212, 0.212, 0.211],
    'flow-thermal-suggested': [-0.4],
    'flow-thermal-suggested-u': [0.21],
    'flow-thermal-spread': [0.04],
  });
  expect(outcomes).toEqual([
    ...['unchanged', 'unchanged', 'unchanged', 'unchanged', 'effective', 'unchanged', 'effective'],
    ...['unchanged', 'effective', 'unchanged', 'unchanged'],
  ]);
  const text = JSON.stringify(record);
  expect(text).toContain('{"error":"0.010","uncertainty":"0.211","sum":"0.221","limit":0.5}');
  expect(text).toContain('flow-thermal-passed');
  expect(text).toContain('flow-thermal-no-certificate');
  expect(await settingsOf(site)).toMatchObject({
    emissivityMode: 'customsettings',
    emissivity: 0.98,
    calibrationCoefficientEnabled: true,
    calibrationCoefficient: -0.4,
  });
});

// Would catch: a decision on readings of before the change, or on the error without its uncertainty.
it('fails a camera that is outside the rule, and leaves one undecided that nobody read again', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const left = await verify(site, { ...ANSWERS, compensation: { way: 'none' } });
  expect(left.outcomes.slice(6, 9)).toEqual(['unchanged', 'unchanged', 'failed']);
  expect(JSON.stringify(left.record)).toContain('flow-thermal-failed');

  const unread = await verify(site, { ...ANSWERS, verification: { skip: 'no time' } });
  expect(unread.outcomes.slice(6, 9)).toEqual(['effective', 'skipped', 'unknown']);
  expect(JSON.stringify(unread.record)).toContain('flow-thermal-incomplete');
});

// Would catch: a blackbody typed once per camera, a camera whose record lacks it, a way back that changes nothing.
it('asks about profile, room and blackbody once for all cameras, and begins where the blackbody stands', async () => {
  site = await openSite({ kinds: ['thermal'], devices: 2 });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'thermal', deviceIds: ids });
  const proposed: unknown[] = [];
  const asked: string[] = [];

  await follow(engine, jobId, ANSWERS, (question) => {
    if (question.position === 1) asked.push(`${question.step}.${question.key}`);
    if (question.position === 1 && question.key.startsWith('readings'))
      proposed.push(question.fields?.find(({ name }) => name.startsWith('setPoint'))?.value);
    if (question.key !== 'geometry' || asked.length > 3) return false;
    if (question.position === 0) return false;
    engine.flows.answer({ jobId, token: question.token, answer: { kind: 'back' } });
    return 'answered';
  });

  // The way back from the second camera's own question leads to the shared one before it.
  expect(asked.slice(0, 5)).toEqual([
    'capability.camera',
    'capability.mode',
    'environment.geometry',
    'environment.room',
    'environment.geometry',
  ]);
  expect(asked).not.toContain('blackbody.blackbody');
  expect(asked).not.toContain('profile.profile');
  expect(proposed.slice(0, 2)).toEqual([37, 35]);
  for (const record of engine.flows.recordsOf({ jobId })) expect(JSON.stringify(record)).toContain('BB-7');
});

// Would catch: a value written by default to a field whose use the specification does not show.
it('proposes to write nothing to a camera, whose coefficient is not specified', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const { compensation: _chosen, ...answers } = ANSWERS;

  const { outcomes } = await verify(site, answers);

  expect(outcomes[6]).toBe('unchanged');
  expect(await settingsOf(site)).toMatchObject({
    calibrationCoefficientEnabled: false,
    calibrationCoefficient: 0,
  });
});

it('gives an access terminal its compensation in its own unit', async () => {
  site = await openSite({ kinds: ['gate'] });
  const { engine, ids } = site;
  const [deviceId = ''] = ids;
  const held = await engine.operations.call(
    { deviceId, operation: 'accessControl.hostConfig.get' },
    new AbortController().signal,
  );
  await engine.operations.call(
    {
      deviceId,
      operation: 'accessControl.hostConfig.put',
      body: { ...(held.value as object), thermalUnit: 'fahrenheit', thermalCompensation: 0.2 },
    },
    new AbortController().signal,
  );
  const inFahrenheit = (values: readonly number[]): readonly number[] =>
    values.map((value) => Math.round((value * 1.8 + 32) * 10) / 10);

  const { record } = await verify(site, {
    ...ANSWERS,
    settings: {},
    compensation: {},
    readings: {
      setPointUnit: 'degreeCentigrade',
      setPoint1: 35,
      readings1: inFahrenheit(WARM),
      setPoint2: 37,
      readings2: inFahrenheit(HOT),
    },
    verification: {
      ...ANSWERS.verification,
      readings1: inFahrenheit(WARM_AFTER),
      readings2: inFahrenheit(HOT_AFTER),
    },
  });

  // −0.4 °C are −0.7 °F, on what was there.
  const { thermalCompensation } = (await call(site, 'accessControl.hostConfig.get')) as Record<
    string,
    unknown
  >;
  expect(thermalCompensation).toBe(-0.5);
  expect(JSON.stringify(record)).toContain('flow-thermal-passed');
});

// Would catch: an unnoticed Fahrenheit number, an unnoticed expired certificate, a series with too few
// readings.
it('asks about what is doubtful, and puts it on record', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const doubts: unknown[] = [];
  const answers = {
    ...ANSWERS,
    environment: { ...ANSWERS.environment, room: 72, roomSure: true },
    blackbody: { ...ANSWERS.blackbody, due: '2020-01-31', sure: true },
    settings: { enviroTemperature: 22, sure: true },
    readings: {
      setPoint1: 35,
      readings1: [95.5, 95.6],
      sure1: true,
      'readings1.2': [95.7, 95.6],
      'sure1.2': true,
      'next1.2': 'moved',
      'setPoint1-2': 35,
      'readings1-2': WARM,
      setPoint2: 35.2,
      readings2: [...HOT.slice(0, 9).map((value) => value - 1.8), 39],
      sure2: true,
    },
    compensation: { way: 'none' },
  };

  const { record } = await verify(site, answers, (text) => doubts.push(...text));

  for (const id of [
    'meant',
    'expired',
    'other-distance',
    'other-emissivity',
    'unwanted-emissivity',
    'too-few',
    'same-point',
    'outliers',
  ])
    expect(doubts).toContainEqual(expect.objectContaining({ id: `flow-thermal-${id}` }));
  const text = JSON.stringify(record);
  expect(text).toContain('{"id":"flow-thermal-was-moved","values":{"readings":4}}');
  expect(text).toContain('{"id":"flow-thermal-expired","values":{"due":"2020-01-31"}}');
});

// Would catch: a warm-up that ends as if it had been long enough.
it('says in the record that the warm-up was too short', async () => {
  site = await openSite({ kinds: ['thermal'] });

  const { record } = await verify(site, {
    ...ANSWERS,
    environment: { ...ANSWERS.environment, warmedUp: 3 },
  });

  expect(JSON.stringify(record)).toContain(
    '{"label":{"id":"flow-thermal-warm-enough","values":{"minutes":30}},"result":"failed"}',
  );
});

// Would catch: a change by another user after the readings began that the signer does not see.
it('notices that settings were changed meanwhile by somebody else', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const at = site;

  const { record } = await verify(site, ANSWERS, async (_text, key) => {
    if (key !== 'readings.readings1') return;
    const held = (await call(at, 'thermal.thermometryBasic.get')) as object;
    await call(at, 'thermal.thermometryBasic.put', { ...held, emissivity: 0.5 });
  });

  expect(JSON.stringify(record)).toContain(
    '{"text":{"id":"flow-thermal-changed-meanwhile"},"severity":"major"}',
  );
});

// Would catch: a write over another user's value set while the question was open, or of something else than
// was shown.
it('keeps what somebody else set while a write waited for its yes, and asks again where it is the same value', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const { engine, ids } = site;
  const at = site;
  const set = async (values: object): Promise<void> => {
    const held = (await call(at, 'thermal.thermometryBasic.get')) as object;
    await call(at, 'thermal.thermometryBasic.put', { ...held, ...values });
  };
  const { jobId } = engine.flows.begin({ flow: 'thermal', deviceIds: ids });
  const confirms: unknown[] = [];
  const troubles: unknown[] = [];

  await follow(engine, jobId, ANSWERS, async ({ key, wants, sends, token, text, error }) => {
    if (wants === 'trouble') {
      troubles.push([error?.code, text[0]]);
      engine.flows.answer({ jobId, token, answer: { kind: 'values', values: {} } });
      return 'answered';
    }
    if (key !== 'write:settings') return false;
    confirms.push(sends?.map(({ path, from, to }) => [path, from, to]).find(([path]) => path === 'distance'));
    await set(confirms.length === 1 ? { distance: 9 } : { alarmInterval: 77 });
    return false;
  });

  expect(confirms.map((change) => (change as unknown[])[1])).toEqual([expect.any(Number), 9]);
  expect(troubles).toEqual([['plan-outdated', { id: 'flow-trouble-changed' }]]);
  expect(await settingsOf(site)).toMatchObject({ distance: 2, alarmInterval: 77 });
});

it('says what is missing on a device that measures nothing', async () => {
  site = await openSite({ kinds: ['counter'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'thermal', deviceIds: ids });

  const { last } = await follow(engine, jobId, ANSWERS, (asked) => asked.wants === 'trouble');

  expect(last.asked?.error?.detail?.id).toBe('flow-thermal-none');
});

async function verify(
  { engine, ids }: TestSite,
  answers: Answers,
  at: (text: readonly unknown[], key: string) => unknown = () => undefined,
) {
  const { jobId } = engine.flows.begin({ flow: 'thermal', deviceIds: ids });
  const { last } = await follow(engine, jobId, answers, async ({ text, step, key, wants, error }) => {
    if (wants === 'trouble') throw new Error(error?.message);
    await at(text, `${step}.${key}`);
    return false;
  });
  const [record] = engine.flows.recordsOf({ jobId });
  if (record === undefined) throw new Error('no record');
  return { record, outcomes: last.devices[0]?.outcomes ?? [] };
}

/** Numbers of the lines with a label, in the order of the record. */
function valuesOf({ document }: SealedDocument): Readonly<Record<string, readonly number[]>> {
  const found: Record<string, number[]> = {};
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { label, value: shown } = value as { label?: { id?: string }; value?: { number?: number } };
    if (label?.id !== undefined && typeof shown?.number === 'number')
      (found[label.id] ??= []).push(shown.number);
    Object.values(value).forEach(walk);
  };
  walk(document);
  return found;
}

/** Calls the device as another program does. */
function call(at: TestSite, operation: string, body?: unknown): Promise<unknown> {
  return asAnotherProgram(at, 0, async (engine, deviceId) => {
    const params = operation.startsWith('thermal.') ? { params: { channelID: 1 } } : {};
    const answer = await engine.operations.call(
      { deviceId, operation, ...params, ...removeUndefined({ body }) },
      never,
    );
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.value;
  });
}

function settingsOf(at: TestSite): Promise<unknown> {
  return call(at, 'thermal.thermometryBasic.get');
}
