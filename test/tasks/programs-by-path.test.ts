/** The lint rule that keeps bare names of programs out. */
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { programsByPath } from '../../build/lint/programs-by-path.mjs';

function isRefused(code: string, filename = 'build/tasks/x.mjs'): boolean {
  const messages = new Linter().verify(
    code,
    {
      files: ['**/*.{ts,mjs}'],
      plugins: { programs: { rules: { 'by-path': programsByPath } } },
      rules: { 'programs/by-path': 'error' },
    } as unknown as Linter.Config,
    filename,
  );
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return messages.length > 0;
}

describe('programs by path', () => {
  it.each([
    "spawn('reg', [])",
    "cp.execFileSync('route')",
    'execFile(`netsh`, [])',
    "const tool = win ? 'open' : '/usr/bin/open'; spawn(tool)",
    "capture(process.env.NPM ?? 'npm', [])",
    "start('./reg.exe')",
    "exec('netsh show')",
    "childProcess.exec('netsh')",
    "execSync('ls')",
    'spawn(path, [], { shell: true })',
    "const npm = { command: 'npm' }",
    "const all = { commands: [['apt-get', 'update']] }",
  ])('refuses %s', (code) => {
    expect(isRefused(code)).toBe(true);
  });

  it.each([
    "spawn('/bin/ps', [])",
    "execFileSync('C:\\\\Windows\\\\System32\\\\reg.exe')",
    'spawn(process.execPath, [])',
    'spawn(`${root}\\\\reg.exe`)',
    "/a/.exec('a')",
    "pattern.exec('text')",
    "server.start('now')",
    'spawn(path, [], { shell: false })',
  ])('takes %s', (code) => {
    expect(isRefused(code)).toBe(false);
  });

  it('leaves starting programs to one file of the source', () => {
    const code = "import { spawn } from 'node:child_process';";

    expect(isRefused(code, 'src/engine/other.ts')).toBe(true);
    expect(isRefused(code, 'src/engine/host/system-programs.ts')).toBe(false);
  });
});
