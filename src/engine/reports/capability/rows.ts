/** The capability report as one long table: a line for each flag, limit, answer and value of each device. */
import type { BareDetailId } from '#shared/details.ts';
import type { Value, DocumentText } from '#shared/report-document.ts';
import {
  describeReadingError,
  placeText,
  makeTimeValue,
  describeOperation,
  type Subject,
} from '../document.ts';
import { formatPlainValue } from '#engine/report-files/facts.ts';
import { getFieldLabels, getHttpStatus } from './blocks.ts';
import { listTruths } from './truth.ts';

export const CAPABILITY_HEADS: readonly BareDetailId[] = [
  'report.device',
  'report.address',
  'reports.read-at',
  'reports.what',
  'reports.operation',
  'reports.document',
  'reports.place',
  'reports.on-the-wire',
  'report.label',
  'report.value',
  'reports.claimed',
  'reports.in-specification',
  'reports.note',
];

/** Yields the rows; the cells that name the device are added while they are written. */
export function* listCapabilityRows({ name, url, known }: Subject): Generator<readonly Value[]> {
  const { reading, failed } = known;
  const head: Value[] = [name, url, reading === undefined ? null : makeTimeValue(reading.at)];
  const error = failed?.error ?? reading?.error;
  if (error !== undefined)
    yield [...head, ...row('reports.what-error', { value: describeReadingError(error) })];
  else if (reading === undefined)
    yield [...head, ...row('reports.what-error', { value: { id: 'reports.never-read' } })];
  if (reading === undefined) return;
  for (const flag of reading.flags)
    yield [
      ...head,
      ...row('reports.what-flag', {
        operation: flag.operation,
        path: flag.path,
        label: getFieldLabels(flag),
        value: { mark: flag.state },
        listed: flag.unlisted !== true,
        note: flag.needs ?? null,
      }),
    ];
  for (const limit of reading.limits) {
    const { options, min, max, default: usual, count, size } = limit;
    const parts = [
      options === undefined ? undefined : options.join(' | '),
      min === undefined && max === undefined ? undefined : `${min ?? ''}..${max ?? ''}`,
      usual === undefined ? undefined : `= ${usual}`,
      count === undefined && size === undefined ? undefined : `# ${count ?? size ?? ''}`,
    ];
    yield [
      ...head,
      ...row('reports.what-limit', {
        operation: limit.operation,
        path: limit.path,
        label: getFieldLabels(limit),
        value: parts.filter((part) => part !== undefined).join('; '),
        listed: limit.unlisted !== true,
      }),
    ];
  }
  for (const { answer, claim, verdict } of listTruths(reading)) {
    const { operation, params, error, facts = [], unlisted = [] } = answer;
    const place = placeText(operation, params);
    const http = getHttpStatus(answer);
    yield [
      ...head,
      ...row('reports.what-answer', {
        operation,
        place,
        value: { mark: answer.mark },
        claim: { mark: claim.state },
        note:
          error !== undefined
            ? describeReadingError(error)
            : verdict === undefined
              ? http
              : { id: `reports.claim-${verdict}` },
      }),
    ];
    for (const { label, value } of facts)
      yield [
        ...head,
        ...row('reports.what-value', {
          operation,
          place,
          path: typeof label === 'object' && 'root' in label ? (label.path ?? null) : null,
          label,
          value,
        }),
      ];
    for (const { path, value } of unlisted)
      yield [
        ...head,
        ...row('reports.what-value', {
          operation,
          place,
          path,
          value: formatPlainValue(value),
          listed: false,
        }),
      ];
  }
}

interface Cells {
  readonly operation?: string;
  readonly place?: Value;
  readonly path?: Value;
  readonly label?: DocumentText;
  readonly value: Value;
  readonly claim?: Value;
  readonly listed?: boolean;
  readonly note?: Value;
}

function row(
  what: BareDetailId,
  { operation, place, path, label, value, claim, listed = true, note }: Cells,
): readonly Value[] {
  return [
    { id: what },
    operation ?? null,
    operation === undefined ? null : describeOperation(operation),
    place ?? null,
    path ?? null,
    label ?? null,
    value,
    claim ?? null,
    { yes: listed },
    note ?? null,
  ];
}
