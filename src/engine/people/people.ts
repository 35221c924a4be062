/** People on terminals for the faces. */
import type { peopleRoutes } from '../../shared/contract/people.ts';
import type { RouteFunctions } from '../../shared/contract/route.ts';
import { defined } from '../../shared/defined.ts';
import { say } from '../../shared/details.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { PersonLine, Validity } from '../../shared/people.ts';
import { isPlain, redactValue } from '../../protocol/index.ts';
import { userInfoSetUp } from '../../protocol/definitions/access-control-users.ts';
import type { Clock, DevicesApi } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { Person } from './person.ts';
import { readPeople } from './read-people.ts';
import type { PeopleEnd, PeoplePage } from './read-people.ts';

export interface PeopleApi extends RouteFunctions<typeof peopleRoutes> {
  /** Everybody on a device with all that it tells, secrets too: for a person's own terminal. */
  pages(
    request: { readonly deviceId: string; readonly text?: string },
    signal: AbortSignal,
  ): AsyncGenerator<PeoplePage, PeopleEnd>;
}

export interface PeopleOptions {
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly devices: Pick<DevicesApi, 'find'>;
}

export function createPeople({ clients, clock, devices }: PeopleOptions): PeopleApi {
  const pages: PeopleApi['pages'] = ({ deviceId, text }, signal) => {
    const device = devices.find(deviceId);
    return readPeople({
      client: clients.get(device.id),
      clock,
      signal,
      device: device.url,
      ...defined({ text }),
    });
  };
  return {
    pages,
    async *read(request, signal) {
      const reading = pages(request, signal);
      try {
        for (;;) {
          const step = await reading.next();
          if (step.done === true) {
            yield { type: 'end', ...step.value };
            return;
          }
          const { people, read, total } = step.value;
          yield { type: 'people', people: people.map(lineOf), read, ...defined({ total }) };
        }
      } finally {
        // Whoever leaves early ends the search as well.
        await reading.return({ read: 0, complete: false, notes: [] });
      }
    },
    async person({ deviceId, employeeNo }, signal) {
      const device = devices.find(deviceId);
      const reading = readPeople({
        client: clients.get(device.id),
        clock,
        signal,
        device: device.url,
        only: [employeeNo],
      });
      for await (const { people } of reading) {
        const found = people.find((person) => person.employeeNo === employeeNo);
        if (found === undefined) continue;
        return {
          employeeNo,
          value: redactValue(userInfoSetUp, found.value) as Readonly<Record<string, unknown>>,
          other: Object.fromEntries(
            Object.entries(found.other).map(([name, text]) => [name, JSON.parse(text) as unknown]),
          ),
        };
      }
      throw new FieldwrightError({
        code: 'not-found',
        source: 'user',
        ...say('people-no-person', { employeeNo }),
        device: device.url,
      });
    },
  };
}

/** What a list shows of a person. */
export function lineOf({ employeeNo, value }: Person): PersonLine {
  const text = (name: string): string | undefined => {
    const held = value[name];
    return held === undefined ? undefined : String(held);
  };
  const count = (name: string): number | undefined => {
    const held = value[name];
    return typeof held === 'number' ? held : undefined;
  };
  const valid = value['Valid'];
  return {
    employeeNo,
    ...defined({
      name: text('name'),
      userType: text('userType'),
      valid: isPlain(valid) ? (valid as Validity) : undefined,
      faces: count('numOfFace'),
      prints: count('numOfFP'),
      cards: count('numOfCard'),
    }),
  };
}
