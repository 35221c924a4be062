import type { OperationsApi } from '../api/routes.ts';
import type { AlarmOptions } from './read-alarms.ts';

/** Returns `alarms`; what reads and concludes is loaded with the first call. */
export function createAlarms(options: AlarmOptions): OperationsApi['alarms'] {
  return async (request, signal) => {
    const { createAlarmReader } = await import('./read-alarms.ts');
    return createAlarmReader(options)(request, signal);
  };
}
