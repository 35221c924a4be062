/** A new template: checkable at once, and every line in it that is a comment is right when the comment is taken away. */
import { describe, expect, it } from 'vitest';
import { resources } from '#protocol/index.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { buildTemplateSkeleton } from '#engine/template/skeleton.ts';

/** Errors of settings beside each other, the only ones allowed: all settings at once are never right. */
const BESIDE_EACH_OTHER = ['condition-not-met', 'not-allowed'];
/** Error of an empty setting that must be given, because the specification names no usual value. */
const TO_BE_GIVEN = 'missing-field';

/** Takes away the # before every setting, except before secrets, which need a variable first. */
function uncommented(text: string): string {
  return text.replace(/^( {6})# ( *[A-Za-z_][A-Za-z0-9_]*:(?!.*\$\{…\}))/gm, '$1$2');
}

describe.each(resources.map(({ name }) => name))('a new template for %s', (name) => {
  const text = buildTemplateSkeleton({ name: 'New', kinds: [], sections: [name] });

  it('passes check and cannot be applied before something was decided', () => {
    const { errors, summary } = parseTemplate(text);

    expect(errors).toEqual([]);
    expect(summary?.sections).toMatchObject([{ set: name, optional: false }]);
    expect(summary?.variables.some(({ required }) => required)).toBe(true);
  });

  it('shows values that the specification allows', () => {
    const whole = uncommented(text);
    const { errors } = parseTemplate(whole);

    expect(whole).not.toMatch(/^ {6}# (?!.*\$\{…\})/m);
    expect(errors.filter(({ code }) => code !== TO_BE_GIVEN && !BESIDE_EACH_OTHER.includes(code))).toEqual(
      [],
    );
    expect(
      errors.filter(
        ({ code, message }) =>
          code === 'not-allowed' && / must (?:be one of|have the form|be numbers)/.test(message),
      ),
    ).toEqual([]);
  });
});

it('what can be set shows no lowest value as if it were the usual one', () => {
  const text = buildTemplateSkeleton({ name: 'New', kinds: [], sections: ['thermal.thermometryBasic'] });

  expect(text).toMatch(/^ {6}# emissivity: +# Emissivity: 0.01 to 1/m);
  expect(parseTemplate(uncommented(text)).errors).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ code: TO_BE_GIVEN, path: 'sections[0].value.emissivity' }),
    ]),
  );
});

describe('a new template for a kind', () => {
  it.each(DEVICE_KINDS)('%s holds what such devices have, and no secret', (kind) => {
    const { summary } = parseTemplate(buildTemplateSkeleton({ name: 'New', kinds: [kind], sections: [] }));

    expect(summary?.kinds).toEqual([kind]);
    expect(summary?.sections.length).toBeGreaterThan(0);
    expect(summary?.variables.filter(({ type }) => type === 'secret')).toEqual([]);
  });

  it('refuses a section that does not exist', () => {
    expect(() => buildTemplateSkeleton({ name: 'New', kinds: [], sections: ['a.b'] })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'unknown-section' }) }),
    );
  });
});
