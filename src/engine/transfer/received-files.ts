/** Packages that a page sends because it knows no path: written piece by piece, kept while jobs may need them. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { findWindowsTrap, toSafeFileName } from '#shared/text/file-name.ts';
import { say } from '#shared/details.ts';
import { appError, FieldwrightError, userError } from '#shared/errors.ts';
import type { ChosenFile, ReceivedFile } from '#shared/ai-models/ai-models.ts';
import type { Clock } from '../api/host.ts';
import { requireRoom } from '../store/index.ts';

interface ReceivedFilesOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly choose: (path: string) => Promise<ChosenFile>;
}

interface Upload {
  readonly path: string;
  readonly handle: FileHandle;
  bytes: number;
}
interface Piece {
  readonly uploadId?: string | undefined;
  readonly name: string;
  readonly base64: string;
  readonly last: boolean;
}

/** Number of unfinished uploads kept: a page closed in the middle of one cannot remove it. */
const MOST = 4;
const KEPT_MS = 7 * 24 * 3_600_000;

export class ReceivedFiles {
  readonly #options: ReceivedFilesOptions;
  readonly #uploads = new Map<string, Upload>();

  constructor(options: ReceivedFilesOptions) {
    this.#options = options;
  }

  async take({ uploadId, name, base64, last }: Piece): Promise<ReceivedFile> {
    const id = uploadId ?? (await this.#begin(name));
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw userError('not-found', say('model.file-gone'));
    try {
      const piece = Buffer.from(base64, 'base64');
      requireRoom(this.#options.folder, piece.length);
      await upload.handle.write(piece, 0, piece.length, upload.bytes);
      upload.bytes += piece.length;
    } catch (thrown) {
      await this.#drop(id);
      throw failed(thrown);
    }
    if (!last) return { uploadId: id, bytes: upload.bytes };
    this.#uploads.delete(id);
    await upload.handle.close();
    return { uploadId: id, bytes: upload.bytes, file: await this.#options.choose(upload.path) };
  }

  async close(): Promise<void> {
    for (const id of this.#uploads.keys()) await this.#drop(id);
  }

  async #begin(name: string): Promise<string> {
    await this.#forgetOld();
    const [oldest] = this.#uploads.keys();
    if (this.#uploads.size >= MOST && oldest !== undefined) await this.#drop(oldest);
    const id = randomUUID();
    const folder = join(this.#options.folder, id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, safeName(name));
      this.#uploads.set(id, { path, handle: await open(path, 'wx', 0o600), bytes: 0 });
    } catch (thrown) {
      throw failed(thrown);
    }
    return id;
  }

  async #drop(id: string): Promise<void> {
    const upload = this.#uploads.get(id);
    this.#uploads.delete(id);
    await upload?.handle.close().catch(() => undefined);
    await rm(join(this.#options.folder, id), { recursive: true, force: true }).catch(() => undefined);
  }

  /** No job waits so long for a restart. */
  async #forgetOld(): Promise<void> {
    const { folder, clock } = this.#options;
    for (const id of await readdir(folder).catch(() => [])) {
      if (this.#uploads.has(id)) continue;
      const { mtimeMs } = await stat(join(folder, id)).catch(() => ({ mtimeMs: 0 }));
      if (clock.now().getTime() - mtimeMs > KEPT_MS)
        await rm(join(folder, id), { recursive: true, force: true });
    }
  }
}

/** The name as the person knows it, as far as every system takes it. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last.replaceAll(/[<>:"|?*\u0000-\u001f]/g, '_').slice(0, 120);
  if (/^\.*$/.test(safe)) return 'package.bin';
  return findWindowsTrap(safe) === undefined ? safe : toSafeFileName(safe);
}

function failed(thrown: unknown): FieldwrightError {
  if (thrown instanceof FieldwrightError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return appError('not-available', say('model.upload-failed', { code }), { cause: thrown });
}
