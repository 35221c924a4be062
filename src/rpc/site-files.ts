/** Site files of a page: it names no path, so the place is chosen or agreed to outside of it, or the file comes in pieces. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { writeFile } from '#engine/files/write-file.ts';
import type { Engine } from '#engine/api.ts';
import { SITE_FILE_ENDING } from '#shared/site-file.ts';
import { createDetail, say } from '#shared/details.ts';
import { appError, userError } from '#shared/errors.ts';
import type { InputAt } from '#shared/contract.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toSafeFileName } from '#shared/text/file-name.ts';
import type { Confirmer } from './confirmation.ts';

interface SiteFilesHost {
  readonly chooseTarget?: (fileName: string) => Promise<string | undefined>;
  readonly pickFile?: () => Promise<string | undefined>;
}

/** Bytes of a file that a page sends; it is kept in memory until it was read. */
const MOST_BYTES = 512 * 1024 * 1024;

export function createSiteFiles(
  engine: Pick<Engine, 'siteFiles' | 'sites'>,
  host: SiteFilesHost,
  confirmer: Pick<Confirmer, 'agree'>,
) {
  /** The file that a page sends or has sent. */
  let received: { readonly id: string; readonly pieces: Buffer[]; size: number } | undefined;

  async function takeFile(
    uploadId: string | undefined,
  ): Promise<{ readonly bytes: AsyncIterable<Uint8Array>; readonly size: number } | undefined> {
    if (uploadId === undefined) {
      if (host.pickFile === undefined) throw appError('not-available', say('model.no-dialog'));
      const path = await host.pickFile();
      return path === undefined
        ? undefined
        : { bytes: createReadStream(path), size: (await stat(path)).size };
    }
    if (uploadId !== received?.id) throw userError('not-found', say('site-file.gone'));
    const { pieces, size } = received;
    received = undefined;
    return { bytes: Readable.from(pieces), size };
  }

  return {
    async pack(request: InputAt<'siteFiles.pack'>, signal: AbortSignal) {
      const site = engine.sites.list().find(({ id }) => id === request.siteId);
      if (site === undefined) throw userError('not-found', say('no-site'), { path: 'siteId' });
      const fileName = `${toSafeFileName(site.name)}${SITE_FILE_ENDING}`;
      let file = join(homedir(), fileName);
      if (host.chooseTarget === undefined)
        await confirmer.agree(
          (sentence) => ({
            message: sentence(
              createDetail(request.secrets === true ? 'ask.site-file-secrets' : 'ask.site-file', {
                site: site.name,
              }),
            ),
            details: [file],
          }),
          signal,
        );
      else {
        const chosen = await host.chooseTarget(fileName);
        if (chosen === undefined) return { bytes: 0, sha256: '', handedOver: 0 };
        file = chosen;
      }
      const written = await engine.siteFiles.pack(
        request,
        (work, keep) => writeFile(file, { replace: true }, work, keep),
        signal,
      );
      return { ...written, file };
    },
    receive({ uploadId, base64 }: InputAt<'siteFiles.receive'>) {
      if (uploadId === undefined) received = { id: randomUUID(), pieces: [], size: 0 };
      if (received === undefined || (uploadId !== undefined && uploadId !== received.id))
        throw userError('not-found', say('site-file.gone'));
      const piece = Buffer.from(base64, 'base64');
      received.pieces.push(piece);
      received.size += piece.length;
      const { id, size } = received;
      if (size > MOST_BYTES) {
        received = undefined;
        throw userError('input-too-large', say('site-file.too-large'));
      }
      return { uploadId: id };
    },
    async read({ passphrase, uploadId, siteId }: InputAt<'siteFiles.read'>, signal: AbortSignal) {
      const file = await takeFile(uploadId);
      return file === undefined
        ? {}
        : engine.siteFiles.read({ ...file, passphrase, ...removeUndefined({ siteId }) }, signal);
    },
    merge: (request: InputAt<'siteFiles.merge'>) => engine.siteFiles.merge(request),
  };
}
