/**
 * The colours of the product, once: the style sheet gets them as custom properties, the component
 * library as theme values. Text pairs hold WCAG AA (4.5:1) on every surface they are used on.
 */
export type Tone = 'good' | 'info' | 'warn' | 'special' | 'bad' | 'quiet';
export const TONES: readonly Tone[] = ['good', 'info', 'warn', 'special', 'bad', 'quiet'];

/** `text` is read on `fill`; `line` outlines it. */
interface ToneColours {
  readonly text: string;
  readonly fill: string;
  readonly line: string;
}

export interface Palette {
  /** Background of the window. */
  readonly canvas: string;
  /** Cards, tables, dialogs. */
  readonly surface: string;
  /** Headers of tables, wells, hovered rows. */
  readonly raised: string;
  readonly sunken: string;
  readonly rail: string;
  readonly railText: string;
  readonly railActive: string;
  readonly line: string;
  /** Borders of controls: 3:1 against the surface. */
  readonly control: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly accentHover: string;
  readonly accentPressed: string;
  readonly onAccent: string;
  /** A selected row, a chosen item. */
  readonly accentSoft: string;
  readonly focus: string;
  readonly danger: string;
  readonly dangerHover: string;
  readonly onDanger: string;
  readonly shadow: string;
  readonly tones: Readonly<Record<Tone, ToneColours>>;
}

export const LIGHT: Palette = {
  canvas: '#f2f4f7',
  surface: '#ffffff',
  raised: '#f7f8fa',
  sunken: '#eceff3',
  rail: '#14202e',
  railText: '#b7c3d1',
  railActive: '#24344a',
  line: '#dce1e8',
  control: '#7b8797',
  text: '#17202c',
  muted: '#566273',
  accent: '#2553c7',
  accentHover: '#1f48b0',
  accentPressed: '#1a3d96',
  onAccent: '#ffffff',
  accentSoft: '#e7edfb',
  focus: '#2553c7',
  danger: '#b3261e',
  dangerHover: '#981f18',
  onDanger: '#ffffff',
  shadow: '0 1px 2px rgb(16 24 40 / 6%), 0 4px 16px rgb(16 24 40 / 6%)',
  tones: {
    good: { text: '#0f5f37', fill: '#e3f5ea', line: '#a9dbbf' },
    info: { text: '#0b5a75', fill: '#e0f3f9', line: '#a5d8e8' },
    warn: { text: '#7a4a00', fill: '#fdf1d8', line: '#ecd08f' },
    special: { text: '#5b3aa6', fill: '#efe9fb', line: '#cdbdf0' },
    bad: { text: '#a01f18', fill: '#fde9e7', line: '#f2b8b3' },
    quiet: { text: '#4c5868', fill: '#eceff3', line: '#d0d7e0' },
  },
};

export const DARK: Palette = {
  canvas: '#0e141b',
  surface: '#161e28',
  raised: '#1c2632',
  sunken: '#10171f',
  rail: '#0a0f15',
  railText: '#a3b0c0',
  railActive: '#1d2a3a',
  line: '#2a3644',
  control: '#6b7a8d',
  text: '#e6ebf2',
  muted: '#a0adbd',
  accent: '#7ea6ff',
  accentHover: '#9bbaff',
  accentPressed: '#6a95f5',
  onAccent: '#0b1630',
  accentSoft: '#1e2d4d',
  focus: '#9bbaff',
  danger: '#ff8f86',
  dangerHover: '#ffa8a1',
  onDanger: '#33090a',
  shadow: '0 1px 2px rgb(0 0 0 / 40%), 0 6px 20px rgb(0 0 0 / 30%)',
  tones: {
    good: { text: '#86dcab', fill: '#14301f', line: '#2a5a3f' },
    info: { text: '#86d3ec', fill: '#102d38', line: '#265264' },
    warn: { text: '#f1c871', fill: '#362a10', line: '#665125' },
    special: { text: '#c9b3ff', fill: '#2a2142', line: '#4d3f78' },
    bad: { text: '#ff9f97', fill: '#3c1917', line: '#703530' },
    quiet: { text: '#b0bccb', fill: '#222d3a', line: '#384657' },
  },
};

/** Returns the colours for a person who wants more contrast: edges are strong, small words are text. */
export function raiseContrast(palette: Palette): Palette {
  const { text, surface, muted, accentHover: accent } = palette;
  return {
    ...palette,
    accent,
    canvas: surface,
    sunken: surface,
    railText: '#ffffff',
    line: muted,
    control: text,
    muted: text,
    focus: text,
    tones: Object.fromEntries(
      TONES.map((tone) => [
        tone,
        { text: palette.tones[tone].text, fill: surface, line: palette.tones[tone].text },
      ]),
    ) as Palette['tones'],
  };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the custom properties of a palette: `--accent-soft`, `--tone-good-text`, … */
export function buildPaletteProperties(palette: Palette): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  const { tones, ...plain } = palette;
  for (const [name, value] of Object.entries(plain)) properties.set(`--${kebab(name)}`, value);
  for (const tone of TONES) {
    for (const [part, value] of Object.entries(tones[tone])) properties.set(`--tone-${tone}-${part}`, value);
  }
  return properties;
}
