/** Painting of a week: periods come and go by spans of one day. */
import type { Period } from '#protocol/week-shape.ts';

export interface Stroke {
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly on: boolean;
}

/**
 * The periods after a stroke. Those of other days, and those the stroke does not reach, are the very
 * same objects; painted ones join with what they touch and take over the first one's entry.
 */
export function paint(periods: readonly Period[], stroke: Stroke): readonly Period[] {
  const { day, from, to } = stroke;
  if (to <= from) return periods;
  const reached = (period: Period): boolean =>
    period.day === day &&
    (stroke.on ? period.to >= from && period.from <= to : period.to > from && period.from < to);
  const touched = periods.filter(reached);
  const others = periods.filter((period) => !reached(period));
  if (stroke.on) {
    const first = touched[0];
    const joined: Period = {
      day,
      from: Math.min(from, ...touched.map((period) => period.from)),
      to: Math.max(to, ...touched.map((period) => period.to)),
      ...(first?.item !== undefined && { item: first.item }),
    };
    const same =
      touched.length === 1 && first !== undefined && first.from === joined.from && first.to === joined.to;
    return same ? periods : inOrder([...others, joined]);
  }
  const left = touched.flatMap((period): Period[] => [
    ...(period.from < from ? [{ ...period, to: from }] : []),
    ...(period.to > to ? [{ ...period, from: to }] : []),
  ]);
  return touched.length === 0 ? periods : inOrder([...others, ...left]);
}

/** One day's periods on other days instead of what they had. */
export function copyDay(periods: readonly Period[], day: number, onto: readonly number[]): readonly Period[] {
  const model = periods.filter((period) => period.day === day);
  const kept = periods.filter((period) => period.day === day || !onto.includes(period.day));
  const copies = onto
    .filter((other) => other !== day)
    .flatMap((other) => model.map(({ from, to }): Period => ({ day: other, from, to })));
  return inOrder([...kept, ...copies]);
}

/** True where the whole span is inside periods of the day. */
export function isPainted(periods: readonly Period[], span: Omit<Stroke, 'on'>): boolean {
  return periods.some(
    (period) => period.day === span.day && period.from <= span.from && period.to >= span.to,
  );
}

function inOrder(periods: readonly Period[]): readonly Period[] {
  return [...periods].sort((a, b) => a.day - b.day || a.from - b.from);
}
