/** The policy of an organisation: its file, and what it forbids. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FieldwrightError } from '#shared/errors.ts';
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
    const rules = {
      minimumTls: '1.3',
      allowBasic: false,
      forbiddenSections: ['thermal.thermometryBasic'],
      language: 'zh-CN',
      logo: 'logo.png',
      updates: 'https://updates.example/fieldwright.json',
    };
    const file = write(`\uFEFF${JSON.stringify(rules)}`);

    const policy = readPolicy(file);

    expect(policy).toEqual({ file, ...rules });
    expect(isForbidden('thermal.thermometryBasic', policy)).toBe(true);
    expect(isForbidden('thermal.other', policy)).toBe(false);
  });

  // Would catch: a policy with a slip of the pen that counts as none, or an administrator who cannot find it.
  it.each([
    ['{', 'policy-unreadable', undefined],
    ['[]', 'policy-wrong-value', ''],
    ['null', 'policy-wrong-value', ''],
    ['{"allowbasic":false}', 'policy-unknown-name', 'allowbasic'],
    ['{"minimumTls":"1.0"}', 'policy-wrong-value', 'minimumTls'],
    ['{"forbiddenSections":["storage.rwLok"]}', 'policy-unknown-name', 'storage.rwLok'],
    ['{"language":"fr"}', 'policy-wrong-value', 'language'],
    ['{"logo":"../logo.png"}', 'policy-wrong-value', 'logo'],
    ['{"logo":"C:logo.png"}', 'policy-wrong-value', 'logo'],
    ['{"updates":"http://updates.example/x.json"}', 'policy-wrong-value', 'updates'],
    ['{"updates":"https://me:secret@updates.example/x.json"}', 'policy-wrong-value', 'updates'],
    ['{"updates":"https://192.168.001.064/x.json"}', 'policy-wrong-value', 'updates'],
    ['{"updates":"https://3232235777/x.json"}', 'policy-wrong-value', 'updates'],
    ['{"updates":"x.json"}', 'policy-wrong-value', 'updates'],
    [`{"x":"${'y'.repeat(300_000)}"}`, 'policy-too-large', undefined],
  ])('allows nothing where it cannot be read, and says where: %.40s', (text, id, named) => {
    const file = write(text);
    const error = catchError(() => readPolicy(file));

    expect(error).toMatchObject({ code: 'not-available', shape: { detail: { id, values: { file } } } });
    if (named) expect(Object.values(error.shape.detail?.values ?? {})).toContain(named);
    expect(error.message).toMatch(/policy of your organisation cannot be read/);
  });

  it('allows nothing where something else lies in its place', () => {
    mkdirSync(join(folder, 'place'));

    expect(() => readPolicy(join(folder, 'place'))).toThrow(/cannot be read/);
  });

  // Would catch: rules that are passed over because the account may not look into their folder.
  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'allows nothing where it may not be looked at',
    () => {
      const closed = join(folder, 'closed');
      mkdirSync(closed);
      chmodSync(closed, 0);

      expect(() => readPolicy(join(closed, 'policy.json'))).toThrow(/cannot be read/);
      chmodSync(closed, 0o700);
    },
  );

  it.each([
    ['win32', { ProgramData: 'D:\\Data' }, join('D:\\Data', 'Fieldwright', 'policy.json')],
    ['darwin', {}, '/Library/Application Support/Fieldwright/policy.json'],
    ['linux', {}, '/etc/fieldwright/policy.json'],
  ] as const)('is at the place of %s that administrators write to', (platform, env, file) => {
    expect(getPolicyFile({ platform, env })).toBe(file);
  });
});

function catchError(run: () => unknown): FieldwrightError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof FieldwrightError) return thrown;
  }
  throw new Error('nothing was refused');
}
