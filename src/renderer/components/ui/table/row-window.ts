/** Range of rows of equal height in view, with some beyond, so that they are already there after a scroll. */
interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

const BEYOND = 4;

export function computeRowWindow(view: {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}): RowWindow {
  const first = Math.floor(view.top / view.rowHeight) - BEYOND;
  const end = Math.ceil((view.top + view.height) / view.rowHeight) + BEYOND;
  const last = Math.max(0, view.count);
  return { first: Math.min(Math.max(0, first), last), end: Math.min(Math.max(0, end), last) };
}

/** Returns where to scroll to make a row fully visible; undefined if it already is. */
export function scrollTopFor(
  index: number,
  view: { readonly top: number; readonly height: number; readonly rowHeight: number },
): number | undefined {
  const top = index * view.rowHeight;
  if (top < view.top) return top;
  const bottom = top + view.rowHeight;
  return bottom > view.top + view.height ? bottom - view.height : undefined;
}
