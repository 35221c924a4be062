/**
 * Finds what is unusual without being forbidden: periods past midnight, more of them than the usual number, a
 * range upside down, a time that is sent in another spelling. Warnings are shown and never prevent sending.
 */
import { createDetail } from '#shared/details.ts';
import type { Constraints } from './capability/types.ts';
import { resolveLimits } from './capability/limits-for.ts';
import { narrow } from './capability/narrow.ts';
import type { Field, Payload } from './definition.ts';
import { toUtcTime } from './utc.ts';
import { issueOf, type Issue } from './issue.ts';
import { listComplaints, describeOverfullDay } from './validate.ts';
import { joinPath } from './fields/path.ts';
import { rootField } from './fields/field-at.ts';
import { isPlain, getOwn } from './value.ts';

/** Warnings about a value or a patch; `reported` are the limits of one device, without it the usual ones count. */
export function listWarnings(payload: Payload, value: unknown, reported?: Constraints): readonly Issue[] {
  const limits = resolveLimits(payload, value, reported);
  const ruled = isPlain(value)
    ? listComplaints(payload, value, true).map(({ path, complaint }) => issueOf('unusual', path, complaint))
    : [];
  return [...ruled, ...unusualIn(rootField(payload), value, '', limits)];
}

function unusualIn(
  given: Field,
  value: unknown,
  path: string,
  limits: Constraints | undefined,
): readonly Issue[] {
  const field = limits === undefined ? given : narrow(given, path, limits);
  switch (field.kind) {
    case 'object':
      return isPlain(value)
        ? field.fields.flatMap((inner) =>
            unusualIn(inner, getOwn(value, inner.name), joinPath(path, inner.name), limits),
          )
        : [];
    case 'list': {
      if (!Array.isArray(value)) return [];
      const crowded = field.perDay?.usual ? describeOverfullDay(value, field.perDay) : undefined;
      return [
        ...(crowded === undefined ? [] : [issueOf('unusual', path, crowded)]),
        ...value.flatMap((item: unknown, index) => unusualIn(field.item, item, `${path}[${index}]`, limits)),
      ];
    }
    case 'int':
    case 'float':
      // The limit of a known device decides, and more is an error.
      return limits === undefined &&
        field.maxAt !== undefined &&
        field.max !== undefined &&
        typeof value === 'number' &&
        value > field.max
        ? [issueOf('unusual', path, createDetail('above-usual', { field: path, max: field.max }))]
        : [];
    default: {
      const utc = toUtcTime(field, value);
      return utc === undefined
        ? []
        : [
            issueOf(
              'unusual',
              path,
              createDetail('sent-as-utc', { field: path, from: String(value), to: utc }),
            ),
          ];
    }
  }
}
