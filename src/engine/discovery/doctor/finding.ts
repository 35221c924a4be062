import { say, type DetailId, type ValuesOf } from '#shared/details.ts';
import type { Finding, FindingCode } from '#shared/discovery.ts';

/** Builds a finding with its words, `doctor.<code>` of the catalogue. */
export function createFinding<Code extends FindingCode>(
  level: Finding['level'],
  code: Code,
  subjects: readonly string[],
  ...values: ValuesOf<`doctor.${Code}`>
): Finding {
  return { code, level, ...describeFinding<`doctor.${Code}`>(`doctor.${code}`, ...values), subjects };
}

/** Returns the words of a finding from the catalogue: what it means and what to do next. */
export function describeFinding<Id extends DetailId & `doctor.${string}`>(
  id: Id,
  ...values: ValuesOf<Id>
): Pick<Finding, 'message' | 'next' | 'detail'> {
  const { message, hint: next = '', detail } = say(id, ...values);
  return { message, next, detail };
}
