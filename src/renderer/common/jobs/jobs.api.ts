import type { SubscribeOptions } from '#renderer/client/index.ts';
import type { JobEvent, Plan } from '#shared/model.ts';
import { useClient } from '#renderer/client/use-client.ts';
import { mergeJobParts, mergePlanParts } from './whole-events.ts';

/** The job as it stands, then what happens, then its end; goes on after a lost connection. */
export function watchJob(
  id: string,
  onEvent: (event: JobEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.jobs.watch, { id }, mergeJobParts(onEvent), options);
}

export function fetchPlan(planId: string): Promise<Plan> {
  const client = useClient();
  return new Promise((resolve, reject) => {
    client.subscribe(
      client.api.plans.show,
      { planId },
      mergePlanParts((event) => {
        if (event.type === 'plan') resolve(event.plan);
      }),
      { restart: false, onError: reject },
    );
  });
}
