/** What is told of devices that are alike: claim against truth, flags, limits, answers; and of one device its own values. */
import { detailOf } from '#shared/details.ts';
import type { CapabilityFlag, CapabilityLimit } from '#shared/model.ts';
import type { Block, Fact, Leaf, Value, DocumentText } from '#shared/report-document.ts';
import { plainWords } from '#engine/report-files/facts.ts';
import { findOperation } from '#protocol/index.ts';
import {
  errorText,
  kindText,
  line,
  placeText,
  table,
  timeOf,
  withoutEmpty,
  wordsOfOperation,
} from '../document.ts';
import type { Answered, DeviceReading } from '../reading.ts';
import { truthsOf, type Truth } from './truth.ts';

/** Areas whose values are part of the report: engines, models, storage, schedules. */
const SHOWN_AREAS: ReadonlySet<string> = new Set(['aiPlatform', 'storage', 'events']);

export function blocksOfAlike(reading: DeviceReading): readonly Block[] {
  const truths = truthsOf(reading);
  return [
    ...(reading.error === undefined
      ? []
      : [
          { block: 'paragraph', tone: 'warning', text: { id: 'reports.broken-off' } } as const,
          { block: 'paragraph', tone: 'warning', text: errorText(reading.error) } as const,
        ]),
    claimsBlock(truths, reading.error !== undefined),
    answersBlock(truths),
    ...leftOutBlocks(reading),
    ...unlistedBlocks(reading.flags),
    ...documentBlocks(reading),
  ];
}

/** Claims that do not hold, and their opposite; of none that was not looked at it is said that it holds. */
function claimsBlock(truths: readonly Truth[], isBroken: boolean): Block {
  const broken = truths.filter(({ verdict }) => verdict !== undefined);
  if (broken.length === 0) {
    const count = truths.filter(
      ({ claim, answer }) => claim.state === 'true' && answer.mark === 'works',
    ).length;
    if (count === 0) return { block: 'paragraph', tone: 'notice', text: { id: 'reports.no-claims' } };
    return isBroken
      ? { block: 'paragraph', tone: 'notice', text: detailOf('reports.claims-hold-so-far', { count }) }
      : { block: 'paragraph', tone: 'good', text: detailOf('reports.claims-hold', { count }) };
  }
  return table(
    { id: 'reports.claims' },
    [
      ['reports.read', 'text'],
      ['reports.place', 'text'],
      ['reports.claimed', 'mark'],
      ['reports.claimed-by', 'text'],
      ['reports.answered', 'mark'],
      ['reports.meaning', 'text'],
    ],
    broken.map(({ answer, claim, verdict = 'not-kept' }) => [
      wordsOfOperation(answer.operation),
      placeText(answer.operation, answer.params),
      { mark: claim.state },
      claim.by === undefined ? null : flagText(claim.by.operation, claim.by.path),
      { mark: answer.mark },
      { id: `reports.claim-${verdict}` },
    ]),
  );
}

function flagText(operation: string, path: string | undefined): DocumentText {
  return path === undefined ? wordsOfOperation(operation) : path;
}

/** A group for each document with what it says of flags and limits. */
function documentBlocks({ flags, limits }: DeviceReading): readonly Block[] {
  const operations = [...new Set([...flags, ...limits].map(({ operation }) => operation))];
  return operations.flatMap((operation): Block[] => {
    const blocks = [
      ...flagTables(flags.filter((flag) => flag.operation === operation && flag.unlisted !== true)),
      ...limitTables(limits.filter((limit) => limit.operation === operation)),
    ];
    return blocks.length === 0 ? [] : [{ block: 'group', title: wordsOfOperation(operation), blocks }];
  });
}

function unlistedBlocks(flags: readonly CapabilityFlag[]): readonly Block[] {
  const unlisted = flags.filter((flag) => flag.unlisted === true);
  if (unlisted.length === 0) return [];
  return [
    {
      block: 'group',
      title: { id: 'reports.unlisted-flags' },
      blocks: [
        table(
          undefined,
          [
            ['reports.document', 'text'],
            ['reports.on-the-wire', 'text'],
            ['reports.reported', 'mark'],
          ],
          unlisted.map(({ operation, path, state }) => [wordsOfOperation(operation), path, { mark: state }]),
        ),
      ],
    },
  ];
}

function flagTables(flags: readonly CapabilityFlag[]): readonly Leaf[] {
  if (flags.length === 0) return [];
  return [
    withoutEmpty(
      table(
        { id: 'reports.flags' },
        [
          ['reports.flag', 'text'],
          ['reports.on-the-wire', 'text'],
          ['reports.reported', 'mark'],
          ['reports.needs', 'text'],
        ],
        flags.map((flag) => [fieldLabels(flag), flag.path, { mark: flag.state }, flag.needs ?? null]),
      ),
    ),
  ];
}

function leftOutBlocks({ flags, onlyWhenAskedForAll }: DeviceReading): readonly Block[] {
  if (!flags.some(({ operation }) => operation === 'system.capabilities.get')) return [];
  if (onlyWhenAskedForAll.length === 0)
    return [{ block: 'paragraph', text: { id: 'reports.full-is-short' } }];
  return [
    {
      block: 'paragraph',
      tone: 'notice',
      text: detailOf('reports.left-out', { count: onlyWhenAskedForAll.length }),
    },
    table(
      { id: 'reports.left-out-flags' },
      [
        ['reports.flag', 'text'],
        ['reports.on-the-wire', 'text'],
      ],
      onlyWhenAskedForAll.map(({ path, label }) => [label, path]),
    ),
  ];
}

function limitTables(limits: readonly CapabilityLimit[]): readonly Leaf[] {
  if (limits.length === 0) return [];
  return [
    withoutEmpty(
      table(
        { id: 'reports.limits' },
        [
          ['reports.field', 'text'],
          ['reports.on-the-wire', 'text'],
          ['reports.options', 'text'],
          ['reports.min', 'number'],
          ['reports.max', 'number'],
          ['reports.default', 'text'],
          ['reports.count', 'number'],
        ],
        limits.map((limit) => [
          fieldLabels(limit),
          limit.path,
          limit.options?.join(', ') ?? null,
          numberOf(limit.min),
          numberOf(limit.max),
          limit.default ?? null,
          numberOf(limit.count ?? limit.size),
        ]),
      ),
    ),
  ];
}

function answersBlock(truths: readonly Truth[]): Block {
  return withoutEmpty(
    table(
      { id: 'reports.answers' },
      [
        ['reports.read', 'text'],
        ['reports.place', 'text'],
        ['reports.claimed', 'mark'],
        ['reports.answered', 'mark'],
        ['reports.http', 'number'],
        ['reports.said-by-device', 'text'],
      ],
      truths.map(({ answer, claim }) => [
        wordsOfOperation(answer.operation),
        placeText(answer.operation, answer.params),
        { mark: claim.state },
        { mark: answer.mark },
        httpOf(answer),
        answer.error === undefined ? null : errorText(answer.error),
      ]),
    ),
  );
}

/** What it shows of engines, models, storage and schedules: a block for each read. */
export function shownValues({ answers }: DeviceReading): readonly FactsBlock[] {
  return answers
    .filter(
      ({ operation, mark }) => mark === 'works' && SHOWN_AREAS.has(findOperation(operation)?.area ?? ''),
    )
    .flatMap(valueBlocks);
}
type FactsBlock = Extract<Block, { block: 'facts' }>;

/** Who it is. */
export function identityBlock(reading: DeviceReading): Block {
  return { block: 'facts', title: { id: 'reports.identity' }, facts: identityOf(reading) };
}

function identityOf({ name, url, kinds, identity, certificate, at }: DeviceReading): readonly Fact[] {
  return [
    line('reports.device-name', name),
    line('report.address', url),
    line('reports.kinds', kindText(kinds)),
    line('reports.identity-seen', identity ?? null),
    line('reports.certificate', certificate ?? null),
    line('reports.read-at', timeOf(at)),
  ];
}

/** The lines of one answer, and what the specification does not know of it. */
function valueBlocks({ operation, params, facts, omitted, unlisted }: Answered): readonly FactsBlock[] {
  const place = placeText(operation, params);
  const lines = [
    ...(place === null ? [] : [line('reports.place', place)]),
    ...(facts ?? []),
    ...(unlisted ?? []).map(({ path, value }): Fact => ({
      label: detailOf('reports.not-in-specification', { path }),
      value: plainWords(value),
    })),
  ];
  if ((facts ?? []).length === 0 && unlisted === undefined && omitted === undefined) return [];
  return [
    {
      block: 'facts',
      title: wordsOfOperation(operation),
      of: { operation, params },
      facts: lines,
      ...(omitted !== undefined && { omitted }),
    },
  ];
}

export function fieldLabels({
  operation,
  path,
  label,
}: Pick<CapabilityFlag, 'operation' | 'path' | 'label'>): DocumentText {
  const root = findOperation(operation)?.response?.root ?? operation;
  return { root, path, label };
}

export function httpOf({ error }: Answered): Value {
  const http = error?.status?.http ?? 0;
  return http === 0 ? null : { number: http };
}

function numberOf(number: number | undefined): Value {
  return number === undefined ? null : { number };
}
