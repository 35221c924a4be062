/**
 * Cost of decoding and checking a large capability document beside the bare parser of its format.
 * Alone: `node test/bench/protocol-decode.ts`.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseTree } from 'jsonc-parser';
import { formatTable } from '#cli/output/table.ts';
import { decode, findOperation, validate } from '#protocol/index.ts';
import type { DeviceKind } from '#shared/model.ts';
import { startSite } from '#simulator/index.ts';
import { median, ratios, plainPaint } from './shared.ts';

/** Medians in milliseconds; `ratio` is the median of the rounds' ratios, so that a disturbed round counts once. */
export interface DecodeRow {
  readonly name: string;
  readonly product: number;
  readonly reference: number;
  readonly ratio: number;
}

/** Goal for each row. */
export const DECODE_RATIO = 2.0;
const CHARACTERS = 500 * 1024;

interface Subject {
  readonly name: string;
  readonly kind: DeviceKind;
  readonly operation: string;
  readonly path: string;
  /** Part that is repeated until the document is large: from the first of these to the last. */
  readonly repeat: readonly [from: string, to: string];
  readonly separator: string;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'XML, mostly unlisted (DeviceCap)',
    kind: 'recorder',
    operation: 'system.capabilities.get',
    path: '/API/System/capabilities?type=all',
    repeat: ['<SysCap>', '</SysCap>'],
    separator: '\r\n',
  },
  {
    name: 'XML, all listed (passback plan)',
    kind: 'recorder',
    operation: 'passback.historyPlan.capabilities.get',
    path: '/API/ContentMgmt/record/passback/historyPlanCfg/capabilities',
    repeat: ['<ScheduleAction>', '</ScheduleAction>'],
    separator: '\r\n',
  },
  {
    name: 'JSON (picture polling)',
    kind: 'ai',
    operation: 'aiPlatform.picturePollingTask.capabilities.get',
    path: '/API/Intelligent/AIOpenPlatform/picturePollingAnalysisTask/capabilities?format=json',
    repeat: ['{\r\n\t\t\t\t"cameraIndexCode"', '"isSupportTargetAttrs": 0\r\n\t\t\t}'],
    separator: ',\r\n',
  },
];

/** Runs `rounds` of both sides by turns; returns each row's medians over them. */
export async function benchDecode({ rounds = 75 }: { readonly rounds?: number } = {}): Promise<
  readonly DecodeRow[]
> {
  const rows: DecodeRow[] = [];
  for (const subject of SUBJECTS) {
    const text = grown(await documentOf(subject), subject);
    rows.push(
      measure(
        `${subject.name}, ${(text.length / 1024).toFixed(0)} KB`,
        (nth) => product(subject.operation, text + ' '.repeat(nth % 2)),
        () => bare(text),
        rounds,
      ),
    );
  }
  return rows;
}

/** Returns the document as a virtual device gives it. */
async function documentOf({ kind, path }: Subject): Promise<string> {
  const site = await startSite({ kinds: [kind], auth: 'none', seed: 7 });
  try {
    return await (await fetch(`${site.devices[0]?.url ?? ''}${path}`)).text();
  } finally {
    await site.close();
  }
}

function grown(text: string, { repeat: [from, to], separator }: Subject): string {
  const start = text.indexOf(from);
  const end = text.lastIndexOf(to) + to.length;
  if (start < 0 || end <= start) throw new Error(`The document holds no ${from}.`);
  const piece = text.slice(start, end);
  const times = Math.ceil(CHARACTERS / (piece.length + separator.length));
  return text.slice(0, start) + Array.from({ length: times }, () => piece).join(separator) + text.slice(end);
}

function product(id: string, text: string): number {
  const payload = findOperation(id)?.response;
  if (payload === undefined) throw new Error(`${id} has no answer.`);
  return validate(payload, decode(payload, text).value, { mode: 'whole' }).length;
}

/**
 * Checks well-formedness and builds a tree that keeps the order, or positions: the least that any reader
 * needs.
 */
function bare(text: string): unknown {
  if (text.startsWith('{')) return [JSON.parse(text), parseTree(text)];
  if (XMLValidator.validate(text) !== true) throw new Error('The document is not well formed.');
  return new XMLParser({ preserveOrder: true, ignoreAttributes: false }).parse(text);
}

/**
 * Measures both. `ours` gets the number of the run: the product does not take the same document apart twice
 * in a row.
 */
function measure(
  name: string,
  ours: (nth: number) => unknown,
  theirs: () => unknown,
  rounds: number,
): DecodeRow {
  const times = { ours: [] as number[], theirs: [] as number[] };
  const warmUp = Math.ceil(rounds / 4);
  for (let round = -warmUp; round < rounds; round += 1) {
    // The two take turns, and take turns at beginning: a busy machine then disturbs both alike.
    const turns = [
      ['ours', ours],
      ['theirs', theirs],
    ] as const;
    for (const [side, run] of round % 2 === 0 ? turns : turns.toReversed()) {
      const took = timed(() => run(round + warmUp));
      if (round >= 0) times[side].push(took);
    }
  }
  const ratio = median(ratios(times.ours, times.theirs));
  return { name, product: median(times.ours), reference: median(times.theirs), ratio };
}

function timed(run: () => unknown): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}

/** Formats the rows as a table for people. */
export async function decodeReport(): Promise<string> {
  const rows = await benchDecode();
  return [
    'Decode and check a large capability document, beside the bare parser of its format',
    '',
    ...formatTable(
      rows,
      {
        DOCUMENT: ({ name }) => name,
        'TIME ms': { value: ({ product }) => product.toFixed(1), align: 'right' },
        'BARE ms': { value: ({ reference }) => reference.toFixed(1), align: 'right' },
        RATIO: { value: ({ ratio }) => ratio.toFixed(2), align: 'right' },
        [`GOAL ${DECODE_RATIO.toFixed(1)}`]: ({ ratio }) => (ratio <= DECODE_RATIO ? 'met' : 'MISSED'),
      },
      { paint: plainPaint },
    ),
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await decodeReport());
