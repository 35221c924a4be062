/** Colours, only where they are wanted. */
import { styleText } from 'node:util';
import type { Io } from '../io.ts';

type Style = (text: string) => string;
export interface Paint {
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
  readonly dim: Style;
  readonly strong: Style;
}

function plain(text: string): string {
  return text;
}

export function paintFor(io: Io): Paint {
  const on = io.stdout.isTTY === true && !io.env['NO_COLOR'] && io.env['TERM'] !== 'dumb';
  if (!on) return { good: plain, bad: plain, warn: plain, dim: plain, strong: plain };
  const style =
    (format: Parameters<typeof styleText>[0]): Style =>
    (text) =>
      styleText(format, text, { validateStream: false });
  return {
    good: style('green'),
    bad: style('red'),
    warn: style('yellow'),
    dim: style('dim'),
    strong: style('bold'),
  };
}
