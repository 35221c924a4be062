/** How the area files write an operation down: what follows from id, path and section is not repeated. */
import type { Area, Method, Operation, Param, Payload, ReportedLimits } from '../definition.ts';

/** Variables of paths and queries; an operation may narrow one of them. */
const PARAMS: Readonly<Record<string, Param>> = {
  channelID: { name: 'channelID', label: 'Channel', type: 'int', min: 0 },
  engineID: { name: 'engineID', label: 'Engine', type: 'int', min: 0 },
  // The package id may be empty in a body (part 1, 2.3), but an empty path segment names another resource.
  MPID: { name: 'MPID', label: 'Model package id', type: 'string', minLength: 1, maxLength: 64 },
  taskID: { name: 'taskID', label: 'Task id', type: 'string', minLength: 1, maxLength: 64 },
  localControllerID: { name: 'localControllerID', label: 'Local controller', type: 'int', min: 1, max: 64 },
  audioID: { name: 'audioID', label: 'Audio', type: 'int', min: 0 },
  presetID: { name: 'presetID', label: 'Preset', type: 'int', min: 0 },
  streamID: { name: 'streamID', label: 'Stream id', type: 'string', minLength: 1, maxLength: 32 },
  type: { name: 'type', label: 'Extent of the report', type: 'string', minLength: 1, default: 'all' },
};

/** Operation in an area file; the rest of `Operation` is derived. */
export interface OperationEntry<Q extends Payload, S extends Payload> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly label: string;
  readonly spec: string;
  readonly request?: Q;
  readonly response?: S;
  readonly refusal?: Operation['refusal'];
  readonly capability?: string;
  readonly isCapability?: boolean;
  readonly reported?: ReportedLimits;
  /** Default: everything but POST. */
  readonly idempotent?: boolean;
  /** Default: every DELETE. */
  readonly destroys?: Operation['destroys'];
  /** Default: false. */
  readonly sensitive?: boolean;
  /** Default: true. */
  readonly specified?: boolean;
  /** Replaces the usual limits of variables, by name. */
  readonly params?: readonly Param[];
}

/**
 * Completes an entry: area from the id, part from the section, format from the path, parameters from
 * the path's variables in the order they appear.
 */
export function operation<Q extends Payload = Payload, S extends Payload = Payload>(
  entry: OperationEntry<Q, S>,
): Operation<Q, S> {
  const destroys = entry.destroys ?? (entry.method === 'DELETE' ? true : undefined);
  return {
    id: entry.id,
    area: entry.id.slice(0, entry.id.indexOf('.')) as Area,
    part: Number(entry.spec.slice(0, 1)) as 1 | 2 | 3,
    method: entry.method,
    path: entry.path,
    format: entry.path.endsWith('?format=json') ? 'json' : 'xml',
    label: entry.label,
    params: paramsOf(entry),
    ...(entry.request && { request: entry.request }),
    ...(entry.response && { response: entry.response }),
    ...(entry.refusal && { refusal: entry.refusal }),
    ...(entry.capability !== undefined && { capability: entry.capability }),
    ...(entry.reported && { reported: entry.reported }),
    ...(entry.isCapability && { isCapability: true }),
    idempotent: entry.idempotent ?? entry.method !== 'POST',
    ...(destroys !== undefined && { destroys }),
    sensitive: entry.sensitive ?? false,
    specified: entry.specified ?? true,
    spec: entry.spec,
  };
}

function paramsOf(entry: Pick<OperationEntry<Payload, Payload>, 'id' | 'path' | 'params'>): readonly Param[] {
  return [...entry.path.matchAll(/<(\w+)>/g)].map(([, name = '']) => {
    const param = entry.params?.find((own) => own.name === name) ?? PARAMS[name];
    if (param === undefined) throw new Error(`${entry.id}: no parameter is defined for <${name}>`);
    return param;
  });
}

/** The read and the write of one payload at one path. */
export function resource<P extends Payload>(
  entry: Pick<
    OperationEntry<P, P>,
    'id' | 'path' | 'label' | 'spec' | 'capability' | 'reported' | 'sensitive' | 'params'
  >,
  payload: P,
): readonly [Operation<Payload, P>, Operation<P, Payload>] {
  return [
    operation<Payload, P>({ ...entry, id: `${entry.id}.get`, method: 'GET', response: payload }),
    operation<P, Payload>({ ...entry, id: `${entry.id}.put`, method: 'PUT', request: payload }),
  ];
}

/** The read of a document that repeats `payload` in capability form. */
export function capabilityOf<P extends Payload>(
  entry: Pick<OperationEntry<Payload, P>, 'id' | 'path' | 'label' | 'spec'>,
  payload: P,
): Operation<Payload, P> {
  return operation<Payload, P>({ ...entry, method: 'GET', response: payload, isCapability: true });
}
