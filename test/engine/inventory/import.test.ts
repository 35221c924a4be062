import { afterEach, describe, expect, it } from 'vitest';
import { readTable, writeTable } from '#engine/text/csv.ts';
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

  // Would catch: unused sites made for refused rows.
  it('makes no site for a row that is refused', async () => {
    const { inventory, sites } = await openInventory(tempFolder());

    const { failed } = inventory.importCsv({
      text: 'address,site,tags\nnot an address,One,\n10.0.0.1,a\u202eb,\n10.0.0.2,Two,x\u0007y\n',
    });

    expect(failed.map(({ error }) => error.code)).toEqual(['usage', 'not-allowed', 'not-allowed']);
    expect([sites.list(), inventory.list()]).toEqual([[], []]);
  });

  // Would catch: a preview that keeps a device, a site, or says something else than the import then does.
  it('says before what it would do, and keeps nothing of that', async () => {
    const { inventory, sites } = await openInventory(tempFolder());
    inventory.add({ address: '10.0.0.1' });
    const text = 'address,site,tags\n10.0.0.1,New,\n10.0.0.2,New,a\nnot an address,,\n';

    const preview = inventory.previewCsv({ text });

    expect(preview).toMatchObject({
      count: 1,
      first: [{ name: '10.0.0.2', tags: ['a'] }],
      failed: [
        { row: 2, error: { code: 'duplicate-device' } },
        { row: 4, error: { code: 'usage' } },
      ],
    });
    expect([sites.list(), inventory.list().length]).toEqual([[], 1]);
    const { added, failed } = inventory.importCsv({ text });
    expect(added).toHaveLength(preview.count);
    expect(failed).toEqual(preview.failed);
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

describe('a list from another tool', () => {
  const MAKERS = [
    'ID,Device Type,Status,IPv4 Address,Port,Enhanced SDK Service Port,Software Version,IPv4 Gateway,HTTP Port,Device Serial No.,Subnet Mask,MAC Address,Encoding Channel(s),DSP Version,Start Time,IPv6 Address,IPv6 Gateway,IPv6 Prefix Length,Support IPv6,IPv6 Modifiable,Support DHCP,IPv4 DHCP',
    '001,DS-1,Active,10.0.0.5,8000,8443,V5.5.0build 170725,10.0.0.1,80,DS-1-0120160101AAWR123456789,255.255.255.0,44-19-b6-00-00-01,1,V7.3,2026-01-01 00:00:00,::,::,64,Yes,No,Yes,OFF',
    '002,DS-2,Inactive,10.0.0.64,8000,N/A,V5.5.0build 170725,0.0.0.0,N/A,DS-2-0120160101AAWR123456790,255.255.255.0,44-19-b6-00-00-02,0,V7.3,2026-01-01 00:00:00,::,::,64,Yes,No,Yes,OFF',
    '003,DS-3,Active,10.0.0.7,8000,8443,V5.5.0build 170725,10.0.0.1,8080,="0120160101AAWR123456791",255.255.255.0,44-19-b6-00-00-03,1,V7.3,,,,,,,,',
  ];

  // Would catch: a list that is refused for a column of the maker's cloud, or for headings in German.
  it.each([
    ['a newer list', 'IPv4 Address,Support Hik-Connect,Hik-Connect\n10.0.0.5,Yes,OFF'],
    [
      'a Chinese list',
      '设备类型,激活状态,IPv4地址,增强型SDK服务端口,是否支持萤石云,萤石云状态\nDS-1,已激活,10.0.0.5,8443,是,关闭',
    ],
    ['a German list', 'Gerätename;IP-Adresse\nTor;10.0.0.5'],
  ])('is read with the headings of %s', async (_what, text) => {
    const { inventory } = await openInventory(tempFolder());

    expect(inventory.importCsv({ text }).added.map(({ url }) => url)).toEqual(['http://10.0.0.5']);
  });

  it('is read as the maker saves it, with the port of the web interface', async () => {
    const { inventory } = await openInventory(tempFolder());

    const { added, failed, notActivated, leftOut } = inventory.importCsv({ text: MAKERS.join('\r\n') });

    expect(failed).toEqual([]);
    expect(added.map(({ url }) => url)).toEqual([
      'http://10.0.0.5',
      'http://10.0.0.64',
      'http://10.0.0.7:8080',
    ]);
    expect(notActivated).toEqual([added[1]?.id]);
    expect(leftOut).toHaveLength(19);
    expect(leftOut).toContain('Port');
  });

  it.each([
    [
      'Chinese, with tabs',
      '序号\t设备类型\t激活状态\tIPv4地址\t端口\t增强型SDK服务端口\t软件版本\tIPv4网关\tHTTP端口\t设备序列号\t子网掩码\t物理地址\n1\tX\t未激活\t10.0.0.5\t8000\t8443\tV5\t10.0.0.1\t81\tDS\t255.255.255.0\t44-19\n',
    ],
    [
      'an older one, quoted',
      '"Device Type","Security","IP Address","Port","Software Version","Gateway","HTTP Port","Serial No.","Mask","MAC"\n"X","Not activated","10.0.0.5","8000","V5","10.0.0.1","81","DS","255.255.255.0","44-19"\n',
    ],
    ['formulas', 'IP;HTTP Port;Activation Status\n"=""10.0.0.5""";"=""81""";Inactive\n'],
    ['a port of its own', 'Name,Address,Port,Activated\nGate,10.0.0.5,81,No\n'],
    ['vertical bars', 'IP|HTTP Port|Activated\n10.0.0.5|81|No\n'],
    [
      'UTF-8 with its mark, and another separator named',
      '\ufeffsep=;\nIP;HTTP Port;Activated\n10.0.0.5;81;No\n',
    ],
    ['apostrophes before the values', "IP,HTTP Port,Activated\n'10.0.0.5,'81,'No\n"],
    ['tabs and unseen signs', 'IP,HTTP Port,Activated\n"\t10.0.0.5","\u200b81\u200e",\u00a0No\n'],
    ['a port within', 'Name,Address,HTTP Port,Activated\nGate,10.0.0.5:81,80,No\n'],
  ])('is read whatever its headings: %s', async (_what, text) => {
    const { inventory } = await openInventory(tempFolder());

    const { added, failed, notActivated } = inventory.importCsv({ text });

    expect(failed).toEqual([]);
    expect(added.map(({ url }) => url)).toEqual(['http://10.0.0.5:81']);
    expect(notActivated).toEqual([added[0]?.id]);
  });

  it('an old list without a web port does not send anybody to the port of the maker', async () => {
    const { inventory } = await openInventory(tempFolder());

    const { added } = inventory.importCsv({
      text: 'Device Type,Status,IPv4 Address,Port,Software Version,Serial No.\nX,Active,10.0.0.5,8000,V5,DS\n',
    });

    expect(added.map(({ url }) => url)).toEqual(['http://10.0.0.5']);
  });

  it('columns nobody knows are named all together, and left out or explained when wanted', async () => {
    const { inventory } = await openInventory(tempFolder());
    const text = 'Adresse,Ort,Wartung,name\n10.0.0.5,Depot,2027,Gate\n';
    const refused = () => inventory.importCsv({ text });

    expect(codeOf(refused)).toBe('unknown-field');
    expect(refused).toThrow(/Adresse, Ort, Wartung/);
    expect(
      inventory.importCsv({ text, map: { adresse: 'address', Ort: 'site', Wartung: '' } }),
    ).toMatchObject({ added: [{ url: 'http://10.0.0.5', name: 'Gate' }], leftOut: ['Wartung'] });
    expect(
      inventory.importCsv({
        text: text.replace('10.0.0.5', '10.0.0.6'),
        map: { Adresse: 'address' },
        leaveOutUnknown: true,
      }),
    ).toMatchObject({ added: [{ url: 'http://10.0.0.6' }], leftOut: ['Ort', 'Wartung'] });
  });

  it.each([
    [{ Port: 'prot' }, /nothing called "prot"/],
    [{ Prot: '' }, /no column "Prot"/],
    [{ constructor: '' }, /no column "constructor"/],
  ])('a map that fits nothing is refused: %j', async (map, why) => {
    const { inventory } = await openInventory(tempFolder());

    expect(() => inventory.importCsv({ text: 'address,port\n10.0.0.5,80\n', map })).toThrow(why);
    expect(inventory.list()).toEqual([]);
  });

  it('only marks come off: names keep their apostrophes, numbers that are no address stay refused', async () => {
    const { inventory } = await openInventory(tempFolder());

    const { added, failed } = inventory.importCsv({
      text: "IP,Name,HTTP Port\n10.0.0.5,'t Hek,n.a.\n'10.0.0.064,x,80\n'3232235777,x,80\n",
    });

    expect(added).toMatchObject([{ url: 'http://10.0.0.5', name: "'t Hek" }]);
    expect(failed.map(({ error }) => error.detail?.id)).toEqual(['address-numbers', 'address-numbers']);
  });

  it('passwords are refused even where unknown columns are left out', async () => {
    const { inventory } = await openInventory(tempFolder());
    const refusal = (heading: string): string | undefined =>
      codeOf(() => inventory.importCsv({ text: `address,${heading}\n10.0.0.5,x\n`, leaveOutUnknown: true }));

    expect(['Admin Password', 'User_Passwd', 'Kennwort', '设备密码', 'Pass\u200bword'].map(refusal)).toEqual(
      Array(5).fill('not-allowed'),
    );
    expect(refusal('Support Reset Password')).toBeUndefined();

    expect(
      codeOf(() =>
        inventory.importCsv({ text: 'address,密码\n10.0.0.5,x\n', leaveOutUnknown: true, map: { 密码: '' } }),
      ),
    ).toBe('not-allowed');
  });

  it('an address with leading zeros in a table is refused with the one that may be meant', async () => {
    const { inventory } = await openInventory(tempFolder());

    const { failed, added } = inventory.importCsv({
      text: 'IPv4 Address,HTTP Port\n192.168.001.064,8080\n192.168.001.065,N/A\n',
    });

    expect(added).toEqual([]);
    expect(failed.map(({ error }) => error.nearest)).toEqual(['192.168.1.64', '192.168.1.65']);
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

  // Would catch: a device list from elsewhere that runs a program in the spreadsheet of a person who corrects
  // it.
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

  // Would catch: a list from a spreadsheet that is refused for its note on separators, or for empty columns.
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
