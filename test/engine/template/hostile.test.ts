/**
 * Templates made to be slow to check. The ceiling is many times of what they take; what it is there for
 * took minutes, or grew with a power of the size. `npm run bench -- template-check` measures them.
 */
import { describe, expect, it } from 'vitest';
import { checkTemplate } from '../../../src/engine/template/check-template.ts';
import { TEMPLATE_LIMITS } from '../../../src/engine/template/limits.ts';
import { hostileTemplates } from '../../helpers/hostile-templates.ts';

/** Of the processor, so that other work on the machine does not count. */
const CEILING_MS = 5000;

describe('checking hostile templates', () => {
  it.each(hostileTemplates().map(({ name, text }) => [name, text] as const))(
    'fault 6: %s: ends soon, with errors that are bounded',
    (_name, text) => {
      const before = process.cpuUsage();

      const { errors } = checkTemplate(text);
      const { user, system } = process.cpuUsage(before);

      expect((user + system) / 1000).toBeLessThan(CEILING_MS);
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
