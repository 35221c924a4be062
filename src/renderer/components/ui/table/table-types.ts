import type { VNodeChild } from 'vue';

/** One column of an AccessibleTable. */
export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  /** True for a title that is only read out: for columns of controls. */
  readonly titleHidden?: boolean;
  /** Fixed width in px; without it the column takes a share of the remaining width, at least `minWidth`. */
  readonly width?: number;
  readonly minWidth?: number;
  /** Share of the remaining width among such columns. Default 1. */
  readonly share?: number;
  readonly sortable?: boolean;
  /** True for a column that people may put elsewhere. */
  readonly movable?: boolean;
  /** Dropped while the table is narrower than this; never the most important columns. */
  readonly dropBelow?: number;
  /** `shown`: the columns that are not dropped, for a cell that tells what another one would. */
  readonly render: (row: Row, shown: readonly TableColumn<Row>[]) => VNodeChild;
}

export interface TableSort {
  readonly key: string;
  readonly descending: boolean;
}

/** Heading of the rows below it: it can be folded away, and its rows chosen together. */
export interface TableHeading {
  readonly title: string;
  /** Remark on its rows, at the end of the line. */
  readonly note?: string;
  readonly folded: boolean;
  /** Keys of its rows, also while they are folded away. */
  readonly keys: readonly string[];
}

export const SELECT_WIDTH = 48;
const DEFAULT_MIN_WIDTH = 120;

/** The columns as a `grid-template-columns`, and the width in px below which the table scrolls sideways. */
export function buildColumnTracks<Row>(
  columns: readonly TableColumn<Row>[],
  selectable: boolean,
): { readonly template: string; readonly minWidth: number } {
  const leastOf = (column: TableColumn<Row>): number => column.width ?? column.minWidth ?? DEFAULT_MIN_WIDTH;
  const tracks = columns.map((column) =>
    column.width === undefined ? `minmax(${leastOf(column)}px, ${column.share ?? 1}fr)` : `${column.width}px`,
  );
  return {
    template: [...(selectable ? [`${SELECT_WIDTH}px`] : []), ...tracks].join(' '),
    minWidth: columns.reduce((sum, column) => sum + leastOf(column), selectable ? SELECT_WIDTH : 0),
  };
}
