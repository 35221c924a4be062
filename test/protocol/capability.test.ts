import { describe, expect, it } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import {
  determineClaim,
  findOperation,
  listFlags,
  narrow,
  readConstraints,
  type Field,
  type Payload,
} from '#protocol/index.ts';
import { bare, choice, flag, float, int, json, list, object, text, xml } from './words.ts';

const readFlags = (payload: Payload, text: string) => listFlags(payload, readConstraints(payload, text));
const fields: readonly Field[] = [
  flag('isSupportA', 'A'),
  flag('isSupportB', 'B'),
  flag('isSupportC', 'C'),
  flag('isSupportD', 'D'),
  flag('isSupportE', 'E'),
  flag('enabled', 'Enabled'),
  int('time', 'Time', { min: 1, max: 65_535 }),
  choice('mode', 'Mode', ['x', 'y']),
  choice('bits', 'Bits', [128, 256]),
  text('name', 'Name', { maxLength: 64 }),
  text('ids', 'Ids', { csv: { min: 1 } }),
  object('Cap', 'Cap', [flag('isSupportIn', 'In'), float('level', 'Level')]),
  list('Rows', 'Rows', object('Row', 'Row', [int('id', 'Id')]), { maxItems: 10 }),
  list('engine', 'Engines', int('number', 'Engine')),
];
const asXml = xml('Root', '1:1', [...fields, bare('Many', 'Many', int('one', 'One'))]);
const asJson = json('Root', '1:1', fields);

describe('constraints in XML', () => {
  const read = () =>
    readConstraints(
      asXml,
      `<r:Root xmlns:r="u"><r:time min="1" max="86400" def="1">30</r:time><r:mode opt=" y , z "/><r:bits opt="128"/><r:name min="1" max="32"/>
    <r:Cap><r:level min="-20.0" max="0x10"/></r:Cap><r:Rows size="56"><r:Row><r:id min="1" max="56"/></r:Row></r:Rows><r:one max="3"/><r:stranger opt="a"/><r:mode opt="q"/></r:Root>`,
    );

  it('reads every attribute, with paths of the payload (a limit under the wrong field)', () => {
    const constraints = read();

    expect(constraints.get('time')).toEqual({ state: 'reported', min: 1, max: 86_400, def: '1', text: '30' });
    expect(constraints.get('mode')).toEqual({ state: 'reported', options: ['y', 'z'] });
    expect(constraints.get('Cap.level')).toEqual({ state: 'reported', min: -20, max: 16 });
    expect(constraints.get('Rows')).toMatchObject({ size: 56 });
    expect(constraints.get('Rows[].id')).toMatchObject({ min: 1, max: 56 });
    expect(constraints.get('Many[]')).toMatchObject({ max: 3 });
    expect(constraints.get('stranger')).toMatchObject({ options: ['a'] });
    expect(constraints.get('ids')).toBeUndefined();
  });

  it('narrows to what both allow (part 1, 8: a polling time of 1..65535 and of 1..86400)', () => {
    const constraints = read();

    const by = (name: string): Field => fields.find((field) => field.name === name) as Field;

    expect(narrow(by('time'), 'time', constraints)).toMatchObject({ min: 1, max: 65_535 });
    expect(narrow(by('mode'), 'mode', constraints)).toMatchObject({ options: [{ value: 'y' }] });
    expect(narrow(by('bits'), 'bits', constraints)).toMatchObject({ options: [{ value: 128 }] });
    expect(narrow(by('name'), 'name', constraints)).toMatchObject({ minLength: 1, maxLength: 32 });
    expect(narrow(by('Rows'), 'Rows', constraints)).toMatchObject({ maxItems: 10 });
    expect(narrow(int('id', 'Id', { min: 0 }), 'Rows[3].id', constraints)).toMatchObject({ min: 1, max: 56 });
    expect(narrow(by('ids'), 'ids', constraints)).toBe(by('ids'));
  });
});

describe('constraints in JSON', () => {
  const read = () =>
    readConstraints(
      asJson,
      `{"Root":{"time":{"@min":5,"@max":"60","@def":1},"mode":{"@opt":["y"]},"bits":{"@opt":"128,256"},"name":{"@max":10},"enabled":"true,false",
    "Rows":{"@size":3,"id":{"@max":2}},"engine":{"@opt":[1,2]},"isSupportA":1,"isSupportB":{"@opt":[true,false]},"isSupportC":{"@opt":"false"},"isSupportD":"false","isSupportE":null}}`,
    );

  it('reads arrays, comma separated text, bare values and numbers as text', () => {
    const constraints = read();

    expect(constraints.get('time')).toEqual({ state: 'reported', min: 5, max: 60, def: '1' });
    expect(constraints.get('mode')).toEqual({ state: 'reported', options: ['y'] });
    expect(constraints.get('bits')).toEqual({ state: 'reported', options: ['128', '256'] });
    expect(constraints.get('enabled')).toMatchObject({ state: 'true', options: ['true', 'false'] });
  });

  it('reads a default that is a list (part 1, 2.8: a default that turns into nothing)', () => {
    const limits = readConstraints(asJson, '{"Root":{"mode":{"@opt":["x","y"],"@def":["x","y"]}}}');

    expect(limits.get('mode')?.def).toBe('x,y');
  });

  it('narrows lists, their items and their options', () => {
    const constraints = read();

    expect(narrow(fields.find((field) => field.name === 'Rows') as Field, 'Rows', constraints)).toMatchObject(
      { maxItems: 3 },
    );
    expect(narrow(int('id', 'Id'), 'Rows[0].id', constraints)).toMatchObject({ max: 2 });
    expect(
      narrow(fields.find((field) => field.name === 'engine') as Field, 'engine', constraints),
    ).toMatchObject({ item: { kind: 'choice', options: [{ value: 1 }, { value: 2 }] } });
  });

  it('tells true, false and not reported apart (a feature that is hidden because nobody mentioned it)', () => {
    const constraints = read();

    const states = Object.fromEntries(listFlags(asJson, constraints).map(({ path, state }) => [path, state]));

    expect(states).toEqual({
      isSupportA: 'true',
      isSupportB: 'true',
      isSupportC: 'false',
      isSupportD: 'false',
      isSupportE: 'not-reported',
      'Cap.isSupportIn': 'not-reported',
    });
  });

  it('takes the length of an id from its twin (part 1, 2.7: taskIDLen)', () => {
    const payload = findOperation('aiPlatform.videoTask.capabilities.get')?.response as Payload;
    const limits = readConstraints(
      payload,
      payload.root === undefined
        ? '{"taskIDLen":{"@min":1,"@max":32}}'
        : `{"${payload.root}":{"taskIDLen":{"@min":1,"@max":32}}}`,
    );

    expect(narrow(text('taskID', 'Task', { maxLength: 64 }), 'taskID', limits)).toMatchObject({
      minLength: 1,
      maxLength: 32,
    });
  });
});

// Would catch: a setting that takes nothing at all because a device reports an empty list, or a limit that is not one.
describe('what limits nothing', () => {
  const long = (count: number) => Array.from({ length: count }, (_, nth) => `o${nth}`);
  const inXml = (attributes: string) =>
    readConstraints(asXml, `<Root><mode ${attributes}/></Root>`).get('mode');
  const inJson = (value: unknown) =>
    readConstraints(asJson, JSON.stringify({ Root: { mode: value } })).get('mode');

  it.each([
    ['opt=""', {}],
    ['opt=" , "', {}],
    [`opt="${long(1_001).join()}"`, {}],
    [`opt="${'x'.repeat(32 * 1024 + 1)}"`, {}],
    [`opt="${long(1_000).join()}"`, { options: long(1_000) }],
    [`opt="${'x'.repeat(32 * 1024)}"`, { options: ['x'.repeat(32 * 1024)] }],
    ['opt="x,,y"', { options: ['x', 'y'] }],
    ['min="" max=" " size="many" def=""', { def: '' }],
    ['min="0" v:max="3" def="x" size="2"', { min: 0, def: 'x', size: 2 }],
  ])('%# of XML', (attributes, limits) => {
    expect(inXml(attributes)).toEqual({ state: 'reported', ...limits });
  });

  it.each([
    [{ '@opt': [] }, {}],
    [{ '@opt': long(1_001) }, {}],
    [{ '@opt': ['a', 1, ['b'], { c: 1 }] }, { options: ['a', '1', '', ''] }],
    [{ '@opt': 'a, b' }, { options: ['a', 'b'] }],
    [{ '@min': null, '@max': '', '@def': null, '@size': {}, min: 1, xmax: 2 }, {}],
    [{ '@def': ['a', 1] }, { def: 'a,1' }],
    [null, {}],
    [[1], {}],
    ['x', { text: 'x' }],
    ['x,y', { text: 'x,y', options: ['x', 'y'] }],
    [5, { text: '5' }],
  ])('%j of JSON', (value, limits) => {
    expect(inJson(value)).toEqual({ state: 'reported', ...limits });
  });

  it('is what is said beyond any document of the specification, and what is said again', () => {
    const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, nth) => [`n${nth}`, 1]));
    const most = readConstraints(asJson, JSON.stringify({ Root: { ...many, n5: { '@max': 1 } } }));
    const rows = [{ id: { '@max': 1 } }, { id: { '@max': 2, more: 1 } }];
    const twice = readConstraints(asJson, JSON.stringify({ Root: { Rows: rows } }));
    const deep = `${'a'.repeat(299)}`;
    const paths = (text: string) => [...readConstraints(asXml, text).keys()];

    expect([most.size, most.has('n1999'), most.has('n2000')]).toEqual([2_000, true, false]);
    expect([...twice]).toEqual([
      ['Rows', { state: 'reported' }],
      ['Rows[].id', { state: 'reported', max: 1 }],
      ['Rows[].id.more', { state: 'true', text: '1' }],
    ]);
    expect(paths(`<Root><${deep}><b/></${deep}><${deep}bc/></Root>`)).toEqual([deep]);
    expect(paths(`<Root><mode opt="x">a<more/></mode><mode opt="y"/><one/></Root>`)).toEqual([
      'mode',
      'mode.more',
      'Many[]',
    ]);
    expect(readConstraints(asXml, '<Root><mode>a<more/></mode></Root>').get('mode')).toEqual({
      state: 'reported',
    });
    expect([...readConstraints(json(undefined, '1:1', fields), '{"Root":{"mode":"x"}}').keys()]).toEqual([
      'Root',
      'Root.mode',
    ]);
  });
});

// Would catch: a limit of the device that does not reach its setting, or one that takes away what both allow.
describe('a setting and what is reported of it', () => {
  const number = int('n', 'N', { min: 1, max: 9, required: true, help: 'H', unit: 's' });
  const choiceOf = (values: readonly unknown[]) => ({
    kind: 'choice',
    options: values.map((value) => ({ value, label: String(value) })),
  });

  it.each<[Field, object, object]>([
    [
      number,
      { options: ['0', '1', '5', '9', '10', 'x'] },
      { ...choiceOf([1, 5, 9]), required: true, help: 'H', unit: 's' },
    ],
    [number, { options: ['2', '3', '4'], min: 3, max: 3 }, choiceOf([3])],
    [number, { options: ['x'] }, { kind: 'int', min: 1, max: 9 }],
    [number, { min: 0, max: 10 }, { kind: 'int', min: 1, max: 9 }],
    [int('n', 'N'), { options: ['-1', '7'] }, choiceOf([-1, 7])],
    [int('n', 'N'), { min: 2 }, { kind: 'int', min: 2 }],
    [float('n', 'N', { min: 1 }), { max: 2.5 }, { kind: 'float', min: 1, max: 2.5 }],
    [text('n', 'N', { minLength: 2 }), { options: ['a', 'b'] }, choiceOf(['a', 'b'])],
    [text('n', 'N', { csv: { min: 1 } }), { options: ['1', '2'] }, { kind: 'string', csv: { min: 1 } }],
    [text('n', 'N', { minLength: 2 }), { min: 1, max: 5 }, { kind: 'string', minLength: 2, maxLength: 5 }],
    [choice('n', 'N', [1, 2]), { options: ['2.0', '3'] }, { kind: 'choice', options: [{ value: 2 }] }],
    [choice('n', 'N', ['1', '2']), { min: 5 }, { options: [{ value: '1' }, { value: '2' }] }],
    [flag('n', 'N'), { options: ['true'] }, { kind: 'bool', name: 'n', label: 'N' }],
    [list('n', 'N', int('i', 'I')), { min: 2, max: 4 }, { minItems: 2, maxItems: 4 }],
    [list('n', 'N', int('i', 'I')), { min: 2, max: 4, size: 3 }, { maxItems: 3 }],
    [
      list('n', 'N', choice('i', 'I', ['a', 'b'])),
      { options: ['b'] },
      { item: { options: [{ value: 'b' }] } },
    ],
    [
      list('n', 'N', int('i', 'I'), { perDay: { day: 'd', most: 8 } }),
      { size: 4 },
      { perDay: { most: 4, usual: false } },
    ],
    [list('n', 'N', int('i', 'I'), { perDay: { day: 'd', most: 8 } }), {}, { perDay: { most: 8 } }],
    [
      list('n', 'N', int('i', 'I'), { perDay: { day: 'd', most: 8, usual: true } }),
      { size: 12 },
      { perDay: { most: 12, usual: false } },
    ],
  ])('%# narrowed', (field, limit, narrowed) => {
    const found = narrow(field, 'n', new Map([['n', { state: 'reported', ...limit }]]));

    expect(found).toMatchObject(narrowed);
    if ('size' in limit && !('minItems' in narrowed)) expect(found).not.toHaveProperty('minItems');
    if (field.kind === 'list' && field.perDay !== undefined) expect(found).not.toHaveProperty('maxItems');
  });

  it.each([
    ['7', 7],
    ['0', 100],
    ['', 100],
    ['x', 100],
    [undefined, 100],
  ])('the highest value stands elsewhere, and says %s', (said, max) => {
    const field = int('n', 'N', { max: 5, maxAt: 'top' });
    const at = (path: string, limit: object) =>
      narrow(field, 'n', new Map([[path, { state: 'reported', ...limit }]]));

    expect(at('top', { max: 100, ...(said !== undefined && { text: said }) })).toMatchObject({ max });
    expect([at('n', { max: 3 }), at('other', { max: 3 })]).toMatchObject([{ max: 3 }, { max: 5 }]);
    expect(narrow(int('n', 'N', { maxAt: 'top' }), 'n', new Map())).toEqual(int('n', 'N', { maxAt: 'top' }));
  });
});

describe('flags', () => {
  it('reads text, options and nested ones of XML, and what only the device knows', () => {
    const flags = readFlags(
      asXml,
      `<Root><isSupportA>true</isSupportA><isSupportB>0</isSupportB><isSupportC opt="true,false"/><isSupportD opt="false"/><isSupportE/>
      <Cap><isSupportIn> 1 </isSupportIn><isSupportOther>true</isSupportOther></Cap><isNew>false</isNew><count>1</count></Root>`,
    );

    expect(
      Object.fromEntries(flags.map(({ path, state, listed }) => [path, listed ? state : `${state}!`])),
    ).toEqual({
      isSupportA: 'true',
      isSupportB: 'false',
      isSupportC: 'true',
      isSupportD: 'false',
      isSupportE: 'not-reported',
      'Cap.isSupportIn': 'true',
      'Cap.isSupportOther': 'true!',
      isNew: 'false!',
    });
  });

  // Would catch: a yes or no of the device that is shown nowhere, because its name begins otherwise than most.
  it('takes in whatever is a mere yes or no, by whatever name', () => {
    const flags = readFlags(
      asXml,
      '<Root><enabled>true</enabled><Cap><faceSearch>false</faceSearch><hasAudio>1</hasAudio><alarmSupport>0</alarmSupport><channels>1</channels><mode opt="true,false">true</mode></Cap></Root>',
    );

    expect(
      flags
        .filter(({ state }) => state !== 'not-reported')
        .map(({ path, state, listed }) => [path, state, listed]),
    ).toEqual([
      ['enabled', 'true', true],
      ['Cap.faceSearch', 'false', false],
      ['Cap.hasAudio', 'true', false],
      ['Cap.alarmSupport', 'false', false],
    ]);
  });

  it('looks into lists, and leaves settings that merely sound like flags alone', () => {
    const tasks = readFlags(
      findOperation('aiPlatform.picturePollingTask.capabilities.get')?.response as Payload,
      '{"isSupportTimeRange":1,"Stream":{"StreamSourceList":[{"isSupportTargetAttrs":"false"}]}}',
    );
    const once = readFlags(
      findOperation('aiPlatform.picturePollingTask.capabilities.get')?.response as Payload,
      '{"Stream":{"StreamSourceList":{"isSupportTargetAttrs":true}}}',
    );
    const events = readFlags(
      findOperation('accessControl.eventOptimization.capabilities.get')?.response as Payload,
      '{"EventOptimizationCfg":{"isCombinedLinkageEvents":"true,false"}}',
    );

    expect(tasks.map(({ path, state, listed }) => [path, state, listed])).toEqual([
      ['Stream.StreamSourceList[].isSupportTargetAttrs', 'false', true],
      ['isSupportTimeRange', 'true', true],
    ]);
    expect(once.map(({ path, state }) => [path, state])).toEqual([
      ['Stream.StreamSourceList[].isSupportTargetAttrs', 'true'],
      ['isSupportTimeRange', 'not-reported'],
    ]);
    expect(events).toEqual([]);
  });

  // Part 1, 2.1: a claim that means nothing shown like one that counts.
  it.each([
    ['{"isSupportConfidenceConfig":true,"isSupportAIRuleConfig":false}', 'true', 'isSupportAIRuleConfig'],
    ['{"isSupportConfidenceConfig":false}', 'false', 'isSupportAIRuleConfig'],
    ['{"isSupportConfidenceConfig":true,"isSupportAIRuleConfig":1}', 'true', undefined],
    ['{"isSupportAIRuleConfig":false}', 'not-reported', undefined],
  ])('%s: %s, needs %s', (document, state, needs) => {
    const flags = readFlags(findOperation('aiPlatform.capabilities.get')?.response as Payload, document);

    expect(flags.find(({ path }) => path === 'isSupportConfidenceConfig')).toEqual({
      path: 'isSupportConfidenceConfig',
      label: 'Confidence settings',
      state,
      listed: true,
      ...removeUndefined({ needs }),
    });
  });

  it('names strangers so that they can be told apart', () => {
    const flags = readFlags(
      findOperation('system.capabilities.get')?.response as Payload,
      '<DeviceCap><SysCap><NetworkCap><SnmpCap><isSupport>true</isSupport></SnmpCap><isSupport802_1x>0</isSupport802_1x></NetworkCap></SysCap></DeviceCap>',
    );

    expect(flags.filter(({ listed }) => !listed).map(({ label, state }) => [label, state])).toEqual([
      ['SnmpCap isSupport', 'true'],
      ['isSupport802_1x', 'false'],
    ]);
  });

  it('covers all 38 thermal flags of the specification, none reported by an empty document', () => {
    const flags = readFlags(
      findOperation('thermal.capabilities.get')?.response as Payload,
      '<ThermalCap version="2.0"/>',
    );

    expect(flags).toHaveLength(38);
    expect(new Set(flags.map(({ state }) => state))).toEqual(new Set(['not-reported']));
  });
});

describe('a claim', () => {
  const FIRE = { id: 'thermal.fireDetection.get', capability: 'thermal.fireDetection.capabilities.get' };
  const about = { operation: 'thermal.capabilities.get', path: 'isSupportFireDetection' };

  // Would catch: a document beside the flag that outvotes it, or an unreported flag taken for a no.
  it.each([
    ['a flag says yes', 'true', true, { state: 'true', by: about }],
    ['a flag says no, and its document is there', 'false', true, { state: 'false', by: about }],
    ['a flag is not reported', 'not-reported', true, { state: 'true', by: { operation: FIRE.capability } }],
    ['its document was not answered', undefined, true, { state: 'true', by: { operation: FIRE.capability } }],
    ['there is neither', 'not-reported', false, { state: 'not-reported' }],
  ] as const)('where %s', (_where, state, answered, claim) => {
    const flagOf = (operation: string, path: string) =>
      operation === about.operation && path === about.path ? state : undefined;

    expect(
      determineClaim(FIRE, { flag: flagOf, answered: (id) => answered && id === FIRE.capability }),
    ).toEqual(claim);
  });

  it('of an operation that no flag promises and no document describes says nothing', () => {
    expect(determineClaim({ id: 'system.time.get' }, { flag: () => 'true', answered: () => true })).toEqual({
      state: 'not-reported',
    });
  });
});
