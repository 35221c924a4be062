/** Own templates and every version of them that was saved. */
import { createHash, randomUUID } from 'node:crypto';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import type { TemplateVersion } from '#shared/template/authoring.ts';
import type { Clock } from '../api/host.ts';
import type { TemplatesApi } from '../api/routes.ts';
import type { Store } from '../store/index.ts';

/** Fingerprint of a template's text, hexadecimal SHA-256. */
export function hashTemplate(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export interface VersionsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly user: string;
}

/** The newest version of one own template. */
export interface OwnTemplate {
  readonly id: string;
  readonly text: string;
  readonly version: number;
  readonly savedAt: string;
}

interface NewVersion {
  readonly id?: string;
  readonly name: string;
  readonly text: string;
  readonly note?: string;
  /** The version that was edited; absent: whatever is there is replaced. */
  readonly baseVersion?: number;
}

/** Saved version of an own template that a text equals, for plans and jobs. */
interface VersionReference {
  readonly id: string;
  readonly version: number;
}

interface TemplateVersions extends Pick<TemplatesApi, 'remove' | 'versions' | 'version'> {
  list(): readonly OwnTemplate[];
  /** Throws `not-found`, `changed-meanwhile`. The newest version where the text is the same. */
  save(entry: NewVersion): OwnTemplate;
  /** The latest saved version with this text. */
  findByHash(hash: string): VersionReference | undefined;
}

interface VersionRow {
  readonly template_id: string;
  readonly version: number;
  readonly saved_at: string;
  readonly by_user: string;
  readonly note: string | null;
  readonly hash: string;
  readonly name: string;
  readonly text: string;
}

const COLUMNS = 'template_id, version, saved_at, by_user, note, hash, name, text';

export function createVersions({ store, clock, user }: VersionsOptions): TemplateVersions {
  function newest(id: string): VersionRow | undefined {
    return store.get<VersionRow>(
      `SELECT ${COLUMNS} FROM template_versions WHERE template_id = ? ORDER BY version DESC LIMIT 1`,
      id,
    );
  }

  function insert(entry: NewVersion, id: string, version: number): OwnTemplate {
    const savedAt = clock.now().toISOString();
    // A captured template holds what a device gave.
    store.requireRoom(entry.text.length, 'intent');
    store.run(
      `INSERT INTO template_versions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      version,
      savedAt,
      user,
      entry.note ?? null,
      hashTemplate(entry.text),
      entry.name,
      entry.text,
    );
    return { id, text: entry.text, version, savedAt };
  }

  function add(entry: NewVersion): OwnTemplate {
    const id = randomUUID();
    const now = clock.now().toISOString();
    store.insert('templates', { id, name: entry.name, text: entry.text, created_at: now, updated_at: now });
    return insert(entry, id, 1);
  }

  function update(entry: NewVersion, id: string): OwnTemplate {
    const last = newest(id);
    if (last === undefined) throw notFound();
    if (entry.baseVersion !== undefined && entry.baseVersion !== last.version) throw changedMeanwhile(last);
    if (last.text === entry.text) return ownOf(last);
    const saved = insert(entry, id, last.version + 1);
    store.update('templates', { name: entry.name, text: entry.text, updated_at: saved.savedAt }, { id });
    return saved;
  }

  return {
    list: () =>
      store
        .all<VersionRow>(
          `SELECT ${COLUMNS} FROM template_versions v
        WHERE version = (SELECT MAX(version) FROM template_versions WHERE template_id = v.template_id) ORDER BY name, template_id`,
        )
        .map(ownOf),
    save: (entry) => store.transaction(() => (entry.id === undefined ? add(entry) : update(entry, entry.id))),
    remove: ({ id }) => ({ removed: store.remove('templates', { id }).changes > 0 }),
    versions({ id }) {
      const rows = store.all<VersionRow>(
        `SELECT ${COLUMNS} FROM template_versions WHERE template_id = ? ORDER BY version DESC`,
        id,
      );
      if (rows.length === 0) throw notFound();
      return rows.map(versionOf);
    },
    version({ id, version }) {
      const row = store.get<VersionRow>(
        `SELECT ${COLUMNS} FROM template_versions WHERE template_id = ? AND version = ?`,
        id,
        version,
      );
      if (row === undefined) throw notFound(version);
      return { ...versionOf(row), text: row.text };
    },
    findByHash(hash) {
      const row = store.get<VersionRow>(
        `SELECT ${COLUMNS} FROM template_versions WHERE hash = ? ORDER BY saved_at DESC, version DESC LIMIT 1`,
        hash,
      );
      return row === undefined ? undefined : { id: row.template_id, version: row.version };
    },
  };
}

function ownOf({ template_id, text, version, saved_at }: VersionRow): OwnTemplate {
  return { id: template_id, text, version, savedAt: saved_at };
}

function versionOf({ version, saved_at, by_user, note, hash, name }: VersionRow): TemplateVersion {
  return { version, savedAt: saved_at, by: by_user, ...(note === null ? {} : { note }), hash, name };
}

function notFound(version?: number): FieldwrightError {
  return new FieldwrightError({
    code: 'not-found',
    source: 'user',
    ...(version === undefined ? say('no-own-template') : say('no-version', { version })),
  });
}

function changedMeanwhile({ version, by_user, saved_at }: VersionRow): FieldwrightError {
  return userError('changed-meanwhile', say('version-meanwhile', { by: by_user, version, at: saved_at }));
}
