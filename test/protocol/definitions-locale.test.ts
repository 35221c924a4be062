import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '#protocol/catalogue.ts';
import { visitFields } from './definition-walk.ts';

const chinese = JSON.parse(
  readFileSync(new URL('../../resources/locales/zh-CN/fields.json', import.meta.url), 'utf8'),
) as Record<string, string>;

/**
 * Keys of the texts for people: operation ids, `<root or operation id>.<field path>`, and `=<value>` for an
 * option that is words.
 */
function wantedKeys(): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const operation of operations) {
    keys.add(operation.id);
    for (const payload of [operation.request, operation.response]) {
      if (payload === undefined) continue;
      const root = payload.root ?? operation.id;
      if (payload.rootItem !== undefined) keys.add(`${root}[]`);
      for (const { path } of visitFields(payload))
        keys.add(path.startsWith('[') ? `${root}${path}` : `${root}.${path}`);
    }
  }
  return keys;
}

describe('zh-CN/fields.json', () => {
  // Catches a field that was added or renamed and would stay English on a Chinese screen, and a leftover of an old name.
  it('has every operation and field, and nothing that is gone', () => {
    const keys = Object.keys(chinese).filter((key) => !key.includes('='));

    expect(new Set(keys)).toEqual(wantedKeys());
  });

  // Catches an option of a field that was removed.
  it('has options only of fields it has', () => {
    const orphans = Object.keys(chinese).filter(
      (key) => key.includes('=') && chinese[key.slice(0, key.indexOf('='))] === undefined,
    );

    expect(orphans).toEqual([]);
  });

  it('has no empty label', () => {
    expect(Object.entries(chinese).filter(([, label]) => label.trim() === '')).toEqual([]);
  });
});
