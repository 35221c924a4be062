/** The events a gate has recorded, and those that wait for a remote verification (part 2, 2.3 and 2.9). */
import { EVENT_TYPES } from '#simulator/device-documents/access-records.ts';
import { pickInt } from '#simulator/random.ts';
import type { DeviceState, Part, PartKey } from '#simulator/state/device-state.ts';
import { generatePerson } from '../people/person.ts';

export interface AccessEvent {
  readonly serialNo: number;
  readonly major: number;
  readonly minor: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly employeeNo?: string;
  readonly name?: string;
  readonly cardNo?: string;
  readonly picture: boolean;
}

const EVENTS = 600;
const DAYS_MS = 30 * 86_400_000;
/** Authentications are most of what happens at a gate. */
const MAJORS = [5, 5, 5, 5, 5, 5, 1, 2, 3];
const WAITING = 3;

class AccessEvents implements Part {
  readonly #events: AccessEvent[] = [];
  /** Serial numbers of events that ask whether to open. */
  readonly #waiting = new Set<number>();
  readonly #device: DeviceState;

  constructor(device: DeviceState) {
    this.#device = device;
    const random = device.random('events');
    for (let serialNo = 1; serialNo <= EVENTS; serialNo += 1) {
      const major = MAJORS[pickInt(random, 0, MAJORS.length - 1)] ?? 5;
      const minors = EVENT_TYPES[major] ?? [1];
      const minor = minors[pickInt(random, 0, minors.length - 1)] ?? 1;
      const at = device.startedAt - DAYS_MS + Math.floor((serialNo / EVENTS) * DAYS_MS);
      const picture = random() < 0.5;
      const person =
        device.site.users > 0 ? generatePerson(device, pickInt(random, 0, device.site.users - 1)) : undefined;
      this.#events.push({
        serialNo,
        major,
        minor,
        at,
        picture: major === 5 && picture,
        ...(major === 5 && person
          ? {
              employeeNo: person.employeeNo,
              name: person.name,
              cardNo: String(80_000_000 + Number(person.employeeNo)),
            }
          : {}),
      });
    }
    for (const event of this.#events.slice(-WAITING)) this.#waiting.add(event.serialNo);
  }

  count(matches: (event: AccessEvent) => boolean): number {
    return this.#events.filter(matches).length;
  }

  isWaiting(serialNo: number): boolean {
    return this.#waiting.has(serialNo);
  }

  answer(serialNo: number): void {
    this.#waiting.delete(serialNo);
  }

  /** Lets a person wait at the gate to be verified; returns the serial number of the event. */
  ask(): number {
    const serialNo = this.#events.length + 1;
    this.#events.push({ serialNo, major: 5, minor: 1, at: this.#device.clock.now(), picture: true });
    this.#waiting.add(serialNo);
    return serialNo;
  }

  snapshot(): unknown {
    return { events: this.#events.length, waiting: [...this.#waiting] };
  }
}

export const ACCESS_EVENTS: PartKey<AccessEvents> = {
  name: 'accessEvents',
  create: (device) => new AccessEvents(device),
};
