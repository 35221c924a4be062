/**
 * The hand-over document of a site: inventory, what was applied and how far it is proved, records, open points, where
 * keys are kept, acceptance; then a page for each device with a code that names it. It is prepared with this app and
 * never says that something complies with something.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, isDetailId, type DetailId } from '#shared/details.ts';
import { USUAL_CHECKS, type HandoverDetails } from '#shared/contract/handover.ts';
import type {
  Block,
  Check,
  Fact,
  ReportDocument,
  Section,
  Value,
  DocumentText,
} from '#shared/report-document.ts';
import {
  buildReportDocument,
  formatDeviceKinds,
  makeFact,
  buildTable,
  makeTimeValue,
  removeEmptyColumns,
  type DocumentContext,
} from '../document.ts';
import { getDeviceIdentity, buildDeviceSections } from './device.ts';
import { getWorstResult, type HandoverDevice } from './handed-over.ts';
import { labelOfCheck, openPoints, punchList, buildSafetyNotice } from './punch-list.ts';

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
  const sections: Section[] = [
    ...buildSafetyNotice(points),
    { title: { id: 'reports.inventory' }, blocks: [...inventory(devices, details)] },
    { title: { id: 'reports.configuration' }, blocks: [...applied(devices)] },
    { title: { id: 'reports.records' }, blocks: [...records(devices)] },
    { title: { id: 'report.open-points' }, blocks: [openPoints(points)] },
    { title: { id: 'reports.checks' }, blocks: [{ block: 'checklist', items: checks(details) }] },
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
    sections: [...sections, ...devices.flatMap((device) => buildDeviceSections(device, document.id))],
  };
}

function inventory(devices: readonly HandoverDevice[], details: HandoverDetails): readonly Block[] {
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
          ['reports.read-at', 'time'],
        ],
        devices.map((device): Value[] => {
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
            known.reading === undefined ? { id: 'reports.never-read' } : makeTimeValue(known.reading.at),
          ];
        }),
      ),
    ),
  ];
}

function applied(devices: readonly HandoverDevice[]): readonly Block[] {
  const rows = devices.flatMap(({ subject, configuration }) =>
    configuration.jobs.flatMap(({ id, name, by, at, template, outcomes: all }): Value[][] => {
      // Sections that the template holds for other devices do not apply to this one.
      const outcomes = all.filter((outcome) => outcome !== 'skipped');
      if (outcomes.length === 0) return [];
      return [
        [
          subject.name,
          name,
          template?.version === undefined ? null : { number: template.version },
          template?.hash.slice(0, 16) ?? null,
          `${outcomes.filter((outcome) => SEEN.has(outcome)).length}/${outcomes.length}`,
          makeTimeValue(at),
          by,
          id,
        ],
      ];
    }),
  );
  if (rows.length === 0)
    return [{ block: 'paragraph', text: { id: 'reports.nothing-applied' }, tone: 'notice' }];
  return [
    { block: 'paragraph', text: { id: 'reports.applied-about' } },
    removeEmptyColumns(
      buildTable(
        undefined,
        [
          ['report.device', 'text'],
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

/** Lists the checks that people answered, and the usual ones that are unanswered. */
function checks({ checks: given = [] }: HandoverDetails): readonly Check[] {
  const answered = new Set(given.map(({ check }) => check));
  return [
    ...given.map(({ check, result, by, at, reason }): Check => ({
      label: labelOfCheck(check),
      result,
      ...(result === 'done' && by !== undefined && { proof: 'attested' as const }),
      ...removeUndefined({ by, at, reason }),
    })),
    ...USUAL_CHECKS.filter((id) => !answered.has(id)).map((id): Check => ({
      label: { id: `reports.check-${id}` },
      result: 'open',
    })),
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
        ...removeUndefined({ role }),
      })),
    },
  ];
}
