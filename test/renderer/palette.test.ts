import { describe, expect, it } from 'vitest';
import { DARK, LIGHT, TONES, buildPaletteProperties, raiseContrast } from '#renderer/styles/palette.ts';
import { contrast } from './contrast.ts';

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
  ['light high contrast', raiseContrast(LIGHT)],
  ['dark high contrast', raiseContrast(DARK)],
] as const)('%s palette', (_name, palette) => {
  it.each([
    ['text', 'canvas'],
    ['text', 'surface'],
    ['text', 'raised'],
    ['text', 'accentSoft'],
    ['muted', 'canvas'],
    ['muted', 'surface'],
    ['muted', 'raised'],
    ['muted', 'sunken'],
    ['muted', 'accentSoft'],
    ['onAccent', 'accent'],
    ['onAccent', 'accentHover'],
    ['onAccent', 'accentPressed'],
    ['onDanger', 'danger'],
    ['onDanger', 'dangerHover'],
    ['accent', 'surface'],
    ['accent', 'canvas'],
    ['railText', 'rail'],
  ] as const)('%s can be read on %s', (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(TONES)('%s can be read on its own ground and on rows', (tone) => {
    const { text, fill } = palette.tones[tone];

    for (const ground of [fill, palette.surface, palette.raised, palette.accentSoft])
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['surface', 'canvas', 'raised'] as const)(
    'controls and the focus ring stand out on %s',
    (ground) => {
      expect(contrast(palette.control, palette[ground])).toBeGreaterThanOrEqual(3);
      expect(contrast(palette.focus, palette[ground])).toBeGreaterThanOrEqual(3);
    },
  );
});

// Would catch: high contrast that is no higher than the usual: small words, edges and states hard to see.
it.each([LIGHT, DARK].map(raiseContrast))('raises words to 7:1, and edges to 4.5:1', (palette) => {
  const { surface, raised, accentSoft, tones } = palette;
  const words = [palette.text, palette.muted, palette.accent, ...TONES.map((tone) => tones[tone].text)];

  for (const word of words) expect(contrast(word, surface)).toBeGreaterThanOrEqual(6.9);
  for (const ground of [surface, raised, accentSoft])
    for (const edge of [palette.line, palette.control, palette.focus])
      expect(contrast(edge, ground)).toBeGreaterThanOrEqual(4.5);
});

it('gives every colour to the style sheet', () => {
  expect(buildPaletteProperties(LIGHT).get('--accent-soft')).toBe(LIGHT.accentSoft);
  expect(buildPaletteProperties(LIGHT).get('--tone-bad-text')).toBe(LIGHT.tones.bad.text);
});
