import type { VNodeChild } from 'vue';

/** One column of an AccessibleTable. */
export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  /** The title is only heard: for columns of controls. */
  readonly titleHidden?: boolean;
  /** Fixed width in px; without it the column takes a share of what is left, at least `minWidth`. */
  readonly width?: number;
  readonly minWidth?: number;
  readonly sortable?: boolean;
  /** Dropped while the table is narrower than this; never the most important columns. */
  readonly dropBelow?: number;
  readonly render: (row: Row) => VNodeChild;
}

export interface TableSort {
  readonly key: string;
  readonly descending: boolean;
}
