/** Reports: what is read of devices for them, and the files they become. */
import type { Detail } from './details.ts';
import type { ErrorShape } from './errors.ts';
import type { DocumentText } from './report-document.ts';

export const REPORT_FILE_FORMATS = ['html', 'pdf', 'csv', 'json'] as const;
export type ReportFileFormat = (typeof REPORT_FILE_FORMATS)[number];

/** Event that one device of a gathering is finished. */
export interface GatherEvent {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** It could not be read, or not to its end; the others go on. */
  readonly error?: ErrorShape;
  readonly done: number;
  readonly total: number;
}

/** A kept reading of a device. */
export interface ReadingEntry {
  readonly id: number;
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

/** Template that sets a device as it was handed over. */
export interface PutBack {
  /** Absent where nothing can be put back. */
  readonly templateText?: string;
  /** Number of differences that it does not cover. */
  readonly left: number;
}

/** A document that was made and is kept. */
export interface MadeDocument {
  readonly id: string;
  readonly kind: string;
  readonly title: DocumentText;
  /** Name of its file, without the ending. */
  readonly name: string;
  readonly siteId?: string;
  /** Number of devices. */
  readonly devices: number;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly sha256: string;
}

/** A file on its way to the page: its name first (and the hash of its content, where it is a document), then its bytes in order. */
export type FileEvent =
  | {
      readonly type: 'file';
      readonly fileName: string;
      readonly sha256?: string;
      /** The document as it is kept; absent for a table. */
      readonly id?: string;
    }
  | { readonly type: 'part'; readonly base64: string };

/** Facts about a document from a file, before anything is compared with it. */
export interface OpenedDocument {
  /** Its content fits its hash. */
  readonly intact: boolean;
  readonly findings: readonly Detail[];
  readonly title?: DocumentText;
  /** ISO 8601. */
  readonly at?: string;
  /** Devices of the inventory that it names, and those of its site that came later. */
  readonly deviceIds: readonly string[];
  /** Number of devices it names in all. */
  readonly devices: number;
}
