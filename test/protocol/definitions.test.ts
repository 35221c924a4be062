import { describe, expect, it } from 'vitest';
import { AREAS, type Field, type Operation } from '#protocol/definition.ts';
import { operations } from '#protocol/catalogue.ts';
import { controller, operationById, payloadsOf, topFields, visitFields } from './definition-walk.ts';

const PAYLOADS = payloadsOf(operations);
const VISITS = PAYLOADS.flatMap((payload) => visitFields(payload).map((visit) => ({ payload, ...visit })));

/** Payloads that are values, not limits: their names are what a template or a body may say. */
function namesOf(id: string): readonly string[] {
  const operation = operationById(id);
  const payload = operation.request ?? operation.response;
  return payload === undefined ? [] : topFields(payload).map((field) => field.name);
}

describe('operations', () => {
  // Catches a request that would go out as XML to a JSON path, or a payload of the wrong kind.
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s agrees with its path, area and payloads',
    (_id, operation) => {
      const format = operation.path.includes('format=json') ? 'json' : 'xml';

      expect(operation.format).toBe(format);
      expect(AREAS).toContain(operation.area);
      expect(
        [operation.request, operation.response]
          .filter(Boolean)
          .map((payload) => payload?.format)
          .every((own) => own === format),
      ).toBe(true);
      expect(operation.params.map((param) => param.name)).toEqual(
        [...operation.path.matchAll(/<(\w+)>/g)].map((match) => match[1]),
      );
      expect(operation.spec).toMatch(new RegExp(`^${operation.part}:\\d`));
      expect(operation.label).not.toBe('');
    },
  );

  // Catches a twin id with a typing error, or one that points at something that reports no limits.
  it('name capability twins that exist', () => {
    const twins = operations.flatMap((operation) => operation.capability ?? []);

    expect(twins.length).toBeGreaterThan(20);
    for (const twin of twins) expect(operationById(twin).isCapability, twin).toBe(true);
  });

  // Catches a resource whose form and whose read-back would not speak of the same thing.
  it('read and write one payload per resource', () => {
    const puts = operations.filter(
      (operation) =>
        operation.id.endsWith('.put') && operations.some((other) => other.id === getOf(operation)),
    );

    expect(puts).toHaveLength(17);
    for (const put of puts) {
      const get = operationById(getOf(put));
      expect(put.request, put.id).toBeDefined();
      expect(get.response, put.id).toBe(put.request);
      expect(get.path, put.id).toBe(put.path);
      expect(get.capability, put.id).toBe(put.capability);
    }
  });

  // Catches an automatic repetition of something that must not happen twice.
  it.each([
    'aiPlatform.engine.reset',
    'aiPlatform.models.create',
    'aiPlatform.picturePollingTasks.create',
    'accessControl.remoteCheck.put',
    'accessControl.users.record',
    'accessControl.fingerprints.setUp',
    'accessControl.localController.add',
    'accessControl.localController.control.put',
    'peopleCounting.count.reset',
    'peopleCounting.flashStorage.remove',
    'storage.unlock.put',
    'token.check',
  ])('%s is not repeated', (id) => {
    expect(operationById(id).idempotent).toBe(false);
  });

  // Catches a search that would not be repeated after a lost connection although it changes nothing.
  it.each([
    'accessControl.users.search',
    'accessControl.eventTotal.query',
    'accessControl.fingerprints.query',
    'accessControl.hostConfig.put',
  ])('%s may be repeated', (id) => {
    expect(operationById(id).idempotent).toBe(true);
  });

  // Catches an operation that would be logged or captured although its payload holds secrets.
  it('are sensitive wherever a value of theirs is', () => {
    const leaking = operations.filter(
      (operation) => !operation.isCapability && !operation.sensitive && holdsSecret(operation),
    );

    expect(leaking.map((operation) => operation.id)).toEqual([]);
  });
});

describe('parameters', () => {
  // Catches an empty path segment, which addresses another resource than the one meant.
  it.each([
    ['aiPlatform.models.delete', 'MPID', { type: 'string', minLength: 1, maxLength: 64 }],
    ['aiPlatform.picturePollingTasks.delete', 'taskID', { type: 'string', minLength: 1, maxLength: 64 }],
    ['accessControl.localController.get', 'localControllerID', { type: 'int', min: 1, max: 64 }],
    ['thermal.thermometryMode.get', 'channelID', { type: 'int', min: 0 }],
    ['passback.historyPlan.get', 'streamID', { type: 'string', minLength: 1, maxLength: 32 }],
    ['passback.historyPlan.get', 'channelID', { type: 'int', min: 1, max: 1024 }],
    ['system.capabilities.get', 'type', { type: 'string', default: 'all' }],
  ])('%s limits <%s>', (id, name, limits) => {
    expect(operationById(id).params.find((param) => param.name === name)).toMatchObject(limits);
  });
});

describe('fields', () => {
  // Catches a field that is listed twice, the second of which would never be read, and one that shadows what objects inherit.
  it('have one name each inside their object', () => {
    const twice = VISITS.filter(
      ({ field, siblings }) =>
        siblings.filter((sibling) => sibling.name === field.name).length > 1 ||
        field.name in Object.prototype,
    );

    expect(twice.map(({ payload, path }) => `${payload.root} ${path}`)).toEqual([]);
  });

  // Catches a form with an empty label and an option that a person cannot tell from another.
  it('have labels, and options with values of their own', () => {
    const bad = VISITS.filter(({ field }) => field.label === '' || !optionsAreSound(field));

    expect(bad.map(({ payload, path }) => `${payload.root} ${path}`)).toEqual([]);
  });

  // Catches limits turned round and defaults that the field itself would refuse.
  it('have limits in order and defaults inside them', () => {
    const bad = VISITS.filter(({ field }) => !limitsAreSound(field));

    expect(bad.map(({ payload, path }) => `${payload.root} ${path}`)).toEqual([]);
  });

  // Catches a condition that can never hold, because it looks at a field or a value that is not there.
  it('have conditions on fields and values that exist', () => {
    const conditions = VISITS.flatMap(({ payload, path, field, siblings }) =>
      (field.when ?? []).map((condition) => ({ payload, path, siblings, condition })),
    );

    expect(conditions.length).toBeGreaterThan(20);
    for (const { payload, path, siblings, condition } of conditions) {
      const looked = controller(payload, siblings, condition);
      const wanted =
        condition.absentAs === undefined ? condition.oneOf : [...condition.oneOf, condition.absentAs];
      expect(
        wanted.every((value) => looked !== undefined && accepts(looked, value)),
        `${payload.root} ${path} when ${condition.path}`,
      ).toBe(true);
    }
  });

  // Catches a rule whose complaint would point at a field that does not exist.
  it('are where rules complain', () => {
    const rules = PAYLOADS.flatMap((payload) => (payload.rules ?? []).map((rule) => ({ payload, rule })));

    expect(rules.length).toBeGreaterThan(15);
    for (const { payload, rule } of rules)
      expect(
        visitFields(payload).map((visit) => visit.path),
        payload.root,
      ).toContain(rule.path);
  });

  // Catches a list whose items would be matched by a field they do not have.
  it('name keys that items have', () => {
    const bad = VISITS.filter(
      ({ field }) =>
        field.kind === 'list' &&
        field.key !== undefined &&
        !(field.item.kind === 'object' && field.item.fields.some((inner) => inner.name === field.key)),
    );

    expect(bad.map(({ payload, path }) => `${payload.root} ${path}`)).toEqual([]);
  });

  // Catches a pass-through value in XML, which has no shape to pass through.
  it('are passed through in JSON only', () => {
    expect(
      VISITS.filter(({ payload, field }) => payload.format === 'xml' && field.kind === 'opaque'),
    ).toEqual([]);
  });
});

describe('wire spelling', () => {
  // Catches a well-meant correction: devices know only these spellings.
  it.each([
    ['thermal.fireDetection.get', 'fireComfirmTime'],
    ['humanRecognition.capabilities.get', 'isSupportpicOverlay'],
    ['thermal.capabilities.get', 'isSupportthermometryOffLineCapture'],
    ['thermal.capabilities.get', 'isSupportRealTimethermometryForHTTP'],
  ])('%s has %s', (id, name) => {
    expect(namesOf(id)).toContain(name);
  });

  it.each([
    ['thermal.fireDetection.get', 'detectionMode', ['multipleFarme', 'singleFarme']],
    [
      'thermal.thermometryBasic.get',
      'temperatureRange',
      [
        '30~45',
        '-20~150',
        '0~550',
        '0~650',
        '-4~302',
        '32~1022',
        '32~1200',
        '-20~650',
        '-20~1500',
        'automatic',
        '-20~120',
        '20~45',
        '20~350',
        '100-550',
        '28-45',
      ],
    ],
    ['accessControl.users.search', 'responseStatusStrg', ['OK', 'MORE', 'NO MATCH']],
    [
      'thermal.thermometryBasic.get',
      'specialPointThermType',
      ['centerPoint', 'highestPoint', 'lowestPoint', 'null'],
    ],
    ['accessControl.hostConfig.get', 'checkChannelType', ['Cloud', 'ISUP', 'API', 'PrivateSDK', 'APIListen']],
    ['gate.status.get', 'busSync', ['Normal', 'DropArmPoorSync', 'BusCommFailed']],
  ])('%s %s has its options as on the wire', (id, name, options) => {
    const field = operationById(id).response?.fields.find((own) => own.name === name);

    expect(field?.kind === 'choice' && field.options.map((option) => option.value)).toEqual(options);
  });

  it('keeps jacet_color and the picture size 0xff', () => {
    const paths = visitFields(operationById('humanRecognition.capabilities.get').response ?? raise()).map(
      (visit) => visit.path,
    );
    const size = visitFields(operationById('accessControl.snapConfig.get').response ?? raise()).find(
      (visit) => visit.path === 'JPEGParam.pictureSize',
    )?.field;
    const codes = size?.kind === 'choice' ? size.options.map((option) => option.value) : [];

    expect(paths).toContain('HumanRecognitionModeSearchCap.HumanMode.jacet_color');
    expect(codes).toContain('0xff');
    expect(codes).toHaveLength(53);
  });

  // Catches a misspelling that slips onto the screen.
  it('never shows a misspelling to people', () => {
    const shown = VISITS.flatMap(({ field }) => [
      field.label,
      field.help ?? '',
      ...(field.kind === 'choice' ? field.options.map((option) => option.label) : []),
    ]);

    expect(shown.filter((label) => /couting|comfirm|farme|jacet|digest?ype|pupile/i.test(label))).toEqual([]);
  });

  it('versions the shield 1.0 and everything else 2.0', () => {
    expect(PAYLOADS.filter((payload) => payload.version === '1.0').map((payload) => payload.root)).toEqual([
      'Shield',
    ]);
  });
});

function getOf(put: Operation): string {
  return put.id.replace(/\.put$/, '.get');
}

function holdsSecret(operation: Operation): boolean {
  return payloadsOf([operation]).some((payload) =>
    visitFields(payload).some((visit) => visit.field.sensitive),
  );
}

function optionsAreSound(field: Field): boolean {
  if (field.kind !== 'choice') return true;
  const values = field.options.map((option) => option.value);
  return (
    values.length > 0 &&
    new Set(values).size === values.length &&
    field.options.every((option) => option.label !== '')
  );
}

function limitsAreSound(field: Field): boolean {
  switch (field.kind) {
    case 'int':
    case 'float':
      return (
        (field.min ?? -Infinity) <= (field.max ?? Infinity) &&
        (field.default === undefined ||
          (field.default >= (field.min ?? -Infinity) && field.default <= (field.max ?? Infinity)))
      );
    case 'string':
      return (field.minLength ?? 0) <= (field.maxLength ?? Infinity);
    case 'list':
      return (field.minItems ?? 0) <= (field.maxItems ?? Infinity);
    case 'choice':
      return field.default === undefined || field.options.some((option) => option.value === field.default);
    default:
      return true;
  }
}

function accepts(field: Field, value: string | number | boolean): boolean {
  return field.kind === 'bool'
    ? typeof value === 'boolean'
    : field.kind === 'choice' && field.options.some((option) => option.value === value);
}

function raise(): never {
  throw new Error('The operation has no such payload');
}
