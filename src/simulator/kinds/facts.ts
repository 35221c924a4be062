/** Name and system report of the virtual devices of a kind. */
export interface KindFacts {
  /** Title before the number in its name. */
  readonly title: string;
  /** Locations of such devices in a building, assigned in turn. */
  readonly places: readonly [string, ...string[]];
  /** It has a picture: preview, motion detection, a storage card that can be locked. */
  readonly hasPicture: boolean;
  /** It records others: passback, its disks' own events. */
  readonly isRecorder: boolean;
  readonly proxies: number;
  readonly networkDisks: number;
  readonly diskGroups: number;
}
