/** Layout components: only they know of gaps and columns. A step is one of the `--space-…` tokens. */
import { h, type CSSProperties, type FunctionalComponent } from 'vue';
import type { Tone } from '#renderer/styles/palette.ts';

type Step = 0 | 1 | 2 | 3 | 4 | 5 | 6 | '0' | '1' | '2' | '3' | '4' | '5' | '6';
type Pixels = number | `${number}`;

interface BoxProps {
  /** Element; `div` where nothing says more. */
  readonly as?: string;
  readonly gap?: Step;
  readonly align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch';
  readonly justify?: 'start' | 'center' | 'end' | 'space-between';
  /** True to take the remaining room. */
  readonly grow?: boolean;
  /** Least width at which it takes the remaining room; with less room it gets its own line. */
  readonly basis?: Pixels;
  /** Widest. */
  readonly most?: Pixels;
  /** Highest; what is more is scrolled to. */
  readonly high?: Pixels;
  readonly pad?: Step;
  /** True for a line above that separates it from the content before. */
  readonly ruled?: boolean;
}
interface RowProps extends BoxProps {
  readonly wrap?: boolean;
}
interface GridProps extends BoxProps {
  /** Least width of a column; the row holds as many as fit. */
  readonly min?: Pixels;
  /** Columns of their own widths instead. */
  readonly columns?: string;
  /** Columns that nothing is in keep their room. */
  readonly fill?: boolean;
}
interface PanelProps extends BoxProps {
  readonly tone?: Tone;
  /** Lies inside of another panel. */
  readonly inner?: boolean;
  /** Heading of the panel, which is a section of this name. */
  readonly title?: string;
}

const box = {
  as: { type: String, default: 'div' },
  gap: [Number, String],
  align: String,
  justify: String,
  grow: Boolean,
  basis: [Number, String],
  most: [Number, String],
  high: [Number, String],
  pad: [Number, String],
  ruled: Boolean,
};
const step = (value: Step): string => (Number(value) === 0 ? '0' : `var(--space-${value})`);
const pixels = (value: Pixels): string => `${value}px`;

function boxStyle({ gap, align, justify, basis, most, high, pad }: BoxProps): CSSProperties {
  return {
    ...(gap !== undefined && { gap: step(gap) }),
    ...(align !== undefined && { alignItems: align }),
    ...(justify !== undefined && { justifyContent: justify }),
    ...(basis !== undefined && { flex: `1 1 ${pixels(basis)}` }),
    ...(most !== undefined && { maxWidth: pixels(most) }),
    ...(high !== undefined && { maxHeight: pixels(high), overflowY: 'auto' as const }),
    ...(pad !== undefined && { padding: step(pad) }),
  };
}
function boxClass(own: string, { grow, ruled }: BoxProps): readonly unknown[] {
  return [own, { grow, ruled }];
}

/** One thing below the other. */
export const Stack: FunctionalComponent<BoxProps> = (props, { slots }) =>
  h(props.as ?? 'div', { class: boxClass('stack', props), style: boxStyle(props) }, slots['default']?.());
Stack.props = box as never;

/** One thing beside the other, centred; with `wrap` on as many lines as it takes. */
export const Row: FunctionalComponent<RowProps> = (props, { slots }) =>
  h(
    props.as ?? 'div',
    {
      class: [...boxClass('row', props), { wrap: props.wrap }],
      style: { ...boxStyle(props), ...(props.wrap && Number(props.gap) > 2 && { rowGap: step(1) }) },
    },
    slots['default']?.(),
  );
Row.props = { ...box, wrap: Boolean } as never;

/** Columns of one width, as many as fit. */
export const Grid: FunctionalComponent<GridProps> = (props, { slots }) => {
  const { columns, fill, min = 220 } = props;
  const gridTemplateColumns =
    columns ?? `repeat(auto-${fill ? 'fill' : 'fit'}, minmax(min(${pixels(min)}, 100%), 1fr))`;
  return h(
    props.as ?? 'div',
    { class: boxClass('grid', props), style: { ...boxStyle(props), gridTemplateColumns } },
    slots['default']?.(),
  );
};
Grid.props = { ...box, min: [Number, String], columns: String, fill: Boolean } as never;

/** A surface that holds what belongs together, one thing below the other. */
export const Panel: FunctionalComponent<PanelProps> = (props, { slots }) => {
  const { inner, tone, title, pad = inner ? 3 : 4 } = props;
  return h(
    title === undefined ? (props.as ?? 'div') : 'section',
    {
      'aria-label': title,
      class: [...boxClass('stack', props), inner ? 'box' : 'card', tone && `tone-${tone}`],
      style: boxStyle({ ...props, pad }),
    },
    [title === undefined ? undefined : h('h2', title), slots['default']?.()],
  );
};
Panel.props = { ...box, inner: Boolean, tone: String, title: String } as never;
