/** Documents of devices by the times at which they became different; equal ones are kept once, compressed. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { readOwnJson } from '#shared/read-json.ts';
import type { Params } from '#shared/model.ts';
import type { SnapshotDocument } from '#shared/snapshots.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { hashSha256 } from '../text/sha256.ts';
import type { Store } from '../store/index.ts';
import { readWrittenDocuments } from './written-documents.ts';

/** A document that was just read, without secrets. */
export interface SeenDocument {
  readonly operation: string;
  readonly params: Params;
  readonly text: string;
}

/** A document from the time when it was first seen. */
export interface DocumentVersion {
  readonly operation: string;
  readonly params: Params;
  /** ISO 8601: when the device first and last showed it. */
  readonly at: string;
  readonly until: string;
  readonly text: () => string;
}

interface VersionRow {
  readonly operation: string;
  readonly params: string;
  readonly at: string;
  readonly until: string;
  readonly sha256: string;
}

/** Far more than a device sends in one document. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Notes what a device showed at a time, and returns how many documents are new or different. */
export function noteDocuments(
  store: Store,
  deviceId: string,
  at: string,
  documents: readonly SeenDocument[],
): number {
  noteWritten(store, deviceId);
  let changed = 0;
  store.transactionSoon(() => {
    const last = readLast(store, deviceId, at);
    for (const document of documents) if (noteDocument(store, deviceId, at, document, last)) changed += 1;
  });
  return changed;
}

/** Notes what the device showed after jobs had written it, as far as it is later than what is known. */
export function noteWritten(store: Store, deviceId: string): void {
  const last = readLast(store, deviceId);
  const seen = [...last.values()].reduce((latest, { until }) => (until > latest ? until : latest), '');
  const documents = readWrittenDocuments(store, deviceId, seen);
  if (documents.length === 0) return;
  store.transactionSoon(() => {
    for (const document of documents) noteDocument(store, deviceId, document.since, document, last);
  });
}

/** Returns whether the document is new or different; `last`, its last versions, is brought up to date. */
function noteDocument(
  store: Store,
  deviceId: string,
  at: string,
  { operation, params, text }: SeenDocument,
  last: Map<string, VersionRow>,
): boolean {
  const sha256 = hashSha256(text);
  const place = encodeCanonicalJson(params);
  const known = last.get(placeOf(operation, place));
  if (known?.sha256 === sha256) {
    store.update(
      'document_versions',
      { until: at },
      { device_id: deviceId, operation, params: place, at: known.at },
    );
    return false;
  }
  if (store.get('SELECT 1 AS found FROM document_contents WHERE sha256 = ?', sha256) === undefined) {
    const body = buildStoredContent(text);
    store.requireRoom(body.length);
    store.insert('document_contents', { sha256, body });
  }
  store.insert(
    'document_versions',
    { device_id: deviceId, operation, params: place, at, until: at, sha256 },
    'replace',
  );
  last.set(placeOf(operation, place), { operation, params: place, at, until: at, sha256 });
  return true;
}

/** Returns a document as `document_contents` keeps it. */
export function buildStoredContent(text: string): Uint8Array {
  return zstdCompressSync(text);
}

function placeOf(operation: string, params: string): string {
  return `${operation} ${params}`;
}

/** Reads the version of each document that held at a time, by default now. */
function readLast(store: Store, deviceId: string, at = '9999'): Map<string, VersionRow> {
  const rows = store.all<VersionRow>(
    `SELECT operation, params, max(at) AS at, until, sha256 FROM document_versions
     WHERE device_id = ? AND at <= ? GROUP BY operation, params`,
    deviceId,
    at,
  );
  return new Map(rows.map((row) => [placeOf(row.operation, row.params), row]));
}

/** Returns the documents of a device as they were at a time, by operation. */
export function readDocumentsAt(store: Store, deviceId: string, at: string): readonly SnapshotDocument[] {
  return [...readLast(store, deviceId, at).values()].map(
    ({ operation, params, at: since, until, sha256 }) => ({
      operation,
      params: readOwnJson(params) as Params,
      since,
      until,
      text: readContent(store, sha256),
    }),
  );
}

/** Lists the versions of every document of a device, each document's oldest first. */
export function readVersions(store: Store, deviceId: string): readonly DocumentVersion[] {
  return store
    .all<VersionRow>(
      `SELECT operation, params, at, until, sha256 FROM document_versions
       WHERE device_id = ? ORDER BY operation, params, at`,
      deviceId,
    )
    .map(({ params, sha256, ...row }) => ({
      ...row,
      params: readOwnJson(params) as Params,
      text: () => readContent(store, sha256),
    }));
}

function readContent(store: Store, sha256: string): string {
  const row = store.get<{ readonly body: Uint8Array }>(
    'SELECT body FROM document_contents WHERE sha256 = ?',
    sha256,
  );
  return row === undefined ? '' : readStoredContent(row.body);
}

/** Returns the text of a document as `document_contents` keeps it. */
export function readStoredContent(body: Uint8Array): string {
  return zstdDecompressSync(body, { maxOutputLength: MOST_BYTES }).toString('utf8');
}

/** Days and bytes for which old versions are kept; the last version of each document always is. */
const KEPT = { days: 90, bytes: 1_000_000_000 };
const DAY_MS = 86_400_000;

/** Removes versions that are too old, then the oldest ones until the rest fits. */
export function pruneVersions(store: Store, now: Date, kept = KEPT): void {
  const isLast =
    'at = (SELECT max(at) FROM document_versions AS later WHERE later.device_id = document_versions.device_id AND later.operation = document_versions.operation AND later.params = document_versions.params)';
  const oldest = new Date(now.getTime() - kept.days * DAY_MS).toISOString();
  store.transactionSoon(() => {
    store.run(`DELETE FROM document_versions WHERE until < ? AND NOT ${isLast}`, oldest);
    removeUnused(store);
    while (countBytes(store) > kept.bytes) {
      const { changes } = store.run(
        `DELETE FROM document_versions WHERE (device_id, operation, params, at) IN (
           SELECT device_id, operation, params, at FROM document_versions WHERE NOT ${isLast} ORDER BY at LIMIT 500)`,
      );
      if (changes === 0) return;
      removeUnused(store);
    }
  });
}

function removeUnused(store: Store): void {
  store.run('DELETE FROM document_contents WHERE sha256 NOT IN (SELECT sha256 FROM document_versions)');
}

function countBytes(store: Store): number {
  return (
    store.get<{ readonly bytes: number | null }>('SELECT sum(length(body)) AS bytes FROM document_contents')
      ?.bytes ?? 0
  );
}
