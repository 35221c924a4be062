/** People are named by numbers that come from other programs; each door finds the person that is meant. */
import { expect, it } from 'vitest';
import { createFileFindings, readRows } from '#engine/people/file/read-rows.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { never, openSite, type TestSite } from '../site-engine.ts';
import { carriedOut, fileOf, planOf } from './people-work.ts';
import { bytes, line } from '../fingerprints/site-with-prints.ts';

async function gate(): Promise<TestSite> {
  return openSite({ kinds: ['gate'] });
}
const has = (site: TestSite, employeeNo: string): boolean => site.site.device(0).part(PEOPLE).has(employeeNo);

// Would catch: a person who is called removed and is still on the gate, because the list was copied out of a
// spreadsheet.
it('a removal finds the person behind the marks, and says so', async () => {
  const site = await gate();

  const { plan } = await carriedOut(site, { kind: 'remove', employeeNos: ["'1003", '="1004"'] });

  expect(plan.devices[0]?.counts).toEqual({ removed: 2 });
  expect(plan.notes).toMatchObject([
    { id: 'people-marks-off', values: { count: 2, from: "'1003", to: '1003' } },
  ]);
  expect([has(site, '1003'), has(site, '1004')]).toEqual([false, false]);
});

// Would catch: the real person who is removed in place of the one that an earlier import put beside them.
it('somebody who is called so on the device is removed, and not their neighbour', async () => {
  const site = await gate();
  site.site.device(0).part(PEOPLE).put("'1003", { employeeNo: "'1003", userType: 'normal' }, true);

  await carriedOut(site, { kind: 'remove', employeeNos: ["'1003"] });

  expect([has(site, '1003'), has(site, "'1003")]).toEqual([true, false]);
});

// Would catch: an empty variable of a script that asks each terminal to remove a person without a number.
it.each(['1,14E+02', '', "'"])('what no person has as a number (%j) ends a removal', async (number) => {
  const site = await gate();

  const plan = planOf(site, { kind: 'remove', employeeNos: [number, '1003'] });

  await expect(plan).rejects.toMatchObject({ shape: { code: 'not-allowed', path: 'employeeNo' } });
  expect(has(site, '1003')).toBe(true);
});

it('one person in a form is found behind the marks', async () => {
  const site = await gate();

  const plan = await planOf(site, { kind: 'person', person: { employeeNo: '１００３', name: 'Ann' } });

  expect(plan.devices[0]?.counts).toEqual({ changed: 1 });
});

// Would catch: JSON numbers that are read as other numbers than the file has.
it('a line of JSON with a number that no person has goes to nobody', async () => {
  const lines = ['114.0', '1.14e2', '9007199254740993', '"#NV"', '-1', 'true', '114'];
  const source = fileOf(
    lines.map((number) => `{"employeeNo":${number},"name":"A 1.5"}`).join('\n'),
    'ndjson',
  );
  const rows = [];

  for await (const row of readRows(source.file, source, createFileFindings())) rows.push(row);

  expect(rows.map(({ employeeNo, error }) => error?.detail?.id ?? employeeNo)).toEqual([
    'people-number-decimal',
    'people-number-shortened',
    'people-number-inexact',
    'people-number-error',
    'people-number-signed',
    'people-number-text',
    '114',
  ]);
});

it('lines of fingerprints are read without marks, and say so', async () => {
  const site = await gate();
  const { jobId } = site.engine.prints.prepare({ deviceIds: site.ids });
  const lines = [line("'1003", 1), line('\u200e1004', 1), line('1.14E+02', 1), line('#REF!', 1)];

  const ready = await site.engine.prints.fill(jobId, bytes(lines.join('\n')), never);

  expect(ready).toMatchObject({ prints: 2, people: 2, bad: 2 });
  expect(ready.notes).toMatchObject([
    { id: 'people-marks-off', values: { count: 2, from: "'1003", to: '1003' } },
  ]);
  await site.engine.prints.discard({ jobId });
});

it('names keep their apostrophes, cells of dates and numbers lose them', async () => {
  const site = await gate();

  const { plan, rows } = await carriedOut(
    site,
    fileOf(
      "*Employee No.*,name,groupName,Valid until,room,password\n'7001,'t Hart,d'Arc,'2030-01-31,'12,'0815\n",
    ),
  );

  expect(rows[0]).toMatchObject({ employeeNo: '7001', outcome: 'done' });
  const record = site.site.device(0).part(PEOPLE).recordOf('7001');
  expect(record).toMatchObject({ name: "'t Hart", groupName: "d'Arc", roomNumber: 12, password: '0815' });
  expect(plan.notes.map(({ id }) => id)).toContain('people-cells-marks-off');
});
