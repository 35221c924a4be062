/** The gate itself: everything is read (part 2, 2.12). */
import { pick, type Trial } from '../trial.ts';

const HOUR_MS = 3_600_000;

export async function gate(trial: Trial): Promise<void> {
  for (const part of ['status', 'irStatus', 'relatedParts', 'dialAndInfo']) {
    await trial.call('gate', `gate.${part}.capabilities.get`);
    await trial.call('gate', `gate.${part}.get`);
  }
  await trial.call('gate', 'gate.channelController.capabilities.get');

  const before = Number(pick(await trial.call('gate', 'gate.status.get'), 'inDoorPassCount'));
  trial.device('gate').clock.advance(HOUR_MS);
  const after = Number(pick(await trial.call('gate', 'gate.status.get'), 'inDoorPassCount'));
  trial.proved('gate.status.get', 'people pass', after > before);
}
