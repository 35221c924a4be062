/** One person set up on a device (part 2, 2.6): what the device shows of them stays, what is wanted lies over it. */
import { decode, merge } from '#protocol/codec/document.ts';
import type { Plain } from '#protocol/index.ts';
import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { sendPatiently, type Sent } from '../write/sent.ts';
import type { Wanted } from './file/read-rows.ts';
import { resolveValidity } from './compare.ts';
import { SET_UP } from './operations.ts';
import { COUNTS, INSTRUCTIONS, isKnownMember, PERSON, USED, type Person } from './person.ts';
import type { Reach } from './view.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** Returns the body that adds a person. `unchecked`: the device need not check for duplicates. */
export function buildAddBody({ value, other = {} }: Wanted, unchecked: boolean): string {
  const { deleteUser: _never, checkUser: _asked, ...person } = value;
  return wireText(unchecked ? { ...person, checkUser: false } : person, other);
}

/** Returns a wanted person with the open ends of the validity that the device has, and nothing else changed. */
export function fillOpenEnds(wanted: Wanted, shown: Pick<Person, 'value' | 'span'>): Wanted {
  const { Valid: asked, ...rest } = wanted.value;
  return asked === undefined
    ? wanted
    : { ...wanted, value: { ...rest, Valid: resolveValidity(asked, shown) } };
}

/** Returns the body that changes a person; other fields stay as the device wrote them. */
export function buildChangeBody({ value, other = {} }: Wanted, shown: Person): string {
  const document = decode(userInfoSetUp, `{"UserInfo":${shown.text}}`).document;
  const patch: Record<string, unknown> = { ...fillOpenEnds({ value }, shown).value };
  for (const name of [...INSTRUCTIONS, USED, 'employeeNo']) delete patch[name];
  for (const name of COUNTS) patch[name] = null;
  const { text } = merge(document, userInfoSetUp, patch);
  const named = Object.entries(other).filter(([name, held]) => shown.other[name] !== held);
  if (named.length === 0) return text;
  const whole = readOwnJson(text) as { readonly UserInfo: Plain };
  const rest = Object.fromEntries(
    Object.entries(whole.UserInfo).map(([name, held]) => [name, JSON.stringify(held)]),
  );
  for (const name of Object.keys(shown.other)) delete rest[name];
  return joined(rest, { ...shown.other, ...Object.fromEntries(named) });
}

export function buildRemovalBody({ employeeNo, value }: Person): string {
  return wireText({ employeeNo, deleteUser: true, userType: value['userType'] ?? 'normal' }, {});
}

/** Builds the JSON text in the specification's order. */
function wireText(value: Plain, other: Readonly<Record<string, string>>): string {
  const known = PERSON.fields.flatMap(({ name }) =>
    value[name] === undefined ? [] : [[name, JSON.stringify(value[name])] as const],
  );
  return joined(Object.fromEntries(known), other);
}

function joined(members: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): string {
  // Members in the specification are never replaced by another name for them.
  const unknown = Object.entries(other).filter(([name]) => !isKnownMember(name));
  return `{"UserInfo":{${[...Object.entries(members), ...unknown]
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}}`;
}

/** Adds, changes or removes a person, and returns the result of the request. Never throws. */
export function sendPerson({ client, clock, signal, device }: Reach, body: string): Promise<Sent> {
  return sendPatiently({
    operation: SET_UP,
    device,
    clock,
    signal,
    send: () => client.write(SET_UP, {}, body, { signal: NEVER, address: device }),
  });
}

/** Signal that never aborts: a request under way is finished, within its own timeout. */
const NEVER = new AbortController().signal;

/** Returns true if the device refused a person because it is full; judged by its status code, never by its text. */
export function isDeviceFull({ status }: ErrorShape): boolean {
  return /full|capacity|exceed|overflow|maxrecord|upperlimit/i.test(status?.subStatusCode ?? '');
}
