/** The clients of all devices: operations in, decoded answers out. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, say, mapDetailValues } from '#shared/details.ts';
import { FieldwrightError, type ErrorShape, deviceError, userError } from '#shared/errors.ts';
import { buildPath, findNamespace, findOperationAt, type Decoded } from '#protocol/index.ts';
import type { Operation } from '#protocol/definition.ts';
import type { Clock } from '../api/host.ts';
import { requireAllowed } from '../files/policy.ts';
import type { Log } from '../host/log.ts';
import { encodeBody } from './transport/charset.ts';
import type { DeviceClient, DeviceClients, ReadAnswer, RequestOptions } from './client-types.ts';
import { Connection, type WireAnswer, type WireRequest } from './connection.ts';
import type { DeviceDirectory } from './directory.ts';
import { decodePayload } from './payload.ts';
import { findRootNamespace } from './root-namespace.ts';
import { createProofs, type Proofs } from './sign-in/proofs.ts';
import { Leaving } from './transport/leaving.ts';
import { createSockets, getMaxSockets, type Sockets } from './transport/sockets.ts';
import { turnFor } from './turns.ts';

export interface DeviceConnections extends DeviceClients {
  /** Lets the next request sign in again: a person tests, or the sign-in was changed. */
  lift(deviceIds: readonly string[]): void;
  /** Returns how this device accepted the sign-in, and the number of HTTP exchanges so far. */
  about(deviceId: string): { readonly scheme: string | undefined; readonly exchanges: number };
  /** Ends the connections of removed devices. */
  forget(deviceIds: readonly string[]): void;
  /** Ends every connection at once. */
  close(): Promise<void>;
}

export interface ClientsOptions {
  readonly devices: DeviceDirectory;
  readonly log: Log;
  readonly clock: Clock;
  /** Shared with connections that try a sign-in out. Default: an instance of its own. */
  readonly proofs?: Proofs;
}

/** Connections are made when first needed and kept; `get` throws `unknown-device`. */
export function createClients({ proofs = createProofs(), ...options }: ClientsOptions): DeviceConnections {
  let sockets: Sockets | undefined;
  const leaving = new Leaving();
  const open = new Map<string, { readonly connection: Connection; readonly client: DeviceClient }>();

  function entry(deviceId: string): { readonly connection: Connection; readonly client: DeviceClient } {
    const known = open.get(deviceId);
    if (known !== undefined) return known;
    // Asking the system takes a moment that no command without a device should lose.
    sockets ??= createSockets(getMaxSockets());
    const connection = new Connection(deviceId, { ...options, proofs, sockets });
    const made = { connection, client: createClient(deviceId, connection, options.devices) };
    open.set(deviceId, made);
    return made;
  }

  return {
    get: (deviceId) => entry(deviceId).client,
    about: (deviceId) => {
      const { connection } = entry(deviceId);
      return { scheme: connection.scheme, exchanges: connection.exchanges };
    },
    lift: (deviceIds) => {
      proofs.forgive();
      for (const id of deviceIds) open.get(id)?.connection.lift();
    },
    forget: (deviceIds) => {
      for (const id of deviceIds) {
        leaving.add(open.get(id)?.connection);
        open.delete(id);
      }
    },
    close: async () => {
      await Promise.all([
        ...[...open.values()].map(({ connection }) => connection.destroy()),
        leaving.destroy(),
      ]);
      open.clear();
    },
  };
}

function createClient(deviceId: string, connection: Connection, devices: DeviceDirectory): DeviceClient {
  function target(operation: Operation, params: Parameters<DeviceClient['read']>[1]) {
    const { profile, url } = devices.settings(deviceId);
    return { url, path: buildPath(operation, params, profile.pathPrefix) };
  }
  /** Character set of each document that was read, by path. */
  const charsets = new Map<string, string>();
  /** Namespace of each document that was read, by path; empty where it declares none. */
  const namespaces = new Map<string, string>();
  let namespace: string | undefined;
  function encoded(
    operation: Operation,
    path: string,
    body: string,
  ): Pick<WireRequest, 'body' | 'bytes' | 'contentType'> {
    const document = encodeBody(body, operation.format, charsets.get(path));
    if (document === undefined) throw unencodable(operation);
    const { bytes, charset } = document;
    return {
      body,
      bytes,
      contentType:
        charset === undefined || (operation.format === 'json' && charset === 'UTF-8')
          ? `application/${operation.format}`
          : `application/${operation.format}; charset="${charset}"`,
    };
  }
  /** Marks a refusal of a document whose namespace is not the one that the device shows. */
  function marked(answer: WireAnswer, path: string, body: string): WireAnswer {
    if (answer.status.kind !== 'refused') return answer;
    // A refusal is a document too, and may be the first that the device shows.
    const told = findRootNamespace(answer.text);
    namespace ??= told;
    const sent = findRootNamespace(body) ?? '';
    const shown = namespaces.get(path) ?? namespace ?? [...namespaces.values()].at(-1);
    if (shown === sent) return answer;
    return { ...answer, status: { ...answer.status, foreign: { sent, shown } } };
  }
  async function readAt(
    operation: Operation,
    path: string,
    url: string,
    options: RequestOptions,
  ): Promise<ReadAnswer> {
    const answer = await connection.send({ method: 'GET', path, operation: operation.id }, options);
    await turnFor(answer.text.length);
    let read: ReadAnswer;
    try {
      read = readPayload(operation, answer, url);
    } finally {
      // The caller's work on the answer, or on the error about it, gets an event-loop turn of its own.
      await turnFor(answer.text.length);
    }
    if (read.document !== undefined) charsets.set(path, answer.charset);
    if (read.document?.format === 'xml') {
      const shown = findNamespace(read.document.xml.root);
      namespaces.set(path, shown ?? '');
      namespace = shown ?? namespace;
    }
    return read;
  }
  return {
    deviceId,
    shown: connection.shown,
    namespace: () => namespace,
    async read(operation, params, options) {
      const { path, url } = target(operation, params);
      const read = await readAt(operation, path, url, options);
      const plain = plainReportPath(path);
      if (plain === undefined || !isRefused(read)) return read;
      const report = await readAt(operation, plain, url, options);
      return report.document === undefined
        ? read
        : { ...report, notes: [createDetail('read.plain-report'), ...report.notes] };
    },
    async write(operation, params, body, options) {
      requireAllowed(operation);
      const { path } = target(operation, params);
      const answer = await connection.send(
        {
          method: operation.method,
          path,
          operation: operation.id,
          ...(body === undefined ? {} : encoded(operation, path, body)),
        },
        options,
      );
      return body === undefined || operation.format !== 'xml' ? answer : marked(answer, path, body);
    },
    async upload(operation, params, stream, options) {
      requireAllowed(operation);
      const { path } = target(operation, params);
      return connection.send({ method: operation.method, path, operation: operation.id, stream }, options);
    },
    async raw(request, options) {
      const { profile } = devices.settings(deviceId);
      const known = findOperationAt(request, profile.pathPrefix);
      if (known !== undefined) requireAllowed(known.operation);
      return connection.send(
        { ...request, method: request.method.toUpperCase(), path: rawPath(request.path, profile.pathPrefix) },
        options,
      );
    },
  };
}

/** Query for the full system report (part 3, 4); devices that know only the standard report refuse it. */
const ALL = '?type=all';

/** Returns the path of the standard report if `path` asks for the full one. */
function plainReportPath(path: string): string | undefined {
  return path.endsWith(ALL) ? path.slice(0, -ALL.length) : undefined;
}

function isRefused({ status }: ReadAnswer): boolean {
  return status.kind === 'refused' || status.kind === 'unsupported';
}

/** Decodes what was read; an empty or status-only success where a payload is due is not guessed at. */
function readPayload(operation: Operation, answer: WireAnswer, device: string): ReadAnswer {
  const { status } = answer;
  if (operation.response === undefined || (status.kind !== 'ok' && status.kind !== 'none'))
    return { ...answer, value: undefined, document: undefined, notes: [], unlisted: [] };
  const place = () => ({
    operation: operation.id,
    device,
    status: status.report,
    exchange: answer.exchange(),
  });
  const found = payloadAt(place, operation, answer);
  if (found === undefined) {
    throw deviceError(
      'malformed-answer',
      say(status.body === 'empty' ? 'device.no-document' : 'device.status-instead'),
      { ...place() },
    );
  }
  const { value, document, notes, unlisted } = found;
  return {
    ...answer,
    value,
    document,
    unlisted,
    notes: answer.carried || answer.lossy ? [...notes, createDetail('read.charset')] : notes,
  };
}

function payloadAt(
  place: () => Partial<ErrorShape>,
  operation: Operation,
  answer: WireAnswer,
): Decoded | undefined {
  try {
    return decodePayload(operation, answer);
  } catch (error) {
    if (!(error instanceof FieldwrightError)) throw error;
    const { message, detail } = error.shape;
    throw error.with({
      ...place(),
      message: answer.shown(message),
      ...removeUndefined({ detail: detail && mapDetailValues(detail, answer.shown) }),
    });
  }
}

function unencodable(operation: Operation): FieldwrightError {
  return userError('not-allowed', say('not-in-charset'), { operation: operation.id });
}

/**
 * Returns a path as the specification writes it, or one that already carries the device's prefix; it stays
 * below that however a device reads it.
 */
function rawPath(path: string, prefix: string): string {
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(path) || /[#\\]/.test(path)) {
    throw userError('usage', say('path-form'), { path: 'path' });
  }
  const root = prefix.replace(/\/+$/, '');
  const rewritten = below(path, '/API') ? root + path.slice('/API'.length) : path;
  if (below(rewritten, root) && !rewritten.startsWith('//') && !climbs(rewritten)) return rewritten;
  throw userError('not-allowed', say('path-below', { root: root === '' ? '/' : root }), { path: 'path' });
}

/** Segments that lead upwards, also where a device decodes them first; what cannot be decoded is taken for one. */
function climbs(path: string): boolean {
  const [way = ''] = path.split('?', 1);
  try {
    return decodeURIComponent(way)
      .split(/[/\\]/)
      .some((segment) => /^\.{1,2}(?:;|$)/.test(segment));
  } catch {
    return true;
  }
}

function below(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}?`);
}
