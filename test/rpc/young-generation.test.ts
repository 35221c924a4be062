import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = new URL('../../src/rpc/hosting/young-generation.ts', import.meta.url);

/** Allocates in turns what lives for a moment, as jobs do, and tells the largest young generation, in MB. */
function largest(first: string): number {
  const script = `
    import { boundYoungGeneration, measureYoungGeneration } from ${JSON.stringify(MODULE.href)};
    ${first}
    let most = 0;
    const held = [];
    for (let turn = 0; turn < 300; turn += 1) {
      held[turn % 30] = Array.from({ length: 10_000 }, (_, at) => ({ turn, at, more: [turn, at] }));
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, measureYoungGeneration());
    }
    console.log(most);
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return Number(output);
}

test('what was allocated last takes no more room than was set (else: 100 MB more while a job runs)', () => {
  expect(largest('boundYoungGeneration();')).toBe(32);
  expect(largest('')).toBeGreaterThan(32);
});
