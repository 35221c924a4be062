/** Keeps the documents that were made, so that they can be looked at and saved again, and the facts of a site for its hand-over. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { handoverDetails, type HandoverDetails } from '#shared/contract/handover.ts';
import { brandingInput, type KeptSiteDetails } from '#shared/contract/reports.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { readOwnJson } from '#shared/read-json.ts';
import type { DocumentText, SealedDocument } from '#shared/report-document.ts';
import type { MadeDocument } from '#shared/reports.ts';
import type { Store } from '../store/index.ts';

/** Documents that are kept, and the bytes of all of them; the oldest go first. */
const [MOST_DOCUMENTS, MOST_BYTES] = [200, 256 * 1024 * 1024];

interface Row extends Omit<MadeDocument, 'title' | 'siteId'> {
  readonly title: string;
  readonly siteId: string | null;
}

const LISTED =
  'SELECT id, kind, title, name, site_id AS siteId, devices, at, by_user AS "by", sha256 FROM documents';

export class KeptDocuments {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** `name`: name of its file, without the ending. */
  keep(sealed: SealedDocument, name: string): void {
    const { document, sha256 } = sealed;
    const body = deflateRawSync(JSON.stringify(sealed));
    this.#store.transaction(() => {
      this.#store.requireRoom(body.length);
      this.#store.insert('documents', {
        id: document.id,
        kind: document.kind,
        title: JSON.stringify(document.title),
        name,
        site_id: document.site?.id,
        devices: document.devices?.length ?? 0,
        at: document.at,
        by_user: document.by.map((person) => person.name).join(', '),
        sha256,
        body,
      });
      this.#dropOldest();
    });
  }

  #dropOldest(): void {
    let bytes = 0;
    const rows = this.#store.all<{ readonly id: string; readonly size: number }>(
      'SELECT id, length(body) AS size FROM documents ORDER BY rowid DESC',
    );
    for (const [nth, { id, size }] of rows.entries()) {
      bytes += size;
      if (nth > 0 && (nth >= MOST_DOCUMENTS || bytes > MOST_BYTES)) this.remove(id);
    }
  }

  /** Newest first. */
  list(): readonly MadeDocument[] {
    return this.#store.all<Row>(`${LISTED} ORDER BY rowid DESC`).map(({ title, siteId, ...row }) => ({
      ...row,
      title: readOwnJson(title) as DocumentText,
      ...(siteId !== null && { siteId }),
    }));
  }

  /** @throws `not-found` */
  get(id: string): { readonly sealed: SealedDocument; readonly name: string } {
    const row = this.#store.get<{ readonly body: Uint8Array; readonly name: string }>(
      'SELECT body, name FROM documents WHERE id = ?',
      id,
    );
    if (row === undefined) throw userError('not-found', say('reports.no-document', { id }));
    const text = inflateRawSync(row.body).toString('utf8');
    return { sealed: readOwnJson(text) as SealedDocument, name: row.name };
  }

  remove(id: string): void {
    this.#store.run('DELETE FROM documents WHERE id = ?', id);
  }

  /** Returns the facts of a site, or of devices without one; nothing where none were kept. */
  siteDetails(siteId: string | undefined): KeptSiteDetails {
    const row = this.#store.get<{ readonly details: string; readonly branding: string }>(
      'SELECT details, branding FROM site_details WHERE site_id = ?',
      siteId ?? '',
    );
    if (row === undefined) return { details: {}, branding: {} };
    const details = handoverDetails.safeParse(readOwnJson(row.details));
    const branding = brandingInput.safeParse(readOwnJson(row.branding));
    return { details: details.data ?? {}, branding: branding.data ?? {} };
  }

  saveSiteDetails(
    siteId: string | undefined,
    {
      details,
      branding,
    }: { readonly details: HandoverDetails; readonly branding?: KeptSiteDetails['branding'] },
  ): void {
    this.#store.insert(
      'site_details',
      {
        site_id: siteId ?? '',
        details: JSON.stringify(details),
        branding: JSON.stringify(branding ?? this.siteDetails(siteId).branding),
      },
      'replace',
    );
  }
}
