/** Variables: where their values come from, what type they keep, and every way in which they can be wrong. */
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { resolveTemplate } from '#engine/template/values/resolve.ts';

const TEXT = `fieldwright: template/1
name: Test
variables:
  channel: { type: integer, default: 1, min: 1, max: 4 }
  other: { type: integer, default: 2 }
  emissivity: { type: number, min: 0.01, max: 1 }
  on: { type: boolean, default: true }
  lane: { type: string, default: A, pattern: "[A-Z]" }
  key: { type: secret }
sections:
  - set: thermal.thermometryBasic
    params: { channelID: \${channel} }
    value: { emissivityMode: customsettings, emissivity: \${emissivity}, enabled: \${on} }
  - set: thermal.thermometryMode
    params: { channelID: \${channel} }
    value: { mode: normal }
  - set: thermal.thermometryMode
    params: { channelID: \${other} }
    value: { mode: normal }
  - set: accessControl.hostConfig
    value: { thermalIp: "10.0.\${channel}.\${lane}", channelIp: "$\${x}", remoteCheckDoorEnabled: true, checkChannelType: PrivateSDK }
  - set: storage.rwLock
    value: { enabled: true, passwd: \${key} }
`;

function resolve(
  values: Record<string, unknown>,
  options: { secrets?: Record<string, string>; needSecrets?: boolean } = {},
) {
  const { document, errors } = parseTemplate(TEXT, { file: 't.yaml' });
  if (document === undefined) throw new Error(JSON.stringify(errors));
  return resolveTemplate(document, {
    values,
    secrets: options.secrets ?? {},
    needSecrets: options.needSecrets ?? false,
    device: 'http://d',
  });
}
function errorsOf(values: Record<string, unknown>, options?: Parameters<typeof resolve>[1]) {
  const resolved = resolve(values, options);
  return resolved.ok ? [] : resolved.errors;
}

describe('resolving', () => {
  it('keeps the type of a variable alone, makes text of one inside a string, and leaves $${ literal', () => {
    const resolved = resolve({ emissivity: '0.9', on: 'false' });

    expect(resolved.ok && resolved.sections.map((section) => [section.params, section.value])).toMatchObject([
      [{ channelID: 1 }, { emissivity: 0.9, enabled: false }],
      [{ channelID: 1 }, {}],
      [{ channelID: 2 }, {}],
      [{}, { thermalIp: '10.0.1.A', channelIp: '${x}' }],
      [{}, { enabled: true }],
    ]);
  });

  // Would catch: a flag that a spreadsheet makes TRUE, whatever was typed, and that no device gets.
  it.each([
    ['TRUE', true],
    ['False', false],
    [' true ', true],
  ])('takes the flag %j from a table', (text, flag) => {
    const resolved = resolve({ emissivity: 1, on: text });

    expect(resolved.ok && resolved.values).toMatchObject({ on: flag });
  });

  it('keeps secrets out of the values that a plan stores', () => {
    const resolved = resolve({ emissivity: 1 }, { secrets: { key: 'hunter22' } });

    expect(resolved.ok && resolved.values).toEqual({
      channel: 1,
      other: 2,
      emissivity: 1,
      on: true,
      lane: 'A',
    });
    expect(resolved.ok && resolved.sections[4]?.value).toEqual({ enabled: true, passwd: 'hunter22' });
  });

  it('marks where a secret is still to come', () => {
    const resolved = resolve({ emissivity: 1 });

    expect(resolved.ok && [...(resolved.sections[4]?.open ?? [])]).toEqual(['passwd']);
  });

  it('asks for the secret before anything is sent', () => {
    expect(errorsOf({ emissivity: 1 }, { needSecrets: true })).toMatchObject([
      { code: 'undefined-variable', path: 'variables.key', device: 'http://d' },
    ]);
  });

  it('does not quote a secret that is too long', () => {
    const errors = errorsOf({ emissivity: 1 }, { secrets: { key: 'hunter2-hunter2' } });

    expect(errors).toMatchObject([{ path: 'sections[4].value.passwd', file: 't.yaml', line: 23 }]);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
  });

  it.each([
    ['no value', {}, 'undefined-variable', /emissivity.*no value/],
    ['an unknown name', { emissivity: 1, chanel: 2 }, 'undefined-variable', /"chanel".*"channel"/],
    ['text that is no number', { emissivity: 'high' }, 'wrong-type', /emissivity.*number.*"high"/],
    ['a decimal comma', { emissivity: '0,9' }, 'wrong-type', /decimals with a point/],
    ['a half channel', { emissivity: 1, channel: '1.5' }, 'wrong-type', /channel.*whole number/],
    ['a spelled-out flag', { emissivity: 1, on: 'yes' }, 'wrong-type', /on.*true or false/],
    ['an empty text for a number', { emissivity: '' }, 'wrong-type', /emissivity/],
    ['hexadecimal', { emissivity: 1, channel: '0x1' }, 'wrong-type', /channel/],
    ['a value below its range', { emissivity: 0 }, 'out-of-range', /below 0.01/],
    ['a value above its range', { emissivity: 1, channel: 5 }, 'out-of-range', /above 4/],
    ['a text of another form', { emissivity: 1, lane: 'a1' }, 'not-allowed', /"lane"/],
    ['a secret among the values', { emissivity: 1, key: 'hunter22' }, 'not-allowed', /"key" is a secret/],
    ['two sections that come to set the same', { emissivity: 1, other: 1 }, 'duplicate-section', /set twice/],
  ])('%s', (_what, values, code, message) => {
    const errors = errorsOf(values);

    expect(errors).toMatchObject([{ code }]);
    expect(errors[0]?.message).toMatch(message);
    expect(JSON.stringify(errors)).not.toContain('hunter22');
  });

  it('checks a value where it comes to stand', () => {
    const { document } = parseTemplate(
      'fieldwright: template/1\nname: x\nvariables: { wait: { type: integer } }\nsections:\n  - { set: thermal.thermometryBasic, params: { channelID: 1 }, value: { alarmInterval: "${wait}" } }\n',
    );
    if (document === undefined) throw new Error('not read');

    const resolved = resolveTemplate(document, { values: { wait: 1000 }, secrets: {}, needSecrets: true });

    expect(resolved).toMatchObject({
      ok: false,
      errors: [{ code: 'out-of-range', path: 'sections[0].value.alarmInterval', line: 5 }],
    });
  });
});
