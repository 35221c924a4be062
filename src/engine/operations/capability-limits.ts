/** Lists the limits and counts of a capability document. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { CapabilityLimit } from '#shared/model.ts';
import {
  findField,
  findOperation,
  isSensitivePath,
  isStrangersFlag,
  getLastName,
  type Constraint,
  type Constraints,
  type Field,
  type Payload,
} from '#protocol/index.ts';

/** Returns the limits and counts of each field, in the order of the document; boolean flags are not included. */
export function listCapabilityLimits(
  operation: string,
  payload: Payload,
  constraints: Constraints,
): CapabilityLimit[] {
  return [...constraints].flatMap(([path, constraint]): CapabilityLimit[] => {
    const { options, min, max, def, size } = constraint;
    const limited = [options, min, max, def, size].some((limit) => limit !== undefined);
    const field = findField(payload, path);
    // A number next to a limit is the current value, not a limit.
    const count =
      limited && !(field !== undefined && 'isLimit' in field && field.isLimit)
        ? undefined
        : countIn(constraint, field, path);
    if (!limited && count === undefined) return [];
    return [
      {
        operation,
        path,
        label: field?.label ?? getLastName(path),
        ...(field === undefined ? { unlisted: true } : {}),
        ...removeUndefined({ options, min, max, default: def, size, count }),
      },
    ];
  });
}

/** Names of unspecified fields whose numbers are not counts. */
const NAMES_NO_COUNT = /(?:^id|ID|Id|No|[vV]ersion|[rR]evision|[pP]ort|[iI]ndex|[tT]ype|[cC]ode|[sS]tatus)$/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14}|0x[0-9a-fA-F]{1,8})$/;

function countIn(constraint: Constraint, field: Field | undefined, path: string): number | undefined {
  const text = constraint.text?.trim() ?? '';
  if (field === undefined)
    return WHOLE_NUMBER.test(text) &&
      !NAMES_NO_COUNT.test(getLastName(path)) &&
      !isStrangersFlag(path, constraint)
      ? Number(text)
      : undefined;
  const number = (field.kind === 'int' || field.kind === 'float') && text !== '' ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Removes values of a secret field: a limits document may have the current password as its default. */
export function removeSecretDefault(limit: CapabilityLimit): CapabilityLimit {
  if (limit.default === undefined && limit.options === undefined && limit.count === undefined) return limit;
  const payload = findOperation(limit.operation)?.response;
  if (payload === undefined || !isSensitivePath(payload, limit.path)) return limit;
  const { default: _default, options: _options, count: _count, ...shown } = limit;
  return shown;
}
