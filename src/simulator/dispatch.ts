/** From an address and a body to a reply: routing, reading and checking of the body, the area's handler. */
import type { Operation, Payload } from '../protocol/definition.ts';
import { detailText } from '../shared/details.ts';
import { refuse, type Body, type Call, type Handlers, type Reply } from './handler.ts';
import { route, type Match } from './router.ts';
import type { DeviceState } from './state/device-state.ts';
import type { StatusFamily } from './status.ts';
import { checkJsonBody, checkXmlBody } from './wire/check.ts';
import { isObject } from './wire/scalar.ts';
import { utf8Text } from './wire/text.ts';
import { xmlValue } from './wire/value.ts';
import { readXml } from './wire/xml-reader.ts';

export interface Dispatched {
  /** Undefined where the address is none of the interface, or the method none of the address. */
  readonly operation: Operation | undefined;
  readonly family: StatusFamily;
  readonly reply: Reply;
  /** Methods of the address, where the one used is not among them. */
  readonly allow?: readonly string[];
  /** HTTP status for a refusal, where it is not the usual one. */
  readonly http?: number;
}

/** Writes whose JSON status is the one of part 2, 7 instead of part 1, 2.4. */
const TEXT_STATUS: ReadonlySet<string> = new Set([
  'accessControl.hostConfig.put',
  'accessControl.eventOptimization.put',
]);

interface Incoming {
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array;
}

export async function dispatch(
  incoming: Incoming,
  prefix: string,
  handlers: Handlers,
  device: DeviceState,
): Promise<Dispatched> {
  const routing = route(incoming.target, prefix);
  if (routing.kind === 'unreadable')
    return { operation: undefined, family: 'xml', reply: refuse('badRequestLine') };
  const family: StatusFamily = routing.json ? 'json' : 'xml';
  if (routing.kind === 'unknown')
    return { operation: undefined, family, reply: refuse('notSupport'), http: 404 };

  const supported = routing.matches.filter((match) => Object.hasOwn(handlers, match.operation.id));
  if (supported.length === 0) return { operation: undefined, family, reply: refuse('notSupport') };
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
  const match = supported.find((candidate) => candidate.operation.method === method);
  if (!match)
    return {
      operation: undefined,
      family,
      reply: refuse('methodNotAllowed'),
      allow: allowedMethods(supported),
    };

  return {
    operation: match.operation,
    family: familyOf(match.operation),
    reply: await run(match, incoming.body, handlers, device),
  };
}

/** The operation that a request means, before its body is there; undefined where it means none that this kind has. */
export function operationAt(
  { method, target }: Pick<Incoming, 'method' | 'target'>,
  prefix: string,
  handlers: Handlers,
): Operation | undefined {
  const routing = route(target, prefix);
  if (routing.kind !== 'found') return undefined;
  return routing.matches.find(
    ({ operation }) => operation.method === method && Object.hasOwn(handlers, operation.id),
  )?.operation;
}

function allowedMethods(matches: readonly Match[]): readonly string[] {
  const methods = new Set<string>(matches.map((match) => match.operation.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}

function familyOf(operation: Operation): StatusFamily {
  if (TEXT_STATUS.has(operation.id)) return 'json-text';
  return operation.format;
}

function run(
  match: Match,
  bytes: Uint8Array,
  handlers: Handlers,
  device: DeviceState,
): Reply | Promise<Reply> {
  const handler = handlers[match.operation.id];
  if (!handler) return refuse('notSupport');
  const body = readBody(match.operation, bytes);
  if ('kind' in body) return body;
  const call: Call = { operation: match.operation, params: match.params, body: body.body };
  return handler(call, device);
}

/** 5 where the body cannot be read, 6 where it is read and not accepted (part 2, 7). */
function readBody(operation: Operation, bytes: Uint8Array): { readonly body: Body | undefined } | Reply {
  const text = utf8Text(bytes);
  // a body that the specification does not show is the handler's to judge
  if (!operation.specified) return { body: { text: text ?? '' } };
  if (!operation.request) return { body: undefined };
  return operation.format === 'xml'
    ? readXmlBody(operation.request, text)
    : readJsonBody(operation.request, text);
}

function readXmlBody(request: Payload, text: string | undefined): { readonly body: Body } | Reply {
  if (text === undefined) return refuse('badXmlFormat', 'It is not UTF-8.');
  const reading = readXml(text);
  if (!reading.ok) return refuse('badXmlFormat', reading.detail);
  const complaint =
    checkXmlBody(request, reading.root) ?? brokenRule(request, xmlValue(request, reading.root));
  return complaint === undefined ? { body: { text, xml: reading.root } } : refuse('badXmlContent', complaint);
}

function readJsonBody(request: Payload, text: string | undefined): { readonly body: Body } | Reply {
  if (text === undefined) return refuse('badJsonFormat', 'It is not UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('badJsonFormat');
  }
  const { complaint, content } = checkJsonBody(request, value);
  const broken =
    complaint ?? (isObject(content) ? brokenRule(request, content) : 'The content is not an object.');
  if (broken !== undefined || !isObject(content)) return refuse('badJsonContent', broken);
  return { body: { text, json: content } };
}

/** First rule between fields that the content breaks. */
function brokenRule(payload: Payload, value: Readonly<Record<string, unknown>>): string | undefined {
  for (const rule of payload.rules ?? []) {
    // what the specification does not forbid is the sender's affair
    if (rule.warns) continue;
    const complaint = rule.check(value);
    if (complaint !== undefined) return `${rule.path}: ${detailText(complaint)}`;
  }
  return undefined;
}
