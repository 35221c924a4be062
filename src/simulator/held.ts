/** Reads the document that a write replaces, so that a device accepts everything that it shows itself. */
import { TASKS } from './areas/models/tasks.ts';
import { PEOPLE } from './areas/people/people.ts';
import type { Handlers, Reply } from './handler.ts';
import type { Match } from './router.ts';
import type { Body } from './specification/bodies.ts';
import type { DeviceState } from './state/device-state.ts';
import { isObject, type Plain } from './wire/scalar.ts';
import { readXml, type XmlNode } from './wire/xml-reader.ts';
import { readOwnJson } from '#shared/read-json.ts';

interface HeldContext {
  readonly handlers: Handlers;
  readonly device: DeviceState;
}

/** Returns the document at this address: empty if the device shows none, undefined if it has no such address. */
export async function readHeldXml(
  match: Match,
  context: HeldContext,
): Promise<readonly XmlNode[] | undefined> {
  const reply = await readSameAddress(match, context);
  if (reply?.kind === 'refused') return undefined;
  const reading = reply?.kind === 'answer' ? readXml(reply.body) : undefined;
  return reading?.ok ? [reading.root] : [];
}

export async function readHeldJson(
  match: Match,
  { root }: Body,
  sent: unknown,
  context: HeldContext,
): Promise<readonly Plain[]> {
  const { device } = context;
  const content = isObject(sent) && root !== undefined ? sent[root] : sent;
  switch (match.operation.id) {
    case 'accessControl.users.setUp':
    case 'accessControl.users.record':
      return device.part(PEOPLE).shown(isObject(content) ? String(content['employeeNo']) : '');
    case 'aiPlatform.picturePollingTasks.update': {
      const task = device.part(TASKS).all.get(match.params['taskID'] ?? '');
      return task === undefined ? [] : [task];
    }
    default: {
      const reply = await readSameAddress(match, context);
      const document: unknown = reply?.kind === 'answer' ? readOwnJson(reply.body) : undefined;
      const held = isObject(document) && root !== undefined ? document[root] : document;
      return isObject(held) ? [held] : [];
    }
  }
}

/** Returns the answer to a GET of the same address. */
async function readSameAddress(
  { operation, params }: Match,
  { handlers, device }: HeldContext,
): Promise<Reply | undefined> {
  if (!operation.id.endsWith('.put')) return undefined;
  return handlers[operation.id.replace(/put$/, 'get')]?.({ operation, params, body: undefined }, device);
}
