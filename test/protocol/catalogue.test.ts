import { describe, expect, it } from 'vitest';
import { FieldwrightError } from '../../src/shared/errors.ts';
import {
  AREAS,
  buildPath,
  findOperation,
  findResource,
  nearestName,
  operations,
  resources,
} from '../../src/protocol/index.ts';
import type { Field, Operation } from '../../src/protocol/index.ts';
import { OPERATIONS_TABLE } from './operations-table.ts';

function must(id: string): Operation {
  const found = findOperation(id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}
function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    return thrown instanceof FieldwrightError ? thrown.code : `not ours: ${String(thrown)}`;
  }
  return 'nothing thrown';
}
function allFields(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field) => [
    field,
    ...(field.kind === 'object'
      ? allFields(field.fields)
      : field.kind === 'list'
        ? allFields([field.item])
        : []),
  ]);
}

describe('catalogue', () => {
  it('holds all operations of the specification, in its order (an endpoint forgotten, renamed or moved)', () => {
    expect(operations.map(({ id, method, path, format }) => [id, method, path, format])).toEqual(
      OPERATIONS_TABLE.map((row) => [...row]),
    );
    expect(operations).toHaveLength(104);
  });

  it('has an area and a part for every operation (a new area that nobody lists)', () => {
    for (const operation of operations) {
      expect(AREAS).toContain(operation.area);
      expect(operation.spec).toMatch(/^[123]:\d/);
      expect(String(operation.part)).toBe(operation.spec.slice(0, 1));
    }
  });

  it('names capability twins that exist and are such (a twin that is a typing error)', () => {
    for (const operation of operations) {
      if (operation.capability === undefined) continue;
      expect(must(operation.capability)).toMatchObject({ method: 'GET', isCapability: true });
    }
  });

  it('defines every variable of a path once (a variable without limits)', () => {
    for (const operation of operations) {
      const variables = [...operation.path.matchAll(/<(\w+)>/g)].map((match) => match[1]);
      expect(operation.params.map((param) => param.name)).toEqual(variables);
    }
  });

  it('has no field twice in one object, and no name that objects inherit (a value that shadows another)', () => {
    for (const operation of operations) {
      for (const payload of [operation.request, operation.response]) {
        if (payload === undefined) continue;
        const groups = [
          payload.fields,
          ...allFields(payload.fields).flatMap((field) => (field.kind === 'object' ? [field.fields] : [])),
        ];
        for (const group of groups) {
          const names = group.map((field) => field.name);
          expect(new Set(names).size, `${operation.id}: ${names.join(' ')}`).toBe(names.length);
          expect(names.filter((name) => name in Object.prototype)).toEqual([]);
        }
      }
    }
  });

  it('pairs a read and a write of the same path and payload as a resource (a section that reads one thing and writes another)', () => {
    expect(resources).toHaveLength(17);
    for (const { name, get, put } of resources) {
      expect(get.path, name).toBe(put.path);
      expect(get.response?.root, name).toBe(put.request?.root);
      expect(findResource(name)?.put).toBe(put);
    }
    expect(findResource('thermal.thermometryMode')?.capability?.id).toBe(
      'thermal.thermometryMode.capabilities.get',
    );
    expect(findResource('thermal.fireDetection')).toBeUndefined();
    expect(findResource('constructor')).toBeUndefined();
  });
});

describe('buildPath', () => {
  it('replaces only the leading segment (a device whose own path holds /API later)', () => {
    expect(buildPath(must('accessControl.deployInfo.get'), {}, '/Device/v1/')).toBe(
      '/Device/v1/AccessControl/DeployInfo',
    );
    expect(buildPath(must('accessControl.deployInfo.get'), {}, '/API')).toBe('/API/AccessControl/DeployInfo');
    expect(buildPath(must('accessControl.deployInfo.get'), {}, '')).toBe('/AccessControl/DeployInfo');
  });

  it('percent-encodes variables and query values (an id with a slash that names another resource)', () => {
    const path = buildPath(must('aiPlatform.modelProgress.get'), { MPID: 'a/b ?ü#%' }, '/API');
    expect(path).toBe(
      '/API/Intelligent/AIOpenPlatform/algorithmModel/progress/a%2Fb%20%3F%C3%BC%23%25?format=json',
    );
    expect(
      buildPath(must('passback.historyPlan.get'), { streamID: 'x&Channel=9', channelID: 2 }, '/API'),
    ).toBe('/API/ContentMgmt/record/passback/historyPlanCfg?StreamID=x%26Channel%3D9&Channel=2');
  });

  it('takes whole numbers as text, and defaults (a value from a command line)', () => {
    expect(buildPath(must('thermal.thermometryBasic.get'), { channelID: '3' }, '/API')).toContain(
      '/channels/3/',
    );
    expect(buildPath(must('system.capabilities.get'), {}, '/API')).toBe('/API/System/capabilities?type=all');
  });

  it.each([
    ['missing-parameter', 'thermal.thermometryBasic.get', {}],
    ['unknown-parameter', 'thermal.thermometryBasic.get', { channelID: 1, chanelID: 1 }],
    ['out-of-range', 'thermal.thermometryBasic.get', { channelID: 0 }],
    ['wrong-type', 'thermal.thermometryBasic.get', { channelID: '1.5' }],
    ['wrong-type', 'thermal.thermometryBasic.get', { channelID: Number.NaN }],
    ['too-long', 'aiPlatform.modelProgress.get', { MPID: 'x'.repeat(65) }],
    ['out-of-range', 'aiPlatform.modelProgress.get', { MPID: '' }],
    ['not-allowed', 'aiPlatform.modelProgress.get', { MPID: '..' }],
    ['not-allowed', 'aiPlatform.modelProgress.get', { MPID: '\ud800' }],
  ] as const)('refuses %s (a wrong request that reaches the device): %s %j', (code, id, params) => {
    expect(codeOf(() => buildPath(must(id), params, '/API'))).toBe(code);
  });

  it('does not take inherited names for parameters (a polluted object)', () => {
    expect(
      codeOf(() =>
        buildPath(
          must('thermal.thermometryBasic.get'),
          Object.create({ channelID: 1 }) as Record<string, number>,
          '/API',
        ),
      ),
    ).toBe('missing-parameter');
  });
});

describe('nearestName', () => {
  it.each([
    ['emisivity', ['emissivity', 'emissivityMode'], 'emissivity'],
    ['coutingremove', ['coutingRemove'], 'coutingRemove'],
    ['distance', ['alarm', 'alert'], undefined],
    ['', ['a'], undefined],
  ])('%j among %j is %j (a hint that leads astray)', (name, candidates, nearest) => {
    expect(nearestName(name, candidates)).toBe(nearest);
  });
});
