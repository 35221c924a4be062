/** All operations of the interface, in the order of the specification's tables, and how to find one. */
import { say } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { computeOncePer } from '#shared/once.ts';
import type { Params } from '#shared/model.ts';
import { encodePercent } from '#shared/text/carried-bytes.ts';
import type { Operation, Param } from './definition.ts';
import { accessControlOperations } from './definitions/access-control.ts';
import { aiPlatformOperations } from './definitions/ai-platform.ts';
import { eventsOperations } from './definitions/events.ts';
import { gateOperations } from './definitions/gate.ts';
import { humanRecognitionOperations } from './definitions/human-recognition.ts';
import { passbackOperations } from './definitions/passback.ts';
import { peopleCountingOperations } from './definitions/people-counting.ts';
import { storageOperations } from './definitions/storage.ts';
import { systemOperations } from './definitions/system.ts';
import { thermalOperations } from './definitions/thermal.ts';
import { tokenOperations } from './definitions/token.ts';
import { findNearestName } from './nearest.ts';

/** Values that can be read and written at one path: a section of a template. */
export interface Resource {
  /** Operation id without `.get` or `.put`. */
  readonly name: string;
  readonly get: Operation;
  readonly put: Operation & Pick<Required<Operation>, 'request'>;
  readonly capability?: Operation;
}

export const operations: readonly Operation[] = [
  ...aiPlatformOperations,
  ...accessControlOperations,
  ...gateOperations,
  ...peopleCountingOperations,
  ...storageOperations,
  ...eventsOperations,
  ...passbackOperations,
  ...tokenOperations,
  ...humanRecognitionOperations,
  ...thermalOperations,
  ...systemOperations,
];

const byId: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [operation.id, operation]),
);

export function findOperation(id: string): Operation | undefined {
  return byId.get(id);
}

function isSettable(operation: Operation): operation is Resource['put'] {
  return operation.method === 'PUT' && operation.id.endsWith('.put') && operation.request !== undefined;
}

export const resources: readonly Resource[] = operations.filter(isSettable).flatMap((put) => {
  const name = put.id.slice(0, -'.put'.length);
  const get = byId.get(`${name}.get`);
  if (get === undefined || get.path !== put.path) return [];
  const twin = put.capability ?? get.capability;
  const capability = twin === undefined ? undefined : byId.get(twin);
  return [{ name, get, put, ...(capability && { capability }) }];
});

const byName: ReadonlyMap<string, Resource> = new Map(resources.map((resource) => [resource.name, resource]));

/** The resource a template section names. */
export function findResource(name: string): Resource | undefined {
  return byName.get(name);
}

/**
 * The path of a request: variables percent-encoded, the specification's leading `/API` replaced by
 * `prefix`. Throws `missing-parameter`, `unknown-parameter`, `wrong-type`, `out-of-range` or `too-long`.
 */
export function buildPath(operation: Operation, params: Params, prefix: string): string {
  for (const name of Object.keys(params)) {
    if (operation.params.some((param) => param.name === name)) continue;
    const nearest = findNearestName(
      name,
      operation.params.map((param) => param.name),
    );
    throw problem(
      operation,
      'unknown-parameter',
      name,
      say('no-parameter', { operation: operation.id, name: name.slice(0, 60) }),
      nearest,
    );
  }
  const path = partsOf(operation)
    .map((part) => (typeof part === 'string' ? part : encodePercent(paramText(operation, part, params))))
    .join('');
  const base = prefix.replace(/\/+$/, '');
  return path.startsWith('/API/') ? `${base}${path.slice('/API'.length)}` : path;
}

/** Splits a path into its literal parts and its variables. */
const partsOf = computeOncePer((operation: Operation): readonly (string | Param)[] =>
  operation.path
    .split(/(<\w+>)/)
    .map((part) => operation.params.find(({ name }) => part === `<${name}>`) ?? part),
);

function paramText(operation: Operation, param: Param, params: Params): string {
  const value = (Object.hasOwn(params, param.name) ? params[param.name] : undefined) ?? param.default;
  if (value === undefined)
    throw problem(
      operation,
      'missing-parameter',
      param.name,
      say('missing-parameter', { set: operation.id, name: param.name }),
    );
  return param.type === 'int'
    ? numberText(operation, param, value)
    : stringText(operation, param, String(value));
}

function numberText(operation: Operation, param: Param, value: string | number): string {
  const number = typeof value === 'number' ? value : /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number))
    throw problem(
      operation,
      'wrong-type',
      param.name,
      say('needs-type', { field: param.name, takes: 'a whole number' }),
    );
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = param;
  if (number < min || number > max) {
    throw problem(
      operation,
      'out-of-range',
      param.name,
      param.max === undefined
        ? say('range-from', { field: param.name, min })
        : say('range-between', { field: param.name, min, max }),
    );
  }
  return String(number);
}

function stringText(operation: Operation, param: Param, value: string): string {
  const { minLength = 0, maxLength = 1024 } = param;
  if (value.length > maxLength)
    throw problem(operation, 'too-long', param.name, say('longer', { field: param.name, max: maxLength }));
  if (value.length < minLength)
    throw problem(
      operation,
      'out-of-range',
      param.name,
      say('shorter', { field: param.name, min: minLength }),
    );
  // A lone surrogate has no percent-encoding, and dot segments would name another resource.
  if (!value.isWellFormed() || value === '.' || value === '..')
    throw problem(operation, 'not-allowed', param.name, say('not-in-path', { field: param.name }));
  return value;
}

function problem(
  operation: Operation,
  code:
    'missing-parameter' | 'unknown-parameter' | 'wrong-type' | 'out-of-range' | 'too-long' | 'not-allowed',
  name: string,
  words: ReturnType<typeof say>,
  nearest?: string,
): FieldwrightError {
  return new FieldwrightError({
    code,
    source: 'user',
    ...words,
    operation: operation.id,
    path: `params.${name}`,
    ...(nearest !== undefined && { nearest }),
  });
}
