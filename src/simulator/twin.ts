/**
 * A virtual device made of what a real one showed: `snapshot show --out FILE` writes such a file. It answers what the
 * real one answered, takes what replaces one of these documents, and refuses the rest.
 */
import { DEVICE_KINDS, type DeviceKind } from '#shared/model.ts';
import { readJsonOrNothing, type JsonBounds } from '#shared/read-json.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { SNAPSHOT_FORMAT } from '#shared/snapshots.ts';
import { createStoredHandlers } from './areas/stored.ts';
import { answer, refuse, type Call, type Handlers } from './handler.ts';
import type { Twin, TwinDocument } from './options.ts';
import { isObject } from './wire/scalar.ts';
import { OPERATIONS, type Operation } from './specification/operations.ts';

/** A device shows some hundred documents; this is far more than all of them. */
const BOUNDS: JsonBounds = { bytes: 64 * 1024 * 1024, depth: 16, nodes: 200_000 };

/** Reads a file of a snapshot; returns `newer` for one of a later version, undefined for anything else. */
export function parseTwin(text: string): Twin | 'newer' | undefined {
  const file = readJsonOrNothing(text, BOUNDS);
  if (!isObject(file)) return undefined;
  const { fieldwright: format, name, kinds, documents } = file;
  if (typeof format !== 'string' || !format.startsWith('snapshot/')) return undefined;
  if (format !== SNAPSHOT_FORMAT) return 'newer';
  if (typeof name !== 'string' || !Array.isArray(kinds) || !Array.isArray(documents)) return undefined;
  const shown = documents.map(toDocument);
  if (shown.length === 0 || shown.includes(undefined)) return undefined;
  return createTwin({
    name,
    kinds: DEVICE_KINDS.filter((kind) => kinds.includes(kind)),
    documents: shown as TwinDocument[],
  });
}

/** Returns the twin of a device that showed these documents. */
export function createTwin({
  name,
  kinds: [kind = 'thermal'],
  documents,
}: Pick<Twin, 'name' | 'documents'> & { readonly kinds: readonly DeviceKind[] }): Twin {
  const [namespace] = documents.flatMap(({ text }) => NAMESPACE.exec(text)?.[1] ?? []);
  return { name, kind, documents, ...removeUndefined({ namespace }) };
}

/** Namespace of the first element of an XML document. */
const NAMESPACE = /^[^<]*(?:<\?[^>]*>\s*)?<[^>]*\sxmlns="([^"]*)"/;

function toDocument(value: unknown): TwinDocument | undefined {
  if (!isObject(value)) return undefined;
  const { operation, params, text } = value;
  if (typeof operation !== 'string' || typeof text !== 'string' || !isObject(params)) return undefined;
  return { operation, params: params as TwinDocument['params'], text };
}

/** Handlers of a device that shows these documents and nothing else. */
export function createTwinHandlers({ documents }: Pick<Twin, 'documents'>): Handlers {
  const byOperation = Map.groupBy(documents, ({ operation }) => operation);
  const reads = OPERATIONS.filter(({ id }) => byOperation.has(id));
  return Object.assign(
    {},
    ...reads.map((read) => handlersOf(read, byOperation.get(read.id) ?? [])),
  ) as Handlers;
}

function handlersOf({ id, path }: Operation, documents: readonly TwinDocument[]): Handlers {
  const shown = (params: Call['params']): string | undefined =>
    documents.find((document) =>
      Object.entries(params).every(([name, value]) => String(document.params[name] ?? value) === value),
    )?.text;
  if (id.endsWith('.get'))
    return createStoredHandlers({
      resource: id.slice(0, -'.get'.length),
      variables: [...path.matchAll(/<(\w+)>/g)].map(([, name = '']) => name),
      initial: (_device, params) => shown(params),
    });
  return {
    [id]: ({ params }) => {
      const text = shown(params);
      return text === undefined ? refuse('notExist') : answer(text);
    },
  };
}
