/** The table of cases for settings: the same device, the same answers, as for every other kind of write. */
import { describe, expect, it } from 'vitest';
import { WRITE_CASES } from '#test/helpers/write-cases.ts';
import { applyPlan, BASIC, makePlan, template } from '../site-engine.ts';
import { openWriteBench } from '../write-bench.ts';

describe('a setting', () => {
  // Would catch: a setting reported differently than a person, a fingerprint or a step after the same answer.
  it.each(WRITE_CASES)('$name: $visible', async (played) => {
    const { engine, proxy, id } = await openWriteBench('thermal', {
      isWrite: ({ method, path }) => method === 'PUT' && path.endsWith('/basicParam'),
      format: 'xml',
    });
    const plan = await makePlan({ engine, ids: [id] }, template(BASIC));
    proxy.play(played);

    const job = await applyPlan(engine, plan);

    expect(job.results[0]?.units[0]?.outcome).toBe(played.visible);
    expect(proxy.sends()).toBe(played.sends);
  });
});
