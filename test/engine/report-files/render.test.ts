import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { plotFigure } from '#report-layout/figure.ts';
import { renderHtml } from '#engine/report-files/html.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { layOut } from '#report-layout/lay-out.ts';
import { REPORT_LIMITS, type Block, type ReportDocument, type Table } from '#shared/report-document.ts';
import { renderPdf } from '#engine/report-files/pdf.ts';
import { readPdf } from '#engine/report-files/read-pdf.ts';
import { sealDocument } from '#engine/report-files/seal.ts';
import { splitAtMark } from '#engine/report-files/end-mark.ts';
import { font, gathered, sampleDocument } from './sample.ts';

/**
 * Returns the text that a reader of the PDF copies from its pages: signs by the tables that come with the
 * font. `furniture` includes the lines of every page.
 */
function textOfPdf(bytes: Uint8Array, furniture = true): string {
  const streams = (readPdf(splitAtMark('pdf', bytes)[0])?.objects ?? []).flatMap(({ head, stream }) =>
    stream === undefined || !head.includes('FlateDecode') ? [] : [inflateSync(stream).toString('latin1')],
  );
  // One of each font, in the order of their names.
  const fonts = streams.filter((text) => text.includes('beginbfrange')).map(signsOf);
  const pages = furniture
    ? streams
    : streams.flatMap((text) =>
        text.includes('EMC') ? [text.replace(/\/Artifact BMC[\s\S]*?EMC/g, '')] : [],
      );
  const runs = (text: string): string =>
    [...text.matchAll(/\/F(\d+) \S+ Tf <([0-9a-f]*)> Tj/g)]
      .flatMap(([, font = '', hex = '']) =>
        (hex.match(/.{4}/g) ?? []).map((id) => fonts[Number(font) - 1]?.get(Number.parseInt(id, 16))),
      )
      .join('');
  return pages.flatMap((text) => (text.match(/BT [\s\S]*? ET/g) ?? []).map(runs)).join('\n');
}

/** Returns the characters of a font's sign numbers, by the table that comes with it. */
function signsOf(map: string): ReadonlyMap<number, string> {
  const signs = new Map<number, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g))
    [...list.matchAll(/<([^>]*)>/g)].forEach(([, hex = ''], nth) => {
      const units = hex.split(' ').map((unit) => Number.parseInt(unit, 16));
      signs.set(Number.parseInt(first, 16) + nth, String.fromCharCode(...units));
    });
  return signs;
}

/** Returns the document with every text of a person or device replaced. */
function withText(text: string): ReportDocument {
  const kept = new Set([
    'format',
    'kind',
    'id',
    'block',
    'draw',
    'shape',
    'anchor',
    'state',
    'tone',
    'severity',
    'proof',
    'result',
    'type',
    'due',
    'at',
    'time',
    'root',
    'path',
  ]);
  const change = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return kept.has(name) ? value : text;
    if (Array.isArray(value)) return value.map((item) => change(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]));
  };
  return change(sampleDocument()) as ReportDocument;
}

const HOSTILE: readonly (readonly [string, string])[] = [
  ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>"\' & --> <!-- ]]>'],
  ['the end of the data', '</script><!-- fieldwright-sha256: </style></svg>'],
  ['reordering', 'safe\u202egnp.exe\u2066\u200f'],
  ['nothing and controls', 'a\u0000b\u001b[31m\u0007\u2028'],
  ['a broken pair', 'x\ud800y'],
  ['signs without a glyph', '😀𠮷ابت'],
  ['PDF syntax', ') Tj ET endobj\nendstream\nstream\n1 0 obj << /Type /EmbeddedFile >>'],
];

describe('a document as HTML', () => {
  const sealed = sealDocument(sampleDocument());

  // Would catch: a clock or a random id in the file, which then never verifies.
  it('is the same bytes every time', () => {
    expect(renderHtml(sealed, 'zh-CN')).toBe(renderHtml(sealed, 'zh-CN'));
  });
  // Would catch: a file that asks the network for something, or runs something.
  it('loads nothing and runs nothing', () => {
    const html = renderHtml(sealed, 'en');

    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]+'/);
    expect(html).not.toMatch(/\b(?:src|href)="(?!#)|url\(|@import|style="/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });
  // Would catch: a level of proof shown by colour alone, a drawing without words, a cut without a note.
  it('tells proof by word and shape, and has a twin in words for each figure', () => {
    const html = renderHtml(sealed, 'en').replace(/<[^>]*>/g, '');

    for (const words of [
      '○ written',
      '◎ read back',
      '● function tested',
      '◆ attested',
      'No battery fitted',
      'Beam 3',
      'stuck',
      '38.30',
      'All three rise',
      '3 further entries',
      '7 further entries',
      'not a signature',
    ])
      expect(html).toContain(words);
  });
  it('speaks Chinese', () => {
    const html = renderHtml(sealed, 'zh-CN');

    for (const words of ['lang="zh-CN"', '已功能测试', '内部通信总线', '已设置', '哈希不是签名'.slice(0, 2)])
      expect(html).toContain(words);
  });
  // Would catch: a name of a device that becomes markup, ends the data early, or poses as another.
  it.each(HOSTILE)('is not harmed by %s', (_what, text) => {
    const html = renderHtml(sealDocument(withText(text)), 'en');

    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.match(/<\/script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<img|<!-- /);
    expect(html).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u200f\u2028\u202a-\u202e\u2066-\u2069]|\ud800(?![\udc00-\udfff])/,
    );
    expect(html.match(/<(?:h1|table|svg|figure)\b/g)?.length).toBe(
      html.match(/<\/(?:h1|table|svg|figure)>/g)?.length,
    );
  });
});

describe('a document as PDF', () => {
  const sealed = sealDocument(sampleDocument());
  let pdf: Buffer;
  beforeAll(async () => {
    pdf = await gathered(renderPdf(sealed, 'zh-CN', font));
  });

  it('is the same bytes every time', async () => {
    expect(Buffer.compare(pdf, await gathered(renderPdf(sealed, 'zh-CN', font)))).toBe(0);
  });
  // Would catch: empty boxes in place of Chinese, and text that cannot be searched or copied.
  it('shows Chinese that can be copied', () => {
    const text = textOfPdf(pdf);

    for (const words of [
      '上海展览中心',
      '内部通信总线',
      '● 已功能测试',
      '36.50 °C',
      '读数稳定',
      'No battery fitted',
      'Upper limit',
      '1 / ',
    ])
      expect(text).toContain(words);
  });
  // Would catch: a cell, a caption or a point of a plot that the pages lack or say twice; furniture that is read aloud.
  it('says on its pages what the model says, in that order, and nothing else', () => {
    const model = [...layOut(sealed, getReader('zh-CN'))].flatMap((piece): readonly string[] => {
      if (piece.piece === 'heading' || piece.piece === 'text') return [piece.text];
      if (piece.piece === 'contents') return piece.entries.map(({ text }) => text);
      if (piece.piece === 'figure')
        return [
          piece.title,
          ...piece.figure.marks.flatMap((mark) => (mark.mark === 'text' ? mark.text : [])),
        ];
      if (piece.piece === 'picture') return [];
      const heads = piece.columns.map(({ label }) => label);
      return [piece.title ?? '', ...heads, ...[...piece.rows].flatMap((row) => row.map(({ text }) => text))];
    });
    const letters = (text: string): string => text.replace(/\s/g, '');

    expect(letters(textOfPdf(pdf, false))).toBe(letters(model.join('')));
  });
  // Would catch: a file that no screen reader can use, or without outline and links.
  it('has tags, an outline, links, a language and the font inside', () => {
    const heads =
      readPdf(splitAtMark('pdf', pdf)[0])
        ?.objects.map(({ head }) => head)
        .join('\n') ?? '';

    for (const part of [
      '/Marked true',
      '/Lang (zh-CN)',
      '/Outlines',
      '/S /GoTo',
      '/S /TH',
      '/S /Figure',
      '/FontFile2',
      '/EmbeddedFiles',
    ])
      expect(heads).toContain(part);
  });
  // Would catch: pages of names before the first word of a large site, a list without numbers, `10` before `2`, a device twice.
  it('lists many devices in columns, each with the page it begins on', async () => {
    const sections = Array.from({ length: 90 }, (_none, at): ReportDocument['sections'][number] => ({
      title: `Door ${90 - (at >> 1)}`,
      device: `d-${at >> 1}`,
      page: at % 2 === 0,
      blocks: [{ block: 'paragraph', text: 'As found.' }],
    }));
    const chapter = { title: 'Inventory', blocks: [{ block: 'paragraph' as const, text: 'All doors.' }] };
    const bytes = await gathered(
      renderPdf(sealDocument({ ...sampleDocument(), sections: [chapter, ...sections] }), 'en', font),
    );

    const text = textOfPdf(bytes);
    const index = text.slice(text.indexOf('Pages of devices'), text.indexOf('All doors.'));
    expect(index.match(/Door \d+/g)).toEqual(Array.from({ length: 45 }, (_none, at) => `Door ${46 + at}`));
    const pages = readPdf(splitAtMark('pdf', bytes)[0])?.objects.filter(({ head }) =>
      /\/Type \/Page\b(?!s)/.test(head),
    );
    expect(pages).toHaveLength(46);
    const numbers = readPdf(splitAtMark('pdf', bytes)[0])?.objects.filter(({ head }) =>
      head.includes('/Subtype /Form'),
    );
    // The numbers are those of each line of the two lists, and that of all pages.
    expect(numbers).toHaveLength(47);
  });
  it.each(HOSTILE)('is not harmed by %s', async (_what, text) => {
    const bytes = await gathered(renderPdf(sealDocument(withText(text)), 'en', font));
    const parts = readPdf(splitAtMark('pdf', bytes)[0]);

    expect(
      parts?.objects.filter(({ head, stream }) => stream && head.includes('/EmbeddedFile')),
    ).toHaveLength(1);
    expect(textOfPdf(bytes)).not.toMatch(/[\u0000\u200f\u202e\u2066]/);
  });
  // Would catch: signs that the font lacks as empty boxes, which all look the same.
  it('shows a sign that the font lacks as an escape', async () => {
    const bytes = await gathered(
      renderPdf(sealDocument({ ...sampleDocument(), title: 'Gate 😀' }), 'en', font),
    );

    const text = textOfPdf(bytes);
    expect(text).toContain('Gate \\u{1f600}');
    // Would catch: letters that are lost without a note.
    expect(text).toContain('Letters that the font');
    const shown = await gathered(renderPdf(sealDocument(sampleDocument()), 'en', font));
    expect(textOfPdf(shown)).not.toContain('Letters that the font');
  });
  // Would catch: escapes in the names of most of Europe.
  it('shows letters that the Chinese font lacks', async () => {
    const title = 'Łódź, Škoda, Ağ, Győr, București, Київ, Αθήνα, 大门';

    const text = textOfPdf(
      await gathered(renderPdf(sealDocument({ ...sampleDocument(), title }), 'en', font)),
    );

    expect(text).toContain(title);
    expect(text).not.toContain('Letters that the font');
  });
  // Would catch: names as a Mac writes them, with escapes instead of accents.
  it('shows a letter and its mark as one sign', async () => {
    const document = { ...sampleDocument(), title: 'Allée'.normalize('NFD') };

    expect(textOfPdf(await gathered(renderPdf(sealDocument(document), 'en', font)))).toContain('Allée');
  });
  // Would catch: a page that begins with the head of a table and its last row alone.
  it('leaves no last row of a table alone on a page', async () => {
    const tables = Array.from({ length: 60 }, (_none, nth): Table => ({
      block: 'table',
      columns: [{ label: 'Head', type: 'text' }],
      rows: Array.from({ length: 2 + (nth % 23) }, (_row, at) => [`t${nth}r${at}`]),
    }));
    const text = textOfPdf(await gathered(renderPdf(sealDocument(sampleDocument(tables)), 'en', font)));

    const pages = text.split(/^\d+ \/ $/m);
    expect(pages.length).toBeGreaterThan(15);
    for (const [nth, { rows }] of tables.entries()) {
      const last = pages.find((page) => page.split('\n').includes(`t${nth}r${rows.length - 1}`)) ?? '';
      expect(last.split('\n').filter((line) => line.startsWith(`t${nth}r`)).length).toBeGreaterThan(1);
    }
  });
  // Would catch: a heading and its sentence at the foot of a page, and what they introduce on the next.
  it('keeps a heading and the sentence below it with the table that follows', async () => {
    const groups = Array.from({ length: 60 }, (_none, nth): Block => ({
      block: 'group',
      title: `h${nth}`,
      blocks: [
        { block: 'paragraph', text: `s${nth}` },
        {
          block: 'table',
          columns: [{ label: 'Head', type: 'text' }],
          rows: Array.from({ length: 1 + (nth % 7) }, (_row, at) => [`t${nth}r${at}`]),
        },
      ],
    }));
    const text = textOfPdf(await gathered(renderPdf(sealDocument(sampleDocument(groups)), 'en', font)));

    const pages = text.split(/^\d+ \/ $/m).map((page) => page.split('\n'));
    expect(pages.length).toBeGreaterThan(8);
    for (const nth of groups.keys())
      expect(pages.filter((page) => ['h', 's'].some((mark) => page.includes(`${mark}${nth}`)))).toEqual([
        expect.arrayContaining([`h${nth}`, `s${nth}`, `t${nth}r0`]),
      ]);
  });
  // Would catch: "Recorde-r", because the first devices of a list have shorter kinds.
  it('breaks no short word far down in a table', async () => {
    const columns = ['Device', 'Address', 'Kind', 'Connection', 'Sign-in', 'Last seen', 'Error'].map(
      (label) => ({
        label,
        type: 'text' as const,
      }),
    );
    const row = ['Analyzer at the entrance', 'http://192.0.2.117:40117', 'AI', 'Reachable', 'Signed in'];
    const rows = Array.from({ length: 60 }, (_none, nth) => [
      ...row.map((text) => (text === 'AI' && nth > 50 ? 'Recorder' : text)),
      { time: '2026-11-23T05:35:29+00:00' },
      'connection-refused: nobody listens at this address',
    ]);
    const table: Table = { block: 'table', columns, rows };

    const lines = textOfPdf(await gathered(renderPdf(sealDocument(sampleDocument([table])), 'en', font)));

    expect(lines.split('\n').filter((line) => line === 'Recorder')).toHaveLength(9);
  });
  // Would catch: columns too narrow for a day, or for a short word, where there is room beside a long one.
  it('breaks no day and no short word of a table with many columns', async () => {
    const heads = [
      'Number',
      'When',
      'Kind',
      'State',
      'Devices',
      'Verified',
      'Unverified',
      'Unchanged',
      'Skipped',
    ];
    const columns = [...heads, 'Blocked', 'Failed', 'Not', 'Open'].map((label) => ({
      label,
      type: 'text' as const,
    }));
    const row = ['j-1531d523d3a8c0ffee', { time: '2026-11-23T05:35:29+00:00' }, 'apply', 'Done'];
    const table: Table = {
      block: 'table',
      columns,
      rows: [[...row, ...columns.slice(row.length).map(() => '1')]],
    };
    const bytes = await gathered(renderPdf(sealDocument(sampleDocument([table])), 'en', font));
    const lines = textOfPdf(bytes).split('\n');

    for (const word of [...columns.map(({ label }) => label), '2026-11-23', 'apply'])
      expect(lines).toContain(word);
  });

  // Would catch: a text higher than a page that runs out of it, or never ends.
  it('goes on over the page with a text that is longer than one', async () => {
    const words = Array.from({ length: 700 }, (_none, at) => `w${at}`);
    const bytes = await gathered(
      renderPdf(
        sealDocument(
          sampleDocument([{ block: 'facts', facts: [{ label: 'Long', value: words.join(' ') }] }]),
        ),
        'en',
        font,
      ),
    );

    expect(
      textOfPdf(bytes)
        .split(/\s+/)
        .filter((word) => /^w\d+$/.test(word)),
    ).toEqual(words);
  });
  // Would catch: all pages held until the end.
  it('hands on what is finished, of 20,000 rows too', { timeout: 120_000 }, async () => {
    const rows = Array.from({ length: REPORT_LIMITS.rows }, (_none, at) => [
      `Device ${at}`,
      `读数 ${at * 7}`,
    ]);
    const columns = [{ label: 'A', type: 'text' } as const, { label: 'B', type: 'text' } as const];
    const sizes: number[] = [];
    for await (const { length } of renderPdf(
      sealDocument(sampleDocument([{ block: 'table', columns, rows }])),
      'en',
      font,
    ))
      sizes.push(length);

    expect(sizes.length).toBeGreaterThan(20);
    // The font, the content and the table of offsets come last, after all else was written.
    expect(Math.max(...sizes.slice(0, -2))).toBeLessThan(256 * 1024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2 * 1024 * 1024);
  });
});

describe('a plot', () => {
  // Would catch: a line out of the picture, or a file full of NaN, for unexpected values.
  it.each([
    [[[0, 5]]],
    [[]],
    [
      [
        [-1.7e308, -1.7e308],
        [1.7e308, 1.7e308],
      ],
    ],
    [
      [
        [0, 0],
        [5e-324, 5e-324],
      ],
    ],
    [
      [
        [1, 1],
        [1 + Number.EPSILON, 1],
      ],
    ],
  ] as const)('stays in its picture for %j', (points) => {
    const axis = { label: 'A' };
    const { width, height, marks } = plotFigure(
      {
        block: 'plot',
        title: 'P',
        x: axis,
        y: axis,
        series: [{ label: 'S', draw: 'line', points }],
        limits: [{ label: 'L', at: 3 }],
      },
      getReader('en'),
    );
    const drawn = marks.flatMap((mark) =>
      mark.mark === 'path' ? mark.points : 'x' in mark ? [[mark.x, mark.y] as const] : [],
    );

    expect(drawn.every(([x, y]) => x >= 0 && x <= width && y >= 0 && y <= height + 1)).toBe(true);
  });
});
