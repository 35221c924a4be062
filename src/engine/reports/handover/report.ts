/**
 * The hand-over document of a site: the conclusion, open points, tests, inventory, what was applied and how far it is proved,
 * records, where keys are kept, acceptance; then the settings of devices, of those that are alike once, and a label for
 * each. It is prepared with this app and never says that something complies with something.
 */
import { createDetail, formatSomeNames, isDetailId, type DetailId } from '#shared/details.ts';
import type { HandoverDetails } from '#shared/contract/handover.ts';
import type { Block, Fact, ReportDocument, Section, Value, DocumentText } from '#shared/report-document.ts';
import {
  buildReportDocument,
  formatDeviceKinds,
  makeFact,
  buildTable,
  makeTimeValue,
  removeEmptyColumns,
  type DocumentContext,
} from '../document.ts';
import { getDeviceIdentity, buildDeviceSections, buildLabels } from './device.ts';
import { getWorstResult, type HandoverDevice } from './handed-over.ts';
import { listChecks, openPoints, punchList } from './punch-list.ts';
import { buildConclusion, judgeDevice, type DeviceState } from './conclusion.ts';

interface HandoverOptions extends DocumentContext {
  readonly details: HandoverDetails;
}

export function buildHandoverReport(
  devices: readonly HandoverDevice[],
  context: HandoverOptions,
): ReportDocument {
  const { details } = context;
  const options = { ...context, user: details.by ?? context.user };
  const subjects = devices.map(({ subject }) => subject);
  const points = punchList(devices, details);
  const states = devices.map((device) => judgeDevice(device, points));
  const sections: Section[] = [
    buildConclusion({ devices, states, points, details }),
    { title: { id: 'report.open-points' }, blocks: [openPoints(points)] },
    { title: { id: 'reports.checks' }, blocks: [{ block: 'checklist', items: listChecks(details) }] },
    { title: { id: 'reports.inventory' }, blocks: [...inventory(devices, states, details)] },
    { title: { id: 'reports.configuration' }, blocks: [...applied(devices)] },
    { title: { id: 'reports.records' }, blocks: [...records(devices)] },
    { title: { id: 'reports.keys' }, blocks: [...keys(devices, details)] },
    { title: { id: 'reports.service' }, blocks: [...service(details)] },
    { title: { id: 'reports.acceptance' }, page: true, blocks: [...acceptance(details, options.user)] },
  ];
  const site = subjects.every((subject) => subject.site?.id === subjects[0]?.site?.id)
    ? subjects[0]?.site?.name
    : undefined;
  const name = details.project ?? site;
  const document = buildReportDocument(
    {
      kind: 'handover',
      title:
        name === undefined ? { id: 'reports.handover' } : createDetail('reports.handover-of', { site: name }),
      sections: [],
    },
    subjects,
    options,
  );
  return {
    ...document,
    ...(details.place !== undefined && {
      site: { ...document.site, name: document.site?.name ?? name ?? details.place, address: details.place },
    }),
    sections: [...sections, ...buildDeviceSections(devices), ...buildLabels(devices, document.id)],
  };
}

function inventory(
  devices: readonly HandoverDevice[],
  states: readonly DeviceState[],
  details: HandoverDetails,
): readonly Block[] {
  const about = [
    ...(details.project === undefined ? [] : [makeFact('reports.project', details.project)]),
    ...(details.customer === undefined ? [] : [makeFact('reports.customer', details.customer)]),
    ...(details.place === undefined ? [] : [makeFact('reports.place-of-site', details.place)]),
  ];
  return [
    ...(about.length === 0 ? [] : [{ block: 'facts', facts: about } as const]),
    removeEmptyColumns(
      buildTable(
        { id: 'report.devices' },
        [
          ['report.device', 'text'],
          ['report.address', 'text'],
          ['reports.kinds', 'text'],
          ['report.model', 'text'],
          ['report.serial', 'text'],
          ['report.firmware', 'text'],
          ['reports.tags', 'text'],
          ['reports.state', 'text'],
          ['reports.read-at', 'time'],
        ],
        devices.map((device, nth): Value[] => {
          const { name, url, tags, known } = device.subject;
          const { model, serial, firmware } = getDeviceIdentity(device);
          return [
            name,
            url,
            formatDeviceKinds(known.reading?.kinds),
            model ?? null,
            serial ?? null,
            firmware ?? null,
            tags.length === 0 ? null : tags.join(', '),
            { id: `reports.state-${states[nth] ?? 'no-record'}` },
            known.reading === undefined ? { id: 'reports.never-read' } : makeTimeValue(known.reading.at),
          ];
        }),
      ),
    ),
  ];
}

function applied(devices: readonly HandoverDevice[]): readonly Block[] {
  const written = devices.flatMap(({ subject, configuration }) =>
    configuration.jobs.flatMap((job) => {
      // Sections that the template holds for other devices do not apply to this one.
      const outcomes = job.outcomes.filter((outcome) => outcome !== 'skipped');
      const seen = outcomes.filter((outcome) => SEEN.has(outcome)).length;
      return outcomes.length === 0 ? [] : [{ name: subject.name, job, seen, all: outcomes.length }];
    }),
  );
  // A job that came to the same on many devices is one line.
  const groups = Map.groupBy(written, ({ job, seen, all }) => `${job.id} ${seen}/${all}`);
  const rows = [...groups.values()].flatMap((group): Value[][] => {
    const [first] = group;
    if (first === undefined) return [];
    const { id, name, by, at, template } = first.job;
    return [
      [
        formatSomeNames(
          group.map((one) => one.name),
          MOST_NAMES,
        ),
        { number: group.length },
        name,
        template?.version === undefined ? null : { number: template.version },
        template?.hash.slice(0, 16) ?? null,
        `${first.seen}/${first.all}`,
        makeTimeValue(at),
        by,
        id,
      ],
    ];
  });
  if (rows.length === 0)
    return [{ block: 'paragraph', text: { id: 'reports.nothing-applied' }, tone: 'notice' }];
  return [
    { block: 'paragraph', text: { id: 'reports.applied-about' } },
    removeEmptyColumns(
      buildTable(
        undefined,
        [
          ['report.device', 'text'],
          ['reports.count', 'number'],
          ['reports.template', 'text'],
          ['reports.version', 'number'],
          ['reports.hash', 'text'],
          ['reports.in-force', 'text'],
          ['report.at', 'time'],
          ['report.who', 'text'],
          ['reports.job', 'text'],
        ],
        rows,
      ),
    ),
  ];
}

/** Names of devices in one cell. */
const MOST_NAMES = 12;

/** Read back from the device and as asked. */
const SEEN: ReadonlySet<string> = new Set(['effective', 'unchanged']);

function records(devices: readonly HandoverDevice[]): readonly Block[] {
  const rows = devices.flatMap(({ subject, records: own }) =>
    own.map(({ document, sha256 }): Value[] => [
      subject.name,
      document.title,
      { time: document.at },
      { result: getWorstResult(document) },
      document.id.slice(0, 8),
      sha256,
    ]),
  );
  if (rows.length === 0) return [{ block: 'paragraph', text: { id: 'reports.no-records' }, tone: 'notice' }];
  return [
    buildTable(
      undefined,
      [
        ['report.device', 'text'],
        ['reports.record', 'text'],
        ['report.at', 'time'],
        ['report.result', 'result'],
        ['reports.number', 'text'],
        ['report.hash', 'text'],
      ],
      rows,
    ),
  ];
}

function keys(devices: readonly HandoverDevice[], { keys: given = [] }: HandoverDetails): readonly Block[] {
  const rows = [
    ...given.map(({ what, where }): Value[] => [what, where, null, null]),
    ...devices.flatMap(({ subject, secrets }) =>
      secrets.map(({ name, state, changedAt }): Value[] => [
        keyText(name, subject.name),
        { id: 'flow-lock-vault' },
        { id: `reports.key-${state}` },
        makeTimeValue(changedAt),
      ]),
    ),
  ];
  return [
    { block: 'paragraph', text: { id: 'reports.keys-about' } },
    ...(rows.length === 0
      ? [{ block: 'paragraph', tone: 'notice', text: { id: 'reports.no-keys' } } as const]
      : [
          buildTable(
            undefined,
            [
              ['reports.key', 'text'],
              ['reports.kept-in', 'text'],
              ['reports.key-state', 'text'],
              ['report.at', 'time'],
            ],
            rows,
          ),
        ]),
  ];
}

type KeyText = Extract<DetailId, `reports.key.${string}`>;

/** Describes a secret that a flow keeps in the vault, in words if there are any for its name. */
function keyText(name: string, device: string): DocumentText {
  const id = `reports.key.${name}`;
  return isKeyText(id) ? createDetail(id, { device }) : `${device}: ${name}`;
}

function isKeyText(id: string): id is KeyText {
  return isDetailId(id);
}

function service({ warranty, maintenanceDue, documents = [] }: HandoverDetails): readonly Block[] {
  const facts: Fact[] = [
    makeFact('reports.warranty-from', warranty?.from ?? null),
    makeFact('reports.warranty-until', warranty?.until ?? null),
    ...(warranty?.terms === undefined ? [] : [makeFact('reports.warranty-terms', warranty.terms)]),
    makeFact('reports.maintenance-due', maintenanceDue ?? null),
    ...documents.map((name) => makeFact('reports.handed-over', name)),
  ];
  return [
    { block: 'facts', facts },
    { block: 'paragraph', text: { id: 'reports.warranty-check' } },
  ];
}

function acceptance({ signatures = [] }: HandoverDetails, user: string): readonly Block[] {
  const named: readonly { readonly name: string; readonly role?: DocumentText }[] =
    signatures.length === 0
      ? [
          { name: user, role: { id: 'reports.hands-over' } },
          { name: '', role: { id: 'reports.takes-over' } },
        ]
      : signatures;
  return [
    { block: 'paragraph', text: { id: 'reports.acceptance-about' } },
    {
      block: 'signatures',
      signatures: named.map(({ name, role }) => ({
        name,
        statement: { id: 'reports.accepted' },
        role,
      })),
    },
  ];
}
