/** Receipt of a job: whether all of it is proved, and the result on each device; of a removal, for each person. */
import type { DeletionReceipt } from '#shared/people/people.ts';
import type { DeviceOutcome, DeviceResult, Job } from '#shared/model.ts';
import { getDeviceOutcome, getShownOutcome, OUTCOMES } from '#shared/outcomes.ts';
import type { ReportDocument, Result, Value } from '#shared/report-document.ts';
import { getJobKindLabel } from '#shared/units.ts';
import {
  buildReportDocument,
  buildTable,
  makeFact,
  makeTimeValue,
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
      ],
    },
    devices.map(({ deviceId, name, url }) => ({ id: deviceId, name, url })),
    context,
  );
}
