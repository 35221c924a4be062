/** Channels and presets that show the same fields: what is the same in all of them once, then what differs. */
import type { Params } from '#shared/model.ts';
import type { Fact, DocumentText } from '#shared/report-document.ts';
import { isPlace } from '#report-layout/facts-runs.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { makeFact, formatParamRanges, placeText } from '../document.ts';
import type { Facts } from './common.ts';

/** Merges blocks of the same form, in the order of the first of each. */
export function mergeSameForm(blocks: readonly Facts[]): readonly Facts[] {
  const groups = Map.groupBy(blocks, ({ of, facts, omitted }) =>
    encodeCanonicalJson([
      of?.operation ?? null,
      omitted ?? null,
      facts.filter((fact) => !isPlace(fact)).map(({ label }) => label),
    ]),
  );
  return [...groups.values()].flatMap((group) => together(group) ?? group);
}

function together(group: readonly Facts[]): readonly Facts[] | undefined {
  const [first] = group;
  const operation = first?.of?.operation;
  if (first === undefined || operation === undefined || group.length < 2) return undefined;
  const lines = group.map(({ facts }) => facts.filter((fact) => !isPlace(fact)));
  const isSame = (nth: number): boolean => {
    const value = encodeCanonicalJson(lines[0]?.[nth]?.value ?? null);
    return lines.every((own) => encodeCanonicalJson(own[nth]?.value ?? null) === value);
  };
  const fields = lines[0] ?? [];
  const differing = fields.flatMap((_fact, nth) => (isSame(nth) ? [] : [nth]));
  const common: readonly Fact[] = fields.filter((_fact, nth) => !differing.includes(nth));
  const params = group.map(({ of }): Params => of?.params ?? {});
  const block = (of: Facts['of'], place: DocumentText | null, facts: readonly Fact[]): Facts => ({
    ...first,
    of,
    facts: [...(place === null ? [] : [makeFact('reports.place', place)]), ...facts],
  });
  return [
    ...(common.length === 0 ? [] : [block(first.of, formatParamRanges(operation, params), common)]),
    ...(differing.length === 0
      ? []
      : group.map(({ of }, at) =>
          block(
            of,
            placeText(operation, params[at] ?? {}),
            differing.flatMap((nth) => lines[at]?.[nth] ?? []),
          ),
        )),
  ];
}
