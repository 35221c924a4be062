/** Steps of the tour: choose devices, choose a template, look at the plan, apply it, undo it. */
export const TOUR_STEPS = ['choose', 'template', 'plan', 'apply', 'undo'] as const;
type TourStep = (typeof TOUR_STEPS)[number];

interface Doing {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly chosen: number;
  /** True once a job has ended that can be undone. */
  readonly applied: boolean;
}

/** Returns the step that a person is at, by what they do and not by what they press. */
export function findTourStep({ path, query, chosen, applied }: Doing): TourStep {
  if (path.startsWith('/work/history')) return 'undo';
  if (path === '/changes/apply') {
    if (query['job'] !== undefined) return applied ? 'undo' : 'apply';
    if (query['step'] === 'plan') return 'plan';
    return query['step'] === 'apply' ? 'apply' : 'template';
  }
  return chosen > 0 ? 'template' : 'choose';
}

export function getTourPlace(step: TourStep): string {
  if (step === 'choose') return '/devices';
  return step === 'undo' ? '/work/history' : '/changes/apply';
}
