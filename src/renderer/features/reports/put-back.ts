import { createPlan } from '#renderer/common/jobs/jobs.api.ts';
import type { Plan } from '#shared/model.ts';

/** Plans the template for the device; nothing is written before the plan was seen and applied. */
export function planToPutBack(templateText: string, deviceId: string): Promise<Plan> {
  return new Promise((resolve, reject) => {
    createPlan(
      { templateText, deviceIds: [deviceId] },
      (event) => {
        if (event.type === 'plan') resolve(event.plan);
      },
      { onError: reject },
    );
  });
}
