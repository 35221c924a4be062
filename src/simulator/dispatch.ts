/**
 * Leads from an address and a body to a reply: routing, reading and checking of the body, the area's handler.
 */
import { readJsonOrNothing } from '#shared/read-json.ts';
import { answer, refuse, type Body, type Call, type Handlers, type Reply } from './handler.ts';
import { PEOPLE_CAPABILITY, buildPeopleCapability } from './areas/people/users.ts';
import { readHeldJson, readHeldXml } from './held.ts';
import { route, type Match } from './router.ts';
import type { Body as SpecifiedBody } from './specification/bodies.ts';
import type { CheckedOptions } from './options.ts';
import type { Operation } from './specification/operations.ts';
import { checkRules } from './specification/rules.ts';
import type { DeviceState } from './state/device-state.ts';
import type { StatusFamily } from './status.ts';
import { checkJsonBody, checkXmlBody, type Complaint } from './wire/check.ts';
import { decodeUtf8 } from './wire/text.ts';
import { readXml } from './wire/xml-reader.ts';

/** No document of the interface comes near. */
const BODY_BOUNDS = { bytes: 16 * 1024 * 1024, depth: 200, nodes: 500_000 };

export interface Dispatched {
  /** The operation; undefined if the interface has no such address, or the address no such method. */
  readonly operation: Operation | undefined;
  readonly family: StatusFamily;
  readonly reply: Reply;
  /** The first thing in the body that the specification does not allow. */
  readonly violation?: Complaint;
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
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

interface DispatchContext {
  readonly handlers: Handlers;
  readonly device: DeviceState;
  readonly site: Pick<CheckedOptions, 'prefix' | 'strict'>;
}

export async function dispatch(incoming: Incoming, context: DispatchContext): Promise<Dispatched> {
  const {
    site: { prefix },
    handlers,
  } = context;
  const routing = route(incoming.target, prefix);
  if (routing.kind === 'unreadable')
    return { operation: undefined, family: 'xml', reply: refuse('badRequestLine') };
  const family: StatusFamily = routing.json ? 'json' : 'xml';
  const capability =
    incoming.method === 'GET' && incoming.target.split('?', 1)[0] === `${prefix}${PEOPLE_CAPABILITY}`
      ? buildPeopleCapability(context.device)
      : undefined;
  if (capability !== undefined) return { operation: undefined, family, reply: answer(capability) };
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
    ...(await run(match, incoming, context)),
  };
}

/**
 * Finds the operation of a request before its body is there; undefined if this kind has no such operation.
 */
export function findHandledOperation(
  { method, target }: Pick<Incoming, 'method' | 'target'>,
  { site, handlers }: Pick<DispatchContext, 'site' | 'handlers'>,
): Operation | undefined {
  const routing = route(target, site.prefix);
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

async function run(match: Match, incoming: Incoming, context: DispatchContext): Promise<Judged> {
  const { handlers, device } = context;
  const handler = handlers[match.operation.id];
  if (!handler) return { reply: refuse('notSupport') };
  const read = await readBody(match, incoming, context);
  if ('name' in read) return { reply: refuse(read.name, read.detail), violation: read };
  const call: Call = { operation: match.operation, params: match.params, body: read.body };
  return { reply: await handler(call, device) };
}

interface Judged {
  readonly reply: Reply;
  readonly violation?: Complaint;
}

type BodyReading = { readonly body: Body | undefined } | Complaint;

/** Reads the body. Refuses with 5 if it cannot be read, with 6 if it is read and not accepted (part 2, 7). */
async function readBody(
  match: Match,
  { bytes, contentType }: Incoming,
  context: DispatchContext,
): Promise<BodyReading> {
  const { operation } = match;
  const { strict } = context.site;
  const text = decodeUtf8(bytes);
  // The handler judges a body that the specification does not show.
  if (!operation.isShown) return { body: { text: text ?? '' } };
  if (operation.body === undefined)
    return strict && bytes.length > 0
      ? { name: 'unexpectedBody', detail: 'The operation takes none.' }
      : { body: undefined };
  if (strict && !CONTENT_TYPES[operation.format].test(contentType ?? ''))
    return {
      name: 'contentType',
      detail: `A body in ${operation.format.toUpperCase()} is expected, as UTF-8.`,
    };
  const read = operation.format === 'xml' ? readXmlBody : readJsonBody;
  const content = await read(match, operation.body, text, context);
  if ('name' in content) return content;
  const broken = checkRules(operation.id, content.body);
  if (broken === undefined) return content;
  return { name: operation.format === 'xml' ? 'badXmlContent' : 'badJsonContent', detail: broken };
}

const CONTENT_TYPES = {
  xml: /^(?:application|text)\/xml\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
  json: /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
};

type ContentReading = { readonly body: Body } | Complaint;

async function readXmlBody(
  match: Match,
  shapes: SpecifiedBody,
  text: string | undefined,
  context: DispatchContext,
): Promise<ContentReading> {
  if (text === undefined) return { name: 'badXmlFormat', detail: 'It is not UTF-8.' };
  const reading = readXml(text);
  if (!reading.ok) return { name: 'badXmlFormat', detail: reading.detail };
  const held = context.site.strict ? await readHeldXml(match, context) : undefined;
  // The device refuses an address that it does not have before it checks the body.
  const strict = held && { namespace: context.device.namespace, held };
  return checkXmlBody(shapes, reading.root, strict) ?? { body: { text, xml: reading.root } };
}

async function readJsonBody(
  match: Match,
  shapes: SpecifiedBody,
  text: string | undefined,
  context: DispatchContext,
): Promise<ContentReading> {
  if (text === undefined) return { name: 'badJsonFormat', detail: 'It is not UTF-8.' };
  const value = readJsonOrNothing(text, BODY_BOUNDS);
  if (value === undefined) {
    return { name: 'badJsonFormat', detail: 'It cannot be read.' };
  }
  const strict = context.site.strict
    ? { held: await readHeldJson(match, shapes, value, context) }
    : undefined;
  const judged = checkJsonBody(shapes, value, strict);
  return 'wrong' in judged ? judged.wrong : { body: { text, json: judged.content } };
}
