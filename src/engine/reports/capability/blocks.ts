/**
 * Blocks on devices that are alike: claim against truth, flags, limits, answers; and for one device its own
 * values.
 */
import { createDetail } from '#shared/details.ts';
import type { CapabilityFlag, CapabilityLimit } from '#shared/model.ts';
import type { Block, Fact, Leaf, Value, DocumentText } from '#shared/report-document.ts';
import { formatPlainValue } from '#engine/report-files/facts.ts';
import { findOperation } from '#protocol/index.ts';
import {
  describeReadingError,
  formatDeviceKinds,
  makeFact,
  placeText,
  buildTable,
  makeTimeValue,
  removeEmptyColumns,
  describeOperation,
} from '../document.ts';
import type { Answered, DeviceReading } from '../reading.ts';
import { listTruths, type Truth } from './truth.ts';

/** Areas whose values are part of the report: engines, models, storage, schedules. */
const SHOWN_AREAS: ReadonlySet<string> = new Set(['aiPlatform', 'storage', 'events']);

export function buildAlikeBlocks(reading: DeviceReading): readonly Block[] {
  const truths = listTruths(reading);
  return [
    ...(reading.error === undefined
      ? []
      : [
          { block: 'paragraph', tone: 'warning', text: { id: 'reports.broken-off' } } as const,
          { block: 'paragraph', tone: 'warning', text: describeReadingError(reading.error) } as const,
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
      ? { block: 'paragraph', tone: 'notice', text: createDetail('reports.claims-hold-so-far', { count }) }
      : { block: 'paragraph', tone: 'good', text: createDetail('reports.claims-hold', { count }) };
  }
  return buildTable(
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
      describeOperation(answer.operation),
      placeText(answer.operation, answer.params),
      { mark: claim.state },
      claim.by === undefined ? null : flagText(claim.by.operation, claim.by.path),
      { mark: answer.mark },
      { id: `reports.claim-${verdict}` },
    ]),
  );
}

function flagText(operation: string, path: string | undefined): DocumentText {
  return path === undefined ? describeOperation(operation) : path;
}

/** Builds a group for each document with what it says of flags and limits. */
function documentBlocks({ flags, limits }: DeviceReading): readonly Block[] {
  const operations = [...new Set([...flags, ...limits].map(({ operation }) => operation))];
  return operations.flatMap((operation): Block[] => {
    const blocks = [
      ...flagTables(flags.filter((flag) => flag.operation === operation && flag.unlisted !== true)),
      ...limitTables(limits.filter((limit) => limit.operation === operation)),
    ];
    return blocks.length === 0 ? [] : [{ block: 'group', title: describeOperation(operation), blocks }];
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
        buildTable(
          undefined,
          [
            ['reports.document', 'text'],
            ['reports.on-the-wire', 'text'],
            ['reports.reported', 'mark'],
          ],
          unlisted.map(({ operation, path, state }) => [describeOperation(operation), path, { mark: state }]),
        ),
      ],
    },
  ];
}

function flagTables(flags: readonly CapabilityFlag[]): readonly Leaf[] {
  if (flags.length === 0) return [];
  return [
    removeEmptyColumns(
      buildTable(
        { id: 'reports.flags' },
        [
          ['reports.flag', 'text'],
          ['reports.on-the-wire', 'text'],
          ['reports.reported', 'mark'],
          ['reports.needs', 'text'],
        ],
        flags.map((flag) => [getFieldLabels(flag), flag.path, { mark: flag.state }, flag.needs ?? null]),
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
      text: createDetail('reports.left-out', { count: onlyWhenAskedForAll.length }),
    },
    buildTable(
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
    removeEmptyColumns(
      buildTable(
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
          getFieldLabels(limit),
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
  return removeEmptyColumns(
    buildTable(
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
        describeOperation(answer.operation),
        placeText(answer.operation, answer.params),
        { mark: claim.state },
        { mark: answer.mark },
        getHttpStatus(answer),
        answer.error === undefined ? null : describeReadingError(answer.error),
      ]),
    ),
  );
}

/** Builds a block for each read of engines, models, storage and schedules. */
export function buildValueBlocks({ answers }: DeviceReading): readonly FactsBlock[] {
  return answers
    .filter(
      ({ operation, mark }) => mark === 'works' && SHOWN_AREAS.has(findOperation(operation)?.area ?? ''),
    )
    .flatMap(valueBlocks);
}
type FactsBlock = Extract<Block, { block: 'facts' }>;

export function buildIdentityBlock(reading: DeviceReading): Block {
  return { block: 'facts', title: { id: 'reports.identity' }, facts: identityOf(reading) };
}

function identityOf({ name, url, kinds, identity, certificate, at }: DeviceReading): readonly Fact[] {
  return [
    makeFact('reports.device-name', name),
    makeFact('report.address', url),
    makeFact('reports.kinds', formatDeviceKinds(kinds)),
    makeFact('reports.identity-seen', identity ?? null),
    makeFact('reports.certificate', certificate ?? null),
    makeFact('reports.read-at', makeTimeValue(at)),
  ];
}

/** Builds the lines of one answer, and what the specification does not know of it. */
function valueBlocks({ operation, params, facts, omitted, unlisted }: Answered): readonly FactsBlock[] {
  const place = placeText(operation, params);
  const lines = [
    ...(place === null ? [] : [makeFact('reports.place', place)]),
    ...(facts ?? []),
    ...(unlisted ?? []).map(({ path, value }): Fact => ({
      label: createDetail('reports.not-in-specification', { path }),
      value: formatPlainValue(value),
    })),
  ];
  if ((facts ?? []).length === 0 && unlisted === undefined && omitted === undefined) return [];
  return [
    {
      block: 'facts',
      title: describeOperation(operation),
      of: { operation, params },
      facts: lines,
      omitted,
    },
  ];
}

export function getFieldLabels({
  operation,
  path,
  label,
}: Pick<CapabilityFlag, 'operation' | 'path' | 'label'>): DocumentText {
  const root = findOperation(operation)?.response?.root ?? operation;
  return { root, path, label };
}

export function getHttpStatus({ error }: Answered): Value {
  const http = error?.status?.http ?? 0;
  return http === 0 ? null : { number: http };
}

function numberOf(number: number | undefined): Value {
  return number === undefined ? null : { number };
}
