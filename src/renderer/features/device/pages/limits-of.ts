/** Limits as the engine reports them, in the form the definitions are narrowed with. */
import type { Constraint, Constraints } from '#protocol/capability/types.ts';
import type { CapabilityLimit, DeviceCapabilities } from '#shared/model.ts';

/** `shown` are limits that the document itself holds. */
export function findConstraints(
  capabilities: DeviceCapabilities | undefined,
  operation: string | undefined,
  shown: readonly CapabilityLimit[] = [],
): Constraints | undefined {
  const claimed =
    operation === undefined
      ? []
      : (capabilities?.limits.filter((limit) => limit.operation === operation) ?? []);
  const found = [...shown, ...claimed];
  if (found.length === 0) return undefined;
  return new Map(
    found.map(({ path, options, min, max, size, count, default: def }): [string, Constraint] => [
      path,
      {
        state: 'reported',
        ...(options !== undefined && { options }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(size !== undefined && { size }),
        ...(count !== undefined && { text: String(count) }),
        ...(def !== undefined && { def }),
      },
    ]),
  );
}
