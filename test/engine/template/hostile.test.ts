/**
 * Templates made to be slow to check, beside one that only has much in it. The ceiling is many times of what they
 * take; what it is there for took minutes, or grew with a power of the size. `npm run bench -- template-check` measures them.
 */
import { describe, expect, it } from 'vitest';
import { checkTemplate } from '../../../src/engine/template/check/check-template.ts';
import { TEMPLATE_LIMITS } from '../../../src/shared/template/limits.ts';
import { hostileTemplates } from '../../helpers/hostile-templates.ts';
import { computing } from '../../helpers/growth.ts';

const TIMES = 10;
const plain = hostileTemplates().find(({ name }) => name === 'many values')?.text ?? '';
const referenceMs = Math.max(...[1, 2].map(() => computing(() => checkTemplate(plain))));

describe('checking hostile templates', () => {
  it.each(hostileTemplates().map(({ name, text }) => [name, text] as const))(
    'fault 6: %s: ends soon, with errors that are bounded',
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

  it('are as large as a template may be', () => {
    const sizes = hostileTemplates().map(({ text }) => text.length);

    expect(Math.max(...sizes)).toBeLessThanOrEqual(TEMPLATE_LIMITS.characters);
    expect(sizes.filter((size) => size > 0.9 * TEMPLATE_LIMITS.characters).length).toBeGreaterThan(30);
  });
});
