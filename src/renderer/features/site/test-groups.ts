import type { ErrorShape } from '../../../shared/errors.ts';
import type { DeviceTest } from '../../../shared/model.ts';

/** Failed sign-ins with the same cause, the most frequent first. */
export interface TestFailure {
  readonly error: ErrorShape;
  readonly names: readonly string[];
}

export function groupFailures(tests: readonly DeviceTest[]): readonly TestFailure[] {
  const groups = new Map<string, { error: ErrorShape; names: string[] }>();
  for (const { ok, error, name } of tests) {
    if (ok || error === undefined) continue;
    const key = `${error.code}\n${error.hint ?? ''}\n${error.status?.http ?? ''}`;
    const group = groups.get(key) ?? { error, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.names.length - a.names.length);
}
