/** Files of people: what cells mean, which heading is which field, and rows that cannot be understood. */
import { describe, expect, it } from 'vitest';
import { readTable } from '#engine/text/csv.ts';
import { readColumns } from '#engine/people/file/columns.ts';
import { readMoment } from '#engine/people/file/moments.ts';
import {
  createFileFindings,
  readRows,
  type FileOptions,
  type FileRow,
} from '#engine/people/file/read-rows.ts';

async function rows(
  given: string | Uint8Array,
  options: Partial<FileOptions> = {},
  told = createFileFindings(),
): Promise<readonly FileRow[]> {
  const bytes = typeof given === 'string' ? Buffer.from(given) : given;
  const file = {
    name: 'people',
    // Pieces of seven bytes: characters and lines are cut everywhere.
    open: () => pieces(bytes, 7),
  };
  const found: FileRow[] = [];
  for await (const row of readRows(
    file,
    { format: 'csv', map: {}, codePage: 'windows-1252', ...options },
    told,
  ))
    found.push(row);
  return found;
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

// Would catch: a table that the app keeps open after it refused it: on Windows no other program can have it.
it.each([
  ['refused for its heading', 'Name\n' + 'Ann\n'.repeat(30_000)],
  ['refused for a row', 'id\n1\n"2\n' + '3\n'.repeat(200_000)],
  ['left after its first row', 'id\n' + '1\n'.repeat(30_000)],
])('a file is closed when it is %s', async (_when, text) => {
  let open = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    open += 1;
    try {
      yield* pieces(Buffer.from(text), 1000);
    } finally {
      open -= 1;
    }
  }
  const options = { format: 'csv', map: {}, codePage: 'windows-1252' } as const;
  try {
    for await (const _row of readRows({ name: 'people', open: counted }, options, createFileFindings()))
      break;
  } catch {
    // Two of them are refused.
  }

  expect(open).toBe(0);
});

const value = (row: FileRow | undefined): unknown => row?.wanted?.value;

describe('columns', () => {
  it.each([
    ['employeeNo', 'employeeNo'],
    ['Employee number', 'employeeNo'],
    ['工号', 'employeeNo'],
  ])('knows the number as %s', (heading, field) => {
    expect(readColumns([heading], {})[0]?.field).toBe(field);
  });

  it('knows the headings of a Chinese table', () => {
    const fields = readColumns(['工号', '姓名', '人员类型', '生效时间', '失效时间', '部门', '备注'], {});

    expect(fields.map(({ field }) => field)).toEqual([
      'employeeNo',
      'name',
      'userType',
      'Valid.beginTime',
      'Valid.endTime',
      'groupName',
      undefined,
    ]);
  });

  it('takes what it is told, and says what it does not find', () => {
    expect(readColumns(['Nr', 'Name'], { Nr: 'employeeNo' })[0]?.field).toBe('employeeNo');
    expect(() => readColumns(['Name'], {})).toThrow('employee number');
    expect(() => readColumns(['No', 'id'], {})).toThrow('Two columns');
    expect(() => readColumns(['id'], { Nr: 'employeeNo' })).toThrow('no column "Nr"');
  });
});

describe('dates', () => {
  it.each([
    ['2030-01-31T08:00:00', '2030-01-31T08:00:00'],
    ['2030/1/31 8:05', '2030-01-31T08:05:00'],
    ['2030年1月31日', '2030-01-31T00:00:00'],
    ['31.01.2030 17:30', '2030-01-31T17:30:00'],
    ['31/01/2030', '2030-01-31T00:00:00'],
    ['1/31/2030 5:30 PM', '2030-01-31T17:30:00'],
    ['2030-01-31T08:00:00+08:00', '2030-01-31T08:00:00+08:00'],
    ['47514', '2030-01-31T00:00:00'],
    ['47514.75', '2030-01-31T18:00:00'],
  ])('reads %s', (text, moment) => {
    expect(readMoment(text, false, undefined)).toEqual({ value: moment });
  });

  it('ends a last day with its last second', () => {
    expect(readMoment('2030-01-31', true, undefined)).toEqual({ value: '2030-01-31T23:59:59' });
    expect(readMoment('47514', true, undefined)).toEqual({ value: '2030-01-31T23:59:59' });
  });

  // Would catch: a visitor whose access ends in April instead of March.
  it('guesses nothing', () => {
    expect(readMoment('03/04/2030', false, undefined)).toMatchObject({
      complaint: { id: 'people-two-moments' },
    });
    expect(readMoment('03/04/2030', false, 'dmy')).toEqual({ value: '2030-04-03T00:00:00' });
    expect(readMoment('03/04/2030', false, 'mdy')).toEqual({ value: '2030-03-04T00:00:00' });
    expect(readMoment('2030-02-30', false, undefined)).toMatchObject({
      complaint: { id: 'people-no-moment' },
    });
  });
});

describe('rows of a table', () => {
  it('become people with the fields of the interface', async () => {
    const [row] = await rows(
      'employeeNo;name;type;Valid from;Valid until;doors;schedule;PersonInfoExtends;floorNumbers\n7;Jürgen;visitor;2030-01-31;2030-02-01;1 2;3,4;a; 4\n'.replace(
        'a; 4',
        '"a;b";4',
      ),
    );

    expect(value(row)).toEqual({
      employeeNo: '7',
      name: 'Jürgen',
      userType: 'visitor',
      Valid: { enable: true, beginTime: '2030-01-31T00:00:00', endTime: '2030-02-01T23:59:59' },
      doorRight: '1,2',
      RightPlan: [
        { doorNo: 1, planTemplateNo: '3,4' },
        { doorNo: 2, planTemplateNo: '3,4' },
      ],
      PersonInfoExtends: [{ value: 'a' }, { value: 'b' }],
      floorNumbers: [4],
    });
  });

  // Would catch: names that arrive broken on the terminal.
  it.each([
    ['UTF-8', Buffer.from('\ufeff工号,姓名\n1,张三\n')],
    ['UTF-16', Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('工号,姓名\n1,张三\n', 'utf16le')])],
    ['GB18030', Buffer.from('b9a4bac52cd0d5c3fb0a312cd5c5c8fd0a', 'hex')],
  ])('are read in %s', async (_name, bytes) => {
    const [row] = await rows(bytes, { codePage: 'gb18030' });

    expect(value(row)).toEqual({ employeeNo: '1', name: '张三' });
  });

  it('that are wrong come with the reason and their line, and the others go on', async () => {
    const found = await rows(
      'employeeNo,name,Valid.enable,roomNumber\n1,a,maybe,\n,b,,\n3,c,yes,12\n3,d,,\n1.23457E+12,e,,\n5,f,,x\n6,g,,"1,000"\n',
    );

    expect(found.map(({ line, error }) => [line, error?.code, error?.path])).toEqual([
      [2, 'not-allowed', 'Valid.enable'],
      [3, 'missing-field', 'employeeNo'],
      [4, undefined, undefined],
      [5, 'not-allowed', undefined],
      [6, 'not-allowed', 'employeeNo'],
      [7, 'not-allowed', 'roomNumber'],
      // Room 1 or room 1000.
      [8, 'not-allowed', 'roomNumber'],
    ]);
  });

  // Would catch: a workbook whose bytes are shown as the name of a column.
  it.each([
    ['.xlsx', '504b0304140006000800'],
    ['.xls', 'd0cf11e0a1b11ae1'],
  ])('a workbook (%s) is named as one', async (_name, start) => {
    const bytes = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(300, 0x9b), Buffer.from('\n1\n')]);

    await expect(rows(bytes)).rejects.toMatchObject({ shape: { detail: { id: 'csv-workbook' } } });
    expect(() => readTable(bytes.toString('latin1'), { rows: 10 })).toThrow(/workbook/);
  });

  // Would catch: an import that deletes, or that writes another person than the row is about, by what it passes on unread.
  it.each([
    '"{""deleteUser"":true}"',
    '"{""employeeNo"":""1001""}"',
    '"{""PassWord"":""1234""}"',
    '"{""__proto__"":{}}"',
  ])('hide no field of a person in %s', async (other) => {
    const [row] = await rows(`employeeNo,other\n1,${other}\n`);

    expect(row?.error).toMatchObject({ code: 'not-allowed', path: 'other' });
  });

  it('say which columns nothing is made of, once', async () => {
    const told = createFileFindings();
    await rows('employeeNo,Shoe size\n1,44\n2,45\n', {}, told);

    expect([...told.notes.values()].map(({ detail, count }) => detail(count))).toEqual([
      { id: 'people-column-ignored', values: { heading: 'Shoe size' } },
    ]);
  });
});

describe('NDJSON', () => {
  it('keeps what the specification does not know, and asks about what is nearly known', async () => {
    const [kept, near] = await rows(
      '{"employeeNo":"1","badgePrinted":true}\n{"employeeNo":"2","nmae":"x"}\n',
      {
        format: 'ndjson',
      },
    );

    expect(kept?.wanted).toEqual({ value: { employeeNo: '1' }, other: { badgePrinted: 'true' } });
    expect(near?.error).toMatchObject({ detail: { id: 'people-member-near' } });
  });

  // Would catch: a line that is held however long it is, or that ends the file for those behind it.
  it('goes on after a line of 100 MB', async () => {
    const file = {
      name: 'people.ndjson',
      async *open() {
        yield Buffer.from('{"employeeNo":"1"}\n{"employeeNo":"');
        const piece = Buffer.alloc(1024 * 1024, 'x');
        for (let nth = 0; nth < 100; nth += 1) yield piece;
        yield Buffer.from('"}\n{"employeeNo":"3"}\n');
      },
    };
    const found: FileRow[] = [];
    for await (const row of readRows(
      file,
      { format: 'ndjson', map: {}, codePage: 'windows-1252' },
      createFileFindings(),
    ))
      found.push(row);

    expect(found.map(({ line, error }) => [line, error?.code])).toEqual([
      [1, undefined],
      [2, 'input-too-large'],
      [3, undefined],
    ]);
  });

  // Would catch: a file that was cut off taken for a whole one, or nothing of it taken at all.
  it('goes on after a line that is cut off or far too long', async () => {
    const long = `{"employeeNo":"2","name":"${'x'.repeat(300_000)}"}`;
    const found = await rows(`{"employeeNo":"1"}\n${long}\n{"employeeNo":"3"}\n{"employeeNo":"4","na`, {
      format: 'ndjson',
    });

    expect(found.map(({ line, error }) => [line, error?.code])).toEqual([
      [1, undefined],
      [2, 'input-too-large'],
      [3, undefined],
      [4, 'unreadable-file'],
    ]);
  });
});

// Would catch: a visitor who can never pass, planned as added without a word.
it('refuses a validity that ends before it begins', async () => {
  const [first, second] = await rows(
    'employeeNo,Valid from,Valid until\n7,2030-01-01,2020-01-01\n8,2030-01-01,2030-01-01\n',
  );

  expect(first?.error).toMatchObject({ detail: { id: 'people-ends-first' }, line: 2 });
  expect(second?.error).toBeUndefined();
});

describe('hostile rows', () => {
  // Would catch: a row that ends the whole import as `internal`, because something walks it level by level.
  it('one that is nested deep is refused by itself, and the others are read', async () => {
    const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`;
    const named = `${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}`;

    const read = await rows(
      [`{"employeeNo":"1","x":${deep}}`, `{"employeeNo":"2","x":${named}}`, deep, '{"employeeNo":"3"}'].join(
        '\n',
      ),
      { format: 'ndjson' },
    );
    const cells = await rows(
      [
        'employeeNo,RightPlan,other',
        `4,"${deep}",`,
        `5,,"{""x"":${named.replaceAll('"', '""')}}"`,
        '6,,',
      ].join('\n'),
    );

    expect(read.map(({ error }) => error?.code)).toEqual([
      'unreadable-file',
      'unreadable-file',
      'unreadable-file',
      undefined,
    ]);
    expect(cells.map(({ error }) => error?.code)).toEqual(['not-allowed', 'wrong-type', undefined]);
  });

  it('a table of a hundred thousand columns is refused as a whole', async () => {
    await expect(rows(`employeeNo${','.repeat(100_000)}\n1\n`)).rejects.toMatchObject({
      code: 'input-too-large',
    });
    expect(() => readTable(`address${',x'.repeat(20_000)}\n`, { rows: 10 })).toThrow(
      expect.objectContaining({ code: 'input-too-large' }),
    );
  });
});
