/** A file of 20,000 people with 300 rows that cannot be used. */
import { expect, it } from 'vitest';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { applied, carriedOut, fileOf, outcomes } from './people-work.ts';
import { openPrintSite, type PrintSite } from '../fingerprints/site-with-prints.ts';

let at: PrintSite;

const KNOWN = 19_500;
const NEW = 200;
const BAD: readonly ((number: number) => string)[] = [
  (number) => `{"employeeNo":"${number}","name":"cut off`,
  () => '{"name":"nobody"}',
  (number) => `{"employeeNo":"${number}","userType":"king"}`,
  () => '{"employeeNo":"1001","name":"again"}',
  (number) => `{"employeeNo":"${number}","deleteUser":true}`,
  () => '[1,2]',
];

// Would catch: a bad row that takes good ones with it, or is not reported; a person who is written twice.
it('does the good ones once, and tells of each bad one why', { timeout: 240_000 }, async () => {
  at = await openPrintSite({ devices: 1, users: KNOWN });
  at.site.device(0).part(PEOPLE).setLimits({ page: 100 });
  const good = Array.from({ length: KNOWN + NEW }, (_, nth) => `{"employeeNo":"${1001 + nth}"}`);
  const bad = Array.from({ length: 300 }, (_, nth) => BAD[nth % BAD.length]?.(900_000 + nth) ?? '');
  // The first of a number counts, so the bad ones come behind some good ones.
  const lines = good.flatMap((line, nth) =>
    nth % 65 === 64 && bad.length > 0 ? [line, bad.pop() ?? ''] : [line],
  );

  const { plan, job, rows } = await carriedOut(at, fileOf(`${lines.join('\n')}\n`, 'ndjson'));

  expect(lines).toHaveLength(20_000);
  expect([plan.rows, plan.bad]).toEqual([20_000, 300]);
  expect(plan.devices[0]?.counts).toEqual({ unchanged: KNOWN, added: NEW, refused: 50 });
  expect(outcomes(rows)).toMatchObject({ unchanged: KNOWN, done: NEW, refused: 50 });
  const wrong = rows.filter(({ error }) => error !== undefined);
  expect(wrong).toHaveLength(300);
  const texts = new Set(wrong.map(({ line }) => lines[line - 1]));
  expect([...texts].filter((line) => /^\{"employeeNo":"\d+"\}$/.test(line ?? ''))).toEqual([]);
  const file = [...at.engine.people.failedParts({ id: job.id })].join('');
  expect(file.trimEnd().split('\n')).toHaveLength(300);
  expect(new Set(applied(at)).size).toBe(NEW);
  expect(applied(at)).toHaveLength(NEW);
  expect(at.site.device(0).part(PEOPLE).count).toBe(KNOWN + NEW);
});
