/** A site as one file, sealed with a passphrase: written on one computer, added to or merged with what another one has. */

/** Ending of the names of such files. */
export const SITE_FILE_ENDING = '.fieldwright-site';

/** Field that both sides changed. The later value counts; the other one stays in the history. */
export interface SiteFileConflict {
  readonly what: 'site' | 'device' | 'profile' | 'template' | 'job' | 'work';
  readonly name: string;
  readonly field: string;
  /** Values as text; JSON where the field holds more than text. */
  readonly here: string;
  readonly file: string;
  readonly hereAt: string;
  readonly fileAt: string;
  readonly kept: 'here' | 'file';
}

/** Numbers of what was new here, and of what was here and became different. */
export interface SiteFileCounts {
  readonly devices: number;
  readonly jobs: number;
  readonly templates: number;
  readonly plans: number;
  readonly agreements: number;
  readonly snapshots: number;
  readonly records: number;
  readonly documents: number;
  readonly secrets: number;
}

/** Result of opening a site file, or what it would be. */
export interface SiteFileMerge {
  readonly site: { readonly id: string; readonly name: string };
  /** Operating system user who wrote the file, and the time. */
  readonly by: string;
  readonly at: string;
  readonly secrets: boolean;
  readonly added: SiteFileCounts;
  readonly merged: SiteFileCounts;
  /** Devices that were removed on the other side, and were not changed here since. */
  readonly removed: number;
  readonly conflicts: readonly SiteFileConflict[];
  /** Open work that is done here from now on, and what its owner elsewhere goes on with. */
  readonly openWork: { readonly taken: number; readonly elsewhere: number };
}

/** A site file that was written. */
export interface WrittenSiteFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Pieces of open work that go with the file: they are no longer done here. */
  readonly handedOver: number;
}

/** Owner of open work: a data folder, or the file that it went with. */
export interface WorkOwner {
  /** Id of the data folder, or of the file that it went with. */
  readonly id: string;
  readonly name: string;
  readonly at: string;
  /** Time of the hand-over by which a data folder came to own the work: of those that opened one file the first does it. */
  readonly handedAt?: string;
}
