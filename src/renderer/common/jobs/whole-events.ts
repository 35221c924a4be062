/** Jobs and plans that cross in parts, put together again. */
import type { DeviceResult, JobEvent, JobPart, PlanDevice, PlanEvent, PlanPart } from '#shared/model.ts';

/** Gives `onEvent` every `job` and `end` with all its devices; those not mentioned keep their last state. */
export function mergeJobParts(onEvent: (event: JobEvent) => void): (event: JobEvent | JobPart) => void {
  const collected = new Map<string, DeviceResult>();
  return (event) => {
    if (event.type === 'results') {
      for (const device of event.devices) collected.set(device.deviceId, device);
      return;
    }
    if (event.type === 'device') collected.set(event.device.deviceId, event.device);
    if (event.type !== 'job' && event.type !== 'end') {
      onEvent(event);
      return;
    }
    for (const device of event.job.results) collected.set(device.deviceId, device);
    onEvent({ ...event, job: { ...event.job, results: [...collected.values()] } });
  };
}

/** Gives `onEvent` a `plan` with all its devices. */
export function mergePlanParts(onEvent: (event: PlanEvent) => void): (event: PlanEvent | PlanPart) => void {
  const collected = new Map<string, PlanDevice>();
  return (event) => {
    if (event.type === 'planned') {
      for (const device of event.devices) collected.set(device.deviceId, device);
      return;
    }
    if (event.type !== 'plan' || collected.size === 0) {
      onEvent(event);
      return;
    }
    for (const device of event.plan.devices) collected.set(device.deviceId, device);
    const devices = [...collected.values()];
    collected.clear();
    onEvent({ ...event, plan: { ...event.plan, devices } });
  };
}
