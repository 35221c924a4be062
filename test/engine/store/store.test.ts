import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '#engine/api.ts';
import { systemClock } from '#engine/host/clock.ts';
import { DATABASE_FILE, openStore, type Store } from '#engine/store/index.ts';
import { storeError } from '#engine/store/sql-error.ts';
import { FIRST_VERSION, migrations, type Migration } from '#engine/store/schema.ts';
import { FieldwrightError } from '#shared/errors.ts';

let folder: string;
const open: Store[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwright-store-'));
});
afterEach(() => {
  open.splice(0).forEach((store) => store.close());
  rmSync(folder, { recursive: true });
});
function start(
  steps: readonly Migration[] = migrations,
  dir = join(folder, 'data'),
  clock: Clock = systemClock,
): Store {
  const store = openStore(dir, { clock, migrations: steps });
  open.push(store);
  return store;
}
const ADD =
  "INSERT INTO credentials (id, label, user_name, secret, created_at, updated_at) VALUES (?, 'l', 'u', x'00', 't', 't')";
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return error instanceof FieldwrightError ? error.code : String(error);
  }
  return undefined;
};

describe('the file', () => {
  it.skipIf(process.platform === 'win32')('belongs to its owner alone', () => {
    const store = start();
    store.run(ADD, 'a');

    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(join(folder, 'data')))
      expect([name, statSync(join(folder, 'data', name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it.skipIf(process.platform === 'win32')('is made private when it was not', () => {
    start().close();
    chmodSync(join(folder, 'data', DATABASE_FILE), 0o644);

    start();

    expect(statSync(join(folder, 'data', DATABASE_FILE)).mode & 0o777).toBe(0o600);
  });

  // Would catch: a laptop that loses power and with it what was said to be saved.
  it('writes ahead, waits for the disk, and overwrites what is deleted', () => {
    const pragma = (name: string) => Object.values(start().get(`PRAGMA ${name}`) ?? {})[0];

    expect([
      pragma('journal_mode'),
      pragma('synchronous'),
      pragma('foreign_keys'),
      pragma('secure_delete'),
    ]).toEqual(['wal', 2, 1, 1]);
  });

  // Would catch: a Mac whose drive still holds in its own cache what was said to be saved. Elsewhere the two change nothing.
  it('asks macOS to empty the cache of the drive too', () => {
    const pragma = (name: string) => Object.values(start().get(`PRAGMA ${name}`) ?? {})[0];

    expect([pragma('fullfsync'), pragma('checkpoint_fullfsync')]).toEqual([1, 1]);
  });

  // Would catch: what was said to be saved, lost with the power because a journal entry that may wait was written before it.
  it('waits for the disk again after what may wait, for a statement and for a transaction', () => {
    const store = start();
    const waits = () => Object.values(store.get('PRAGMA synchronous') ?? {})[0] === 2;
    const soon = () => {
      store.transactionSoon(() => store.run(ADD, `soon ${Math.random()}`));
      return waits();
    };

    const after = [soon(), (store.run(ADD, 'a'), waits()), soon()];
    after.push(store.transaction(waits));
    expect(after).toEqual([false, true, false, true]);
  });
});

describe('a damaged file', () => {
  it.each<[string, (file: string) => void]>([
    [
      'garbage',
      (file) =>
        writeFileSync(file, 'this is not a database, it is a poem about one, long enough to have a header'),
    ],
    [
      'a torn page',
      (file) => {
        const bytes = readFileSync(file);
        bytes.fill(0xee, 4096);
        writeFileSync(file, bytes);
      },
    ],
  ])('(%s) is set aside whole and reported', (_name, damage) => {
    const first = start();
    for (let nth = 0; nth < 200; nth += 1) first.run(ADD, `id-${nth}`);
    first.run('PRAGMA wal_checkpoint(TRUNCATE)');
    first.close();
    const file = join(folder, 'data', DATABASE_FILE);
    damage(file);
    const damaged = readFileSync(file);

    const second = start();

    expect(second.setAside).toMatch(/^fieldwright\.damaged-\d{4}-/);
    expect(readFileSync(join(folder, 'data', second.setAside ?? '')).equals(damaged)).toBe(true);
    expect(second.all('SELECT * FROM credentials')).toEqual([]);
  });

  describe('that is large', () => {
    const HOUR_MS = 3_600_000;
    const later = (hours: number): Clock => ({
      ...systemClock,
      now: () => new Date(Date.now() + hours * HOUR_MS),
    });
    /** Opens a database that is found sound, then tears a page of it while no check is due. */
    function torn(): void {
      const first = start();
      first.transaction(() => {
        for (let nth = 0; nth < 400; nth += 1) first.run(ADD, `id-${nth}`);
        first.run('UPDATE credentials SET label = ?', 'x'.repeat(20_000));
      });
      first.close();
      start().close();
      const file = join(folder, 'data', DATABASE_FILE);
      const bytes = readFileSync(file);
      bytes.fill(0xee, bytes.length >> 1, (bytes.length >> 1) + 3 * 4096);
      writeFileSync(file, bytes);
    }
    /** Returns true if a start so many hours later sets it aside. */
    function isSetAside(hours: number, steps: readonly Migration[] = migrations): boolean {
      const store = start(steps, undefined, later(hours));
      store.close();
      return store.setAside !== undefined;
    }

    // Would catch: each command that reads all of a history of hundreds of megabytes before it begins.
    it('is looked at once a day, and where the clock was set back', () => {
      torn();

      expect([isSetAside(0), isSetAside(23), isSetAside(-1)]).toEqual([false, false, true]);
    });
    it('is looked at again on another day', () => {
      torn();

      expect(isSetAside(25)).toBe(true);
    });
    // Would catch: a program that meets the damage all day and is never mended.
    it('is looked at again where damage was met', () => {
      torn();
      const store = start();

      expect(codeOf(() => store.all('SELECT * FROM credentials'))).toBe('storage-damaged');
      store.close();
      expect(isSetAside(0)).toBe(true);
    });
    // Would catch: a step of an update that works on an unchecked database.
    it('is looked at before it is taken a step further', () => {
      torn();
      const step = {
        version: FIRST_VERSION + migrations.length,
        sql: 'CREATE TABLE more (id TEXT) STRICT;',
      };

      expect(isSetAside(0, [...migrations, step])).toBe(true);
    });
  });
});

describe('the schema', () => {
  it('of a newer Fieldwright is left alone', () => {
    start().close();
    const db = new DatabaseSync(join(folder, 'data', DATABASE_FILE));
    db.exec('PRAGMA user_version = 99');
    db.close();

    expect(codeOf(() => start())).toBe('not-available');
    expect(readdirSync(join(folder, 'data')).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  // Would catch: a folder of a trial version that is opened, emptied or set aside.
  it('of a trial version is left untouched, and the error says so', () => {
    start().close();
    const file = join(folder, 'data', DATABASE_FILE);
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA user_version = ${FIRST_VERSION - 1}`);
    db.close();
    const before = readFileSync(file);

    const open = () => start();

    expect(open).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({
          code: 'not-available',
          detail: expect.objectContaining({ id: 'data-folder-trial' }),
        }),
      }),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is numbered without gaps', () => {
    expect(migrations.map(({ version }) => version)).toEqual(
      migrations.map((_, index) => FIRST_VERSION + index),
    );
  });

  it('takes later steps on existing data', () => {
    const first = start();
    first.run(ADD, 'kept');
    first.close();

    const second = start([
      ...migrations,
      {
        version: FIRST_VERSION + migrations.length,
        sql: 'CREATE TABLE more (id TEXT) STRICT; INSERT INTO more SELECT id FROM credentials;',
      },
    ]);

    expect(second.all('SELECT id FROM more')).toEqual([{ id: 'kept' }]);
  });

  // Would catch: half a migration, which no later start can mend.
  it('stays as it was when a step fails', () => {
    start().close();
    const broken = [
      ...migrations,
      {
        version: FIRST_VERSION + migrations.length,
        sql: 'CREATE TABLE half (id TEXT); SELECT no_such_function();',
      },
    ];

    expect(codeOf(() => start(broken))).toBeDefined();

    expect(start().get("SELECT name FROM sqlite_master WHERE name = 'half'")).toBeUndefined();
  });
});

describe('a disk that is full while the data is brought up to date', () => {
  // Would catch: "something unexpected" because SQLite had rolled back by itself already.
  it('is told as such, and nothing of the step stays', () => {
    start().close();
    const large = [
      ...migrations,
      {
        version: FIRST_VERSION + migrations.length,
        sql: 'PRAGMA max_page_count = 1; CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(1000000));',
      },
    ];

    expect(() => start(large)).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({
          code: 'not-available',
          message: 'The disk that holds the data folder is full.',
        }) as unknown,
      }) as Error,
    );

    expect(start().get("SELECT name FROM sqlite_master WHERE name = 'large'")).toBeUndefined();
  });
});

describe('transactions', () => {
  it('undo everything when something throws, inner ones included', () => {
    const store = start();

    expect(() =>
      store.transaction(() => {
        store.run(ADD, 'a');
        store.transaction(() => store.run(ADD, 'b'));
        throw new Error('no');
      }),
    ).toThrow('no');

    expect(store.all('SELECT id FROM credentials')).toEqual([]);
    store.transaction(() => store.run(ADD, 'c'));
    expect(store.all('SELECT id FROM credentials')).toEqual([{ id: 'c' }]);
  });

  it('of another process are noticed', () => {
    const [one, two] = [start(), start()];
    const before = one.foreignVersion();

    two.run(ADD, 'x');

    expect(one.foreignVersion()).not.toBe(before);
    expect(one.all('SELECT id FROM credentials')).toEqual([{ id: 'x' }]);
  });

  it('keep no SQL and no values in what they throw', () => {
    const store = start();
    store.run(ADD, 'twice');

    expect(() => store.run(ADD, 'twice')).toThrow();
    expect(codeOf(() => store.run(ADD, 'twice'))).not.toContain('twice');
  });
});

describe('the folder', () => {
  it.each(['a file in its place', 'a file as its parent'])('cannot be %s', (which) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');

    expect(codeOf(() => start(migrations, which === 'a file in its place' ? file : join(file, 'data')))).toBe(
      'not-available',
    );
  });

  // Would catch: "something unexpected" while the disk of the data folder is not connected.
  it.skipIf(process.platform === 'win32').each([
    ['behind a link', 'data'],
    ['below a link', join('data', 'more')],
  ])('%s to a disk that is not there is explained', (_where, name) => {
    symlinkSync(join(folder, 'not-there', 'data'), join(folder, 'data'));

    expect(codeOf(() => start(migrations, join(folder, name)))).toBe('not-available');
  });

  // Would catch: a start that never ends.
  it.runIf(process.platform === 'linux')('a folder that takes none is explained', () => {
    expect(codeOf(() => start(migrations, '/proc/fieldwright/data'))).toBe('not-available');
  });

  it.runIf(process.platform === 'win32').each(['Q:\\', 'Q:\\x', 'Q:\\x\\y', '\\\\nobody\\x\\y'])(
    '%s, a drive that is not there, is explained',
    (path) => {
      expect(codeOf(() => start(migrations, path))).toBe('not-available');
    },
  );

  it('can be memory', () => {
    const store = start(migrations, ':memory:');
    store.run(ADD, 'a');

    expect(store.all('SELECT id FROM credentials')).toHaveLength(1);
  });
});

describe('a full disk', () => {
  // Would catch: "something unexpected went wrong" where there is no room even for the database's side files.
  it('is told as such, whatever SQLite calls it', () => {
    for (const errcode of [10, 10 | (18 << 8), 13])
      expect(
        codeOf(() => {
          throw storeError(Object.assign(new Error('disk I/O error'), { errcode }));
        }),
      ).toBe('not-available');
  });
});
