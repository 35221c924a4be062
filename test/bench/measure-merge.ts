/** Times of handing all devices of an engine to another data folder as a site file, and of merging them there. */
import type { Engine } from '#engine/index.ts';

export interface MergeTimes {
  readonly devices: number;
  readonly bytes: number;
  readonly packMs: number;
  /** Reading, checking and looking at what a merge would do. */
  readonly readMs: number;
  readonly mergeMs: number;
  /** The same file once more: all of it is there. */
  readonly againMs: number;
}

const PASSPHRASE = 'correct horse battery';
const never = new AbortController().signal;

export async function measureMerge(from: Engine, into: Engine): Promise<MergeTimes> {
  const { id: siteId } = from.sites.save({ name: 'Harbour' });
  const ids = from.devices.list().map(({ id }) => id);
  from.devices.updateMany({ ids, siteId });
  const parts: Uint8Array[] = [];
  let at = performance.now();
  const lap = (): number => {
    const before = at;
    at = performance.now();
    return at - before;
  };
  await from.siteFiles.pack(
    { siteId, passphrase: PASSPHRASE },
    (work) => work((content) => Promise.resolve(void parts.push(Buffer.from(content)))),
    never,
  );
  const packMs = lap();
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const open = (): ReturnType<Engine['siteFiles']['read']> => {
    const bytes = (async function* () {
      await Promise.resolve();
      yield* parts;
    })();
    return into.siteFiles.read({ bytes, size, passphrase: PASSPHRASE }, never);
  };
  const read = await open();
  const readMs = lap();
  into.siteFiles.merge({ id: read.id });
  const mergeMs = lap();
  into.siteFiles.merge({ id: (await open()).id });
  return { devices: read.added.devices, bytes: size, packMs, readMs, mergeMs, againMs: lap() };
}
