/** `check`: what TEMPLATES.md promises of it, each error with its place and the nearest name. */
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '#engine/template/parse-template.ts';

const HEAD = 'fieldwright: template/1\nname: Test\n';

function check(body: string) {
  return parseTemplate(HEAD + body, { file: 't.yaml' });
}
function onlyError(body: string) {
  const { errors } = check(body);
  expect(errors.map((error) => error.message)).toHaveLength(1);
  return errors[0];
}
function section(lines: string, variables = ''): string {
  return `${variables}sections:\n  - ${lines.trim().split('\n').join('\n    ')}\n`;
}
const BASIC = 'set: thermal.thermometryBasic\nparams: { channelID: 1 }\n';

describe("the template of the format's own description", () => {
  const text = `fieldwright: template/1
name: Lobby thermal cameras
description: Thermometry for the entrance lanes
appliesTo: { kinds: [thermal] }          # optional; decided from capabilities, not from names
variables:
  channel:    { type: integer, default: 1, min: 1 }
  emissivity: { type: number, min: 0.01, max: 1 }          # no default: must be given
  cardLock:   { type: secret, description: Storage card password }
sections:
  - set: thermal.thermometryBasic        # an operation id of the table without .get/.put
    params: { channelID: \${channel} }
    value:
      emissivityMode: customsettings
      emissivity: \${emissivity}
      distance: 2
  - set: accessControl.hostConfig
    value: { voicePrompt: true, thermalUnit: celsius }
  - set: events.thermometrySchedule
    params: { channelID: \${channel} }
    optional: true                       # a device without it is skipped, not failed
    value:
      TimeBlockList:
        - { dayOfWeek: 1, TimeRange: { beginTime: "08:00:00", endTime: "18:00:00" } }
`;

  it('has one error: a secret that nothing uses', () => {
    const { errors } = parseTemplate(text);

    expect(errors).toMatchObject([
      { code: 'unused-variable', path: 'variables.cardLock', line: 8, column: 3 },
    ]);
  });

  it('is without errors when the secret is used', () => {
    const { errors, summary } = parseTemplate(
      `${text}  - set: storage.rwLock\n    value: { enabled: true, passwd: \${cardLock} }\n`,
    );

    expect(errors).toEqual([]);
    expect(summary).toMatchObject({
      name: 'Lobby thermal cameras',
      kinds: ['thermal'],
      variables: [
        { name: 'channel', required: false },
        { name: 'emissivity', required: true },
        { name: 'cardLock', type: 'secret', required: true },
      ],
      sections: [{ set: 'thermal.thermometryBasic', optional: false }, {}, { optional: true }, {}],
    });
  });
});

describe('the head', () => {
  it.each([
    [
      'no head',
      'name: x\nsections: [{ set: accessControl.hostConfig, value: { voicePrompt: true } }]',
      'invalid-template',
      '',
    ],
    [
      'another version',
      'fieldwright: template/2\nname: x\nsections: [{ set: accessControl.hostConfig, value: { voicePrompt: true } }]',
      'invalid-template',
      'fieldwright',
    ],
    ['a list', '- a', 'invalid-template', ''],
    [
      'no name',
      'fieldwright: template/1\nsections: [{ set: accessControl.hostConfig, value: { voicePrompt: true } }]',
      'missing-field',
      'name',
    ],
    [
      'a number as name',
      'fieldwright: template/1\nname: 5\nsections: [{ set: accessControl.hostConfig, value: { voicePrompt: true } }]',
      'wrong-type',
      'name',
    ],
    ['no sections', 'fieldwright: template/1\nname: x', 'missing-field', 'sections'],
    ['empty sections', 'fieldwright: template/1\nname: x\nsections: []', 'missing-field', 'sections'],
  ])('%s', (_what, text, code, path) => {
    const { errors, document } = parseTemplate(text);

    expect(document).toBeUndefined();
    expect(errors).toHaveLength(1);
    expect(errors[0]?.code).toBe(code);
    expect(errors[0]?.path).toBe(path);
  });

  it('names the nearest key and kind', () => {
    const { errors } = check(
      `descripton: x\nappliesTo: { kinds: [termal] }\n${section('set: accessControl.hostConfig\nvalue: { voicePrompt: true }')}`,
    );

    expect(errors).toMatchObject([
      { code: 'unknown-field', path: 'descripton', nearest: 'description', line: 3, column: 1 },
      { code: 'not-allowed', path: 'appliesTo.kinds[0]', nearest: 'thermal', line: 4 },
    ]);
  });
});

describe('sections', () => {
  it('names the nearest section', () => {
    expect(
      onlyError(section('set: thermal.thermometryBasics\nparams: { channelID: 1 }\nvalue: { distance: 2 }')),
    ).toMatchObject({
      code: 'unknown-section',
      path: 'sections[0].set',
      nearest: 'thermal.thermometryBasic',
      file: 't.yaml',
      line: 4,
      column: 10,
    });
  });

  it.each(['.get', '.put'])('says to drop %s of an operation id', (suffix) => {
    const error = onlyError(section(`set: accessControl.hostConfig${suffix}\nvalue: { voicePrompt: true }`));

    expect(error).toMatchObject({ code: 'unknown-section', nearest: 'accessControl.hostConfig' });
    expect(error?.message).toContain(`drop the "${suffix}"`);
  });

  it('says that something can only be read', () => {
    expect(onlyError(section('set: gate.status\nvalue: { busSync: Normal }'))?.message).toContain(
      'cannot set it',
    );
  });

  it('finds the same section with the same parameters twice, but not with others', () => {
    const twice = `sections:\n  - { set: thermal.thermometryMode, params: { channelID: 1 }, value: { mode: normal } }\n  - { set: thermal.thermometryMode, params: { channelID: 1 }, value: { mode: expert } }\n`;

    expect(onlyError(twice)).toMatchObject({ code: 'duplicate-section', path: 'sections[1].set', line: 5 });
    expect(check(twice.replace('1 }, value: { mode: expert', '2 }, value: { mode: expert')).errors).toEqual(
      [],
    );
  });

  it.each([
    [
      'an unknown key of a section',
      'set: accessControl.hostConfig\noptionl: true\nvalue: { voicePrompt: true }',
      'unknown-field',
      'sections[0].optionl',
    ],
    [
      'text where true or false is due',
      'set: accessControl.hostConfig\noptional: "yes"\nvalue: { voicePrompt: true }',
      'wrong-type',
      'sections[0].optional',
    ],
    ['no value', 'set: accessControl.hostConfig', 'missing-field', 'sections[0]'],
    ['an empty value', 'set: accessControl.hostConfig\nvalue:', 'missing-field', 'sections[0].value'],
    ['a list as value', 'set: accessControl.hostConfig\nvalue: [1]', 'wrong-type', 'sections[0].value'],
    [
      'a missing parameter',
      'set: thermal.thermometryMode\nvalue: { mode: normal }',
      'missing-parameter',
      'sections[0]',
    ],
    [
      'an unknown parameter',
      'set: thermal.thermometryMode\nparams: { channelID: 1, chanel: 2 }\nvalue: { mode: normal }',
      'unknown-parameter',
      'sections[0].params.chanel',
    ],
    [
      'text as a channel',
      'set: thermal.thermometryMode\nparams: { channelID: one }\nvalue: { mode: normal }',
      'wrong-type',
      'sections[0].params.channelID',
    ],
    [
      'channel -1',
      'set: thermal.thermometryMode\nparams: { channelID: -1 }\nvalue: { mode: normal }',
      'out-of-range',
      'sections[0].params.channelID',
    ],
  ])('%s', (_what, lines, code, path) => {
    expect(onlyError(section(lines))).toMatchObject({ code, path });
  });
});

describe('values', () => {
  it.each([
    ['an unknown field', 'distanc: 2', 'unknown-field', 'distanc', 'distance'],
    ['a wrong type', 'distance: far', 'wrong-type', 'distance', undefined],
    ['a value out of range', 'alarmInterval: 301', 'out-of-range', 'alarmInterval', undefined],
    ['a value that is no option', 'emissivityMode: shiny', 'not-allowed', 'emissivityMode', undefined],
    [
      'a condition that is not met',
      'alarmMode: alarm_alert, NormalRulesColor: { R: 1, G: 2, B: 3 }',
      'condition-not-met',
      'NormalRulesColor',
      undefined,
    ],
    [
      'a rule between fields',
      'emissivityMode: rough, emissivity: 0.95',
      'not-allowed',
      'emissivity',
      undefined,
    ],
    [
      'a nested field',
      'TemperatureColor: { highTemperature: 20000 }',
      'out-of-range',
      'TemperatureColor.highTemperature',
      undefined,
    ],
  ])('%s', (_what, value, code, path, nearest) => {
    const error = onlyError(section(`${BASIC}value: { ${value} }`));

    expect(error).toMatchObject({ code, path: `sections[0].value.${path}`, line: 6, file: 't.yaml' });
    expect(error?.nearest).toBe(nearest);
  });

  it('tells a forgotten value from a deliberate null', () => {
    expect(onlyError(section(`${BASIC}value:\n  distance:\n  alert: null`))).toMatchObject({
      code: 'missing-field',
      path: 'sections[0].value.distance',
      line: 7,
    });
  });

  it('reports everything at once, in the order of the file', () => {
    const { errors } = check(
      `${section(`${BASIC}value: { distanc: 2, alarmInterval: 0 }`)}  - { set: nonsense, value: {} }\n`,
    );

    expect(errors.map((error) => [error.code, error.line])).toEqual([
      ['unknown-field', 6],
      ['out-of-range', 6],
      ['unknown-section', 7],
    ]);
  });
});

describe('variables', () => {
  const use = (declaration: string, field: string): string =>
    section(`${BASIC}value: { ${field}: \${x} }`, `variables:\n  x: ${declaration}\n`);

  it('undefined: an error with the nearest name, before anything is sent', () => {
    const body = section(
      `${BASIC}value: { distance: \${distanc} }`,
      'variables:\n  distance: { type: integer, default: 2 }\n',
    );
    const user =
      '  - { set: thermal.thermometryMode, params: { channelID: "${distance}" }, value: { mode: normal } }\n';

    expect(onlyError(body + user)).toMatchObject({
      code: 'undefined-variable',
      path: 'sections[0].value.distance',
      nearest: 'distance',
    });
  });

  it.each([
    ['text for a number', '{ type: string }', 'distance', 'wrong-type'],
    ['a number for a whole number', '{ type: number }', 'distance', 'wrong-type'],
    ['a whole number for a number', '{ type: integer, min: 1, max: 1 }', 'emissivity', undefined],
    ['a range that never fits', '{ type: integer, min: 500 }', 'alarmInterval', 'out-of-range'],
    ['a range that may fit', '{ type: integer, min: 100, max: 500 }', 'alarmInterval', undefined],
    [
      'options of which none fits',
      '{ type: string, options: [shiny, matt] }',
      'emissivityMode',
      'not-allowed',
    ],
    ['options of which one fits', '{ type: string, options: [shiny, rough] }', 'emissivityMode', undefined],
    ['a default that does not fit', '{ type: integer, default: 400 }', 'alarmInterval', 'out-of-range'],
    ['a flag', '{ type: boolean }', 'enabled', undefined],
    ['a flag for a number', '{ type: boolean }', 'distance', 'wrong-type'],
    ['a value for a list', '{ type: string }', 'AlertOutputIOPortList', 'wrong-type'],
  ])('%s', (_what, declaration, field, code) => {
    const { errors } = check(use(declaration, field));

    expect(errors.map((error) => error.code)).toEqual(code === undefined ? [] : [code]);
    if (code !== undefined) expect(errors[0]?.path).toBe(`sections[0].value.${field}`);
  });

  it('does not hold a condition against a value that is still to come', () => {
    const body = section(
      `${BASIC}value: { alarmMode: \${mode}, NormalRulesColor: { R: 1, G: 2, B: 3 } }`,
      'variables:\n  mode: { type: string }\n',
    );

    expect(check(body).errors).toEqual([]);
  });

  it.each([
    ['an unknown type', '{ type: integr }', 'not-allowed', 'variables.x.type'],
    ['no type', '{ default: 1 }', 'missing-field', 'variables.x'],
    ['no object', '5', 'wrong-type', 'variables.x'],
    ['a default of another type', '{ type: integer, default: "1" }', 'wrong-type', 'variables.x.default'],
    [
      'a default out of its own range',
      '{ type: integer, min: 5, default: 1 }',
      'out-of-range',
      'variables.x.default',
    ],
    ['limits the wrong way round', '{ type: integer, min: 5, max: 1 }', 'out-of-range', 'variables.x.max'],
    ['a lowest text', '{ type: string, min: 1 }', 'not-allowed', 'variables.x.min'],
    ['a secret with a default', '{ type: secret, default: abc }', 'not-allowed', 'variables.x.default'],
    ['a broken pattern', '{ type: string, pattern: "[" }', 'not-allowed', 'variables.x.pattern'],
    ['an unknown key', '{ type: integer, minimum: 1 }', 'unknown-field', 'variables.x.minimum'],
  ])('declared with %s', (_what, declaration, code, path) => {
    const { errors } = check(
      `variables:\n  x: ${declaration}\n${section('set: accessControl.hostConfig\nvalue: { voicePrompt: true }')}`,
    );

    expect(errors).toContainEqual(expect.objectContaining({ code, path, line: 4 }));
  });

  it('finds what is no variable, and lets $${ stand', () => {
    const body = section(
      'set: accessControl.hostConfig\nvalue: { thermalIp: "${not a name}", channelIp: "$${literal}" }',
    );

    expect(onlyError(body)).toMatchObject({ code: 'invalid-template', path: 'sections[0].value.thermalIp' });
  });
});

describe('secrets', () => {
  const lock = (value: string): string =>
    section(
      `set: storage.rwLock\nvalue: { enabled: true, ${value} }`,
      'variables:\n  key: { type: secret }\n  plain: { type: string, default: a }\n',
    );

  it('never stand in a template', () => {
    const { errors } = check(
      lock('passwd: letmein, originalPasswd: ${key}').replace('  plain: { type: string, default: a }\n', ''),
    );

    expect(errors).toMatchObject([{ code: 'not-allowed', path: 'sections[0].value.passwd' }]);
    expect(JSON.stringify(errors)).not.toContain('letmein');
  });

  it('are variables of type secret and no others', () => {
    const { errors } = check(lock('passwd: ${plain}, originalPasswd: ${key}'));

    expect(errors).toMatchObject([{ code: 'not-allowed', path: 'sections[0].value.passwd' }]);
  });

  it.each([
    [
      'in a field that is shown',
      'set: accessControl.hostConfig\nvalue: { thermalIp: ${key} }',
      'sections[0].value.thermalIp',
    ],
    [
      'inside a text that is shown',
      'set: accessControl.hostConfig\nvalue: { thermalIp: "a${key}" }',
      'sections[0].value.thermalIp',
    ],
    [
      'in an address',
      'set: passback.historyPlan\nparams: { streamID: ${key}, channelID: 1 }\nvalue: { enable: true }',
      'sections[0].params.streamID',
    ],
  ])('are refused %s', (_where, lines, path) => {
    const { errors } = check(section(lines, 'variables:\n  key: { type: secret }\n'));

    expect(errors).toContainEqual(expect.objectContaining({ code: 'not-allowed', path }));
  });
});
