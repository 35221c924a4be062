import type { EnrolRequest } from '#shared/contract/fingerprints.ts';
import { onScopeDispose, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { useStream } from '#renderer/common/errors/attempt.ts';
import type { EnrolEvent, PrintResult } from '#shared/people/fingerprints.ts';
import { useWork } from '#renderer/common/jobs/work/work.store.ts';

/**
 * Phase of an enrolment. `there`: the terminal already has the finger, and the person decides what to do with
 * it.
 */
export type EnrolPhase =
  'idle' | 'asking' | 'there' | 'waiting' | 'sending' | 'ended' | 'cancelled' | 'failed';

/** State that a failed enrolment leaves at the terminal: unchanged, restored, or unknown. */
export type EnrolLeft = 'nothing' | 'back' | 'unknown';

/** One enrolment at a time. Whatever leaves this screen ends it: the engine puts the terminal back. */
export function useEnrolment() {
  const phase = shallowRef<EnrolPhase>('idle');
  const until = shallowRef<string>();
  const capture = shallowRef(1);
  const results = shallowRef<readonly PrintResult[]>([]);
  const { problem, follow, stop } = useStream();
  const left = shallowRef<EnrolLeft>('nothing');
  const work = useWork();
  let unfollow: (() => void) | undefined;

  function receive(event: EnrolEvent): void {
    if (event.type === 'there') phase.value = 'there';
    if (event.type === 'waiting') {
      phase.value = 'waiting';
      until.value = event.until;
      capture.value = event.capture;
      results.value = [];
    }
    if (event.type === 'captured' || event.type === 'sending') phase.value = 'sending';
    if (event.type === 'sending') {
      // This screen tells of its end by itself.
      unfollow?.();
      unfollow = work.follow(event.jobId);
    }
    if (event.type === 'result') results.value = [...results.value, event.result];
    if (event.type === 'left') left.value = event.isBack ? 'back' : 'unknown';
    if (event.type === 'ended') phase.value = 'ended';
  }

  function begin(request: EnrolRequest): void {
    results.value = [];
    left.value = 'nothing';
    phase.value = 'asking';
    follow(getApi().prints.enrol, request, receive, (isWhole) => {
      if (!isWhole) phase.value = 'failed';
    });
  }

  function cancel(): void {
    stop();
    phase.value = 'cancelled';
  }

  function reset(): void {
    stop();
    phase.value = 'idle';
    results.value = [];
    problem.value = undefined;
  }

  onScopeDispose(() => unfollow?.());
  return { phase, until, capture, results, problem, left, begin, cancel, reset };
}
