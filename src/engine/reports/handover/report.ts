/**
 * The hand-over document of a site: inventory, what was applied and how far it is proved, records, open points, where
 * keys are kept, acceptance; then a page for each device with a code that names it. It is prepared with this app and
 * never says that something complies with something.
 */
import { defined } from '../../../shared/defined.ts';
import { detailOf } from '../../../shared/details.ts';
import type { HandoverDetails } from '../../../shared/contract/handover.ts';
import type {
  Block,
  Check,
  Cover,
  Fact,
  Leaf,
  OpenPoint,
  ReportDocument,
  SealedDocument,
  Section,
  Value,
} from '../../../shared/report.ts';
import type { Configuration } from '../configuration.ts';
import { documentOf, errorWords, line, placeWords, table, timeOf, wordsOfOperation } from '../document.ts';
import type { DocumentContext, Subject } from '../document.ts';
import { isSetting } from '../comparison/keyed.ts';
import type { Answered } from '../reading.ts';
import { drawingsOf } from './drawings.ts';

export interface HandoverDevice {
  readonly subject: Subject;
  readonly configuration: Configuration;
  /** Commissioning records of it, newest first. */
  readonly records: readonly SealedDocument[];
  /** Names of its secrets in the vault, and since when each is in force. */
  readonly secrets: readonly { readonly name: string; readonly changedAt: string }[];
}

export interface HandoverOptions extends DocumentContext {
  readonly details: HandoverDetails;
  readonly cover?: Cover;
}

/** Open points with the device they belong to. */
export interface PunchPoint extends OpenPoint {
  readonly device?: string;
}

/** What people are asked for where nobody has said it yet. */
const USUAL_CHECKS = [
  'day',
  'night',
  'detectors',
  'video-loss',
  'trained',
  'names',
  'drawings',
  'backup',
] as const;

export function handoverReport(devices: readonly HandoverDevice[], options: HandoverOptions): ReportDocument {
  const { details, cover } = options;
  const subjects = devices.map(({ subject }) => subject);
  const sections: Section[] = [
    { title: { id: 'reports.inventory' }, blocks: [...inventory(devices, details)] },
    { title: { id: 'reports.configuration' }, blocks: [...applied(devices)] },
    { title: { id: 'reports.records' }, blocks: [...records(devices)] },
    { title: { id: 'report.open-points' }, blocks: [openPoints(punchList(devices, details))] },
    { title: { id: 'reports.checks' }, blocks: [{ block: 'checklist', items: checks(details) }] },
    { title: { id: 'reports.keys' }, blocks: [...keys(devices, details)] },
    { title: { id: 'reports.service' }, blocks: [...service(details)] },
    { title: { id: 'reports.acceptance' }, blocks: [...acceptance(details, options.user)] },
  ];
  const site = subjects.every((subject) => subject.site?.id === subjects[0]?.site?.id)
    ? subjects[0]?.site?.name
    : undefined;
  const name = details.project ?? site;
  const document = documentOf(
    {
      kind: 'handover',
      title:
        name === undefined ? { id: 'reports.handover' } : detailOf('reports.handover-of', { site: name }),
      sections: [],
    },
    subjects,
    options,
  );
  return {
    ...document,
    ...defined({ cover }),
    ...(details.place !== undefined && {
      site: { ...document.site, name: document.site?.name ?? name ?? details.place, address: details.place },
    }),
    sections: [...sections, ...devices.map((device) => devicePage(device, document.id))],
  };
}

function inventory(devices: readonly HandoverDevice[], details: HandoverDetails): readonly Block[] {
  const about = [
    ...(details.project === undefined ? [] : [line('reports.project', details.project)]),
    ...(details.customer === undefined ? [] : [line('reports.customer', details.customer)]),
    ...(details.place === undefined ? [] : [line('reports.place-of-site', details.place)]),
  ];
  return [
    ...(about.length === 0 ? [] : [{ block: 'facts', facts: about } as const]),
    table(
      { id: 'report.devices' },
      [
        ['report.device', 'text'],
        ['report.address', 'text'],
        ['reports.kinds', 'text'],
        ['reports.tags', 'text'],
        ['reports.identity-seen', 'text'],
        ['reports.read-at', 'time'],
      ],
      devices.map(({ subject: { name, url, tags, known } }): Value[] => [
        name,
        url,
        known.reading === undefined || known.reading.kinds.length === 0
          ? null
          : known.reading.kinds.join(', '),
        tags.length === 0 ? null : tags.join(', '),
        known.reading?.identity ?? null,
        known.reading === undefined ? { id: 'reports.never-read' } : timeOf(known.reading.at),
      ]),
    ),
  ];
}

function applied(devices: readonly HandoverDevice[]): readonly Block[] {
  const rows = devices.flatMap(({ subject, configuration }) =>
    configuration.jobs.map(({ id, title, by, at, template, outcomes }): Value[] => [
      subject.name,
      template?.name ?? title,
      template?.version === undefined ? null : { number: template.version },
      template?.hash.slice(0, 16) ?? null,
      `${outcomes.filter((outcome) => GOOD.has(outcome)).length}/${outcomes.length}`,
      timeOf(at),
      `${by}, ${id}`,
    ]),
  );
  if (rows.length === 0)
    return [{ block: 'paragraph', text: { id: 'reports.nothing-applied' }, tone: 'notice' }];
  return [
    { block: 'paragraph', text: { id: 'reports.applied-about' } },
    table(
      undefined,
      [
        ['report.device', 'text'],
        ['reports.template', 'text'],
        ['reports.version', 'number'],
        ['reports.hash', 'text'],
        ['reports.in-force', 'text'],
        ['report.at', 'time'],
        ['report.who', 'text'],
      ],
      rows,
    ),
  ];
}

const GOOD: ReadonlySet<string> = new Set(['effective', 'accepted', 'unchanged']);

function records(devices: readonly HandoverDevice[]): readonly Block[] {
  const rows = devices.flatMap(({ subject, records: own }) =>
    own.map(({ document, sha256 }): Value[] => [
      subject.name,
      document.title,
      { time: document.at },
      resultOf(document),
      document.id.slice(0, 8),
      sha256,
    ]),
  );
  if (rows.length === 0) return [{ block: 'paragraph', text: { id: 'reports.no-records' }, tone: 'notice' }];
  return [
    table(
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

/** The worst of what its steps became. */
function resultOf({ sections }: ReportDocument): Value {
  const results = leavesOf(sections).flatMap((block) =>
    block.block === 'checklist' ? block.items.map(({ result }) => result) : [],
  );
  return { result: (['failed', 'open', 'skipped'] as const).find((one) => results.includes(one)) ?? 'done' };
}

function leavesOf(sections: readonly Section[]): readonly Leaf[] {
  return sections.flatMap(({ blocks }) =>
    blocks.flatMap((block): readonly Leaf[] => (block.block === 'group' ? block.blocks : [block])),
  );
}

/** Of people, of records, and of what this document itself found wanting. */
export function punchList(
  devices: readonly HandoverDevice[],
  { openPoints: given = [] }: HandoverDetails,
): readonly PunchPoint[] {
  return [
    ...given,
    ...devices.flatMap(({ subject, records: own, configuration }): PunchPoint[] => [
      ...own.flatMap(({ document }) =>
        leavesOf(document.sections).flatMap((block) =>
          block.block === 'openPoints'
            ? block.points.map((point) => ({ ...point, device: subject.name }))
            : [],
        ),
      ),
      ...(subject.known.failed === undefined
        ? []
        : [
            {
              text: errorWords(subject.known.failed.error),
              severity: 'major',
              device: subject.name,
            } as const,
          ]),
      ...(configuration.jobs[0]?.outcomes.some((outcome) => !GOOD.has(outcome) && outcome !== 'skipped') ===
      true
        ? [
            {
              text: detailOf('reports.not-in-force', { title: configuration.jobs[0].title }),
              severity: 'minor',
              device: subject.name,
            } as const,
          ]
        : []),
    ]),
  ];
}

function openPoints(points: readonly PunchPoint[]): Block {
  if (points.length === 0) return { block: 'paragraph', text: { id: 'reports.no-open-points' } };
  return table(
    undefined,
    PUNCH_COLUMNS,
    points.map((point) => [...punchCells(point)]),
  );
}

const PUNCH_COLUMNS = [
  ['report.device', 'text'],
  ['report.open-point', 'text'],
  ['report.severity', 'text'],
  ['report.owner', 'text'],
  ['report.due', 'text'],
] as const;
export const PUNCH_HEADS = PUNCH_COLUMNS.map(([id]) => id);

export function punchCells({ device, text, severity, owner, due }: PunchPoint): readonly Value[] {
  return [device ?? null, text, { id: `report.severity.${severity}` }, owner ?? null, due ?? null];
}

function checks({ checks: given = [] }: HandoverDetails): readonly Check[] {
  return [
    ...given.map(({ check, result, by, at, reason }): Check => ({
      label: check,
      result,
      ...(result === 'done' && by !== undefined && { proof: 'attested' as const }),
      ...defined({ by, at: at === undefined ? undefined : `${at}T00:00:00Z`, reason }),
    })),
    ...(given.length > 0
      ? []
      : USUAL_CHECKS.map((id): Check => ({ label: { id: `reports.check-${id}` }, result: 'open' }))),
  ];
}

function keys(devices: readonly HandoverDevice[], { keys: given = [] }: HandoverDetails): readonly Block[] {
  const rows = [
    ...given.map(({ what, where }): Value[] => [what, where, null]),
    ...devices.flatMap(({ subject, secrets }) =>
      secrets.map(({ name, changedAt }): Value[] => [
        `${subject.name}: ${name}`,
        { id: 'flow-lock-vault' },
        timeOf(changedAt),
      ]),
    ),
  ];
  return [
    { block: 'paragraph', text: { id: 'reports.keys-about' } },
    ...(rows.length === 0
      ? []
      : [
          table(
            undefined,
            [
              ['reports.key', 'text'],
              ['reports.kept-in', 'text'],
              ['report.at', 'time'],
            ],
            rows,
          ),
        ]),
  ];
}

function service({ warranty, maintenanceDue, documents = [] }: HandoverDetails): readonly Block[] {
  const facts: Fact[] = [
    line('reports.warranty-from', warranty?.from ?? null),
    line('reports.warranty-until', warranty?.until ?? null),
    ...(warranty?.terms === undefined ? [] : [line('reports.warranty-terms', warranty.terms)]),
    line('reports.maintenance-due', maintenanceDue ?? null),
    ...documents.map((name) => line('reports.handed-over', name)),
  ];
  return [
    { block: 'facts', facts },
    { block: 'paragraph', text: { id: 'reports.warranty-check' } },
  ];
}

function acceptance({ signatures = [] }: HandoverDetails, user: string): readonly Block[] {
  const named = signatures.length === 0 ? [{ name: user }, { name: '' }] : signatures;
  return [
    { block: 'paragraph', text: { id: 'reports.acceptance-about' } },
    {
      block: 'signatures',
      signatures: named.map(({ name, role }) => ({
        name,
        statement: { id: 'reports.accepted' },
        ...defined({ role }),
      })),
    },
  ];
}

/** A page to hang beside the door: what it is, how it is set, what was proved; the code names it. */
function devicePage({ subject, configuration, records: own }: HandoverDevice, documentId: string): Section {
  const { id, name, url, known } = subject;
  const [record] = own;
  const code = [
    `Fieldwright ${documentId}`,
    name.slice(0, 100),
    url.slice(0, 100),
    ...(record === undefined ? [] : [`${record.document.id} ${record.sha256}`]),
  ].join('\n');
  const settings = (known.reading?.answers ?? []).filter(
    ({ operation, mark }) => mark === 'works' && isSetting(operation),
  );
  const blocks: Block[] = [
    {
      block: 'facts',
      facts: [
        line('report.name', name),
        line('report.address', url),
        line('reports.kinds', known.reading?.kinds.join(', ') ?? null),
        line('reports.identity-seen', known.reading?.identity ?? null),
        line('reports.certificate', known.reading?.certificate ?? null),
        line('reports.read-at', known.reading === undefined ? null : timeOf(known.reading.at)),
        line('reports.record', record === undefined ? null : `${record.document.id} ${record.sha256}`),
      ],
    },
    { block: 'code', title: { id: 'reports.code' }, text: code },
    ...(known.failed === undefined
      ? []
      : [{ block: 'paragraph', tone: 'warning', text: errorWords(known.failed.error) } as const]),
    ...own.flatMap(shownBy),
    ...settings.flatMap((answer) => settingBlocks(answer, configuration)),
  ];
  return { title: name, device: id, page: true, blocks: within(blocks) };
}

/** What a record proved beyond reading. */
function shownBy({ document }: SealedDocument): readonly Block[] {
  const facts = leavesOf(document.sections).flatMap((block) =>
    block.block === 'facts'
      ? block.facts.filter(({ proof }) => proof === 'function-tested' || proof === 'attested')
      : [],
  );
  return facts.length === 0 ? [] : [{ block: 'facts', title: document.title, facts }];
}

/** The schema takes so many blocks of one section. */
const MOST_BLOCKS = 200;

function within(blocks: readonly Block[]): Block[] {
  if (blocks.length <= MOST_BLOCKS) return [...blocks];
  const left = blocks.length - MOST_BLOCKS + 1;
  return [
    ...blocks.slice(0, MOST_BLOCKS - 1),
    { block: 'paragraph', tone: 'notice', text: detailOf('report.omitted', { count: left }) },
  ];
}

function settingBlocks(
  { operation, params, facts = [], omitted }: Answered,
  configuration: Configuration,
): readonly Block[] {
  const place = placeWords(operation, params);
  const title = wordsOfOperation(operation);
  return [
    {
      block: 'facts',
      title,
      of: { operation, params },
      facts: [
        ...(place === null ? [] : [line('reports.place', place)]),
        ...facts.map((fact): Fact => {
          const path = typeof fact.label === 'object' && 'root' in fact.label ? (fact.label.path ?? '') : '';
          const writer = configuration.writer(operation, params, path);
          // It was read from the device: that is what is proved, whoever set it.
          return {
            ...fact,
            proof: 'read-back',
            source:
              writer === undefined ? { id: 'reports.as-found' } : (writer.template?.name ?? writer.title),
          };
        }),
      ],
      ...(omitted !== undefined && { omitted }),
    },
    ...drawingsOf(title, facts),
  ];
}
