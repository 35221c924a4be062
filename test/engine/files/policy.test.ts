/** The policy of an organisation: its file, and what it forbids. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { getPolicyFile, isForbidden, readPolicy } from '#engine/files/policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  const file = join(folder, 'policy.json');
  writeFileSync(file, text);
  return file;
}

describe('the policy of an organisation', () => {
  it('is nothing where there is no file', () => {
    expect(readPolicy(join(folder, 'none.json'))).toEqual({});
  });

  it('is read whole', () => {
    const file = write(
      '\uFEFF{"minimumTls":"1.3","allowBasic":false,"forbiddenSections":["thermal.thermometryBasic"]}',
    );

    const policy = readPolicy(file);

    expect(policy).toEqual({
      file,
      minimumTls: '1.3',
      allowBasic: false,
      forbiddenSections: ['thermal.thermometryBasic'],
    });
    expect(isForbidden('thermal.thermometryBasic', policy)).toBe(true);
    expect(isForbidden('thermal.other', policy)).toBe(false);
  });

  // Would catch: a policy with a slip of the pen that counts as none.
  it.each([
    '{',
    '{"allowbasic":false}',
    '{"minimumTls":"1.0"}',
    '[]',
    'null',
    `{"x":"${'y'.repeat(300_000)}"}`,
  ])('allows nothing where it cannot be read: %.30s', (text) => {
    expect(() => readPolicy(write(text))).toThrow(/policy of your organisation cannot be read/);
  });

  it.each([
    ['win32', { ProgramData: 'D:\\Data' }, join('D:\\Data', 'Fieldwright', 'policy.json')],
    ['darwin', {}, '/Library/Application Support/Fieldwright/policy.json'],
    ['linux', {}, '/etc/fieldwright/policy.json'],
  ] as const)('is at the place of %s that administrators write to', (platform, env, file) => {
    expect(getPolicyFile({ platform, env })).toBe(file);
  });
});
