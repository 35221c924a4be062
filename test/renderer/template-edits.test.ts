import { describe, expect, it } from 'vitest';
import {
  addSections,
  dropVariable,
  buildDuplicateEdit,
  moveSection,
  createSection,
  removeSection,
  renameVariable,
  setEntry,
  setKinds,
  setSectionMember,
  setVariable,
  findVariableUses,
} from '#renderer/features/templates/yaml/edits.ts';
import { getInitialValue } from '#renderer/common/forms/templates/template-form.ts';
import { NOT_GIVEN } from '#template/placeholder.ts';
import { NOT_LINKED } from '#renderer/features/templates/yaml/linked.ts';
import { findResource } from '#protocol/index.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { readYaml } from '#template/read-yaml.ts';
import { buildFindings } from '#renderer/features/templates/check/findings.ts';
import { DocReader, type TemplateDoc } from '#renderer/features/templates/yaml/template-doc.ts';

const TEXT = `# Kept by the head office
fieldwright: template/1
name: Lanes   # as on the door
variables:
  # counted from the left
  channel: { type: integer, default: 1, min: 1 } # lane
  distance:
    type: integer
    default: 2
sections:
  # first the optics
  - set: thermal.thermometryBasic
    params: { channelID: \${channel} }
    value:
      emissivityMode: customsettings # skin
      emissivity: 0.980
      # measured on site
      distance: \${distance}

  # then the week
  - set: events.thermometrySchedule
    params: { channelID: "\${channel}" }
    optional: true
    value:
      TimeBlockList:
        - { dayOfWeek: 1, TimeRange: { beginTime: "08:00:00", endTime: "18:00:00" } } # Monday
        - { dayOfWeek: 2, TimeRange: { beginTime: "08:00:00", endTime: "18:00:00" } }
`;

function read(text: string): TemplateDoc {
  const result = new DocReader().read(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.doc;
}
function done(edited: TemplateDoc | undefined): string {
  if (edited === undefined) throw new Error('No edit.');
  read(edited.text);
  return edited.text;
}
/** Lines that are only in one of the two. */
function changed(
  before: string,
  after: string,
): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return {
    gone: a.filter((line) => !b.includes(line)).map((line) => line.trim()),
    come: b.filter((line) => !a.includes(line)).map((line) => line.trim()),
  };
}
function edited(
  change: (doc: TemplateDoc) => TemplateDoc | undefined,
  text = TEXT,
): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  return changed(text, done(change(read(text))));
}
function withField(
  doc: TemplateDoc,
  index: number,
  change: (value: Record<string, unknown>) => unknown,
): TemplateDoc | undefined {
  return setSectionMember(doc, index, 'value', change(doc.sections[index]?.value as Record<string, unknown>));
}

describe('an edit in a form', () => {
  it('is read in pieces, with comments, variables and flow maps', () => {
    const doc = read(TEXT);

    expect(doc.inPieces).toBe(true);
    expect(doc.sections.map(({ set, optional }) => [set, optional])).toEqual([
      ['thermal.thermometryBasic', false],
      ['events.thermometrySchedule', true],
    ]);
    expect(doc.sections[0]?.params).toEqual({ channelID: '${channel}' });
    expect(doc.variables.map(({ name, type }) => [name, type])).toEqual([
      ['channel', 'integer'],
      ['distance', 'integer'],
    ]);
  });

  it('changes one value on its line and keeps the comment behind it', () => {
    expect(edited((doc) => withField(doc, 0, (value) => ({ ...value, emissivityMode: 'rough' })))).toEqual({
      gone: ['emissivityMode: customsettings # skin'],
      come: ['emissivityMode: rough # skin'],
    });
  });

  it('adds a field where the specification has it, not at the end', () => {
    const { gone, come } = edited((doc) =>
      withField(doc, 0, (value) => ({ ...value, distanceUnit: 'meter' })),
    );
    const text = done(withField(read(TEXT), 0, (value) => ({ ...value, enabled: true })));

    expect({ gone, come }).toEqual({ gone: [], come: ['distanceUnit: meter'] });
    expect(text.indexOf('enabled: true')).toBeLessThan(text.indexOf('emissivityMode'));
  });

  it('takes a field away and leaves the others untouched', () => {
    expect(edited((doc) => withField(doc, 0, ({ emissivity: _, ...rest }) => rest))).toEqual({
      gone: ['emissivity: 0.980'],
      come: [],
    });
  });

  it('takes the last field away and adds the first one again', () => {
    const empty = done(setSectionMember(read(TEXT), 0, 'value', {}));
    const again = done(setSectionMember(read(empty), 0, 'value', { distance: 3 }));

    expect(read(empty).sections[0]?.value).toEqual({});
    expect(again).toContain('    value:\n      distance: 3\n');
  });

  it('changes one entry of a list, adds and removes one, in the manner of its neighbours', () => {
    const blocks = (value: Record<string, unknown>) => value['TimeBlockList'] as Record<string, unknown>[];
    const other = { dayOfWeek: 3, TimeRange: { beginTime: '09:00:00', endTime: '10:00:00' } };

    expect(
      edited((doc) => withField(doc, 1, (value) => ({ TimeBlockList: [...blocks(value), other] }))).come,
    ).toEqual(['- { dayOfWeek: 3, TimeRange: { beginTime: "09:00:00", endTime: "10:00:00" } }']);
    expect(
      edited((doc) => withField(doc, 1, (value) => ({ TimeBlockList: blocks(value).slice(1) }))).gone,
    ).toHaveLength(1);
    expect(
      edited((doc) =>
        withField(doc, 1, (value) => ({
          TimeBlockList: blocks(value).map((block, index) =>
            index === 0 ? { ...block, dayOfWeek: 7 } : block,
          ),
        })),
      ).come,
    ).toEqual(['- { dayOfWeek: 7, TimeRange: { beginTime: "08:00:00", endTime: "18:00:00" } } # Monday']);
  });

  it('puts null, a variable and a switch into the text', () => {
    expect(edited((doc) => withField(doc, 0, (value) => ({ ...value, distance: null }))).come).toEqual([
      'distance: null',
    ]);
    expect(edited((doc) => withField(doc, 0, (value) => ({ ...value, emissivity: '${e}' }))).come).toEqual([
      'emissivity: ${e}',
    ]);
    expect(edited((doc) => setSectionMember(doc, 0, 'clamp', true)).come).toEqual(['clamp: true']);
    expect(edited((doc) => setSectionMember(doc, 1, 'optional', undefined)).gone).toEqual(['optional: true']);
    expect(edited((doc) => setSectionMember(doc, 0, 'params', { channelID: 2 })).come).toEqual([
      'params: { channelID: 2 }',
    ]);
  });
});

describe('sections', () => {
  it('move with the comments above them', () => {
    const text = done(moveSection(read(TEXT), 1, 0));

    expect(read(text).sections.map(({ set }) => set)).toEqual([
      'events.thermometrySchedule',
      'thermal.thermometryBasic',
    ]);
    expect(text.indexOf('# then the week')).toBeLessThan(text.indexOf('# measured on site'));
    expect(text).toMatch(/# then the week\n {2}- set: events[^]*# first the optics\n {2}- set: thermal/);
    // Spaces that align a comment are not kept where the whole text is written anew.
    expect([...text].sort()).toEqual([...TEXT.replace('Lanes   #', 'Lanes #')].sort());
  });

  it('are added, doubled and removed', () => {
    const added = done(addSections(read(TEXT), [createSection(read(TEXT), 'accessControl.hostConfig')]));
    const doubled = done(buildDuplicateEdit(read(TEXT), 0));
    const one = done(removeSection(read(TEXT), 1));
    const none = done(removeSection(read(one), 0));
    const first = done(addSections(read(none), [createSection(read(none), 'thermal.thermometryBasic')]));

    expect(read(added).sections.at(-1)?.raw).toEqual({ set: 'accessControl.hostConfig', value: {} });
    expect(read(doubled).sections.map(({ set }) => set)).toEqual([
      'thermal.thermometryBasic',
      'thermal.thermometryBasic',
      'events.thermometrySchedule',
    ]);
    expect(read(none).sections).toEqual([]);
    expect(read(first).sections[0]?.raw).toEqual({
      set: 'thermal.thermometryBasic',
      params: { channelID: 1 },
      value: {},
    });
  });

  it('keep their identity while others are edited, moved or removed', () => {
    const reader = new DocReader();
    const keys = (text: string) => {
      const result = reader.read(text);
      return result.ok ? result.doc.sections.map(({ set, key }) => [set, key]) : [];
    };
    const before = new Map(keys(TEXT) as [string, number][]);
    const moved = new Map(keys(done(moveSection(read(TEXT), 1, 0))) as [string, number][]);
    const one = new Map(keys(done(removeSection(read(TEXT), 0))) as [string, number][]);

    expect([...moved].sort()).toEqual([...before].sort());
    expect(one.get('events.thermometrySchedule')).toBe(before.get('events.thermometrySchedule'));
  });
});

describe('header and variables', () => {
  it('are edited in place', () => {
    expect(edited((doc) => setEntry(doc, 'name', 'Lane: 2')).come).toEqual([
      'name: "Lane: 2" # as on the door',
    ]);
    expect(edited((doc) => setEntry(doc, 'description', 'Short')).come).toEqual(['description: Short']);
    expect(read(done(setKinds(read(TEXT), ['thermal', 'ai']))).kinds).toEqual(['thermal', 'ai']);
    expect(edited((doc) => setVariable(doc, 'distance', { type: 'integer', default: 5 }))).toEqual({
      gone: ['default: 2'],
      come: ['default: 5'],
    });
    expect(
      edited((doc) => setVariable(doc, 'channel', { type: 'integer', default: 1, min: 1, max: 4 })).come,
    ).toEqual(['channel: { type: integer, default: 1, min: 1, max: 4 } # lane']);
    expect(
      read(done(setVariable(read(TEXT), 'lane', { type: 'string' }))).variables.map(({ name }) => name),
    ).toEqual(['channel', 'distance', 'lane']);
  });

  it('are renamed with all their uses, comments and place kept', () => {
    const text = done(renameVariable(read(TEXT), 'channel', 'lane'));

    expect(findVariableUses(read(TEXT), 'channel')).toEqual([
      { section: 0, path: 'params.channelID' },
      { section: 1, path: 'params.channelID' },
    ]);
    expect(changed(TEXT, text).come).toEqual([
      'lane: { type: integer, default: 1, min: 1 } # lane',
      'params: { channelID: ${lane} }',
      'params: { channelID: "${lane}" }',
    ]);
    expect(findVariableUses(read(text), 'lane')).toHaveLength(2);
  });

  it('leave their default where they are taken away', () => {
    const text = done(dropVariable(read(TEXT), 'distance'));

    expect(read(text).sections[0]?.value).toMatchObject({ distance: 2 });
    expect(read(text).variables.map(({ name }) => name)).toEqual(['channel']);
  });

  it('are added to a template that had none', () => {
    const bare =
      'fieldwright: template/1\nname: x\nsections:\n  - set: accessControl.hostConfig\n    value: { voicePrompt: true }\n';
    const text = done(setVariable(read(bare), 'a', { type: 'string' }));

    expect(text).toContain('name: x\nvariables:\n  a:\n    type: string\nsections:');
  });
});

describe('other layouts', () => {
  const JSON_TEXT =
    '{ "fieldwright": "template/1", "name": "x", "sections": [ { "set": "accessControl.hostConfig", "value": { "voicePrompt": true } } ] }';
  const ANCHORS =
    'fieldwright: template/1\nname: x\nsections:\n  - set: accessControl.hostConfig\n    value: &v # shared\n      voicePrompt: true\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: *v\n';

  it('edits JSON', () => {
    const text = done(withField(read(JSON_TEXT), 0, (value) => ({ ...value, thermalUnit: 'celsius' })));
    const two = done(addSections(read(text), [{ set: 'x', value: {} }]));

    expect(JSON.parse(text)).toMatchObject({
      sections: [{ value: { voicePrompt: true, thermalUnit: 'celsius' } }],
    });
    expect(JSON.parse(two).sections).toHaveLength(2);
  });

  it('keeps anchors, and gives an edited alias a value of its own', () => {
    const text = done(withField(read(ANCHORS), 1, (value) => ({ ...value, voicePrompt: false })));

    expect(text).toContain('value: &v # shared');
    expect(read(text).sections.map(({ value }) => value)).toEqual([
      { voicePrompt: true },
      { voicePrompt: false },
    ]);
  });

  it.each([
    [
      'an alias bomb',
      `fieldwright: template/1\nname: x\na: &a [1,1,1,1,1,1,1,1,1,1]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[index]}`).join(',')}]`).join('\n')}\nsections: [*h]\n`,
    ],
    ['a prototype key', 'fieldwright: template/1\nname: x\n__proto__: { polluted: true }\nsections: []\n'],
    ['deep nesting', `name: ${'['.repeat(500)}${']'.repeat(500)}\n`],
    ['a broken line', 'name: x\nsections:\n  - set: "a\n'],
    ['a directive', '%YAML 1.1\n---\nname: x\n'],
    ['nothing', '\n'],
    // Would catch: a card for each of them, and a page that answers nothing for minutes.
    [
      'thousands of sections',
      `fieldwright: template/1\nname: x\nsections:\n${'  - set: a\n'.repeat(17_000)}`,
    ],
    [
      'thousands of sections in braces',
      JSON.stringify({ fieldwright: 'template/1', name: 'x', sections: Array(600).fill({ set: 'a' }) }),
    ],
  ])('says that %s cannot be read, and lives', (_what, text) => {
    expect(new DocReader().read(text).ok).toBe(false);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  // Would catch: a page that words a broken text, or a limit, otherwise than the engine, or that points elsewhere.
  it.each([
    `a: &a 1\nb: [${Array(101).fill('*a').join(', ')}]\n`,
    'name: x\nsections:\n  - set: "a\n',
    'name: x\nname: y\nsections: []\n',
    '- a list\n',
    '\n',
    'name: x\nsections:\n  - set: a\n    optional: true\n    optional: true\n',
  ])('says what the engine says about a text that is no template: %#', (text) => {
    const result = new DocReader().read(text);
    const own = buildFindings(text, result.ok ? [] : result.problems, []);

    const [theirs] = parseTemplate(text).errors;
    const { message, hint, detail } = theirs ?? {};
    expect(own[0]?.error).toMatchObject({ message, detail, ...(hint !== undefined && { hint }) });
    expect(own[0]).toMatchObject({ code: theirs?.code, line: theirs?.line, column: theirs?.column });
  });

  // Would catch: a template of 200 sections that is read as a whole after each keystroke.
  it('reads the section of a keystroke again, and none of the 199 beside it', () => {
    const section = TEXT.slice(TEXT.indexOf('  - set: thermal'), TEXT.indexOf('\n  # then'));
    const long = TEXT.slice(0, TEXT.indexOf('  # first')) + section.repeat(200);
    const reader = new DocReader();
    const sectionsOf = (text: string) => {
      const read = reader.read(text);
      return read.ok ? read.doc.sections : [];
    };
    const before = sectionsOf(long);

    const after = sectionsOf(long.replace('0.980', '0.981'));

    expect(after.length).toBeGreaterThanOrEqual(200);
    expect(after.filter((each, index) => each.source !== before[index]?.source)).toHaveLength(1);
  });
});

describe('sections that are linked among many', () => {
  const plain = (index: number): string =>
    `  - set: thermal.thermometryBasic\n    params: { channelID: ${index + 1} }\n    value:\n      emissivity: 0.97\n      distance: 2\n`;
  const linkedTo = (index: number, emissivity: string): string => plain(index).replace('0.97', emissivity);
  const HEAD = 'fieldwright: template/1\nname: Lanes\n';
  const VARIABLES = 'variables:\n  distance: { type: integer, default: &far 2 }\n';
  const MIXED = `${HEAD}${VARIABLES}sections:\n${plain(0)}${linkedTo(1, '&skin 0.98 # measured')}${plain(2)}${linkedTo(3, '*skin')}${linkedTo(4, '&skin 0.95')}${plain(5)}${linkedTo(6, '*skin')}${linkedTo(7, '*far')}description: *far\n`;

  // Would catch: an alias that takes another anchor's value, or a section's value that lands in its neighbour, because only some are read together.
  it('have the values that the whole text says', () => {
    const doc = read(MIXED);

    expect(doc.inPieces).toBe(true);
    expect(doc.root).toEqual(readYaml(MIXED).value);
    expect(doc.sections.map(({ value }) => (value as { emissivity: number }).emissivity)).toEqual([
      0.97, 0.98, 0.97, 0.98, 0.95, 0.97, 0.95, 2,
    ]);
    expect(doc.places.map(({ from, to }) => MIXED.slice(from, to))).toEqual(
      MIXED.split('sections:\n')[1]
        ?.split('description')[0]
        ?.split(/^(?= {2}-)/m)
        .map((text) => text.trimEnd())
        .map((text) => text.replace(/ # measured$/, '')),
    );
  });

  // Would catch: an edit among the linked ones that lands at another place of the whole text, or changes what else it holds.
  it.each([
    [1, 'emissivity'],
    [1, 'distance'],
    [3, 'emissivity'],
    [4, 'emissivity'],
    [6, 'distance'],
    [7, 'emissivity'],
    [2, 'emissivity'],
  ] as const)('are edited as in the whole text: section %d, %s', (index, name) => {
    const doc = read(MIXED);
    const change = (of: TemplateDoc): TemplateDoc | undefined =>
      withField(of, index, (value) => ({ ...value, [name]: 5 }));

    const text = done(change(doc));

    expect(text).toBe(done(change({ ...doc, inPieces: false, linked: NOT_LINKED })));
    expect(read(text).sections.map(({ value }) => value)).toEqual(
      doc.sections.map(({ value }, at) => (at === index ? { ...(value as object), [name]: 5 } : value)),
    );
  });

  it.each([
    ['an alias without its anchor', MIXED.replace('&skin 0.98', '0.98'), 'BAD_ALIAS', '*skin'],
    ['an open quote', MIXED.replace('0.95', '"0.95'), 'MISSING_CHAR', undefined],
    ['a name without its colon', `${MIXED}foo\n`, undefined, undefined],
  ] as const)('say where it is broken: %s', (_what, text, code, at) => {
    const result = new DocReader().read(text);

    expect(result.ok).toBe(false);
    const [problem] = result.ok ? [] : result.problems;
    if (code !== undefined) expect(problem?.detail.id).toBe(`yaml.${code}`);
    if (at !== undefined) expect(text.slice(problem?.from, problem?.to)).toBe(at);
    expect(problem?.from).toBeGreaterThanOrEqual(
      at === undefined ? text.indexOf(code === undefined ? 'foo' : '"0.95') : text.indexOf(at),
    );
  });

  it('cost little in a template of 200: only what is linked is read again, and what is not is drawn again', () => {
    const long = `${HEAD}sections:\n${Array.from({ length: 200 }, (_, index) => (index === 0 || index > 20 ? plain(index) : linkedTo(index, index === 1 ? '&skin 0.98' : '*skin'))).join('')}`;
    const reader = new DocReader();
    const first = reader.read(long);
    const second = reader.read(long.replace('0.98', '0.99'));

    const [before, after] = [first, second].map((result) => (result.ok ? result.doc.sections : []));
    expect(after?.filter((section, index) => section !== before?.[index])).toHaveLength(20);
  });
});

describe('an anchor', () => {
  const LINKED = `fieldwright: template/1
name: Lanes
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value:
      emissivity: &skin 0.98 # measured
      distance: 2
  - set: thermal.thermometryBasic
    params: { channelID: 2 }
    value: { emissivity: *skin }
  - set: thermal.thermometryBasic
    params: { channelID: 3 }
    value:
      emissivity: *skin # as in lane 1
`;
  const values = (text: string): readonly unknown[] => read(text).sections.map(({ value }) => value);

  it('whose value is changed in a form changes no other section', () => {
    const text = done(withField(read(LINKED), 0, (value) => ({ ...value, emissivity: 0.9 })));

    expect(values(text)).toEqual([
      { emissivity: 0.9, distance: 2 },
      { emissivity: 0.98 },
      { emissivity: 0.98 },
    ]);
    expect(text).toContain('# measured');
    expect(text).toContain('# as in lane 1');
  });

  it('stays linked when something else, or one of its uses, is changed', () => {
    const other = done(withField(read(LINKED), 0, (value) => ({ ...value, distance: 3 })));
    const use = done(withField(read(LINKED), 1, (value) => ({ ...value, emissivity: 0.9 })));

    expect(other).toBe(LINKED.replace('distance: 2', 'distance: 3'));
    expect(use).toBe(LINKED.replace('{ emissivity: *skin }', '{ emissivity: 0.9 }'));
  });

  it('that is used elsewhere is not taken away in a form: the person is sent to the text', () => {
    expect(withField(read(LINKED), 0, () => ({ distance: 2 }))).toBeUndefined();
  });
});

describe('whatever is put into a field', () => {
  const BLOCK = TEXT.replace(/ +#.*|^#.*\n/gm, '');
  const LAYOUTS = {
    block: TEXT,
    'other line ends': TEXT.replaceAll('\n', '\r\n'),
    JSON: JSON.stringify(read(BLOCK).root, null, 2),
    braces: `{fieldwright: template/1, name: x, sections: [{set: a, value: {x: 1, y: \${v}}}, {set: b, value: [z]}]}\n`,
  };
  const VALUES = [
    ...[
      null,
      NOT_GIVEN,
      '${v}',
      '$${v}',
      'a: b',
      '# x',
      'x\ny\n',
      '08:00',
      '2026-01-02',
      'true',
      'null',
      '1e3',
      '0x1f',
    ],
    ...[
      '',
      ' ',
      '- x',
      '{',
      '}',
      '[',
      ',',
      '"q"',
      "it's",
      ' lead',
      'trail ',
      'é\u2028x',
      '\t',
      '%x',
      '@y',
      '&a',
      '*b',
    ],
    ...[0, 0.5, -1, true, [], {}, { a: 1, 'b c': 'd: e' }, [1, 2], [{ a: 1 }, { b: { c: 'x' } }], [[1], []]],
  ];

  // Would catch: a value that another spelling makes of the text, or that a layout cannot take.
  it.each(Object.entries(LAYOUTS))(
    'the text has afterwards, and nothing else has changed: %s',
    (_layout, text) => {
      for (const value of VALUES)
        for (const index of [0, 1]) {
          const doc = read(text);
          const [name = 'new'] = Object.keys(doc.sections[index]?.value as object);
          for (const field of [name, 'new']) {
            const before = doc.sections[index]?.value;
            const next = Array.isArray(before)
              ? [...(before as unknown[]), 1]
              : { ...(before as object), [field]: value };

            const now = read(done(setSectionMember(doc, index, 'value', next)));

            expect(now.sections[index]?.value).toEqual(next);
            expect({ ...now.root, sections: now.sections.length }).toEqual({ ...doc.root, sections: 2 });
            expect(now.sections[1 - index]?.raw).toEqual(doc.sections[1 - index]?.raw);
          }
        }
    },
  );
});

describe('a setting that somebody adds', () => {
  const fields = findResource('thermal.thermometryBasic')?.put.request?.fields ?? [];
  const field = (name: string) => {
    const found = fields.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };

  it.each([
    'emissivity',
    'distance',
    'temperatureUnit',
    'enabled',
    'calibrationFileVersion',
    'alarmInterval',
  ])('%s begins empty and not with its lowest value or first choice, and a check asks for it', (name) => {
    const text = done(withField(read(TEXT), 0, () => ({ [name]: getInitialValue(field(name)) })));

    expect(text).toMatch(new RegExp(`\\n      ${name}: ?\\n`));
    expect(parseTemplate(text).errors).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ code: 'missing-field', path: `sections[0].value.${name}` }),
      ]),
    );
  });

  it('begins with what the specification says is usual', () => {
    const mode = findResource('thermal.thermometryMode')?.put.request?.fields[0];

    expect(mode === undefined ? undefined : getInitialValue(mode)).toBe('normal');
  });

  it('stands there without a value until one is typed, also as the first of its section and inside braces', () => {
    const block = TEXT.replace(/      emissivityMode[^]*?distance: .*\n/, '').replace(
      '    value:\n\n',
      '    value: {}\n\n',
    );
    const flow = block.replace('value: {}', 'value: { distance: 3 }');

    const first = done(withField(read(block), 0, () => ({ emissivity: NOT_GIVEN })));
    const inFlow = done(withField(read(flow), 0, (value) => ({ ...value, emissivity: NOT_GIVEN })));

    expect(read(first).sections[0]?.value).toEqual({ emissivity: NOT_GIVEN });
    expect(read(inFlow).sections[0]?.value).toEqual({ emissivity: NOT_GIVEN, distance: 3 });
    expect(done(withField(read(first), 0, () => ({ emissivity: 0.98 })))).toContain('emissivity: 0.98\n');
    expect(done(withField(read(inFlow), 0, (value) => ({ ...value, emissivity: 0.98 })))).toContain(
      'emissivity: 0.98',
    );
  });

  it('null goes on meaning that a setting is removed', () => {
    const text = TEXT.replace('emissivity: 0.980', 'emissivity: null');

    expect(read(text).sections[0]?.value).toMatchObject({ emissivity: null });
  });
});
