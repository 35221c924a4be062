/** A passage gate with people walking through it: counters, beams, temperatures (part 2, 2.12). */
import { pickInt, pickOne } from '../random.ts';
import type { DeviceState, Part, PartKey } from '../state/device-state.ts';

/** Counters are 32-bit and start again at 0 after 0xFFFFFFFF. */
const WRAP = 0x1_0000_0000;
const COUNTERS = ['inDoorPassCount', 'inDoorAuthCount', 'outDoorPassCount', 'outDoorAuthCount'] as const;
export type GateCounter = (typeof COUNTERS)[number];
/** Authentications that nobody walks through after: about one in twenty. */
const UNUSED_AUTHENTICATIONS = 1.05;
const PASSAGE_SECONDS = 3;

interface Direction {
  readonly perSecond: number;
  readonly offset: number;
}

export class GateParts implements Part {
  readonly deviceType: 'DropGate' | 'WingGate' | 'ThreeRollerGate';
  /** What a test may set; the next answer shows it. */
  currentInDoorMode: 'Controlled' | 'Forbid' | 'Free' = 'Controlled';
  currentOutDoorMode: 'Controlled' | 'Forbid' | 'Free' = 'Controlled';
  powerSupplyMode: 'ACPower' | 'Battery' = 'ACPower';
  busSync: 'Normal' | 'DropArmPoorSync' | 'BusCommFailed' = 'Normal';
  /** Ids 1..48 of the beams that something blocks for good. */
  blockedBeams: readonly number[] = [];
  readonly #device: DeviceState;
  readonly #in: Direction;
  readonly #out: Direction;
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

  /** The counters at this moment. */
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

  /** Which wing is open right now: a passage takes three seconds. */
  position(): 'InDoorOpen' | 'OutDoorOpen' | 'Close' {
    if (this.currentInDoorMode !== 'Forbid' && this.#walking(this.#in)) return 'InDoorOpen';
    if (this.currentOutDoorMode !== 'Forbid' && this.#walking(this.#out)) return 'OutDoorOpen';
    return 'Close';
  }

  /** Ids of the beams interrupted now: those of somebody walking, those that are blocked. */
  triggeredBeams(): readonly number[] {
    const position = this.position();
    const walking =
      position === 'Close' ? [] : [position === 'InDoorOpen' ? 12 : 36, position === 'InDoorOpen' ? 13 : 37];
    return [...new Set([...this.blockedBeams, ...walking])].sort((one, other) => one - other);
  }

  /** Degrees Celsius with one decimal; warmer at noon than at midnight. */
  caseTemperature(controller: 'master' | 'slave'): string {
    const dayShare = (this.#device.clock.now() % 86_400_000) / 86_400_000;
    const swing = -Math.cos(dayShare * 2 * Math.PI) * 4;
    return (this.#baseTemperature + swing + (controller === 'slave' ? 0.7 : 0)).toFixed(1);
  }

  /** The counters live in memory that a restart clears. */
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

  #walking(direction: Direction): boolean {
    const sincePassage =
      ((this.#elapsed() * direction.perSecond + direction.offset) % 1) / direction.perSecond;
    return sincePassage < PASSAGE_SECONDS;
  }
}

export const GATE_PARTS: PartKey<GateParts> = { name: 'gate', create: (device) => new GateParts(device) };
