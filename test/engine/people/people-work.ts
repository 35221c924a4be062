/** Work on people in tests: planned, carried out, and what the virtual devices say of it. */
import type { PlanSource } from '#engine/index.ts';
import type { Job } from '#shared/model.ts';
import type { PeoplePlan, PeopleRow } from '#shared/people/people.ts';
import { never, waitForEnd, type TestSite } from '../site-engine.ts';

export function fileOf(
  text: string,
  format: 'csv' | 'ndjson' = 'csv',
): Extract<PlanSource, { readonly kind: 'file' }> {
  return {
    kind: 'file',
    format,
    map: {},
    codePage: 'windows-1252',
    file: {
      name: 'people.csv',

      async *open() {
        yield Buffer.from(text);
      },
    },
  };
}

/** Makes a table of people from number 5001 on. */
export function people(count: number, more: (at: number) => string = () => ''): string {
  const rows = Array.from({ length: count }, (_, at) => `${5001 + at},Underhill ${at},normal,1${more(at)}\n`);
  return `employeeNo,name,userType,doorRight\n${rows.join('')}`;
}

export async function planOf(
  { engine, ids }: Pick<TestSite, 'engine' | 'ids'>,
  source: PlanSource,
  deviceIds = ids,
): Promise<PeoplePlan> {
  for await (const event of engine.people.planFrom({ source, deviceIds }, never))
    if (event.type === 'plan') return event.plan;
  throw new Error('no plan came');
}

export async function carriedOut(
  at: Pick<TestSite, 'engine' | 'ids'>,
  source: PlanSource,
  options = {},
): Promise<{ readonly plan: PeoplePlan; readonly job: Job; readonly rows: readonly PeopleRow[] }> {
  const plan = await planOf(at, source);
  const { jobId } = at.engine.people.begin({ id: plan.id, options });
  const job = await waitForEnd(at.engine, jobId);
  return { plan, job, rows: [...at.engine.people.listed({ id: jobId, only: 'all' })] };
}

/**
 * Returns the hashes of bodies that changed a person on a device: twice the same is a person written twice.
 */
export function applied(at: Pick<TestSite, 'site'>, device = 0): readonly string[] {
  return at.site
    .device(device)
    .requests.filter(({ operation, applied: done }) => operation === 'accessControl.users.setUp' && done)
    .map(({ bodyHash }) => bodyHash ?? '');
}

export function outcomes(rows: readonly PeopleRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { plan, outcome, error } of rows) {
    const name = outcome ?? plan ?? error?.code ?? '';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
