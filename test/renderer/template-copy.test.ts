import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { showWords } from '#renderer/common/labels/field-labels.ts';
import { loadTranslation } from '#shared/details/languages.ts';
import { copyOf } from '#renderer/features/templates/list/copy-of.ts';
import { DocReader } from '#renderer/features/templates/yaml/template-doc.ts';

const file = join(import.meta.dirname, '..', '..', 'resources', 'templates', 'ai-waiting-area.yaml');
const text = readFileSync(file, 'utf8');
const { name, description } = plain(text) as { name: string; description: string };
const SHIPPED = { id: 'bundled:ai-waiting-area', source: 'bundled', name, description, text } as const;

function plain(source: string): Readonly<Record<string, unknown>> {
  const read = new DocReader().read(source);
  if (!read.ok) throw new Error(source);
  return read.doc.root;
}

afterEach(() => loadTranslation('en').then(showWords));

// Would catch: a copy that has an English name and English explanations on a Chinese screen, or one that lost something else.
it('says in the language of the screen what a copy of a shipped template is, and keeps what it does', async () => {
  await loadTranslation('zh-CN').then(showWords);
  const copy = plain(copyOf(SHIPPED, (called) => `${called} 2`));
  const variables = Object.values(copy['variables'] as Record<string, { description: string }>);
  const withoutWords = ({ ...whole }: Record<string, unknown>): unknown => ({
    ...whole,
    name: '',
    description: '',
    variables: JSON.stringify(whole['variables'], (key, value: unknown) =>
      key === 'description' ? '' : value,
    ),
  });

  expect(copy['name']).toBe('等候区智能摄像机 2');
  expect([copy['description'], ...variables.map((each) => each.description)].join('')).not.toMatch(
    /[a-z]{3}/i,
  );
  expect(withoutWords(copy)).toEqual(withoutWords(plain(text)));
});

it('changes the name alone in English, and of own templates', async () => {
  const inEnglish = copyOf(SHIPPED, (called) => `${called} 2`);
  await loadTranslation('zh-CN').then(showWords);
  const own = copyOf({ ...SHIPPED, id: 'mine', source: 'own' }, (called) => `${called} 2`);

  const renamed = text.replace(/^name:.*$/m, `name: "${name} 2"`);
  expect([inEnglish, own]).toEqual([renamed, renamed]);
});
