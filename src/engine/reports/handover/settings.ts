/** The settings of devices as they were read, each beside what the journal knows was written. */
import { createDetail } from '#shared/details.ts';
import type { Params } from '#shared/model.ts';
import type { Block, Fact, DocumentText } from '#shared/report-document.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { isSame } from '../comparison/compare.ts';
import { isSetting } from '../comparison/keyed.ts';
import type { Written } from '../configuration.ts';
import { makeFact, formatParamRanges, placeText, describeOperation } from '../document.ts';
import type { Answered } from '../reading.ts';
import { buildDrawings, resolvePlane } from './drawings.ts';
import { listLeaves, pickLatestRecords, type HandoverDevice } from './handed-over.ts';
import { separateShared, type Told } from './together.ts';

/**
 * Builds the blocks of devices that have the same reads: what is alike in all of them once, then lists and settings that
 * differ. One device has no differences.
 */
export function buildSettingBlocks(devices: readonly HandoverDevice[]): readonly Block[] {
  const [first] = devices;
  if (first === undefined) return [];
  const limits = first.subject.known.reading?.limits ?? [];
  const named = devices.map(({ subject: { id, name } }) => ({ id, name }));
  const asBlocks = (entries: readonly Told[], of?: readonly string[]): readonly Block[] => [
    ...entries.filter((entry) => entry.of === undefined).map(buildFactsBlock),
    ...groupAlikeAnswers(entries.flatMap(toPlaced)).flatMap((alike) => buildAlikeBlocks(alike, limits, of)),
  ];
  const tell = (told: readonly (readonly Told[])[]): readonly Block[] => {
    const { common, lists, matrices } = separateShared(named, told);
    return [...asBlocks(common), ...lists.flatMap((list) => asBlocks(list.told, list.devices)), ...matrices];
  };
  const unseen = devices.map(listUnproved);
  return [
    ...tell(devices.map((device) => [...listRecorded(device), ...listSettings(device)])),
    ...(unseen.every(({ length }) => length === 0)
      ? []
      : [
          { block: 'paragraph', tone: 'notice', text: { id: 'reports.unseen-about' } } as const,
          ...tell(unseen),
        ]),
  ];
}

/** Returns the reads that a device answered, so that devices with the same ones can share a section. */
export function listReads(device: HandoverDevice): readonly string[] {
  return [...new Set(settingsOf(device).map(({ operation }) => operation))].sort();
}

/** Values that were read later and are not what was written there last. */
export function countChangedSinceApplied(device: HandoverDevice): number {
  const at = device.subject.known.reading?.at ?? '';
  return settingsOf(device)
    .flatMap((answer) => (answer.facts ?? []).map((fact) => writerOf(answer, fact, device)))
    .filter((writer) => writer?.isSame === false && writer.written.job.at <= at).length;
}

/** Returns whether the reading is older than the last write, and so proves nothing about it. */
export function isReadBeforeWritten({ subject, configuration }: HandoverDevice): boolean {
  const { reading } = subject.known;
  return reading !== undefined && configuration.written.some(({ job }) => job.at > reading.at);
}

function settingsOf({ subject: { known } }: HandoverDevice): readonly Answered[] {
  return (known.reading?.answers ?? []).filter(
    ({ operation, mark }) => mark === 'works' && isSetting(operation),
  );
}

/** Lists the facts of records that were tested or attested, not only read. */
function listRecorded({ records }: HandoverDevice): readonly Told[] {
  return pickLatestRecords(records).flatMap(({ document }): readonly Told[] => {
    const facts = listLeaves(document.sections).flatMap((block) =>
      block.block === 'facts'
        ? block.facts.filter(({ proof }) => proof === 'function-tested' || proof === 'attested')
        : [],
    );
    return facts.length === 0 ? [] : [{ title: document.title, where: null, facts }];
  });
}

/** Lists an entry for each answer; one that broke off says that there may be more. */
function listSettings(device: HandoverDevice): readonly Told[] {
  return settingsOf(device).map((answer): Told => {
    const { operation, params, error, omitted } = answer;
    const title = describeOperation(operation);
    if (error !== undefined)
      return { title, where: null, facts: [makeFact('reports.note', { id: 'reports.may-have-more' })] };
    return {
      title,
      where: placeText(operation, params),
      of: { operation, params },
      facts: prove(answer, device),
      omitted,
    };
  });
}

/** Lists values that were sent and that nothing that was read shows, an entry for each place. */
function listUnproved(device: HandoverDevice): readonly Told[] {
  const seen = new Set(
    settingsOf(device).flatMap((answer) =>
      (answer.facts ?? []).flatMap((fact) => writerOf(answer, fact, device)?.written ?? []),
    ),
  );
  const unseen = device.configuration.written.filter((written) => !seen.has(written));
  const places = Map.groupBy(unseen, ({ operation, params }) => encodeCanonicalJson([operation, params]));
  return [...places.values()].flatMap((own): readonly Told[] => {
    const [first] = own;
    if (first === undefined) return [];
    return [
      {
        title: { id: 'reports.unseen' },
        where: placeText(first.operation, first.params),
        facts: own.map(({ fact, job }): Fact => ({ ...fact, proof: 'written', source: job.name })),
      },
    ];
  });
}

/** Marks each value as proved by reading it back, whatever set it, and names the job that wrote it. */
function prove(answer: Answered, device: HandoverDevice): readonly Fact[] {
  const at = device.subject.known.reading?.at ?? '';
  return (answer.facts ?? []).map((fact): Fact => {
    const writer = writerOf(answer, fact, device);
    const source =
      writer === undefined
        ? ({ id: 'reports.as-found' } as const)
        : writer.isSame
          ? writer.written.job.name
          : createDetail(
              // A reading from before the write says nothing about the result of the write.
              writer.written.job.at > at ? 'reports.read-before' : 'reports.changed-after',
              { title: titleOf(writer.written) },
            );
    return { ...fact, proof: 'read-back', source };
  });
}

function toPlaced({ of, facts, omitted }: Told): readonly Placed[] {
  return of === undefined ? [] : [{ ...of, facts, omitted }];
}

function buildFactsBlock({ title, where, facts, omitted }: Told): Block {
  return {
    block: 'facts',
    title,
    facts: [...(where === null ? [] : [makeFact('reports.place', where)]), ...facts],
    omitted,
  };
}

/** Builds the blocks of channels that are set alike: the settings of all, their drawings, then what each has of its own. */
function buildAlikeBlocks(
  { operation, places, common, own, omitted }: Alike,
  limits: Parameters<typeof resolvePlane>[1],
  devices?: readonly string[],
): readonly Block[] {
  const title = describeOperation(operation);
  const [first = {}, ...also] = places;
  const block = (at: Params, where: DocumentText | null, facts: readonly Fact[]) =>
    ({
      block: 'facts',
      title,
      of: { operation, params: at },
      facts: [...(where === null ? [] : [makeFact('reports.place', where)]), ...facts],
      ...(devices !== undefined && { devices }),
    }) as const;
  const isEmpty = common.length === 0 && own.length === 0 && omitted === undefined;
  const { drawings, drawn } = buildDrawings(title, common, resolvePlane(operation, limits));
  return [
    {
      ...block(
        first,
        formatParamRanges(operation, places),
        isEmpty
          ? [makeFact('report.value', { id: 'reports.nothing-set' })]
          : common.map((fact) => (drawn.has(fact) ? { ...fact, drawn: true } : fact)),
      ),
      ...(also.length > 0 && { also }),
      omitted,
    },
    ...drawings.map((drawing) => ({
      ...drawing,
      twin: drawing.twin.map((fact) => ({ ...fact, ...proofOf(drawn) })),
    })),
    ...own.map(({ params, facts }) => block(params, placeText(operation, params), facts)),
  ];
}

/** Returns the proof and the source of facts, each if all of them have the same. */
function proofOf(facts: ReadonlySet<Fact>): Pick<Fact, 'proof' | 'source'> {
  const [first, ...others] = facts;
  if (first === undefined) return {};
  const isOne = (name: 'proof' | 'source'): boolean =>
    first[name] !== undefined &&
    others.every((fact) => encodeCanonicalJson(fact[name] ?? null) === encodeCanonicalJson(first[name]));
  return {
    ...(isOne('proof') && { proof: first.proof }),
    ...(isOne('source') && { source: first.source }),
  };
}

function writerOf(
  { operation, params }: Answered,
  { label, value }: Fact,
  { configuration }: HandoverDevice,
): { readonly written: Written; readonly isSame: boolean } | undefined {
  const path = typeof label === 'object' && 'root' in label ? (label.path ?? '') : '';
  const written = configuration.writer(operation, params, path);
  return written === undefined ? undefined : { written, isSame: isSame(written.fact.value, value) };
}

function titleOf({ job }: Written): string {
  return job.template?.name ?? job.title;
}

/** Answer to one read with its parameters. */
interface Placed {
  readonly operation: string;
  readonly params: Params;
  readonly facts: readonly Fact[];
  readonly omitted?: number;
}
/** One read in several places. */
interface Alike {
  readonly operation: string;
  readonly places: readonly Params[];
  /** The same in all of them. */
  readonly common: readonly Fact[];
  /** Facts that differ, for each answer that has any. */
  readonly own: readonly { readonly params: Params; readonly facts: readonly Fact[] }[];
  readonly omitted?: number;
}

/** Whatever the plane is, it is drawn on one. */
const ANYWHERE = { width: Infinity, height: Infinity };

/**
 * Groups answers in their order. Answers are alike if their drawn lists (weeks, regions) are equal; others
 * are alike if they have the same fields.
 */
function groupAlikeAnswers(answers: readonly Placed[]): readonly Alike[] {
  const groups = Map.groupBy(answers, ({ operation, facts, omitted }) => {
    const lists = facts.filter(isInList);
    const isDrawn = buildDrawings('', lists, ANYWHERE).drawings.length > 0;
    return encodeCanonicalJson([
      operation,
      omitted ?? null,
      isDrawn ? lists : lists.map(({ label }) => label),
    ]);
  });
  return [...groups.values()].flatMap((group): readonly Alike[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { operation, omitted } = first;
    const places = group.map(({ params }) => params);
    const [common, own] = shared(group);
    return [{ operation, places, common, own, omitted }];
  });
}

function isInList({ label }: Fact): boolean {
  return typeof label === 'object' && 'root' in label && label.path?.includes('[') === true;
}

function shared(group: readonly Placed[]): readonly [Alike['common'], Alike['own']] {
  const [first, ...others] = group;
  if (first === undefined || others.length === 0) return [first?.facts ?? [], []];
  const sets = others.map(({ facts }) => new Set(facts.map((fact) => encodeCanonicalJson(fact))));
  const common = first.facts.filter((fact) => {
    const text = encodeCanonicalJson(fact);
    return sets.every((set) => set.has(text));
  });
  const inAll = new Set(common.map((fact) => encodeCanonicalJson(fact)));
  const own = group.flatMap(({ params, facts }) => {
    const left = facts.filter((fact) => !inAll.has(encodeCanonicalJson(fact)));
    return left.length === 0 ? [] : [{ params, facts: left }];
  });
  return [common, own];
}
