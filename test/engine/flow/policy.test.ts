/** Guided flows under a policy: what it forbids is known before a flow begins. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type * as siteEngine from '../site-engine.ts';
import { CASES } from './cases.ts';
import { follow } from './run-flow.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-flow-policy-'));
const FORBIDDEN = ['token.secretKey', 'storage.unlock', 'events.hdBadBlockTrigger'];
writeFileSync(join(folder, 'policy.json'), JSON.stringify({ forbiddenSections: FORBIDDEN }));
let openSite: typeof siteEngine.openSite;
// It is read once in a process, when it is first needed; other tests of this process have needed it.
beforeAll(async () => {
  vi.stubEnv('FIELDWRIGHT_POLICY', join(folder, 'policy.json'));
  vi.resetModules();
  ({ openSite } = await import('../site-engine.ts'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  rmSync(folder, { recursive: true, force: true });
});

// Would catch: a key that is chosen, kept and confirmed before its sending is refused.
it('a flow whose purpose is forbidden does not begin, and the list of its steps says so', async () => {
  const site = await openSite({ kinds: ['gate'] });
  const { engine, ids } = site;
  const flow = engine.flows.list().find(({ name }) => name === 'token-key');

  expect(() => engine.flows.begin({ flow: 'token-key', deviceIds: ids })).toThrow(
    /forbids changing token\.secretKey, so this setup cannot begin/,
  );
  expect(flow?.steps.flatMap(({ id, forbidden }) => (forbidden === undefined ? [] : [id]))).toEqual(['send']);
  expect(engine.jobs.list()).toEqual([]);
});

// Would catch: a commissioning that is refused whole because of one of its steps, or a step that asks first and is refused then.
it('a step that is forbidden is left out without a question, and the record says why', async () => {
  const site = await openSite({ kinds: ['recorder'] });
  const { engine, ids } = site;
  const answers = CASES.find(({ flow }) => flow === 'storage-lock')?.answers ?? {};
  const { jobId } = engine.flows.begin({ flow: 'storage-lock', deviceIds: ids });

  const { last, asked } = await follow(engine, jobId, answers);

  const outcomes = new Map(last.flow.steps.map(({ id }, at) => [id, last.devices[0]?.outcomes[at]]));
  expect(outcomes.get('prove')).toBe('skipped');
  // Two of the three settings of this step are still allowed.
  expect(outcomes.get('alarms')).not.toBe('skipped');
  expect(asked.filter((question) => question.startsWith('prove.'))).toEqual([]);
  expect(JSON.stringify(engine.flows.recordsOf({ jobId }))).toContain('flow-step-forbidden');
});
