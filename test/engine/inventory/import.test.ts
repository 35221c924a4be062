import { afterEach, describe, expect, it } from 'vitest';
import { readTable, writeTable } from '../../../src/engine/csv.ts';
import { closeAll, codeOf, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

const LIMITS = { characters: 10_000, rows: 100 };

describe('an import', () => {
  it('puts devices into sites by name, making those that are new', async () => {
    const { inventory, sites } = await openInventory(tempFolder());
    const depot = sites.save({ name: 'Depot' });

    const { added } = inventory.importCsv({
      text: 'address,site\n10.0.0.1,DEPOT\n10.0.0.2,Atrium\n10.0.0.3,atrium\n10.0.0.4,\n',
      siteId: depot.id,
    });

    expect(sites.list()).toMatchObject([
      { name: 'Atrium', devices: 2 },
      { name: 'Depot', devices: 2 },
    ]);
    expect(added[3]?.siteId).toBe(depot.id);
  });

  // Would catch: sites nobody has, left by rows that were refused.
  it('makes no site for a row that is refused', async () => {
    const { inventory, sites } = await openInventory(tempFolder());

    const { failed } = inventory.importCsv({
      text: 'address,site,tags\nnot an address,One,\n10.0.0.1,a\u202eb,\n10.0.0.2,Two,x\u0007y\n',
    });

    expect(failed.map(({ error }) => error.code)).toEqual(['usage', 'not-allowed', 'not-allowed']);
    expect([sites.list(), inventory.list()]).toEqual([[], []]);
  });

  it('gives all devices of a file what the caller says, where the row says nothing else', async () => {
    const { inventory, credentials, profiles } = await openInventory(tempFolder());
    const old = profiles.save({ name: 'Old', profile: { pathPrefix: '/Old' } });
    const mine = profiles.save({ name: 'Mine', profile: { pathPrefix: '/Mine' } });
    const [first, second, root] = ['one', 'two']
      .map((label) => credentials.save({ label, userName: 'admin', password: label }).id)
      .concat(credentials.save({ label: 'root', userName: 'root', password: 'r' }).id);

    const { added, failed } = inventory.importCsv({
      text: 'address,tags,user,credential,profile\n10.0.0.1,a,,,\n10.0.0.2,,admin,,old\n10.0.0.3,,root,,\n10.0.0.4,,,one,\n10.0.0.5,,,,Odl\n',
      tags: ['b', 'a'],
      credentialId: second ?? '',
      profileId: mine.id,
      profile: { inFlight: 1 },
    });

    expect(
      added.map(({ tags, credentialId, profile }) => [
        tags,
        credentialId,
        profile.pathPrefix,
        profile.inFlight,
      ]),
    ).toEqual([
      [['a', 'b'], second, '/Mine', 1],
      [['b', 'a'], second, old.profile.pathPrefix, 1],
      [['b', 'a'], root, '/Mine', 1],
      [['b', 'a'], first, '/Mine', 1],
    ]);
    expect(failed).toMatchObject([{ row: 6, error: { code: 'not-found', nearest: 'Old', line: 6 } }]);
  });

  it('adds nothing where the caller names what is not there', async () => {
    const { inventory } = await openInventory(tempFolder());

    expect(
      [{ siteId: 'x' }, { profileId: 'x' }, { credentialId: 'x' }].map((options) =>
        codeOf(() => inventory.importCsv({ text: 'address\n10.0.0.1', ...options })),
      ),
    ).toEqual(['not-found', 'not-found', 'not-found']);
    expect(inventory.list()).toEqual([]);
  });

  it('counts lines as an editor does, also after cells of several lines and any line ends', async () => {
    const { inventory } = await openInventory(tempFolder());

    const { failed } = inventory.importCsv({
      text: 'address,name\r\n10.0.0.1,"two\r\nlines"\r\n\r\nnot an address,\n,x\r\n',
    });

    expect(failed.map(({ row, error }) => [row, error.line, error.code])).toEqual([
      [2, 2, 'not-allowed'],
      [5, 5, 'usage'],
      [6, 6, 'missing-field'],
    ]);
  });

  it.each([
    ['the same twice', 'address,url\n1,2', 'unreadable-file'],
    ['a heading of the language', 'address,constructor\n1,2', 'unknown-field'],
    ['passwords', 'address;Pass Word\n1;2', 'not-allowed'],
  ])('refuses a file with %s', async (_what, text, code) => {
    const { inventory } = await openInventory(tempFolder());

    expect(codeOf(() => inventory.importCsv({ text }))).toBe(code);
  });
});

// Would catch: a reason that a screen in another language cannot say.
it('names every reason', async () => {
  const { inventory } = await openInventory(tempFolder());
  const rows = [
    'http://,',
    'ftp://x,',
    'a b,',
    'http://a/b,',
    'u:p@10.0.0.1,',
    '10.0.0.1:99999,',
    '[1::2::3],',
    '10.0.0.2,A,over',
    `10.0.0.3,${'x'.repeat(201)}`,
    '10.0.0.4,\u202eA',
    ',A',
    '10.0.0.5,A',
    '10.0.0.5,B',
  ];

  const { added, failed } = inventory.importCsv({ text: `address,name\n${rows.join('\n')}\n` });

  expect(added).toHaveLength(1);
  expect(failed.map(({ error }) => error.detail?.id)).toEqual([
    'address-without-host',
    'address-scheme',
    'address-host',
    'address-with-path',
    'address-with-user',
    'address-port',
    'address-ipv6',
    'row-cells',
    'text-too-long',
    'text-misleading',
    'row-without-address',
    'address-taken',
  ]);
});

describe('the file of failed rows', () => {
  it('is taken again once mended, with whatever separates its cells', async () => {
    const { inventory } = await openInventory(tempFolder());
    const text =
      '\uFEFFaddress;name;tags\r\nnot an address;"Gate; main";a|b\r\n10.0.0.1;Good;\r\n10.0.0.1;Twin;\r\n';

    const first = inventory.importCsv({ text });
    const mended =
      first.failedFile?.replace('not an address', '10.0.0.7').replace('10.0.0.1;Twin', '10.0.0.8;Twin') ?? '';
    const second = inventory.importCsv({ text: mended });

    expect(first.failedFile).toMatch(
      /^\uFEFFaddress;name;tags;reason\nnot an address;"Gate; main";a\|b;.+\n10\.0\.0\.1;Twin;;.+\n$/,
    );
    expect(second.failed).toEqual([]);
    expect(second).not.toHaveProperty('failedFile');
    expect([...first.added, ...second.added].map(({ name, tags }) => [name, tags])).toEqual([
      ['Good', []],
      ['Gate; main', ['a', 'b']],
      ['Twin', []],
    ]);
  });

  it('keeps one column of reasons however often it comes back, and loses no cell', async () => {
    const { inventory } = await openInventory(tempFolder());
    const first = inventory.importCsv({
      text: 'reason,address,name\nold,nowhere at all,X\n,10.0.0.1,Y,left,over\n',
    });

    const second = inventory.importCsv({ text: first.failedFile ?? '' });

    expect(first.failedFile).toMatch(
      /^\uFEFFaddress,name,reason\nnowhere at all,X,.+\n10\.0\.0\.1,Y,"The row has more cells than there are columns\. ""left"" ""over"""\n$/,
    );
    expect(second.added.map(({ name }) => name)).toEqual(['Y']);
    expect(second.failedFile?.split('\n')[0]).toBe('\uFEFFaddress,name,reason');
  });

  // Would catch: a device list from elsewhere that runs a program in the spreadsheet of whoever mends it.
  it.each(['=HYPERLINK("http://x")', '+1', '-1', '@SUM(1)', '＝1', '＋1', '－1', '＠x'])(
    'has no formula, and %j comes back as it was',
    async (name) => {
      const { inventory } = await openInventory(tempFolder());
      const { failedFile = '' } = inventory.importCsv({
        text: `address,name\nnot an address,"${name.replaceAll('"', '""')}"\n`,
      });

      const again = inventory.importCsv({ text: failedFile.replace('not an address', '10.0.0.1') });

      expect(failedFile).not.toMatch(/(^|[,\n"])[=+\-@＝＋－＠]/);
      expect(again.added[0]?.name).toBe(name);
    },
  );
});

describe('tables', () => {
  it('come back as they were written', () => {
    const rows = [
      ['a', 'b;c', 'd"e'],
      ['', '=f', "'=g"],
      ['多', 'x,y', 'z\nw'],
    ];

    const read = readTable(writeTable(rows, ';'), LIMITS);

    expect(read.mark).toBe(';');
    expect(read.rows.map(({ cells }) => cells)).toEqual([
      ['a', 'b;c', 'd"e'],
      ['', '=f', '=g'],
      ['多', 'x,y', 'z\nw'],
    ]);
    expect(read.rows.map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  // Would catch: a list from a spreadsheet that is refused for its note on separators, or for columns nobody filled.
  it('are read as spreadsheets leave them, each row under its own line', () => {
    const { mark, rows } = readTable(
      '\uFEFFsep=;\r\n\r\nAddress;\u00a0Name;;\r\na;" b ";;\r\n;;;\r\nc;d;;e\r\n',
      LIMITS,
    );

    expect(mark).toBe(';');
    expect(rows).toEqual([
      { line: 3, cells: ['Address', 'Name'] },
      { line: 4, cells: ['a', ' b '] },
      { line: 6, cells: ['c', 'd', '', 'e'] },
    ]);
  });

  it.each([
    ['x'.repeat(10_001), 'input-too-large'],
    ['a\n'.repeat(101), 'input-too-large'],
    ['a,"b', 'unreadable-file'],
  ])('are bounded and readable, or refused', (text, code) => {
    expect(codeOf(() => readTable(text, LIMITS))).toBe(code);
  });
});
