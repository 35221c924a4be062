/**
 * Actions of people at a virtual site, line by line: a person walks, closes a contact, pulls a plug. A line
 * is a JSON object, from a file or from standard input; SIMULATOR.md lists its fields.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readOwnJson } from '#shared/read-json.ts';
import { GATE_PARTS, type GateParts } from './areas/access/gate-parts.ts';
import { STORAGE_CARD } from './areas/storage-card.ts';
import type { VirtualDevice } from './device.ts';
import { parseFault } from './faults.ts';
import type { Site } from './site.ts';

const beams = z.array(z.int().min(1).max(48)).max(48);
const seconds = z.number().min(0).max(1_000_000);

/** A fault as `--fault` writes it. */
const faultText = z
  .string()
  .max(500)
  .check(({ value, issues }) => {
    try {
      parseFault(value);
    } catch (thrown) {
      issues.push({ code: 'custom', message: (thrown as Error).message, input: value });
    }
  });

/** Fields of every line: the device, counted from 1, and the time. */
const common = {
  device: z.int().min(1).default(1),
  /** Waits so long first. */
  after: seconds.optional(),
  /** Waits first until this operation was answered, `times` over, after the line before. */
  when: z.string().max(100).optional(),
  times: z.int().min(1).max(100_000).default(1),
};
function line<const Name extends string, const Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.strictObject({ do: z.literal(name), ...common, ...shape });
}

const step = z.discriminatedUnion('do', [
  line('walk', { direction: z.enum(['in', 'out']) }),
  line('stop-traffic', {}),
  line('cover', { beams }),
  line('block', { beams }),
  line('break', { beams }),
  line('emitters', { count: z.int().min(2).max(48) }),
  line('swap', { on: z.boolean() }),
  line('fire', { closed: z.boolean() }),
  line('fire-wire', { connected: z.boolean() }),
  line('power', { mode: z.enum(['ACPower', 'Battery']) }),
  line('card', { present: z.boolean() }),
  line('unplug', {}),
  line('plug', {}),
  line('restart', { seconds: seconds.default(0) }),
  line('fault', { kind: faultText, rate: z.number().min(0).max(1).optional() }),
  line('clear-faults', {}),
  line('advance', { seconds }),
]);
type ScenarioStep = z.infer<typeof step>;

/**
 * Parses one line. Throws a `SyntaxError` that names the fault; returns undefined for an empty one or a
 * remark (`#`).
 */
export function parseScenarioLine(text: string): ScenarioStep | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const read = step.safeParse(readOwnJson(trimmed));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new SyntaxError(`${issue?.path.map(String).join('.') || 'the line'}: ${issue?.message ?? 'wrong'}`);
}

const LOOK_MS = 20;

/** Waits for its time, then does it. Throws a `RangeError` where the site has no such device or the device no such part, the signal's reason. */
export async function playStep(site: Site, wanted: ScenarioStep, signal: AbortSignal): Promise<void> {
  if (wanted.device > site.devices.length)
    throw new RangeError(`The site has devices 1 to ${site.devices.length}.`);
  const device = site.device(wanted.device - 1);
  const { when, times, after } = wanted;
  if (when !== undefined) {
    const from = device.requests.at(-1)?.number ?? 0;
    const answered = (): number =>
      device.requests.filter(
        ({ number, operation, http }) => number > from && operation === when && http === 200,
      ).length;
    while (answered() < times) await delay(LOOK_MS, undefined, { signal });
  }
  if (after !== undefined) await delay(after * 1000, undefined, { signal });
  await act(device, wanted);
}

async function act(device: VirtualDevice, wanted: ScenarioStep): Promise<void> {
  switch (wanted.do) {
    case 'unplug':
      return device.unplug();
    case 'plug':
      return device.plugIn();
    case 'restart':
      return device.restart(wanted.seconds * 1000);
    case 'fault':
      return setFault(device, wanted);
    case 'clear-faults':
      return device.clearFaults();
    case 'advance':
      return device.clock.advance(wanted.seconds * 1000);
    case 'card':
      device.part(STORAGE_CARD).present = wanted.present;
      return;
    default:
      if (device.kind !== 'gate') throw new RangeError(`Device ${wanted.device} is no gate.`);
      return atGate(device.part(GATE_PARTS), wanted);
  }
}

function setFault(
  device: VirtualDevice,
  { kind: text, rate }: { readonly kind: string; readonly rate?: number | undefined },
): void {
  const fault = parseFault(text);
  device.setFault(fault.kind, rate ?? fault.rate, fault.scope);
}

type AtGate = Exclude<
  ScenarioStep,
  { readonly do: 'unplug' | 'plug' | 'restart' | 'fault' | 'clear-faults' | 'advance' | 'card' }
>;

function atGate(gate: GateParts, wanted: AtGate): void {
  switch (wanted.do) {
    case 'walk':
      return gate.walk(wanted.direction);
    case 'stop-traffic':
      return gate.stopTraffic();
    case 'cover':
      gate.coveredBeams = wanted.beams;
      return;
    case 'block':
      gate.blockedBeams = wanted.beams;
      return;
    case 'break':
      gate.deadBeams = wanted.beams;
      return;
    case 'emitters':
      gate.emitters = wanted.count;
      return;
    case 'swap':
      gate.isSwapped = wanted.on;
      return;
    case 'fire':
      gate.fireContact = wanted.closed;
      return;
    case 'fire-wire':
      gate.isFireWired = wanted.connected;
      return;
    case 'power':
      gate.powerSupplyMode = wanted.mode;
  }
}
