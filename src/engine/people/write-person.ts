/** One person set up on a device (part 2, 2.6): what the device shows of them stays, what is wanted lies over it. */
import { mayHaveArrived } from '../../shared/error-meaning.ts';
import { decode, merge } from '../../protocol/codec/document.ts';
import { statusError, type Plain } from '../../protocol/index.ts';
import { userInfoSetUp } from '../../protocol/definitions/access-control-users.ts';
import { toErrorShape, type ErrorShape } from '../../shared/errors.ts';
import { PATIENCE_MS } from '../device/transport/patient-read.ts';
import type { Wanted } from './file/read-rows.ts';
import { SET_UP } from './operations.ts';
import { COUNTS, INSTRUCTIONS, isKnownMember, PERSON, USED, type Person } from './person.ts';
import type { Reach } from './view.ts';

/** `taken`: the device said yes; `open`: it was not heard, and may have done it. */
export type Sent =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly error: ErrorShape; readonly isFull: boolean }
  | { readonly kind: 'open'; readonly error: ErrorShape }
  | { readonly kind: 'unsent'; readonly error: ErrorShape };

/** Of somebody who is not there yet. `unchecked`: the device need not look for the same person. */
export function bodyOfNew({ value, other = {} }: Wanted, unchecked: boolean): string {
  const { deleteUser: _never, checkUser: _asked, ...person } = value;
  return wireText(unchecked ? { ...person, checkUser: false } : person, other);
}

/** Of somebody who is there: everything that is not wanted otherwise stays as the device spelled it. */
export function bodyOfChanged({ value, other = {} }: Wanted, shown: Person): string {
  const document = decode(userInfoSetUp, `{"UserInfo":${shown.text}}`).document;
  const patch: Record<string, unknown> = { ...value };
  for (const name of [...INSTRUCTIONS, USED, 'employeeNo']) delete patch[name];
  for (const name of COUNTS) patch[name] = null;
  const { text } = merge(document, userInfoSetUp, patch);
  const named = Object.entries(other).filter(([name, held]) => shown.other[name] !== held);
  if (named.length === 0) return text;
  const whole = JSON.parse(text) as { readonly UserInfo: Plain };
  const rest = Object.fromEntries(
    Object.entries(whole.UserInfo).map(([name, held]) => [name, JSON.stringify(held)]),
  );
  for (const name of Object.keys(shown.other)) delete rest[name];
  return joined(rest, { ...shown.other, ...Object.fromEntries(named) });
}

export function bodyOfRemoved({ employeeNo, value }: Person): string {
  return wireText({ employeeNo, deleteUser: true, userType: value['userType'] ?? 'normal' }, {});
}

/** In the specification's order. */
function wireText(value: Plain, other: Readonly<Record<string, string>>): string {
  const known = PERSON.fields.flatMap(({ name }) =>
    value[name] === undefined ? [] : [[name, JSON.stringify(value[name])] as const],
  );
  return joined(Object.fromEntries(known), other);
}

function joined(members: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): string {
  // Whatever a file or another device calls it: nothing stands in for what the specification knows.
  const unknown = Object.entries(other).filter(([name]) => !isKnownMember(name));
  return `{"UserInfo":{${[...Object.entries(members), ...unknown]
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}}`;
}

/** Sends once; again only where the device said that it was busy and did nothing. Throws where it cannot be signed in to. */
export async function send({ client, clock, signal, device }: Reach, body: string): Promise<Sent> {
  for (let round = 0; ; round += 1) {
    try {
      const answer = await client.write(SET_UP, {}, body, { signal: NEVER, address: device });
      const { status } = answer;
      if (status.kind === 'ok' || status.kind === 'none' || status.kind === 'needs-reboot')
        return { kind: 'taken' };
      const delay = status.kind === 'busy' ? PATIENCE_MS[round] : undefined;
      if (delay !== undefined) {
        await clock.delay(delay, signal);
        continue;
      }
      const failure = statusError(status, { operation: SET_UP.id, device });
      return { kind: 'refused', error: failure.shape, isFull: isFull(failure.shape) };
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (!mayHaveArrived(error)) return { kind: 'unsent', error };
      if (error.code === 'internal') throw thrown;
      return { kind: 'open', error };
    }
  }
}

/** What was begun is heard to its end; its deadline holds. */
const NEVER = new AbortController().signal;
/** By the code of the device, never by its words. */
function isFull({ status }: ErrorShape): boolean {
  return /full|capacity|exceed|overflow|maxrecord|upperlimit/i.test(status?.subStatusCode ?? '');
}
