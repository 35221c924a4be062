/** Takes a passage gate into service, and proves what it does before it is handed over (part 2, 2.8 to 2.12). */
import { buildFact } from '#engine/report-files/facts.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';
import { parseCounters } from '#shared/gate-counters.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { signOff } from '../common/sign-off.ts';
import type { Flow, FlowStep } from '../flow.ts';
import { audio } from './audio.ts';
import { beamWalk } from './beam-walk.ts';
import { controllers } from './controllers.ts';
import { buildGateDrawing, locateFault } from './drawing.ts';
import { defects } from './defects.ts';
import { findGateFaults } from './faults.ts';
import { fire } from './fire.ts';
import { health } from './health.ts';
import { host } from './host.ts';
import { modes } from './modes.ts';
import { parts } from './parts.ts';
import { passes } from './passes.ts';
import { power } from './power.ts';
import { DIAL, INFRARED, PARTS, STATUS, readGate, type GateReadings } from './readings.ts';
import { attest, conclude } from '../common/findings.ts';

const safety: FlowStep = {
  id: 'safety',
  title: { id: 'flow-gate-safety' },
  async run(step) {
    const { all } = await attest(step, 'safety', { text: [{ id: 'flow-gate-safety-text' }] }, [
      { name: 'obstruction', label: { id: 'flow-gate-obstruction' }, severity: 'unsafe' },
      { name: 'tailgate', label: { id: 'flow-gate-tailgate' }, severity: 'major' },
      { name: 'reset', label: { id: 'flow-gate-reset' }, severity: 'major' },
    ]);
    return conclude(step, all);
  },
};

export const gate: Flow = {
  name: 'gate',
  title: { id: 'flow-gate-title' },
  about: { id: 'flow-gate-about' },
  kinds: ['gate'],
  identity: { step: 'health', key: 'identity' },
  async picture(device) {
    const seen = await readGate(device);
    return removeUndefined({
      picture: buildGateDrawing(seen),
      faults: findGateFaults(seen).map((fault) => {
        const { operation, path } = fault;
        const fact = buildFact(getSpecifiedOperation(operation), path, readingOf(seen, operation));
        return { operation, path, fact, at: locateFault(fault) };
      }),
      status: seen.status,
      counters: parseCounters(seen.status),
    });
  },
  steps: [
    health,
    beamWalk,
    parts,
    modes,
    host,
    controllers,
    audio,
    passes,
    fire,
    power,
    safety,
    defects,
    signOff,
  ],
};

function readingOf({ status, infrared, parts: reported, dial }: GateReadings, operation: string): unknown {
  return { [STATUS]: status, [INFRARED]: infrared, [PARTS]: reported, [DIAL]: dial }[operation];
}
