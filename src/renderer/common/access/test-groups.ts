import { formatDeviceReason } from '#shared/device-reason.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { DeviceTest } from '#shared/model.ts';

/** Failed tries with the same cause: the most frequent first, last those that only wait because of another. */
interface TestFailure {
  readonly key: string;
  readonly error: ErrorShape;
  readonly names: readonly string[];
  readonly ids: readonly string[];
}

export function groupFailures(tests: readonly DeviceTest[]): readonly TestFailure[] {
  const groups = new Map<string, { key: string; error: ErrorShape; names: string[]; ids: string[] }>();
  for (const { ok, error, name, deviceId } of tests) {
    if (ok || error === undefined) continue;
    const { code, reason, status, lock, certificate } = error;
    const key = [
      code,
      reason,
      status?.http,
      status?.statusCode,
      formatDeviceReason(status),
      lock?.attemptsLeft,
      certificate?.reason,
    ].join(' ');
    const group = groups.get(key) ?? { key, error, names: [], ids: [] };
    group.names.push(name);
    group.ids.push(deviceId);
    groups.set(key, group);
  }
  const isWaiting = ({ error }: TestFailure): number => Number(error.code === 'sign-in-paused');
  return [...groups.values()].sort((a, b) => isWaiting(a) - isWaiting(b) || b.names.length - a.names.length);
}
