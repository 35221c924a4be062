/** Every template that ships does what it says on the devices it is for, and nothing more when it is applied again. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVICE_KINDS } from '#shared/model.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { applyPlan, makePlan, openSite, type TestSite } from '../site-engine.ts';

const FOLDER = join(import.meta.dirname, '../../../resources/templates');
const texts = readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')] as const);

let at: TestSite;

describe.each(texts)('%s', (_file, text) => {
  it('is effective on a device of its kind', async () => {
    const [kind] = parseTemplate(text).summary?.kinds ?? [];
    at = await openSite({ kinds: [kind ?? 'thermal'] });

    const job = await applyPlan(at.engine, await makePlan(at, text));
    const again = await makePlan(at, text);

    const outcomes = job.results[0]?.units.map(({ outcome }) => outcome) ?? [];
    expect(outcomes.filter((outcome) => !['effective', 'unchanged', 'skipped'].includes(outcome))).toEqual(
      [],
    );
    expect(outcomes).toContain('effective');
    expect(
      again.devices[0]?.sections.filter(
        ({ state, optional }) => state !== 'unchanged' && !(optional && state === 'unsupported'),
      ),
    ).toEqual([]);
  });
});

describe.each(texts)('%s', (_file, text) => {
  it('suits the smaller model of its kind as well: nothing is blocked or failed there', async () => {
    const [kind] = parseTemplate(text).summary?.kinds ?? [];
    at = await openSite({ devices: 2, kinds: [kind ?? 'thermal'], models: ['compact', 'standard'] });

    const plan = await makePlan(at, text);
    const job = await applyPlan(at.engine, plan);
    const again = await makePlan(at, text);

    expect(
      plan.devices.flatMap(({ sections }) =>
        sections.filter(
          ({ state, optional }) => state === 'blocked' || (state === 'unsupported' && !optional),
        ),
      ),
    ).toEqual([]);
    expect(
      job.results
        .flatMap(({ units }) => units.map(({ label, outcome, error }) => [label, outcome, error?.message]))
        .filter(([, outcome]) => !['effective', 'unchanged', 'skipped'].includes(outcome ?? '')),
    ).toEqual([]);
    expect(
      again.devices.flatMap(({ sections }) => sections.filter(({ state }) => state === 'changes')),
    ).toEqual([]);
  });
});

it('there is one for each kind of device', async () => {
  at = await openSite({ devices: 1 });
  const covered = new Set(texts.flatMap(([, text]) => parseTemplate(text).summary?.kinds ?? []));

  expect([...covered].sort()).toEqual([...DEVICE_KINDS].sort());
});
