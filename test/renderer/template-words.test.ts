import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { showWords } from '#renderer/common/labels/field-labels.ts';
import { loadTranslation } from '#shared/details/languages.ts';
import {
  describeTemplate,
  formatTemplateName,
  describeVariable,
  formatVariableName,
} from '#renderer/common/labels/template-labels.ts';
import words from '../../resources/locales/zh-CN/bundled-templates.json';

interface Written {
  readonly name: string;
  readonly description: string;
  readonly variables: Readonly<Record<string, { readonly description?: string }>>;
}

const bundled = Object.entries(
  import.meta.glob<string>('../../resources/templates/*.yaml', {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
).map(([path, text]) => ({
  file: path.replace(/^.*\/|\.yaml$/g, ''),
  // The sections hold variables, which are no plain YAML.
  written: parse(text.slice(0, text.search(/^sections:/m))) as Written,
}));

describe('the templates that ship with the app', () => {
  it('have Chinese words, all and no others', () => {
    const written = Object.fromEntries(
      bundled.map(({ file, written: { variables } }) => [file, Object.keys(variables)]),
    );
    const told = Object.fromEntries(
      Object.entries(words).map(([file, { variables }]) => [file, Object.keys(variables)]),
    );

    expect(bundled.length).toBeGreaterThan(5);
    expect(told).toEqual(written);
    expect(
      Object.fromEntries(Object.entries(words).map(([file, { labels }]) => [file, Object.keys(labels)])),
    ).toEqual(written);
    expect(
      Object.values(words)
        .flatMap(({ name, description, variables, labels }) => [
          name,
          description,
          ...Object.values(variables),
          ...Object.values(labels),
        ])
        .filter((text) => !/[\u4e00-\u9fff]/.test(text)),
    ).toEqual([]);
  });
});

describe('on a Chinese screen', () => {
  beforeAll(() => loadTranslation('zh-CN').then(showWords));
  afterAll(() => loadTranslation('en').then(showWords));

  it('bundled templates are called in Chinese, own ones as their text says', () => {
    const entry = { id: 'bundled:gate-lobby', name: 'Gate in a lobby', description: 'An access gate' };

    expect(formatTemplateName(entry)).toBe('大厅通道闸机');
    expect(describeTemplate(entry)).toMatch(/^让来访者/);
    expect(describeVariable(entry.id, { name: 'visitorCodes', description: 'Visitors' })).toBe(
      '访客凭二维码进入。',
    );
    expect(formatVariableName(entry.id, { name: 'visitorCodes' })).toBe('访客二维码');
    expect(formatVariableName('t-1', { name: 'visitorCodes' })).toBe('visitorCodes');
    expect(formatTemplateName({ ...entry, id: 't-1' })).toBe('Gate in a lobby');
    expect(formatTemplateName({ name: 'Gate in a lobby' })).toBe('Gate in a lobby');
    expect(describeVariable('t-1', { name: 'visitorCodes', description: 'Visitors' })).toBe('Visitors');
  });
});

describe('on an English screen', () => {
  it('they are called as their text says, with nothing hidden in it', () => {
    expect(formatTemplateName({ id: 'bundled:gate-lobby', name: 'Gate\u202e in' })).toBe('Gate\ufffd in');
    expect(describeTemplate({ id: 't-1' })).toBe('');
  });
});
