/** The package in a request, where the device says that it takes one so; the specification does not show how (part 1, 2.1). */
import { mayHaveArrived, isDeviceRefusal } from '#shared/error-meaning.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail } from '#shared/details.ts';
import { readPackages, readPercent } from './board.ts';
import { pushPackage } from './push/push-package.ts';
import { endWith, type Send, type StepEnd } from './send.ts';
import { toErrorShape } from '#shared/errors.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';
import { concludeAnswer } from '../write/sent.ts';

const CREATE = getSpecifiedOperation('aiPlatform.models.create');

export async function pushStep(send: Send): Promise<StepEnd> {
  const { units, body, calls, context, device } = send;
  const total = body.file.size;
  try {
    // A package sent by an earlier run may have arrived, although its answer was not received.
    const before = units.of('transfer').transfer;
    if ((before?.asked ?? 0) > 0 && (await isThere(send))) return done(send, 'accepted');
    await units.begin(units.of('transfer'), {
      stage: 'serving',
      transfer: { served: 0, total, rate: 0, asked: (before?.asked ?? 0) + 1 },
    });
    units.log({ id: 'model.push-began' });
    const answer = await pushPackage({
      client: context.clients.get(device.id),
      file: await send.file(),
      model: { MPID: body.mpid, ...removeUndefined({ MPName: body.mpName }) },
      signal: context.job.stopped,
      onProgress: ({ bytes, rate }) => {
        const unit = units.of('transfer');
        units.show(unit, {
          progress: { done: bytes, total },
          transfer: { asked: 1, ...unit.transfer, served: bytes, total, rate },
        });
      },
    });
    const sent = concludeAnswer(answer, { operation: CREATE, device: device.url });
    const isOpen = sent.kind === 'unclear' && (await isThere(send));
    if ('error' in sent && !isOpen) return { kind: 'failed', error: sent.error };
    return done(send, (await readPercent(calls, body.mpid)) === 100 ? 'effective' : 'accepted');
  } catch (thrown) {
    const error = toErrorShape(thrown);
    // The answer was lost behind the last byte: the device shows whether it took it.
    if (mayHaveArrived(error) && !isDeviceRefusal(error) && (await isThere(send).catch(() => false)))
      return done(send, 'accepted');
    return endWith(send, thrown);
  }
}

async function isThere({ calls, body }: Send): Promise<boolean> {
  if (body.update) return false;
  if ((await readPackages(calls)).some(({ MPID }) => MPID === body.mpid)) return true;
  return (await readPercent(calls, body.mpid)) === 100;
}

function done({ units, body }: Send, outcome: 'effective' | 'accepted'): StepEnd {
  const unit = units.of('transfer');
  const { size } = body.file;
  units.log(createDetail('model.pushed', { outcome }));
  return {
    kind: 'done',
    outcome,
    patch: {
      stage: 'received',
      progress: { done: size, total: size },
      transfer: { asked: 1, ...unit.transfer, served: size, total: size, rate: 0 },
    },
  };
}
