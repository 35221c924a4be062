/** `call`: one operation on one device, checked against its definition before anything is sent. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, formatDetail, say, mapDetailValues } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import { answerKind } from '#shared/error-meaning.ts';
import { MASK } from '#shared/exchange.ts';
import type { CallAnswer, Params } from '#shared/model.ts';
import {
  findAttribute,
  buildPath,
  encode,
  findOperation,
  findResource,
  findNamespace,
  findNearestName,
  operations,
  convertTimesToUtc,
  findMaskPath,
  validate,
  listWarnings,
  type EncodeOptions,
  type Issue,
} from '#protocol/index.ts';
import type { XmlElement } from '#protocol/codec/xml-tree.ts';
import type { Operation } from '#protocol/definition.ts';
import type { CallRequest, RawRequest } from '../api/routes.ts';
import { getAdditionalParts, getOutcome, toRawAnswer, toWriteAnswer } from './answer.ts';
import type { Answer, RequestOptions } from '../device/client-types.ts';
import type { DeviceConnections } from '../device/clients.ts';
import type { DeviceDirectory } from '../device/directory.ts';
import { findCapabilityTwin, limitParams, readWriteLimits } from '../device/limits.ts';
import { requireAllowed } from '../files/policy.ts';
import { requireConsent } from './plain-fields.ts';
import { getSpecifiedOperation } from './specified.ts';
import { issueError } from '../template/check/issues.ts';

interface CallerOptions {
  readonly clients: DeviceConnections;
  readonly devices: DeviceDirectory;
}

/** A checked and encoded write; each `send` sends it. */
export interface PreparedWrite {
  readonly operation: Operation;
  readonly device: string;
  /** Warnings about unusual values that the device may still accept. */
  readonly warnings: readonly ErrorShape[];
  /** Body as it is sent, encoded. */
  readonly body: string | undefined;
  /** Sends the request once. Throws if no answer came; a refusal is an answer. */
  readonly send: (options: RequestOptions) => Promise<Answer>;
}

/**
 * Returns a function that checks a write against its definition and against the limits of its device, and encodes it the
 * way the device writes its own documents. Reads from the device and changes nothing on it. Throws for an invalid
 * request, and if the device cannot be read.
 */
export function createPreparer({ clients, devices }: CallerOptions) {
  return async function prepare(request: CallRequest, options: RequestOptions): Promise<PreparedWrite> {
    const operation = requireOperation(request.operation);
    const { url, profile } = devices.settings(request.deviceId);
    const params = request.params ?? {};
    requireAllowed(operation);
    refuseMasked(request.body, operation.id);
    buildPath(operation, params, profile.pathPrefix);
    const client = clients.get(request.deviceId);
    const prepared = (body: string | undefined, warnings: readonly ErrorShape[]): PreparedWrite => ({
      operation,
      device: url,
      warnings,
      body,
      send: (sending) => client.write(operation, params, body, sending),
    });
    if (request.raw === true) return prepared(rawBody(request.body), []);
    requireSpecified(operation);
    checkBody(operation, request.body);
    requireConsent({ operation, value: request.body, url, allowed: request.allowPlainFields });
    const warnings = await checkLimits(request, operation, url, options);
    if (operation.request === undefined) return prepared(undefined, warnings);
    const root = await rootOptions(request.deviceId, operation, params, options.signal);
    return prepared(
      encode(operation.request, convertTimesToUtc(operation.request, request.body), root),
      warnings,
    );
  };

  /** Throws for values outside the limits of the device, or of the specification if it reports none. Returns warnings. */
  async function checkLimits(
    request: CallRequest,
    operation: Operation,
    device: string,
    options: RequestOptions,
  ): Promise<readonly ErrorShape[]> {
    if (operation.request === undefined) return [];
    const { constraints, unread } = await readWriteLimits({
      operation,
      params: request.params ?? {},
      read: (twin, params) => clients.get(request.deviceId).read(twin, params, { signal: options.signal }),
    });
    if (constraints !== undefined)
      throwIssues(validate(operation.request, request.body, { mode: 'whole', constraints }), {
        source: 'user',
        operation: operation.id,
        device,
        hint: formatDetail(createDetail('limits-of-device')),
      });
    const { request: payload } = operation;
    return [
      ...listWarnings(payload, request.body, constraints).map((issue) =>
        issueError(payload, issue, { operation: operation.id, device }),
      ),
      ...(unread === undefined ? [] : [unread]),
    ];
  }

  /** Returns the root attributes of a new document: those that the device writes itself, else those of the profile. */
  async function rootOptions(
    deviceId: string,
    operation: Operation,
    params: Params,
    signal: AbortSignal,
  ): Promise<EncodeOptions> {
    if (operation.format !== 'xml') return {};
    const { namespace } = devices.settings(deviceId).profile;
    const client = clients.get(deviceId);
    const twin = findResource(operation.id.replace(/\.put$/, ''))?.get;
    // A write without a document to read uses the namespace of any document that the device showed, else the profile's.
    const rootOf = async (read: Operation): Promise<XmlElement | undefined> => {
      try {
        const { document } = await client.read(read, limitParams(read, params), { signal });
        return document?.format === 'xml' ? document.xml.root : undefined;
      } catch (error) {
        // An unreadable document leaves the choice to others; without a connection the write must not follow.
        if (answerKind(toErrorShape(error)) === 'unreadable') return undefined;
        throw error;
      }
    };
    const own = twin === undefined ? undefined : await rootOf(twin);
    if (own !== undefined)
      return removeUndefined({ namespace: findNamespace(own), version: findAttribute(own, 'version') });
    for (const read of anyDocuments(operation)) {
      if (client.namespace() !== undefined) break;
      await rootOf(read);
    }
    return removeUndefined({ namespace: client.namespace() ?? namespace });
  }
}

/** Returns the operations to read for a device's XML namespace: its own capability, then the system's, which all have. */
function anyDocuments(operation: Operation): readonly Operation[] {
  const own = findCapabilityTwin(operation);
  const system = getSpecifiedOperation('system.capabilities.get');
  return own?.format === 'xml' ? [own, system] : [system];
}

/** Returns `call`. It throws for an invalid request (nothing is sent) and if no answer came; a refusal is an answer. */
export function createCaller({ clients, devices }: CallerOptions) {
  const prepare = createPreparer({ clients, devices });
  return async function call(
    request: CallRequest,
    signal: AbortSignal,
    onExchange?: RequestOptions['onExchange'],
  ): Promise<CallAnswer> {
    const operation = requireOperation(request.operation);
    const options: RequestOptions = { signal, onExchange };
    if (operation.method === 'GET' && request.raw !== true) return read(operation, request, options);
    const { device, warnings, send } = await prepare(request, options);
    const answer = await send(options);
    if (request.raw === true) return toRawAnswer(answer, { operation: operation.id, device });
    return { ...toWriteAnswer(answer, operation, device), ...(warnings.length === 0 ? {} : { warnings }) };
  };

  async function read(
    operation: Operation,
    request: CallRequest,
    options: RequestOptions,
  ): Promise<CallAnswer> {
    const { url, profile } = devices.settings(request.deviceId);
    const params = request.params ?? {};
    refuseMasked(request.body, operation.id);
    buildPath(operation, params, profile.pathPrefix);
    requireSpecified(operation);
    checkBody(operation, request.body);
    const answer = await clients.get(request.deviceId).read(operation, params, options);
    return {
      ...getOutcome(answer, { operation: operation.id, device: url }),
      ...answer.shown({ value: answer.value, ...getAdditionalParts(operation, answer) }),
      notes: answer.notes.map((note) => mapDetailValues(note, answer.shown)),
    };
  }
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE'];

/** A checked raw request; each `send` sends it. */
interface PreparedRequest {
  readonly method: string;
  readonly device: string;
  readonly contentType: string;
  /** Sends the request once. Throws if no answer came. */
  readonly send: (options: RequestOptions) => Promise<Answer>;
}

/** Returns a function that checks a raw request, which needs no definition. Throws for an invalid one; sends nothing. */
export function createRequestPreparer({ clients, devices }: CallerOptions) {
  return (wanted: RawRequest): PreparedRequest => {
    const { url } = devices.settings(wanted.deviceId);
    const method = wanted.method.toUpperCase();
    refuseMasked(wanted.body);
    if (!METHODS.includes(method))
      throw userError('usage', say('method-one-of', { options: METHODS.join(', ') }), { path: 'method' });
    const contentType =
      wanted.contentType ??
      (wanted.path.includes('format=json') ? 'application/json' : 'application/xml; charset="UTF-8"');
    if (!/^[\x20-\x7e]{1,200}$/.test(contentType))
      throw userError('usage', say('no-content-type'), { path: 'contentType' });
    const { path, body } = wanted;
    const client = clients.get(wanted.deviceId);
    return {
      method,
      device: url,
      contentType,
      send: (options) =>
        client.raw({ method, path, ...(body === undefined ? {} : { body, contentType }) }, options),
    };
  };
}

export function requireOperation(id: string): Operation {
  const operation = findOperation(id);
  if (operation !== undefined) return operation;
  const nearest = findNearestName(
    id,
    operations.map((known) => known.id),
  );
  throw userError('unknown-operation', say('no-operation', { id: id.slice(0, 100) }), { nearest });
}

function requireSpecified(operation: Operation): void {
  if (operation.specified) return;
  throw userError('not-allowed', say('body-not-shown'), { operation: operation.id });
}

/** Throws if the body holds a masked value: the mask itself would be written. */
function refuseMasked(body: unknown, operation?: string): void {
  const path = findMaskPath(body);
  if (path === undefined) return;
  throw userError('not-allowed', say('hidden-value', { mask: MASK }), {
    path: path === '' ? 'body' : path,
    operation,
  });
}

function rawBody(body: unknown): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  throw userError('usage', say('raw-is-text'), { path: 'body' });
}

function checkBody(operation: Operation, body: unknown): void {
  const place = { source: 'user', operation: operation.id } as const;
  if (operation.request === undefined) {
    if (body !== undefined)
      throw new FieldwrightError({ ...place, code: 'not-allowed', path: 'body', ...say('body-not-taken') });
    return;
  }
  if (body === undefined)
    throw new FieldwrightError({ ...place, code: 'missing-field', path: 'body', ...say('body-needed') });
  throwIssues(validate(operation.request, body, { mode: 'whole' }), place);
}

function throwIssues(
  issues: readonly Issue[],
  place: Pick<ErrorShape, 'source' | 'operation' | 'device' | 'hint'>,
): void {
  const [first, ...rest] = issues.map((issue): ErrorShape => ({ ...place, ...issue }));
  if (first !== undefined)
    throw new FieldwrightError({ ...first, ...(rest.length === 0 ? {} : { others: rest }) });
}
