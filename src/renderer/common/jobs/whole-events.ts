/** Jobs and plans that cross in parts, put together again. */
import type {
  DeviceResult,
  JobEvent,
  JobPart,
  PlanDevice,
  PlanEvent,
  PlanPart,
} from '../../../shared/model.ts';

/** Gives `onEvent` every `job` and `end` with all its devices; those that are not mentioned are as they were told last. */
export function wholeJobs(onEvent: (event: JobEvent) => void): (event: JobEvent | JobPart) => void {
  const told = new Map<string, DeviceResult>();
  return (event) => {
    if (event.type === 'results') {
      for (const device of event.devices) told.set(device.deviceId, device);
      return;
    }
    if (event.type === 'device') told.set(event.device.deviceId, event.device);
    if (event.type !== 'job' && event.type !== 'end') {
      onEvent(event);
      return;
    }
    for (const device of event.job.results) told.set(device.deviceId, device);
    onEvent({ ...event, job: { ...event.job, results: [...told.values()] } });
  };
}

/** Gives `onEvent` a `plan` with all its devices. */
export function wholePlans(onEvent: (event: PlanEvent) => void): (event: PlanEvent | PlanPart) => void {
  const told = new Map<string, PlanDevice>();
  return (event) => {
    if (event.type === 'planned') {
      for (const device of event.devices) told.set(device.deviceId, device);
      return;
    }
    if (event.type !== 'plan' || told.size === 0) {
      onEvent(event);
      return;
    }
    for (const device of event.plan.devices) told.set(device.deviceId, device);
    const devices = [...told.values()];
    told.clear();
    onEvent({ ...event, plan: { ...event.plan, devices } });
  };
}
