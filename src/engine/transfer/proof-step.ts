/** One truth at the end: what was fetched, what is listed, what runs, read once more from the device. */
import { createDetail } from '#shared/details.ts';
import { ENGINE_STATES } from '#shared/ai-models/ai-models.ts';
import { requireTaken } from './ai-calls.ts';
import { readEngines, readPackages } from './board.ts';
import { deletePackage } from './engine-changes.ts';
import { endWith, createDeviceError, type Send, type StepEnd } from './send.ts';

export async function runProofStep(send: Send): Promise<StepEnd> {
  const { calls, body, units } = send;
  try {
    const listed = (await readPackages(calls)).some(({ MPID }) => MPID === body.mpid);
    if (!listed)
      return {
        kind: 'failed',
        error: createDeviceError(send, 'not-found', 'model.not-listed', { mpid: body.mpid }),
      };
    const engines = await readEngines(calls);
    const running = body.engines.filter((engine) =>
      engines.some(
        (view) => view.engine === engine && view.MPID === body.mpid && view.status === ENGINE_STATES.running,
      ),
    );
    const [missing] = body.engines.filter((engine) => !running.includes(engine));
    if (missing !== undefined) {
      const status = engines.find(({ engine }) => engine === missing)?.status ?? -1;
      return {
        kind: 'failed',
        error: createDeviceError(send, 'refused', 'model.ran-once', { engine: missing, status }),
      };
    }
    const { transfer, outcome } = units.of('transfer');
    const { served = 0, requests = 0, fetchedSha256 } = transfer ?? {};
    const whole = served === body.file.size && outcome === 'effective';
    units.log(
      whole
        ? createDetail('model.proved', { sha256: body.file.sha256 })
        : createDetail('model.proved-unseen', { sha256: body.file.sha256 }),
    );
    return {
      kind: 'done',
      outcome: whole ? 'effective' : 'accepted',
      patch: {
        stage: 'proved',
        proof: {
          sha256: body.file.sha256,
          bytes: served,
          requests,
          running,
          fetchedSha256,
        },
      },
    };
  } catch (thrown) {
    return endWith(send, thrown);
  }
}

/** The packages that made room for this one, deleted now that it runs; one that another engine still uses stays. */
export async function deletePreviousPackages(send: Send): Promise<StepEnd> {
  const { calls, units } = send;
  const previous = units.all.flatMap(({ previous: replaced = [] }) => replaced.map(({ MPID }) => MPID));
  if (previous.length === 0) return { kind: 'done', outcome: 'unchanged', patch: { did: 'nothing-to-do' } };
  try {
    const unit = units.find('previous');
    if (unit !== undefined) await units.begin(unit);
    for (const mpid of new Set(previous)) {
      const found = (await readPackages(calls)).find(({ MPID }) => MPID === mpid);
      if (found === undefined) continue;
      if (found.engines.length > 0 || (await readEngines(calls)).some(({ MPID }) => MPID === mpid)) {
        units.log(createDetail('model.previous-in-use', { mpid }));
        continue;
      }
      const { outcome } = requireTaken(await deletePackage(mpid, calls));
      if (outcome !== 'effective')
        return { kind: 'failed', error: createDeviceError(send, 'refused', 'model.not-removed', { mpid }) };
      units.log(createDetail('model.removed', { mpid }));
    }
    return { kind: 'done', outcome: 'effective' };
  } catch (thrown) {
    return endWith(send, thrown);
  }
}
