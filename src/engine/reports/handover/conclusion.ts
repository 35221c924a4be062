/** Decides what a hand-over document begins with: whether the site is in service, and what speaks against it. */
import { createDetail } from '#shared/details.ts';
import type { HandoverDetails } from '#shared/contract/handover.ts';
import type { Block, DocumentText, Section, Tone, Value } from '#shared/report-document.ts';
import { buildTable, formatDeviceKinds, removeEmptyColumns } from '../document.ts';
import { getWorstResult, pickLatestRecords, type HandoverDevice } from './handed-over.ts';
import { listChecks, openPoints, type PunchPoint } from './punch-list.ts';

/** State of one device, worst first. Only a record without an open point says that a device is in service. */
const DEVICE_STATES = ['unsafe', 'failed', 'not-read', 'open', 'no-record', 'in-service'] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

/** `points`: the punch list of the document; those that name the device count. */
export function judgeDevice(device: HandoverDevice, points: readonly PunchPoint[]): DeviceState {
  const { subject, records } = device;
  const { reading, failed } = subject.known;
  const own = points.filter((point) => point.device === subject.name);
  const results = pickLatestRecords(records).map(({ document }) => getWorstResult(document));
  if (own.some(({ severity }) => severity === 'unsafe')) return 'unsafe';
  if (results.includes('failed')) return 'failed';
  if (reading === undefined || reading.error !== undefined || failed !== undefined) return 'not-read';
  if (own.some(({ severity }) => severity !== 'note') || results.some((result) => result !== 'done'))
    return 'open';
  return results.length === 0 ? 'no-record' : 'in-service';
}

interface Judged {
  readonly devices: readonly HandoverDevice[];
  readonly states: readonly DeviceState[];
  readonly points: readonly PunchPoint[];
  readonly details: HandoverDetails;
}

/** Builds the first section: the conclusion, what is unsafe, and the devices of each kind by their state. */
export function buildConclusion({ devices, states, points, details }: Judged): Section {
  const checks = listChecks(details);
  const unsafe = points.filter(({ severity }) => severity === 'unsafe');
  const count = (state: DeviceState): number => states.filter((one) => one === state).length;
  const failed = count('failed') + checks.filter(({ result }) => result === 'failed').length;
  const open = {
    points: points.filter(({ severity }) => severity === 'minor' || severity === 'major').length,
    checks: checks.filter(({ result }) => result === 'open' || result === 'skipped').length,
    devices: devices.filter(({ records }) => records.length === 0).length,
    unread: count('not-read'),
  };
  const isDone = Object.values(open).every((number) => number === 0);
  const say = (tone: Tone, text: DocumentText): Block => ({ block: 'paragraph', tone, text });
  return {
    title: { id: 'reports.verdict' },
    blocks: [
      ...(unsafe.length === 0
        ? []
        : [say('danger', createDetail('reports.verdict-unsafe', { count: unsafe.length }))]),
      ...(failed === 0 ? [] : [say('danger', createDetail('reports.verdict-failed', { count: failed }))]),
      ...(isDone && unsafe.length + failed === 0
        ? [say('good', createDetail('reports.verdict-in-service', { count: devices.length }))]
        : isDone
          ? []
          : [say('warning', createDetail('reports.verdict-open', open))]),
      ...(unsafe.length === 0
        ? []
        : [{ block: 'group', title: { id: 'reports.unsafe' }, blocks: [openPoints(unsafe)] } as const]),
      buildStateTable(devices, states),
    ],
  };
}

function buildStateTable(devices: readonly HandoverDevice[], states: readonly DeviceState[]): Block {
  const kinds = Map.groupBy(devices.keys(), (nth) =>
    JSON.stringify(formatDeviceKinds(devices[nth]?.subject.known.reading?.kinds)),
  );
  return removeEmptyColumns(
    buildTable(
      undefined,
      [
        ['reports.kinds', 'text'],
        ['report.devices', 'number'],
        ...DEVICE_STATES.map((state) => [`reports.state-${state}`, 'number'] as const),
      ],
      [...kinds.values()].map((nths): Value[] => [
        formatDeviceKinds(devices[nths[0] ?? 0]?.subject.known.reading?.kinds) ?? {
          id: 'reports.never-read',
        },
        { number: nths.length },
        ...DEVICE_STATES.map((state): Value => {
          const own = nths.filter((nth) => states[nth] === state).length;
          return own === 0 ? null : { number: own };
        }),
      ]),
    ),
  );
}
