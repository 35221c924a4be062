/** The package in a request, where the device says that it takes one so; the specification does not show how (part 1, 2.1). */
import { isGone } from '../../shared/error-meaning.ts';
import { defined } from '../../shared/defined.ts';
import { detailOf } from '../../shared/details.ts';
import { refusalOf } from '../../protocol/index.ts';
import { readPackages, readPercent } from './board.ts';
import { pushPackage } from './push/push-package.ts';
import { endWith, type Send, type StepEnd } from './send.ts';
import { toErrorShape } from '../../shared/errors.ts';

export async function pushStep(send: Send): Promise<StepEnd> {
  const { units, body, calls, context, device } = send;
  const total = body.file.size;
  try {
    // What an earlier run sent may have arrived, although nobody heard of it.
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
      model: { MPID: body.mpid, ...defined({ MPName: body.mpName }) },
      signal: context.job.stopped,
      onProgress: ({ bytes, rate }) => {
        const unit = units.of('transfer');
        units.show(unit, {
          progress: { done: bytes, total },
          transfer: { asked: 1, ...unit.transfer, served: bytes, total, rate },
        });
      },
    });
    const { status } = answer;
    if (status.kind !== 'ok' && status.kind !== 'needs-reboot') {
      const place = {
        operation: 'aiPlatform.models.create',
        device: device.url,
        exchange: answer.exchange(),
      };
      return { kind: 'failed', error: refusalOf(status, place) };
    }
    return done(send, (await readPercent(calls, body.mpid)) === 100 ? 'effective' : 'accepted');
  } catch (thrown) {
    const error = toErrorShape(thrown);
    // The answer was lost behind the last byte: the device shows whether it took it.
    if (isGone(error) && error.sent !== false && (await isThere(send).catch(() => false)))
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
  units.log(detailOf('model.pushed', { outcome }));
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
