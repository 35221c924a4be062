/** A passage gate with people walking through it: counters, beams, temperatures (part 2, 2.12). */
import { pickInt, pickOne } from '#simulator/random.ts';
import type { DeviceState, Part, PartKey } from '#simulator/state/device-state.ts';

/** Counters are 32-bit and start again at 0 after 0xFFFFFFFF. */
const WRAP = 0x1_0000_0000;
const COUNTERS = ['inDoorPassCount', 'inDoorAuthCount', 'outDoorPassCount', 'outDoorAuthCount'] as const;
type GateCounter = (typeof COUNTERS)[number];
/** Ratio of authentications to passages: about one in twenty is not followed by a passage. */
const UNUSED_AUTHENTICATIONS = 1.05;
const PASSAGE_SECONDS = 3;

type PassageMode = 'Controlled' | 'Forbid' | 'Free';

interface Direction {
  readonly perSecond: number;
  readonly offset: number;
}

const NOBODY: Direction = { perSecond: 0, offset: 0 };

export class GateParts implements Part {
  readonly deviceType: 'DropGate' | 'WingGate' | 'ThreeRollerGate';
  /** State that a test may set; the next answer shows it. */
  currentInDoorMode: PassageMode = 'Controlled';
  currentOutDoorMode: PassageMode = 'Controlled';
  powerSupplyMode: 'ACPower' | 'Battery' = 'ACPower';
  busSync: 'Normal' | 'DropArmPoorSync' | 'BusCommFailed' = 'Normal';
  workMode: 'Normal' | 'Origin' | 'Debug' = 'Normal';
  /** Modes set on the dials; an absent one is the mode in force. */
  dial: { readonly in?: PassageMode; readonly out?: PassageMode } = {};
  /** Source of the passage mode. */
  passingMode: 'ByChannelController' | 'ByRightController' = 'ByChannelController';
  /** Beams are numbered from 1 to this; at most 48. */
  emitters = 48;
  /** Ids of the beams that something blocks for good. */
  blockedBeams: readonly number[] = [];
  /** Ids of the beams that nothing interrupts any more. */
  deadBeams: readonly number[] = [];
  /** Ids of the beams that a hand is held into. */
  coveredBeams: readonly number[] = [];
  /** Entering people are counted as leaving, and the other way round. */
  isSwapped = false;
  /** The contact of the fire alarm is closed. */
  fireContact = false;
  /** The contact is connected. */
  isFireWired = true;
  /** The gate opens when the fire input is in alarm. */
  opensOnFire = true;
  /** Elements of a channel controller that say something else than that all is well: `{ motorSensor: 'Abnormal' }`. */
  controllers: Partial<Record<'master' | 'slave', Readonly<Record<string, string>>>> = {};
  readonly #device: DeviceState;
  #in: Direction;
  #out: Direction;
  #walker: { readonly direction: 'in' | 'out'; readonly since: number } | undefined;
  readonly #baseTemperature: number;
  #counters: Record<GateCounter, number>;
  #since: number;

  constructor(device: DeviceState) {
    const random = device.random('gate');
    this.#device = device;
    this.deviceType = pickOne(random, ['DropGate', 'WingGate', 'ThreeRollerGate']);
    this.#in = { perSecond: 0.15 + random() * 0.25, offset: random() };
    this.#out = { perSecond: 0.1 + random() * 0.25, offset: random() };
    this.#baseTemperature = 24 + random() * 8;
    const passed = { in: pickInt(random, 1000, 90_000), out: pickInt(random, 1000, 90_000) };
    this.#counters = {
      inDoorPassCount: passed.in,
      inDoorAuthCount: Math.floor(passed.in * UNUSED_AUTHENTICATIONS),
      outDoorPassCount: passed.out,
      outDoorAuthCount: Math.floor(passed.out * UNUSED_AUTHENTICATIONS),
    };
    this.#since = device.clock.now();
  }

  /** Returns the current counters. */
  counters(): Record<GateCounter, number> {
    const entered = this.#passages(this.#in);
    const left = this.#passages(this.#out);
    const now = (name: GateCounter, more: number): number => (this.#counters[name] + more) % WRAP;
    return {
      inDoorPassCount: now('inDoorPassCount', entered),
      inDoorAuthCount: now('inDoorAuthCount', Math.floor(entered * UNUSED_AUTHENTICATIONS)),
      outDoorPassCount: now('outDoorPassCount', left),
      outDoorAuthCount: now('outDoorAuthCount', Math.floor(left * UNUSED_AUTHENTICATIONS)),
    };
  }

  /** Sets counters for a test, for instance close to where they wrap. */
  setCounters(values: Partial<Record<GateCounter, number>>): void {
    const now = this.counters();
    for (const name of COUNTERS) {
      const value = values[name] ?? now[name];
      if (!Number.isInteger(value) || value < 0 || value >= WRAP)
        throw new RangeError(`${name} is a 32-bit counter.`);
      now[name] = value;
    }
    this.#counters = now;
    this.#since = this.#device.clock.now();
  }

  /** Stops all traffic except that of `walk`. */
  stopTraffic(): void {
    this.setCounters({});
    this.#in = NOBODY;
    this.#out = NOBODY;
  }

  /** Lets a person with a valid card go through now. */
  walk(direction: 'in' | 'out'): void {
    const counted = (direction === 'in') === this.isSwapped ? 'out' : 'in';
    const now = this.counters();
    this.setCounters(
      counted === 'in'
        ? {
            inDoorPassCount: (now.inDoorPassCount + 1) % WRAP,
            inDoorAuthCount: (now.inDoorAuthCount + 1) % WRAP,
          }
        : {
            outDoorPassCount: (now.outDoorPassCount + 1) % WRAP,
            outDoorAuthCount: (now.outDoorAuthCount + 1) % WRAP,
          },
    );
    this.#walker = { direction, since: this.#device.clock.now() };
  }

  /** Returns the fire input as the channel controllers see it. */
  fireInput(): 'Normal' | 'Alarm' {
    return this.fireContact && this.isFireWired ? 'Alarm' : 'Normal';
  }

  /** Returns which door is open now: a passage takes three seconds; in a fire the way out is free. */
  position(): 'InDoorOpen' | 'OutDoorOpen' | 'Close' {
    if (this.fireInput() === 'Alarm' && this.opensOnFire) return 'OutDoorOpen';
    const passage = this.#passage();
    if (passage === undefined) return 'Close';
    return (passage.direction === 'in') === this.isSwapped ? 'OutDoorOpen' : 'InDoorOpen';
  }

  /** Returns the ids of the beams interrupted now: those of a walking person, covered and blocked ones. */
  triggeredBeams(): readonly number[] {
    const all = new Set([...this.blockedBeams, ...this.coveredBeams, ...this.#walkersBeams()]);
    return [...all].filter((id) => !this.deadBeams.includes(id)).sort((one, other) => one - other);
  }

  /** Degrees Celsius with one decimal; warmer at noon than at midnight. */
  caseTemperature(controller: 'master' | 'slave'): string {
    const dayShare = (this.#device.clock.now() % 86_400_000) / 86_400_000;
    const swing = -Math.cos(dayShare * 2 * Math.PI) * 4;
    return (this.#baseTemperature + swing + (controller === 'slave' ? 0.7 : 0)).toFixed(1);
  }

  /** Resets the counters, because they live in memory that a restart clears. */
  restarted(): void {
    this.#counters = { inDoorPassCount: 0, inDoorAuthCount: 0, outDoorPassCount: 0, outDoorAuthCount: 0 };
    this.#since = this.#device.clock.now();
  }

  snapshot(): unknown {
    return { ...this.counters(), deviceType: this.deviceType, position: this.position() };
  }

  #elapsed(): number {
    return (this.#device.clock.now() - this.#since) / 1000;
  }

  #passages(direction: Direction): number {
    return (
      Math.floor(this.#elapsed() * direction.perSecond + direction.offset) - Math.floor(direction.offset)
    );
  }

  /** Returns the current passage and the share of it that is done: 0 to 1. */
  #passage(): { readonly direction: 'in' | 'out'; readonly done: number } | undefined {
    const sent = this.#walker;
    const since = sent === undefined ? Infinity : (this.#device.clock.now() - sent.since) / 1000;
    if (sent !== undefined && since < PASSAGE_SECONDS)
      return { direction: sent.direction, done: since / PASSAGE_SECONDS };
    for (const direction of ['in', 'out'] as const) {
      const isForbidden =
        (direction === 'in' ? this.currentInDoorMode : this.currentOutDoorMode) === 'Forbid';
      const seconds = this.#sincePassage(direction === 'in' ? this.#in : this.#out);
      if (!isForbidden && seconds < PASSAGE_SECONDS) return { direction, done: seconds / PASSAGE_SECONDS };
    }
    return undefined;
  }

  #sincePassage({ perSecond, offset }: Direction): number {
    return perSecond === 0 ? Infinity : ((this.#elapsed() * perSecond + offset) % 1) / perSecond;
  }

  /** Returns two neighbouring beams, which move from one end of the gate to the other. */
  #walkersBeams(): readonly number[] {
    const passage = this.#passage();
    if (passage === undefined) return [];
    const first = 1 + Math.min(this.emitters - 2, Math.floor(passage.done * (this.emitters - 1)));
    const pair = [first, first + 1];
    return passage.direction === 'in' ? pair : pair.map((id) => this.emitters + 1 - id);
  }
}

export const GATE_PARTS: PartKey<GateParts> = { name: 'gate', create: (device) => new GateParts(device) };
