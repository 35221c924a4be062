/** Site files that were made to do harm, with the right passphrase: each is refused, and nothing of it stays. */
import { expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { openStream, sealStream } from '#engine/site-file/age.ts';
import { buildEnd, buildHead, readSiteFile, type SiteFileHead } from '#engine/site-file/read-lines.ts';
import { Stage } from '#engine/site-file/stage.ts';
import { compressLines } from '#engine/site-file/write-rows.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import { FieldwrightError } from '#shared/errors.ts';

const AT = '2026-03-01T08:00:00.000Z';
const PASSPHRASE = 'correct horse battery';
const SITE = { id: 's-1', name: 'Harbour' };
const HEAD = buildHead({
  id: 'file-1',
  site: SITE,
  by: 'anna',
  folder: 'f-1',
  at: AT,
  secrets: false,
  handsOver: false,
});
const DEVICE = {
  id: 'd-1',
  name: 'Gate',
  url: 'http://10.0.0.1',
  kinds: '[]',
  tags: '[]',
  profile: '{}',
  certificate: null,
  trust: null,
  identity: null,
  strength: 0,
  added_at: AT,
  site_id: SITE.id,
  credential_id: null,
};

async function seal(parts: Iterable<string>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const lines = (async function* () {
    yield* parts;
  })();
  for await (const chunk of await sealStream(compressLines(lines), PASSPHRASE)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

function openHere(): Store {
  const store = openStore(':memory:', { clock: systemClock });
  store.insert('sites', { id: 's-other', name: 'Airport', name_key: 'airport', created_at: AT });
  const other = { name: 'Ours', url: 'http://10.0.0.9', profile: '{}', added_at: AT, site_id: 's-other' };
  store.insert('devices', { id: 'd-ours', ...other });
  return store;
}

function openStage(): Stage {
  const vault = { seal: (text: string) => Buffer.from(text) };
  return new Stage({ store: openHere(), vault, kinds: { find: () => undefined } });
}

async function refuse(bytes: Uint8Array): Promise<FieldwrightError> {
  const stage = openStage();
  const file = { bytes: toStream(bytes), size: bytes.length, passphrase: PASSPHRASE };
  const thrown: unknown = await readSiteFile(file, stage, new AbortController().signal).catch(
    (error: unknown) => error,
  );
  if (thrown instanceof FieldwrightError) return thrown;
  throw new Error(`Expected a FieldwrightError, got ${String(thrown)}`);
}

const row = (table: string, columns: object): string => `${JSON.stringify([table, columns])}\n`;

it.each([
  ['an address that is none', row('devices', { ...DEVICE, url: 'javascript:alert(1)' }), 'unreadable-file'],
  ['a column of another type', row('devices', { ...DEVICE, strength: '0' }), 'unreadable-file'],
  ['a device of another site', row('devices', { ...DEVICE, site_id: 's-other' }), 'unreadable-file'],
  [
    'an address of a device of another site',
    row('devices', { ...DEVICE, url: 'http://10.0.0.9' }),
    'not-allowed',
  ],
  ['a table that no file has', row('vault_keys', { protection: 'none' }), 'unreadable-file'],
  ['secrets in a file without', row('credentials', { id: 'c-1' }), 'unreadable-file'],
  ['a job of a later version', row('jobs', { id: 'j-1' }), 'unreadable-file'],
  [
    'an agreement for a device of another site',
    row('accepted_values', {
      id: 'a',
      device_id: 'd-ours',
      section: 's',
      params: '{}',
      value: '1',
      at: AT,
      by_user: 'x',
      reason: 'y',
    }),
    'unreadable-file',
  ],
  [
    'a column of the database that is no field',
    row('inventory_changes', { entity: 'd-1', field: 'credential_id', at: AT, value: 'c-1' }),
    'unreadable-file',
  ],
  [
    'a document that is not what it says',
    row('document_contents', { sha256: 'ab', body: 'text' }),
    'unreadable-file',
  ],
  ['no row', '["devices"]\n', 'unreadable-file'],
])('refuses %s', (_what, line, code) => {
  const stage = openStage();
  stage.begin(JSON.parse(HEAD) as SiteFileHead);
  const take = (): void => {
    const [table, columns] = JSON.parse(line) as [unknown, unknown];
    stage.add(table, columns);
    stage.finishDevices();
  };
  expect(take).toThrow(expect.objectContaining({ code }) as Error);
});

it('refuses a later version, a file without its end, and rows behind it', async () => {
  const newer = HEAD.replace('"version":1', '"version":2');
  const codes = [];
  for (const lines of [
    [newer, buildEnd(0)],
    [HEAD, row('devices', DEVICE)],
    [HEAD, buildEnd(0), row('devices', DEVICE)],
  ])
    codes.push((await refuse(await seal(lines))).code);
  expect(codes).toEqual(['not-available', 'unreadable-file', 'unreadable-file']);
});

// Would catch: a few hundred kilobytes that fill memory or disk when they are unpacked.
it('refuses a bomb', async () => {
  const zeros = '0'.repeat(1024 * 1024);
  const bytes = await seal([HEAD, '"', ...Array.from({ length: 100 }, () => zeros)]);
  expect(bytes.length).toBeLessThan(1024 * 1024);
  expect((await refuse(bytes)).code).toBe('input-too-large');
});

// Would catch: a file that asks for gigabytes and minutes before its passphrase is looked at.
it('does not do more work than it was made for', async () => {
  const bytes = Buffer.from(
    (await seal([HEAD, buildEnd(0)])).toString('latin1').replace(/ 17\n/, ' 30\n'),
    'latin1',
  );
  const thrown: unknown = await openStream(toStream(bytes), PASSPHRASE).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'input-too-large' });
});
