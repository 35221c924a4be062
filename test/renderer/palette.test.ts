import { describe, expect, it } from 'vitest';
import { DARK, LIGHT, TONES, buildPaletteProperties } from '#renderer/styles/palette.ts';
import { contrast } from './contrast.ts';

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
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

it('gives every colour to the style sheet', () => {
  expect(buildPaletteProperties(LIGHT).get('--accent-soft')).toBe(LIGHT.accentSoft);
  expect(buildPaletteProperties(LIGHT).get('--tone-bad-text')).toBe(LIGHT.tones.bad.text);
});
