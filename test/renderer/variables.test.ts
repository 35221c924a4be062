import { describe, expect, it } from 'vitest';
import { buildInitialValues, readValues } from '#renderer/features/apply/template/variables.ts';
import { toReadableName } from '#renderer/common/labels/template-labels.ts';
import type { TemplateVariable } from '#shared/model.ts';

function variable(
  name: string,
  type: TemplateVariable['type'],
  more: Partial<TemplateVariable> = {},
): TemplateVariable {
  return { name, type, required: more.default === undefined, ...more };
}

describe('initialValues', () => {
  it('shows defaults and keeps what was typed before', () => {
    const variables = [
      variable('channel', 'integer', { default: 1 }),
      variable('emissivity', 'number'),
      variable('prompt', 'boolean', { default: true }),
    ];

    expect(buildInitialValues(variables)).toEqual({ channel: '1', emissivity: '', prompt: true });
    expect(buildInitialValues(variables, { emissivity: '0.9', gone: 'x' })).toEqual({
      channel: '1',
      emissivity: '0.9',
      prompt: true,
    });
  });

  it('does not take a value from the prototype for a variable of that name', () => {
    expect(buildInitialValues([variable('constructor', 'string')], {})).toEqual({ constructor: '' });
  });
});

describe('readValues', () => {
  it('gives typed values and keeps secrets apart, so that none lands in a plan', () => {
    const variables = [
      variable('channel', 'integer'),
      variable('emissivity', 'number'),
      variable('prompt', 'boolean'),
      variable('unit', 'string', { options: ['celsius', 2] }),
      variable('lock', 'secret'),
    ];

    const read = readValues(variables, {
      channel: ' 3 ',
      emissivity: '0,95',
      prompt: false,
      unit: '2',
      lock: ' pass word ',
    });

    expect(read.complaints).toEqual({});
    expect(read.values).toEqual({ channel: 3, emissivity: 0.95, prompt: false, unit: 2 });
    expect(read.secrets).toEqual({ lock: ' pass word ' });
  });

  it.each([
    ['integer', '', {}, 'form.required'],
    ['integer', '1.5', {}, 'form.notInteger'],
    ['number', 'abc', {}, 'form.notNumber'],
    ['number', '1e5', {}, 'form.notNumber'],
    ['number', 'Infinity', {}, 'form.notNumber'],
    ['number', '0', { min: 0.01 }, 'form.tooSmall'],
    ['number', '2', { max: 1 }, 'form.tooLarge'],
    ['secret', '', {}, 'form.required'],
    ['string', '   ', {}, 'form.required'],
  ] as const)('%s %j %j is refused before anything is sent', (type, text, more, key) => {
    const read = readValues([variable('v', type, more)], { v: text });

    expect(read.complaints['v']?.key).toBe(key);
    expect(read.values).toEqual({});
  });

  it('asks for no secret that the vault has, and takes one that is typed instead', () => {
    const variables = [variable('lock', 'secret', { saved: true })];

    expect(readValues(variables, { lock: '' })).toEqual({ values: {}, secrets: {}, complaints: {} });
    expect(readValues(variables, { lock: 'typed' }).secrets).toEqual({ lock: 'typed' });
  });

  it('lets a text be empty whose default is empty', () => {
    expect(readValues([variable('note', 'string', { default: '' })], { note: '' })).toMatchObject({
      values: { note: '' },
      complaints: {},
    });
  });
});

describe('readableName', () => {
  it.each([
    ['alertTemperature', 'Alert temperature'],
    ['card_lock-2', 'Card lock 2'],
    ['channelID', 'Channel ID'],
    ['x', 'X'],
    ['温度', '温度'],
    ['__', '__'],
  ])('%s is %s', (name, words) => {
    expect(toReadableName(name)).toBe(words);
  });
});
