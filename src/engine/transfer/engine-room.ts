/** Decides which packages leave an engine so that another one fits. Pure. */

export interface Named {
  readonly MPID: string;
  readonly MPName: string;
}

export interface Room {
  /** Packages that have to leave; empty if there is room. */
  readonly leave: readonly Named[];
  /**
   * Packages that stay. The request that unloads an engine names no package (part 1, 4), so they are unloaded with the
   * others and loaded again, if any has to leave.
   */
  readonly stay: readonly Named[];
}

/**
 * Returns what leaves and what stays. As few as possible leave: an earlier package of the same name first, then in the order
 * in which the engine lists them. `held`: packages of the engine, without the new one. `most`: packages that one engine
 * takes (`loadMPMaxNum`, part 1, 2.2). The device reports it only if that is several, so an absent one is 1, unless the
 * engine holds more.
 */
export function makeRoom(held: readonly Named[], most: number | undefined, newName?: string): Room {
  const surplus = held.length + 1 - Math.max(most ?? 1, held.length);
  if (surplus <= 0) return { leave: [], stay: held };
  const isSame = ({ MPName }: Named): number => (MPName !== '' && MPName === newName ? 0 : 1);
  const leave = new Set(held.toSorted((a, b) => isSame(a) - isSame(b)).slice(0, surplus));
  return { leave: [...leave], stay: held.filter((each) => !leave.has(each)) };
}
