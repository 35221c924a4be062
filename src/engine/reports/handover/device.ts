/** Sections about devices: what each is, how it is set, what was proved; and the labels to hang beside them. */
import { createDetail, formatSomeNames } from '#shared/details.ts';
import type { Block, Section } from '#shared/report-document.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import {
  describeReadingError,
  formatDeviceKinds,
  makeFact,
  getSerialNumber,
  makeTimeValue,
} from '../document.ts';
import { IDENTITIES } from '../comparison/identity.ts';
import { pickLatestRecords, type HandoverDevice } from './handed-over.ts';
import { buildSettingBlocks, isReadBeforeWritten, listReads } from './settings.ts';
import { buildIdentityMatrix } from './together.ts';

/** Model, serial number and firmware as far as a record or the device itself tells. */
export function getDeviceIdentity({ subject, records }: HandoverDevice): {
  readonly model?: string;
  readonly serial?: string;
  readonly firmware?: string;
} {
  const covers = records.flatMap(({ document }) => document.devices?.[0] ?? []);
  const first = (name: 'model' | 'serial' | 'firmware'): string | undefined =>
    covers.find((one) => one[name] !== undefined)?.[name];
  const [model, serial, firmware] = [
    first('model'),
    getSerialNumber(subject) ?? first('serial'),
    first('firmware'),
  ];
  return {
    model,
    serial,
    firmware,
  };
}

/** Builds the sections of the devices that were read: those that have the same reads have one together. */
export function buildDeviceSections(devices: readonly HandoverDevice[]): readonly Section[] {
  const groups = Map.groupBy(devices.filter(isKnown), (device) =>
    encodeCanonicalJson([
      device.subject.known.reading?.kinds ?? [],
      getDeviceIdentity(device).model ?? '',
      listReads(device),
      pickLatestRecords(device.records).map(({ document }) => document.kind),
    ]),
  );
  const all = [...groups.values()];
  return [...all.filter(({ length }) => length > 1), ...all.filter(({ length }) => length === 1)]
    .flatMap((group) => (group.length === 1 ? group.flatMap(buildOneDevice) : buildAlikeDevices(group)))
    .map((section, nth) => (nth === 0 ? { ...section, page: true } : section));
}

/** Returns true if there is something to tell beside what the inventory and the open points say. */
function isKnown({ subject, records, configuration }: HandoverDevice): boolean {
  return subject.known.reading !== undefined || records.length > 0 || configuration.written.length > 0;
}

function buildAlikeDevices(devices: readonly HandoverDevice[]): readonly Section[] {
  const named = devices.map(({ subject: { id, name } }) => ({ id, name }));
  const names = named.map(({ name }) => name);
  const readings = devices.map(({ subject }) => subject.known.reading);
  const blocks: Block[] = [
    {
      block: 'facts',
      facts: [
        makeFact('report.devices', formatSomeNames(names, 100)),
        makeFact('reports.kinds', formatDeviceKinds(readings[0]?.kinds)),
      ],
    },
    ...buildIdentityMatrix(
      named,
      IDENTITIES.map(({ id, of }) => ({
        label: { id },
        values: readings.map((reading) => (reading === undefined ? null : (of(reading) ?? null))),
      })),
    ),
    ...buildSettingBlocks(devices),
  ];
  const title = createDetail('reports.alike-devices', {
    count: devices.length,
    names: formatSomeNames(names, 2),
  });
  return inSections(blocks).map((own) => ({ title, devices: named.map(({ id }) => id), blocks: own }));
}

/** One section, or several where it has very many settings. */
function buildOneDevice(device: HandoverDevice): readonly Section[] {
  const { subject, records } = device;
  const { id, name, url, known } = subject;
  const [record] = records;
  const { model, serial, firmware } = getDeviceIdentity(device);
  const error = known.failed?.error ?? known.reading?.error;
  const blocks: Block[] = [
    {
      block: 'facts',
      facts: [
        makeFact('reports.device-name', name),
        makeFact('report.address', url),
        makeFact('reports.kinds', formatDeviceKinds(known.reading?.kinds)),
        ...(model === undefined ? [] : [makeFact('report.model', model)]),
        ...(serial === undefined ? [] : [makeFact('report.serial', serial)]),
        ...(firmware === undefined ? [] : [makeFact('report.firmware', firmware)]),
        ...IDENTITIES.flatMap(({ id: label, of }) => {
          const value = known.reading === undefined ? undefined : of(known.reading);
          return value === undefined ? [] : [makeFact(label, value)];
        }),
        makeFact(
          'reports.read-at',
          known.reading === undefined ? { id: 'reports.never-read' } : makeTimeValue(known.reading.at),
        ),
        ...(record === undefined
          ? []
          : [makeFact('reports.record', `${record.document.id} ${record.sha256}`)]),
      ],
    },
    ...(error === undefined
      ? []
      : [{ block: 'paragraph', tone: 'warning', text: describeReadingError(error) } as const]),
    ...(isReadBeforeWritten(device)
      ? [{ block: 'paragraph', tone: 'warning', text: { id: 'reports.written-later' } } as const]
      : []),
    ...buildSettingBlocks([device]),
  ];
  return inSections(blocks).map((own) => ({ title: name, device: id, blocks: own }));
}

/** Builds a label for each device, to cut out and to hang beside it: a code that names the device and this document. */
export function buildLabels(devices: readonly HandoverDevice[], documentId: string): readonly Section[] {
  const labels = devices.map(({ subject: { name, url }, records: [record] }): Block => ({
    block: 'code',
    title: name,
    text: [
      `Fieldwright ${documentId}`,
      name.slice(0, 100),
      url.slice(0, 100),
      ...(record === undefined ? [] : [`${record.document.id} ${record.sha256}`]),
    ].join('\n'),
  }));
  return inSections(labels).map((blocks) => ({ title: { id: 'reports.labels' }, page: true, blocks }));
}

/** The schema takes so many blocks of one section; beyond a few sections it is no device that people install. */
const [MOST_BLOCKS, MOST_SECTIONS] = [200, 5];

function inSections(blocks: readonly Block[]): readonly Block[][] {
  const most = MOST_BLOCKS * MOST_SECTIONS;
  const kept: readonly Block[] =
    blocks.length <= most
      ? blocks
      : [
          ...blocks.slice(0, most - 1),
          {
            block: 'paragraph',
            tone: 'notice',
            text: createDetail('report.omitted', { count: blocks.length - most + 1 }),
          },
        ];
  return Array.from({ length: Math.ceil(kept.length / MOST_BLOCKS) }, (_none, nth) =>
    kept.slice(nth * MOST_BLOCKS, (nth + 1) * MOST_BLOCKS),
  );
}
