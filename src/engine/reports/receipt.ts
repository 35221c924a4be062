/**
 * Receipt of a job: whether all of it is proved, the result on each device (of a removal, for each person), and the
 * settings that it changed.
 */
import { findOperation } from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';
import type { ChangeEntry } from '#shared/history.ts';
import type { DeletionReceipt } from '#shared/people/people.ts';
import type { DeviceOutcome, DeviceResult, Job } from '#shared/model.ts';
import { getDeviceOutcome, getShownOutcome, OUTCOMES } from '#shared/outcomes.ts';
import { placeOf } from '#shared/place.ts';
import type { ReportDocument, Result, Section, Value } from '#shared/report-document.ts';
import { getJobKindLabel } from '#shared/units.ts';
import { describeChange } from '../report-files/facts.ts';
import {
  buildReportDocument,
  buildTable,
  describeOperation,
  makeFact,
  makeTimeValue,
  removeEmptyColumns,
  type DocumentContext,
} from './document.ts';

const RESULTS: Readonly<Record<DeviceOutcome, Result>> = {
  done: 'done',
  'needs-reboot': 'open',
  pending: 'open',
  attention: 'failed',
  unsupported: 'skipped',
};
/** Columns of the table of people, and of its rows in a spreadsheet. */
const PEOPLE_COLUMNS = [
  ['report.device', 'text'],
  ['reports.employee-number', 'text'],
  ['report.result', 'text'],
  ['reports.fingerprints', 'text'],
  ['report.reason', 'text'],
] as const;
const DEVICE_COLUMNS = [
  ['report.device', 'text'],
  ['reports.address', 'text'],
  ['report.result', 'result'],
  ['report.reason', 'text'],
] as const;

interface Receipt {
  readonly job: Job;
  /** Settings that the job changed. */
  readonly changes: readonly ChangeEntry[];
  /** Present for a removal of people. */
  readonly removal?: DeletionReceipt | undefined;
}

export function getReceiptHeads({ removal }: Receipt) {
  return (removal === undefined ? DEVICE_COLUMNS : PEOPLE_COLUMNS).map(([id]) => id);
}

export function listReceiptRows({ job, removal }: Receipt): readonly (readonly Value[])[] {
  if (removal !== undefined)
    return removal.devices.flatMap(({ name, people }) =>
      people.map(({ employeeNo, result, reason, fingerprints }) => [
        name,
        employeeNo,
        { id: `reports.removed.${result}` as const },
        { id: `reports.removed-prints.${fingerprints.result}` as const },
        reason ?? fingerprints.reason ?? null,
      ]),
    );
  return job.results.map((device) => {
    const error = device.error ?? device.units.find((unit) => unit.error !== undefined)?.error;
    return [
      device.name,
      device.url,
      { result: RESULTS[getDeviceOutcome(device)] },
      error === undefined ? null : (error.detail ?? error.message),
    ];
  });
}

/** Returns true if the device is as asked, and was seen to be: what was only accepted is not proved. */
function isProved(device: DeviceResult): boolean {
  return (
    getDeviceOutcome(device) === 'done' &&
    device.units.every((unit) => !OUTCOMES[getShownOutcome(unit)].unseen)
  );
}

const CHANGE_COLUMNS = [
  ['report.devices', 'text'],
  ['reports.read', 'text'],
  ['reports.setting', 'text'],
  ['reports.place', 'text'],
  ['report.compare.before', 'text'],
  ['report.compare.after', 'text'],
  ['report.result', 'result'],
] as const;
/** Largest number of lines about changes; the history has all of them. */
const MOST_CHANGES = 2000;
/** Devices up to this number are named in a line about a change. */
const MOST_NAMED = 50;

/** Lists the changes; the same change of several devices is one line. */
function listChangeRows(changes: readonly ChangeEntry[]): readonly (readonly Value[])[] {
  const lines = changes.flatMap(({ set, params, outcome, device, changes: values }) => {
    const section = findOperation(`${set}.get`) ?? findOperation(set);
    const result = RESULTS[getDeviceOutcome({ state: 'done', units: [{ outcome }] })];
    return values.map((value) => {
      const { label, before, after } = describeChange(section, value);
      const name = section === undefined ? set : describeOperation(section.id);
      return { device, cells: [name, label, placeOf(params) ?? null, before, after, { result }] };
    });
  });
  return [...Map.groupBy(lines, ({ cells }) => JSON.stringify(cells)).values()]
    .slice(0, MOST_CHANGES)
    .map((same) => {
      const names = [...new Set(same.map(({ device }) => device))];
      const devices =
        names.length > MOST_NAMED
          ? createDetail('selection', { n: names.length, kind: 'any', place: 'any', site: '' })
          : names.join(', ');
      return [devices, ...(same[0]?.cells ?? [])];
    });
}

/** Builds the section about changed settings; none for work that changed none. */
function buildChangesSection({ changes }: Receipt): readonly Section[] {
  const rows = listChangeRows(changes);
  if (rows.length === 0) return [];
  return [
    {
      title: { id: 'reports.receipt-changes' },
      blocks: [removeEmptyColumns(buildTable(undefined, CHANGE_COLUMNS, rows))],
    },
  ];
}

export function buildReceipt(receipt: Receipt, title: string, context: DocumentContext): ReportDocument {
  const { job, removal } = receipt;
  const isComplete = removal?.complete ?? job.results.every(isProved);
  const devices = job.results.filter(({ deviceId }) => deviceId !== '');
  return buildReportDocument(
    {
      kind: removal === undefined ? 'work-receipt' : 'deletion-receipt',
      title: { id: 'reports.receipt-of', values: { title } },
      sections: [
        {
          title: { id: 'report.result' },
          blocks: [
            {
              block: 'paragraph',
              tone: isComplete ? 'good' : 'warning',
              text: { id: isComplete ? 'reports.receipt-complete' : 'reports.receipt-open' },
            },
            {
              block: 'facts',
              facts: [
                makeFact('reports.receipt-work', getJobKindLabel(job.kind)),
                makeFact('reports.number', job.id),
                makeFact('reports.receipt-begun', makeTimeValue(job.createdAt)),
                ...(job.endedAt === undefined
                  ? []
                  : [makeFact('reports.receipt-ended', makeTimeValue(job.endedAt))]),
                makeFact('report.who', job.by),
              ],
            },
            buildTable(
              undefined,
              removal === undefined ? DEVICE_COLUMNS : PEOPLE_COLUMNS,
              listReceiptRows(receipt),
            ),
          ],
        },
        ...buildChangesSection(receipt),
      ],
    },
    devices.map(({ deviceId, name, url }) => ({ id: deviceId, name, url })),
    context,
  );
}
