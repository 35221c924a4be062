/** A page to hang beside the door: what the device is, how it is set, what was proved; the code names it. */
import { createDetail } from '#shared/details.ts';
import type { Block, SealedDocument, Section } from '#shared/report-document.ts';
import {
  describeReadingError,
  formatDeviceKinds,
  makeFact,
  getSerialNumber,
  makeTimeValue,
} from '../document.ts';
import { IDENTITIES } from '../comparison/identity.ts';
import { pickLatestRecords, listLeaves, type HandoverDevice } from './handed-over.ts';
import { buildSettingBlocks } from './settings.ts';

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
    ...(model !== undefined && { model }),
    ...(serial !== undefined && { serial }),
    ...(firmware !== undefined && { firmware }),
  };
}

/** One section, or several where it has very many settings. */
export function buildDeviceSections(device: HandoverDevice, documentId: string): readonly Section[] {
  const { subject, records } = device;
  const { id, name, url, known } = subject;
  const [record] = records;
  const { model, serial, firmware } = getDeviceIdentity(device);
  const error = known.failed?.error ?? known.reading?.error;
  const code = [
    `Fieldwright ${documentId}`,
    name.slice(0, 100),
    url.slice(0, 100),
    ...(record === undefined ? [] : [`${record.document.id} ${record.sha256}`]),
  ].join('\n');
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
        makeFact('reports.record', record === undefined ? null : `${record.document.id} ${record.sha256}`),
      ],
    },
    { block: 'code', title: { id: 'reports.code' }, text: code },
    ...(error === undefined
      ? []
      : [{ block: 'paragraph', tone: 'warning', text: describeReadingError(error) } as const]),
    ...pickLatestRecords(records).flatMap(shownBy),
    ...buildSettingBlocks(device),
  ];
  return inSections(blocks).map((own, nth) => ({
    title: name,
    device: id,
    ...(nth === 0 && { page: true }),
    blocks: own,
  }));
}

/** Returns the facts of a record that were tested or attested, not only read. */
function shownBy({ document }: SealedDocument): readonly Block[] {
  const facts = listLeaves(document.sections).flatMap((block) =>
    block.block === 'facts'
      ? block.facts.filter(({ proof }) => proof === 'function-tested' || proof === 'attested')
      : [],
  );
  return facts.length === 0 ? [] : [{ block: 'facts', title: document.title, facts }];
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
