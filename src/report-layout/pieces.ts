/** The pieces of a document laid out: what every format knows how to draw. */
import type { Cover, Tone } from '#shared/report-document.ts';
import type { ContentsEntry } from './contents.ts';
import type { Figure } from './figure.ts';
import type { Shown } from './reader.ts';

export interface Column {
  readonly label: string;
  readonly align: 'start' | 'end';
  /** Its share of the width. */
  readonly weight: number;
}
export interface Grid {
  readonly piece: 'table';
  readonly title?: string;
  readonly columns: readonly Column[];
  /** Rows, made while they are drawn: there may be many. */
  readonly rows: Iterable<readonly Shown[]>;
  /** Leaves room to write by hand. */
  readonly isTall?: boolean;
}
export type Piece =
  | {
      readonly piece: 'heading';
      readonly level: 1 | 2 | 3;
      readonly text: string;
      readonly id?: string;
      /** Begins a page. */
      readonly isPage?: boolean;
    }
  | ({ readonly piece: 'picture'; readonly text: string } & NonNullable<Cover['logo']>)
  /** Links to the headings with these ids. With a title it is a list of many short names, beside each other. */
  | {
      readonly piece: 'contents';
      readonly title?: string;
      readonly entries: readonly ContentsEntry[];
    }
  | { readonly piece: 'text'; readonly text: string; readonly tone: Tone }
  | {
      readonly piece: 'figure';
      /** Text in place of the figure; shown above it. */
      readonly title: string;
      readonly figure: Figure;
      /** The figure itself says what it is: no title is shown. */
      readonly isPlain?: boolean;
    }
  | Grid;
