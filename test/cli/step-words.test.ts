import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnitResult } from '#shared/model.ts';
import { startSite, type Site } from '#simulator/index.ts';
import { makeFolder, run, type Folder, type Ran } from './helpers.ts';

const SIGN = { name: 'A. Installer', model: 'M-1', serial: '4711' };
const ANSWERS = { 'hand-over': { to: 'Integrator', given: true }, sign: SIGN };
const env = { FIELDWRIGHT_PASSWORD: 'Site-1' };

let folder: Folder;
let site: Site;
beforeEach(async () => {
  folder = makeFolder();
  site = await startSite({ password: 'Site-1', kinds: ['counter'] });
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

function runFlow(answers: object, ...more: readonly string[]): Promise<Ran> {
  const file = folder.file('answers.json');
  writeFileSync(file, JSON.stringify(answers));
  const url = site.devices[0]?.url ?? '';
  return run(folder, ['flow', 'run', 'token-key', '--device', url, '--answers', file, '--yes', ...more], {
    env,
  });
}

/** Words of the last column of the table. */
function outcomesIn(stdout: string, titles: readonly string[]): readonly string[] {
  const lines = stdout.split('\n');
  return titles.map(
    (title) =>
      lines
        .find((line) => line.includes(title))
        ?.split(/ {2,}/)
        .at(-1) ?? '',
  );
}

describe('the steps of a guided flow', () => {
  it('are called by what they did on the terminal, in both languages (else: a new key is "Unchanged")', async () => {
    const english = await runFlow(ANSWERS);
    const chinese = await runFlow(ANSWERS, '--lang', 'zh-CN');

    expect(english.stdout).not.toContain('Unchanged');
    expect(
      outcomesIn(english.stdout, [
        'Settings of the key',
        ' Key ',
        'Hand-over',
        'Check of a token',
        'Sign-off',
      ]).map((word) => word.trim()),
    ).toEqual(['Answered', 'Done', 'Done', 'Not checked', 'Signed off']);
    expect(chinese.stdout).not.toContain('未更改');
    for (const word of ['已填写', '已完成', '已签字']) expect(chinese.stdout).toContain(word);
  });

  it('keep their outcome in the data, and say beside it what they did', async () => {
    const job = (await runFlow(ANSWERS, '--json')).json<{
      readonly results: readonly { readonly sections: readonly UnitResult[] }[];
    }>();
    const csv = folder.file('history.csv');
    await run(folder, ['jobs', 'export', '--out', csv, '--format', 'csv']);
    const [head = '', ...rows] = readFileSync(csv, 'utf8').trim().split(/\r?\n/);

    const units = job.results[0]?.sections.map(({ outcome, did }) => [outcome, did]);
    expect(units?.[1]).toEqual(['unchanged', 'done']);
    expect(units).toContainEqual(['unchanged', 'signed-off']);
    expect(head.split(',').at(-1)).toBe('did');
    expect(rows.map((row) => row.split(',').at(-1))).toContain('signed-off');
  });

  it('that stopped for want of an answer are called stopped, not cancelled', async () => {
    const { sign: _sign, ...unsigned } = ANSWERS;

    const stopped = await runFlow(unsigned);
    const listed = await run(folder, ['jobs', 'list']);
    const chinese = await run(folder, ['jobs', 'list', '--lang', 'zh-CN']);
    const data = await run(folder, ['jobs', 'list', '--json']);

    expect(stopped.code).toBe(4);
    expect(stopped.stdout + stopped.stderr).not.toContain('Cancelled');
    expect(listed.stdout).toContain('Stopped, can be resumed');
    expect(chinese.stdout).toContain('已停止，可继续');
    expect(data.json()).toMatchObject([{ state: 'cancelled', resumable: true }]);
  });
});
