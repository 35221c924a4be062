/** The table of cases for people: the same device, the same answers, as for every other kind of write. */
import { describe, expect, it } from 'vitest';
import type { PlanSource } from '#engine/index.ts';
import type { UnitOutcome } from '#shared/model.ts';
import type { PersonOutcome } from '#shared/people/people.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { WRITE_CASES, type WriteCase } from '#test/helpers/write-cases.ts';
import { openWriteBench } from '../write-bench.ts';
import { carriedOut, fileOf } from './people-work.ts';

/** Outcome of a person for each outcome of a write. */
const CALLED: Partial<Record<UnitOutcome, PersonOutcome>> = {
  effective: 'done',
  accepted: 'accepted',
  ignored: 'ignored',
  'needs-reboot': 'needs-reboot',
  refused: 'refused',
  unknown: 'lost',
};

/** Carries out work on one terminal that plays a case; gives what became of the row, its unit, and how often it was sent. */
async function played(
  source: PlanSource,
  write: WriteCase,
  forgets: readonly string[] = [],
): Promise<readonly [row: PersonOutcome | undefined, unit: UnitOutcome | undefined, sends: number]> {
  const { engine, site, proxy, id } = await openWriteBench('gate', {
    isWrite: ({ method, path }) => method === 'PUT' && path.includes('/UserInfo/SetUp'),
    format: 'json',
  });
  site
    .device(0)
    .part(PEOPLE)
    .setLimits({ forgets: new Set(forgets) });
  proxy.play(write);

  const { rows, job } = await carriedOut({ engine, ids: [id] }, source);

  const [people, proof] = job.results[0]?.units ?? [];
  const bad = people?.outcome === 'refused' ? people : proof;
  return [rows[0]?.outcome, bad?.outcome, proxy.sends()];
}

const WORKS = {
  added: fileOf('employeeNo,name\n7001,Rosie\n'),
  changed: fileOf('employeeNo,name\n1003,Lobelia\n'),
  removed: { kind: 'remove', employeeNos: ['1003'] },
} as const satisfies Record<string, PlanSource>;

describe.each(Object.entries(WORKS))('a person who is %s', (_plan, source) => {
  // Would catch: a person reported differently than a setting, a fingerprint or a step after the same answer.
  it.each(WRITE_CASES)('$name: $visible', async (write) => {
    const concluded = await played(source, write);

    expect(concluded).toEqual([CALLED[write.visible], write.visible, write.sends]);
  });
});

describe('a password, which no device shows', () => {
  // Would catch: a password taken for set although no readable yes came.
  it.each(WRITE_CASES)('$name: $hidden', async (write) => {
    const concluded = await played(fileOf('employeeNo,password\n1003,Sesame-7\n'), write, ['password']);

    expect(concluded.slice(0, 2)).toEqual([CALLED[write.hidden], write.hidden]);
  });
});
