/** The README's first command without a screen: its table, its exit code, nothing left behind. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const TASK = resolve('build/tasks/demo.mjs');
const temporary = mkdtempSync(join(tmpdir(), 'fieldwright-task-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function startCheck() {
  return spawn(process.execPath, [TASK, '--check'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  });
}

/** Processes that run the built command line for this test's temporary folder or were started by the task. */
function left(pid: number | undefined): string {
  const list = execFileSync('ps', ['-eo', 'ppid=,pid=,args='], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.trim().startsWith(`${pid} `) || line.includes(temporary))
    .join('\n');
}

// The whole suite builds first; alone, without a build, there is nothing to check here.
describe.skipIf(!existsSync('out/.stamp') || process.platform === 'win32')(
  'demo --check',
  { timeout: 120_000 },
  () => {
    it('applies to 12 devices, tells it in the words of the README, finds nothing to change the second time, exits 0', async () => {
      const task = startCheck();
      let stdout = '';
      task.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });

      const [code] = await once(task, 'close');

      expect(stdout.match(/^(Thermal|Gate) \d\d .*Verified/gm)).toHaveLength(12);
      expect(stdout).toContain('Second run: no changes');
      expect(stdout).not.toMatch(/\b(effective|unchanged|skipped)\b/);
      expect(code).toBe(0);
      expect(left(task.pid)).toBe('');
      expect(readdirSync(temporary)).toEqual([]);
    });

    it('leaves no process and no folder behind when it is told to stop', async () => {
      const task = startCheck();
      let stderr = '';
      task.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
        if (stderr.includes('✓ Starting')) task.kill('SIGTERM');
      });

      const [code] = await once(task, 'close');

      expect(code).toBe(143);
      expect(left(task.pid)).toBe('');
      expect(readdirSync(temporary)).toEqual([]);
    });
  },
);
