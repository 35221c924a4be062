/**
 * Shipped files: the JSON Schema as the definitions have it, templates without errors, and those a person
 * saves.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { resources } from '#protocol/index.ts';
import { systemClock } from '#engine/host/clock.ts';
import { openStore } from '#engine/store/index.ts';
import { buildTemplateSchema, formatTemplateSchema } from '#engine/template/json-schema.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { createTemplates, formatTemplateIndex } from '#engine/template/templates.ts';

const RESOURCES = join(import.meta.dirname, '../../../resources');
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-templates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the JSON Schema', () => {
  it('is kept as the definitions make it (else: npx node build/tasks/derived.mjs)', () => {
    expect(readFileSync(join(RESOURCES, 'schema/template.schema.json'), 'utf8')).toBe(formatTemplateSchema());
  });

  it('knows every setting that can be written', () => {
    const { $defs } = buildTemplateSchema() as { readonly $defs: Record<string, unknown> };

    expect(Object.keys($defs).filter((name) => name.startsWith('value.'))).toEqual(
      resources.map((resource) => `value.${resource.name}`),
    );
  });
});

describe('bundled templates', () => {
  // A name that was changed in the file alone would go on to be listed as it was, or be parsed at every start.
  it('are listed by what is kept of them (else: npx node build/tasks/derived.mjs)', () => {
    expect(readFileSync(join(RESOURCES, 'templates.json'), 'utf8')).toBe(formatTemplateIndex(RESOURCES));
  });

  it.each(readdirSync(join(RESOURCES, 'templates')))('%s has no errors and needs no values', (file) => {
    const { errors, summary } = parseTemplate(readFileSync(join(RESOURCES, 'templates', file), 'utf8'), {
      file,
    });

    expect(errors).toEqual([]);
    expect(summary?.variables.filter((variable) => variable.required)).toEqual([]);
    expect(summary?.description?.length).toBeGreaterThan(40);
  });
});

describe('templates at hand', () => {
  const own = (name: string): string =>
    `fieldwright: template/1\nname: ${name}\nsections: [{ set: accessControl.hostConfig, value: { voicePrompt: true } }]\n`;
  const open = (resourcesDir = RESOURCES) =>
    createTemplates({
      store: openStore(':memory:', { clock: systemClock }),
      resourcesDir,
      clock: systemClock,
      user: 'installer',
    });

  it('are the bundled ones and those that were saved, under their own names', () => {
    const templates = open();

    const saved = templates.save({ text: own('Mine') });
    const renamed = templates.save({ id: saved.id, text: own('Ours') });

    expect(templates.list().map(({ source, name }) => [source, name])).toEqual([
      ['bundled', 'AI camera over a waiting area'],
      ['bundled', 'Gate in a lobby'],
      ['bundled', 'People counter at an entrance'],
      ['bundled', 'Recorder with backfill at night'],
      ['bundled', 'Site basics'],
      ['bundled', 'Storage under watch'],
      ['bundled', 'Thermal camera at an entrance'],
      ['own', 'Ours'],
    ]);
    expect(renamed.id).toBe(saved.id);
  });

  it('are not saved with errors, nor over a bundled one', () => {
    const templates = open();

    expect(() => templates.save({ text: own('x').replace('voicePrompt', 'voicePromt') })).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({ code: 'unknown-field', nearest: 'voicePrompt', line: 3 }),
      }),
    );
    expect(() => templates.save({ id: 'bundled:site-basics', text: own('x') })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'not-found' }) }),
    );
  });

  it('do without a bundled file that cannot be read', () => {
    mkdirSync(join(folder, 'templates'));
    writeFileSync(join(folder, 'templates', 'a.yaml'), Buffer.from([0x61, 0xfc, 0xfe, 0xff, 0x61]));
    writeFileSync(join(folder, 'templates', 'b.yaml'), own('Good'));

    expect(
      open(folder)
        .list()
        .map(({ name }) => name),
    ).toEqual(['Good']);
    expect(open(join(folder, 'nowhere')).list()).toEqual([]);
  });

  it('are checked with the file named', () => {
    expect(open().check({ text: 'a: [', file: 'mine.yaml' })).toMatchObject({
      ok: false,
      errors: [{ file: 'mine.yaml', line: 1 }],
    });
  });
});
