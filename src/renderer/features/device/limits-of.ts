/** Limits as the engine reports them, in the form the definitions are narrowed with. */
import type { Constraint, Constraints } from '../../../protocol/capability/constraints.ts';
import type { DeviceCapabilities } from '../../../shared/model.ts';

export function limitsOf(capabilities: DeviceCapabilities | undefined, operation: string | undefined): Constraints | undefined {
  if (capabilities === undefined || operation === undefined) return undefined;
  const found = capabilities.limits.filter((limit) => limit.operation === operation);
  if (found.length === 0) return undefined;
  return new Map(found.map(({ path, options, min, max, size, count, default: def }): [string, Constraint] => [path, {
    state: 'reported',
    ...(options !== undefined && { options }), ...(min !== undefined && { min }), ...(max !== undefined && { max }),
    ...(size !== undefined && { size }), ...(count !== undefined && { text: String(count) }), ...(def !== undefined && { def }),
  }]));
}
