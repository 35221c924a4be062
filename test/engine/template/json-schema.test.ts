/**
 * The JSON Schema against the check that it replaces: an editor must neither praise what check refuses for
 * its form, nor mark what is right.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { resources, type Field, type Payload } from '#protocol/index.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import { buildTemplateSchema } from '#engine/template/json-schema.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { maskPlaceholders } from '#template/placeholder.ts';
import { buildTemplateSkeleton } from '#engine/template/skeleton.ts';
import { fieldValue } from '#test/protocol/arbitrary.ts';

const RESOURCES = join(import.meta.dirname, '../../../resources/templates');
// `enumDescriptions` is an editor's word.
const ajv = new Ajv2020({ strict: false, allErrors: true });
const conforms = ajv.compile(buildTemplateSchema());

function complaints(value: unknown): readonly string[] {
  return conforms(value)
    ? []
    : (conforms.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}
function read(text: string): unknown {
  const { masked, unmask } = maskPlaceholders(text);
  return JSON.parse(JSON.stringify(parse(masked)), (_key, value: unknown) =>
    typeof value === 'string' ? unmask(value) : value,
  );
}

describe('what check accepts', () => {
  it.each(readdirSync(RESOURCES))('%s conforms', (file) => {
    expect(complaints(read(readFileSync(join(RESOURCES, file), 'utf8')))).toEqual([]);
  });

  it.each(DEVICE_KINDS)('a new template for a %s conforms', (kind) => {
    expect(complaints(read(buildTemplateSkeleton({ name: 'New', kinds: [kind], sections: [] })))).toEqual([]);
  });

  it.each(resources.map((resource) => [resource.name, resource] as const))(
    'generated values of %s conform',
    (_name, { name, put }) => {
      const params = Object.fromEntries(put.params.map((param) => [param.name, 1]));
      const templates = fc.sample(patch(put.request), { numRuns: 60, seed: 3 }).map((value) => ({
        fieldwright: 'template/1',
        name: 'x',
        sections: [{ set: name, ...(put.params.length > 0 && { params }), value }],
      }));

      const accepted = templates.filter(
        (template) => parseTemplate(JSON.stringify(template)).errors.length === 0,
      );

      expect(accepted.length).toBeGreaterThan(0);
      expect(accepted.flatMap(complaints)).toEqual([]);
    },
  );
});

/** Some members with generated values, or the whole list. */
function patch(payload: Payload | undefined): fc.Arbitrary<unknown> {
  if (payload?.rootItem !== undefined) return fc.array(fieldValue(payload.rootItem), { maxLength: 2 });
  const fields = (payload?.fields ?? []).filter(isSettable);
  return fc
    .subarray(fields, { minLength: Math.min(1, fields.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((field) => [field.name, fieldValue(field)]))));
}
function isSettable(field: Field): boolean {
  return field.readOnly !== true && field.sensitive !== true;
}

describe('what check refuses for its form', () => {
  const section = (inner: string): string =>
    `fieldwright: template/1\nname: x\nvariables: { d: { type: integer } }\nsections: [{ ${inner} }]`;
  it.each([
    ['an unknown section', section('set: thermal.nothing, value: {}')],
    [
      'an operation instead of a setting',
      section('set: thermal.thermometryMode.put, params: { channelID: 1 }, value: { mode: AI }'),
    ],
    ['a missing value', section('set: accessControl.hostConfig')],
    ['missing parameters', section('set: thermal.thermometryMode, value: { mode: AI }')],
    [
      'a parameter that nothing takes',
      section('set: thermal.thermometryMode, params: { channelID: 1, door: 2 }, value: { mode: AI }'),
    ],
    [
      'a parameter below its range',
      section('set: thermal.thermometryMode, params: { channelID: -1 }, value: { mode: AI }'),
    ],
    ['an unknown field', section('set: accessControl.hostConfig, value: { voice: true }')],
    [
      'a number out of range',
      section('set: thermal.thermometryBasic, params: { channelID: 1 }, value: { alarmInterval: 301 }'),
    ],
    [
      'a word that is no option',
      section('set: thermal.thermometryMode, params: { channelID: 1 }, value: { mode: odd }'),
    ],
    [
      'text for a number',
      section('set: thermal.thermometryBasic, params: { channelID: 1 }, value: { distance: "far ${d}" }'),
    ],
    [
      'a list that is too short',
      section(
        'set: humanRecognition.regions, params: { channelID: 1 }, value: [{ id: "1", RegionCoordinatesList: [{ positionX: 1, positionY: 1 }] }]',
      ),
    ],
    [
      'an object where a list is due',
      section('set: humanRecognition.regions, params: { channelID: 1 }, value: {}'),
    ],
    ['a secret in the clear', section('set: storage.rwLock, value: { enabled: true, passwd: "1234" }')],
    ['a required field that is removed', section('set: storage.rwLock, value: { enabled: null }')],
    [
      'a default for a secret',
      'fieldwright: template/1\nname: x\nvariables: { p: { type: secret, default: a } }\nsections: [{ set: accessControl.hostConfig, value: { thermalIp: "${p}" } }]',
    ],
    [
      'a default of another type',
      'fieldwright: template/1\nname: x\nvariables: { p: { type: integer, default: a } }\nsections: [{ set: thermal.thermometryMode, params: { channelID: "${p}" }, value: { mode: AI } }]',
    ],
    [
      'another format',
      'fieldwright: template/2\nname: x\nsections: [{ set: accessControl.hostConfig, value: {} }]',
    ],
    [
      'an unknown kind',
      'fieldwright: template/1\nname: x\nappliesTo: { kinds: [door] }\nsections: [{ set: accessControl.hostConfig, value: {} }]',
    ],
  ])('%s does not conform', (_what, text) => {
    expect(parseTemplate(text).errors).not.toEqual([]);
    expect(complaints(read(text))).not.toEqual([]);
  });
});

describe('what an editor shows', () => {
  const { $defs } = buildTemplateSchema() as {
    readonly $defs: Record<
      string,
      { readonly description?: string; readonly properties?: Record<string, Record<string, unknown>> }
    >;
  };

  it('says unit, range, options in words and where the specification has it', () => {
    const basic = $defs['value.thermal.thermometryBasic'];

    expect(basic?.description).toBe('part 3, 2.7');
    expect(basic?.properties?.['alarmInterval']).toMatchObject({
      title: 'Alarm interval (s)',
      description: 'Alarm interval: 1 to 300 s',
    });
    expect(basic?.properties?.['emissivityMode']).toMatchObject({
      anyOf: expect.arrayContaining([
        expect.objectContaining({ enumDescriptions: expect.arrayContaining(['Rougher (0.95)']) }),
      ]),
    });
    expect($defs['value.thermal.thermometryMode']?.properties?.['mode']).toMatchObject({ default: 'normal' });
  });
});
