/** A file that is offered to a device on 127.0.0.1 that is nothing but a door. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { FileServer, type FileServerOptions } from '#engine/transfer/serve/file-server.ts';
import { openPackage } from '#engine/transfer/serve/package-file.ts';
import type { Offer, OfferRequest, Served } from '#engine/transfer/serve/types.ts';

/**
 * Makes a folder that is removed after the test. A hook of this module would only be one of the first file
 * that imports it: a worker loads it once.
 */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'fieldwright-serve-'));
  // Windows removes no file that is still being read: it is closed while this waits.
  onTestFinished(() => rm(made, { recursive: true, force: true, maxRetries: 10 }));
  return made;
}

export interface Offered {
  readonly offer: Offer;
  readonly server: FileServer;
  readonly path: string;
  readonly content: Buffer;
  readonly sha256: string;
  readonly lines: string[];
  readonly told: Served[];
  /** URL of the door. */
  readonly device: string;
}

/** A door that devices are reached at; closes what comes in. */
export async function door(host = '127.0.0.1'): Promise<string> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

export async function offered(
  options: Partial<OfferRequest> & {
    readonly size?: number;
    readonly server?: FileServer;
    readonly serverOptions?: Partial<FileServerOptions>;
    readonly path?: string;
    readonly device?: string;
  } = {},
): Promise<Offered> {
  const content = randomBytes(options.size ?? 3_000_000);
  const path = options.path ?? join(folder(), 'helmet v2.bin');
  if (options.path === undefined) writeFileSync(path, content);
  const lines: string[] = [];
  const told: Served[] = [];
  const server =
    options.server ??
    new FileServer({
      clock: systemClock,
      log: ({ message }) => lines.push(message),
      ...options.serverOptions,
    });
  onTestFinished(() => server.close());
  const device = options.device ?? (await door());
  const offer = await server.offer({
    file: await openPackage(path),
    peer: { url: device },
    log: ({ message }) => lines.push(message),
    onProgress: (served) => told.push(served),
    ...options,
  });
  return {
    offer,
    server,
    path,
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
    lines,
    told,
    device,
  };
}

/** Waits for what the other end of a socket has done; a generous bound instead of a time. */
export async function eventually(good: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end;) {
    if (good()) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
  throw new Error('It never came.');
}
