import { onScopeDispose, shallowRef, watch } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { PlanSection, SectionResult } from '#shared/model.ts';
import { getSectionResult } from '#shared/units.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { useStream } from '#renderer/common/errors/attempt.ts';
import { watchJob } from '#renderer/common/jobs/jobs.api.ts';
import { mergePlanParts } from '#renderer/common/jobs/whole-events.ts';
import { useWork } from '#renderer/common/jobs/work/work.store.ts';
import type { WriteTemplate } from './write-template.ts';

/** State of a write: first the device is read and the difference shown, then it is written and read back. */
type WriteState =
  | { readonly step: 'planning' }
  | { readonly step: 'review'; readonly planId: string; readonly section: PlanSection }
  | {
      readonly step: 'writing';
      readonly section: PlanSection;
      readonly phase?: 'reading' | 'writing' | 'verifying';
    }
  | { readonly step: 'done'; readonly jobId: string; readonly result: SectionResult }
  | { readonly step: 'failed'; readonly error: ErrorShape };

export function useWrite(deviceId: string, template: WriteTemplate) {
  const state = shallowRef<WriteState>({ step: 'planning' });
  const work = useWork();
  const { problem, follow } = useStream();
  watch(problem, (error) => error && fail(error), { flush: 'sync' });
  let stop: (() => void) | undefined;

  function fail(error: ErrorShape): void {
    state.value = { step: 'failed', error };
  }

  function plan(): void {
    state.value = { step: 'planning' };
    follow(
      getApi().plans.create,
      { deviceIds: [deviceId], templateText: template.text, secrets: template.secrets },
      mergePlanParts((event) => {
        if (event.type !== 'plan') return;
        const [device] = event.plan.devices;
        const section = device?.sections[0];
        if (section === undefined)
          fail(device?.error ?? { code: 'internal', source: 'app', message: 'The plan is empty.' });
        else state.value = { step: 'review', planId: event.plan.id, section };
      }),
    );
  }

  async function write(): Promise<void> {
    const reviewed = state.value;
    if (reviewed.step !== 'review') return;
    state.value = { step: 'writing', section: reviewed.section };
    try {
      const { jobId } = await getApi().jobs.start({ planId: reviewed.planId, secrets: template.secrets });
      work.follow(jobId);
      stop = watchJob(
        jobId,
        (event) => {
          if (event.type === 'phase' && event.phase !== 'waiting')
            state.value = { step: 'writing', section: reviewed.section, phase: event.phase };
          if (event.type !== 'end') return;
          const [device] = event.job.results;
          const unit = device?.units[0];
          const result = unit && getSectionResult(event.job, unit);
          if (result === undefined)
            fail(device?.error ?? { code: 'internal', source: 'app', message: 'The job has no result.' });
          else state.value = { step: 'done', jobId, result: withDeviceError(result, device?.error) };
        },
        { onError: (error) => fail(extractErrorShape(error)) },
      );
    } catch (thrown) {
      fail(extractErrorShape(thrown));
    }
  }
  // A job that was started goes on; only this window stops looking.
  onScopeDispose(() => stop?.());
  return { state, plan, write };
}

/** A device that could not be worked on leaves its sections pending: nothing was sent. */
function withDeviceError(result: SectionResult, error: ErrorShape | undefined): SectionResult {
  if (error === undefined) return result;
  return {
    ...result,
    outcome: result.outcome === 'pending' ? 'failed' : result.outcome,
    error: result.error ?? error,
  };
}
