/** Templates checked at the office: file, line, column, path and the nearest name; no data folder. */
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { ErrorShape } from '#shared/errors.ts';
import { errorOf, makeFolder, run } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

const HEAD = 'fieldwright: template/1\nname: T\nsections:\n';

function template(name: string, text: string): string {
  const path = folder.file(name);
  writeFileSync(path, text);
  return path;
}

describe('template check', () => {
  it('accepts a good file without making a data folder', async () => {
    const file = template(
      'good.yaml',
      `${HEAD}  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n`,
    );

    const result = await run(folder, ['template', 'check', file, '--json']);

    expect(result.code).toBe(0);
    expect(result.json()).toMatchObject({ ok: true, errors: [], summary: { name: 'T' } });
    expect(existsSync(folder.file('data'))).toBe(false);
  });

  it.each([
    [
      'an unknown section',
      '  - set: thermal.thermometryMod\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
      { code: 'unknown-section', line: 4, nearest: 'thermal.thermometryMode' },
    ],
    [
      'an unknown field',
      '  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mod: expert }\n',
      { code: 'unknown-field', line: 6, nearest: 'mode' },
    ],
    [
      'a wrong type',
      '  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value:\n      enabled: sometimes\n',
      { code: 'wrong-type', line: 7 },
    ],
    [
      'a value out of range',
      '  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value:\n      emissivityMode: customsettings\n      emissivity: 3\n',
      { code: 'out-of-range', line: 8 },
    ],
    [
      'an undefined variable',
      '  - set: thermal.thermometryMode\n    params: { channelID: "${door}" }\n    value: { mode: expert }\n',
      { code: 'undefined-variable', line: 5 },
    ],
  ])('places %s in the file', async (_what, sections, expected) => {
    const file = template('bad.yaml', HEAD + sections);

    const result = await run(folder, ['template', 'check', file, '--json']);

    expect(result.code).toBe(2);
    const document = result.json<
      ErrorShape & { readonly ok: boolean; readonly errors: readonly ErrorShape[] }
    >();
    expect(document).toMatchObject({ ok: false, file, source: 'user', ...expected });
    expect(document.errors[0]).toMatchObject({
      file,
      column: expect.any(Number),
      path: expect.any(String),
      ...expected,
    });
  });

  it('gives plan and apply the same error, before any device is asked', async () => {
    const file = template('bad2.yaml', `${HEAD}  - set: thermal.thermometryMod\n    value: {}\n`);

    for (const command of ['plan', 'apply']) {
      const result = await run(folder, [
        command,
        '--template',
        file,
        '--device',
        'http://127.0.0.1:9',
        '--json',
      ]);

      expect(result.code).toBe(2);
      expect(errorOf(result)).toMatchObject({
        code: 'unknown-section',
        file,
        line: 4,
        nearest: 'thermal.thermometryMode',
      });
    }
  });

  // Would catch: a template from elsewhere that writes over the terminal, or turns what a person reads.
  it.each([['check'], ['show']])(
    '%s writes nothing that a terminal would obey, and the same JSON all the same',
    async (command) => {
      const file = template(
        'escapes.yaml',
        `fieldwright: template/1\nname: "a\\e[2Jb\\x9bc\\u202Ed"\ndescription: "x\\e]0;y\\a"\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n`,
      );

      const shown = await run(folder, ['template', command, file]);
      const asJson = await run(folder, ['template', command, file, '--json']);

      expect(shown.code).toBe(0);
      expect(shown.stdout + shown.stderr + asJson.stdout).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
      );
      expect(asJson.json()).toMatchObject({ summary: { name: 'a\u001b[2Jb\u009bc\u202ed' } });
    },
  );

  it('says which file cannot be read', async () => {
    const binary = template('binary.yaml', '');
    writeFileSync(binary, Buffer.from([0x66, 0xc3, 0x28, 0x80, 0x66]));

    expect(
      errorOf(await run(folder, ['template', 'check', folder.file('none.yaml'), '--json'])),
    ).toMatchObject({ code: 'unreadable-file', file: folder.file('none.yaml') });
    expect(errorOf(await run(folder, ['template', 'check', folder.path, '--json']))).toMatchObject({
      code: 'unreadable-file',
    });
    expect(errorOf(await run(folder, ['template', 'check', binary, '--json']))).toMatchObject({
      code: 'unreadable-file',
    });
  });

  it('writes places for people as file:line:column', async () => {
    const file = template('bad3.yaml', `${HEAD}  - set: nothing.here\n    value: {}\n`);

    expect((await run(folder, ['template', 'check', file])).stderr).toMatch(/bad3\.yaml:4:\d+ /);
  });

  it('shows the bundled templates, each valid', async () => {
    const entries = (await run(folder, ['template', 'list', '--json'])).json<
      readonly { readonly id: string }[]
    >();

    expect(entries.map(({ id }) => id)).toContain('bundled:site-basics');
    for (const { id } of entries)
      expect((await run(folder, ['template', 'check', id, '--json'])).json()).toMatchObject({ ok: true });
  });
});
