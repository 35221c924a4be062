/** The settings of a device as they were read, each beside what the journal knows was written. */
import { createDetail } from '#shared/details.ts';
import type { Params } from '#shared/model.ts';
import type { Block, Fact, DocumentText } from '#shared/report-document.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { isSame } from '../comparison/compare.ts';
import { isSetting } from '../comparison/keyed.ts';
import type { Written } from '../configuration.ts';
import { makeFact, formatParamRanges, placeText, describeOperation } from '../document.ts';
import type { Answered } from '../reading.ts';
import { buildDrawings, resolvePlane, type Plane } from './drawings.ts';
import type { HandoverDevice } from './handed-over.ts';
import { groupAlikeAnswers, type Alike, type Placed } from './places.ts';

/** Builds a block for each answer, then one for values that were sent and cannot be read back. */
export function buildSettingBlocks(device: HandoverDevice): readonly Block[] {
  const unseen = unseenOf(device);
  const answers = settingsOf(device);
  return [
    ...(isReadBeforeWritten(device)
      ? [{ block: 'paragraph', tone: 'warning', text: { id: 'reports.written-later' } } as const]
      : []),
    ...groupAlikeAnswers(
      answers.filter(({ error }) => error === undefined).map((answer) => proved(answer, device)),
    ).flatMap((alike) =>
      blocksOf(alike, resolvePlane(alike.operation, device.subject.known.reading?.limits ?? [])),
    ),
    // An answer with an error tells no values, but that there may be more of them.
    ...answers.flatMap(({ operation, error }): Block[] =>
      error === undefined
        ? []
        : [
            {
              block: 'facts',
              title: describeOperation(operation),
              facts: [makeFact('reports.note', { id: 'reports.may-have-more' })],
            },
          ],
    ),
    ...(unseen.length === 0
      ? []
      : [
          { block: 'paragraph', tone: 'notice', text: { id: 'reports.unseen-about' } } as const,
          { block: 'facts', title: { id: 'reports.unseen' }, facts: unseenFacts(unseen) } as const,
        ]),
  ];
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

/** Marks each value as proved by reading it back, whatever set it, and names the job that wrote it. */
function proved(answer: Answered, device: HandoverDevice): Placed {
  const { operation, params, facts = [], omitted } = answer;
  const at = device.subject.known.reading?.at ?? '';
  return {
    operation,
    params,
    facts: facts.map((fact): Fact => {
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
    }),
    ...(omitted !== undefined && { omitted }),
  };
}

function blocksOf({ operation, places, common, own, omitted }: Alike, plane: Plane): readonly Block[] {
  const title = describeOperation(operation);
  const [first = {}, ...also] = places;
  const block = (at: Params, where: DocumentText | null, facts: readonly Fact[]) =>
    ({
      block: 'facts',
      title,
      of: { operation, params: at },
      facts: [...(where === null ? [] : [makeFact('reports.place', where)]), ...facts],
    }) as const;
  const isEmpty = common.length === 0 && own.length === 0 && omitted === undefined;
  return [
    {
      ...block(
        first,
        formatParamRanges(operation, places),
        isEmpty ? [makeFact('report.value', { id: 'reports.nothing-set' })] : common,
      ),
      ...(also.length > 0 && { also }),
      ...(omitted !== undefined && { omitted }),
    },
    ...buildDrawings(title, common, plane),
    ...own.map(({ params, facts }) => block(params, placeText(operation, params), facts)),
  ];
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

/** Sent, and nothing that was read shows it. */
function unseenOf(device: HandoverDevice): readonly Written[] {
  const seen = new Set(
    settingsOf(device).flatMap((answer) =>
      (answer.facts ?? []).flatMap((fact) => writerOf(answer, fact, device)?.written ?? []),
    ),
  );
  return device.configuration.written.filter((written) => !seen.has(written));
}

/** Lists values that cannot be read back, grouped by the parameters they were written with. */
function unseenFacts(unseen: readonly Written[]): readonly Fact[] {
  const places = Map.groupBy(unseen, ({ operation, params }) => encodeCanonicalJson([operation, params]));
  return [...places.values()].flatMap((own) => {
    const [{ operation, params } = { operation: '', params: {} }] = own;
    const place = placeText(operation, params);
    return [
      ...(place === null ? [] : [makeFact('reports.place', place)]),
      ...own.map((written): Fact => ({ ...written.fact, proof: 'written', source: written.job.name })),
    ];
  });
}

function titleOf({ job }: Written): string {
  return job.template?.name ?? job.title;
}
