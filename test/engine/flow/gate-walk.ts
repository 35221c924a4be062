/**
 * A virtual gate and a person who works at it: walks, holds a hand into beams, closes contacts, pulls plugs.
 */
import { GATE_PARTS, type GateParts } from '#simulator/areas/access/gate-parts.ts';
import type { Asked } from '#shared/flows.ts';
import type { Engine } from '#engine/index.ts';
import type { TestSite } from '../site-engine.ts';

const EMITTERS = 6;
const PASSES = 2;

export const ANSWERS = {
  health: { lane: 'Lane 1', serial: 'G-1' },
  parts: { lamps: 'good', wings: 'good' },
  audio: { granted: 'good', denied: 'good' },
  passes: { count: PASSES },
  fire: { ready: true, clear: 'good', stays: 'good', breakGlass: 'good', offline: 'good', seconds: 2 },
  power: { battery: 'fitted', position: 'open', clear: 'good' },
  safety: { obstruction: 'good', tailgate: 'good', reset: 'good' },
  sign: { name: 'A. Installer' },
};

type Virtual = Pick<TestSite, 'site'>;

/** Stops other people and the clock. */
export function prepareGate({ site }: Virtual): GateParts {
  site.clock.freeze();
  const gate = site.device(0).part(GATE_PARTS);
  gate.stopTraffic();
  gate.emitters = EMITTERS;
  gate.controllers = { master: { caseTemp: '31.5' }, slave: { caseTemp: '32.0' } };
  return gate;
}

export interface Worker {
  /** Ends a watch that will not end by itself. */
  readonly giveUp: (asked: Pick<Asked, 'token'>) => void;
  /** Aborted when the question is withdrawn. */
  readonly gone?: AbortSignal;
  /** Actions that are done once, however often they are asked for. */
  readonly done?: Set<string>;
}

/** Does what the question asks for. */
export async function work(
  at: Virtual,
  asked: Pick<Asked, 'step' | 'key' | 'wants' | 'token'>,
  { giveUp, gone, done = new Set() }: Worker,
): Promise<void> {
  const device = at.site.device(0);
  const gate = device.part(GATE_PARTS);
  const question = `${asked.step}.${asked.key}`;
  if (asked.step === 'beams' && asked.key.startsWith('walk')) {
    await cover(at, ids(1, EMITTERS), gone);
    if (gate.deadBeams.length + gate.blockedBeams.length > 0) giveUp(asked);
  } else if (question === 'passes.walk-in' || question === 'passes.walk-out') {
    await polled(at, 'gate.status.get', gone);
    if (gone?.aborted === true || done.has(question)) return;
    done.add(question);
    for (let nth = 0; nth < PASSES; nth += 1) gate.walk(asked.key === 'walk-in' ? 'in' : 'out');
    at.site.clock.advance(5000);
  } else if (question === 'fire.release') {
    // The counting starts from a closed gate.
    gate.fireContact = false;
    await polled(at, 'gate.status.get', gone);
    if (gone?.aborted === true) return;
    gate.fireContact = true;
    if (gate.isFireWired) return;
    await polled(at, 'gate.status.get', gone);
    giveUp(asked);
  } else if (question === 'fire.restore' || question === 'fire.restore-after') gate.fireContact = false;
  else if (question === 'fire.unplug') await device.unplug();
  else if (question === 'fire.offline') gate.fireContact = true;
  else if (question === 'fire.back') await device.plugIn();
  else if (question === 'power.loss') gate.powerSupplyMode = 'Battery';
  else if (question === 'power.mains') gate.powerSupplyMode = 'ACPower';
}

/** Puts a hand in each beam, one after the other, long enough to be seen. */
async function cover(at: Virtual, beams: readonly number[], gone?: AbortSignal): Promise<void> {
  const gate = at.site.device(0).part(GATE_PARTS);
  for (const id of beams) {
    if (gone?.aborted === true) return;
    gate.coveredBeams = [id];
    await polled(at, 'gate.irStatus.get', gone);
    gate.coveredBeams = [];
    await polled(at, 'gate.irStatus.get', gone);
  }
}

function ids(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Waits until the app has asked twice more: the second question began after the change. */
export async function polled({ site }: Virtual, operation: string, gone?: AbortSignal): Promise<void> {
  const count = (): number =>
    site.device(0).requests.filter((request) => request.operation === operation && request.http === 200)
      .length;
  const before = count();
  while (count() < before + 2 && gone?.aborted !== true)
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
}

export function endWatch(engine: Engine, jobId: string, { token }: Pick<Asked, 'token'>): void {
  engine.flows.answer({ jobId, token, answer: { kind: 'values', values: {} } });
}
