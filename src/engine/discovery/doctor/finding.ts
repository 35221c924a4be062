import { say, type DetailId, type ValuesOf } from '#shared/details.ts';
import type { Finding } from '#shared/discovery.ts';

/** The words of a finding from the catalogue: what it means and what to do next. */
export function describeFinding<Id extends DetailId & `doctor.${string}`>(
  id: Id,
  ...values: ValuesOf<Id>
): Pick<Finding, 'message' | 'next' | 'detail'> {
  const { message, hint: next = '', detail } = say(id, ...values);
  return { message, next, detail };
}
