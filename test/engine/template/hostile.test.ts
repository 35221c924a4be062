/**
 * Templates made to be slow to check, beside one that only has much in it. The ceiling is many times of what they
 * take; what it is there for took minutes, or grew with a power of the size. `npm run bench -- template-check` measures them.
 */
import { describe, expect, it } from 'vitest';
import { checkTemplate } from '#engine/template/check/check-template.ts';
import { readYaml } from '#template/read-yaml.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { hostileTemplates } from '#test/helpers/hostile-templates.ts';
import { computing } from '#test/helpers/growth.ts';

const TIMES = 10;
const plain = hostileTemplates().find(({ name }) => name === 'many values')?.text ?? '';
const referenceMs = Math.max(...[1, 2].map(() => computing(() => checkTemplate(plain))));

describe('checking hostile templates', () => {
  it.each(hostileTemplates().map(({ name, text }) => [name, text] as const))(
    '%s: ends soon, with errors that are bounded',
    (_name, text) => {
      let errors: ReturnType<typeof checkTemplate>['errors'] = [];
      const took = computing(() => {
        ({ errors } = checkTemplate(text));
      });

      expect(took / referenceMs).toBeLessThan(TIMES);
      expect(errors.length).toBeLessThanOrEqual(TEMPLATE_LIMITS.errors);
      expect(JSON.stringify(errors).length).toBeLessThan(400_000);
    },
  );

  // Would catch: a bound that is looked at after the whole text was built; seconds for a million characters.
  it.each(
    ['merges line by line', 'merges on one line', 'merges of a list', 'many comments', 'many documents'].map(
      (name) => [name, hostileTemplates().find((one) => one.name === name)?.text ?? ''] as const,
    ),
  )('%s: is refused while it is read, by engine and page', (_name, text) => {
    const took = computing(() => checkTemplate(text)) + computing(() => readYaml(text));

    expect(text.length).toBeGreaterThan(500_000);
    expect(took / referenceMs).toBeLessThan(0.2);
    expect(checkTemplate(text).errors.map(({ code }) => code)).toEqual(['input-too-large']);
    expect(readYaml(text).problems).toMatchObject([{ code: 'input-too-large' }]);
  });

  // Would catch: names of one object compared with each other, 30 s on the page's own thread.
  it('an object of many names costs the page what it costs the engine', () => {
    const text = Array.from({ length: TEMPLATE_LIMITS.nodes - 10 }, (_, at) => `n${at}: 1\n`).join('');

    expect(computing(() => readYaml(text)) / referenceMs).toBeLessThan(TIMES / 2);
    expect(readYaml(text).problems).toEqual([]);
    expect(readYaml('a: 1\na: 2\n').problems).toMatchObject([{ detail: { id: 'yaml.twice' }, from: 5 }]);
  });

  it('are as large as a template may be', () => {
    const sizes = hostileTemplates().map(({ text }) => text.length);

    expect(Math.max(...sizes)).toBeLessThanOrEqual(TEMPLATE_LIMITS.characters);
    expect(sizes.filter((size) => size > 0.9 * TEMPLATE_LIMITS.characters).length).toBeGreaterThan(30);
  });
});
