/** People with fingerprints copied onto a terminal that keeps less: the list of what was lost, beside what the devices hold. */
import { expect, it } from 'vitest';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import type { Site } from '#simulator/index.ts';
import {
  ended as endedPrints,
  openPrintSite,
  tracesOfPrints,
  type PrintSite,
} from '../fingerprints/site-with-prints.ts';
import { waitForEnd } from '../site-engine.ts';
import { planOf } from './people-work.ts';

let at: PrintSite;

const PEOPLE_IN_ALL = 5_000;
const ROOM = 250;

/** Returns the people on the terminal, by employee number. */
function held(site: Site, device: number): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const { total, page } = site.device(device).part(PEOPLE).search('truth', 0, {});
  return new Map(page(0, total).map(({ record }) => [String(record['employeeNo']), record]));
}

function fill(): readonly string[] {
  const source = at.site.device(0).part(PEOPLE);
  source.setLimits({ page: 100 });
  const templates: string[] = [];
  for (let nth = source.count; nth < PEOPLE_IN_ALL; nth += 1) {
    const employeeNo = `E${nth}`;
    source.put(
      employeeNo,
      {
        employeeNo,
        name: `Underhill ${nth}`,
        userType: 'normal',
        Valid: { enable: false, beginTime: '2026-01-01T00:00:00', endTime: '2037-12-31T23:59:59' },
        doorRight: '1',
        ...(nth % 10 === 0 ? { groupName: 'Office' } : {}),
      },
      true,
    );
    if (nth % 4 === 0) templates.push(at.readers(0).present(employeeNo, 1, [1, 2]));
    // The older reader of the target has no sixth finger.
    if (nth % 40 === 0) templates.push(at.readers(0).present(employeeNo, 6, [2]));
  }
  at.site.device(1).part(PEOPLE).setLimits({ capacity: ROOM, page: 100 });
  at.readers(1).setReader(1, { capacity: 40 });
  at.readers(1).put(2, {
    employeeNo: '1001',
    fingerPrintID: 4,
    fingerType: 'normalFP',
    fingerData: templates[0] ?? '',
  });
  return templates;
}

// Would catch: fingerprints that stay behind without a word, or go to people who are not there; a field, person or finger
// that is lost and not listed, or listed and not lost; a template on the disk.
it('lists exactly what a smaller terminal did not take', { timeout: 240_000 }, async () => {
  at = await openPrintSite({ models: ['standard', 'compact'] });
  const templates = fill();
  const [from = '', to = ''] = at.ids;

  const plan = await planOf(at, { kind: 'copy', from, replaceOthers: true }, [to]);
  const { jobId } = at.engine.people.begin({ id: plan.id });
  const job = await waitForEnd(at.engine, jobId);
  const { results } = await endedPrints(at.engine, jobId);
  const rows = [...at.engine.people.listed({ id: jobId, only: 'all' })];

  const [source, target] = [held(at.site, 0), held(at.site, 1)];
  expect(source.size).toBe(PEOPLE_IN_ALL);
  expect(target.size).toBe(ROOM);
  const missing = [...source.keys()].filter((employeeNo) => !target.has(employeeNo));
  const lost = rows.filter(({ outcome }) => outcome === 'refused');
  expect(lost.map(({ employeeNo }) => employeeNo).toSorted()).toEqual(missing.toSorted());
  expect(
    lost.filter(({ prints = 0 }) => prints > 0).map(({ employeeNo, prints }) => [employeeNo, prints]),
  ).toEqual(
    missing.flatMap((employeeNo) => {
      const fingers = at.readers(0).countOf(employeeNo);
      return fingers === 0 ? [] : [[employeeNo, fingers]];
    }),
  );
  const kept = [...target.keys()].filter((employeeNo) => source.has(employeeNo));
  const fieldsLost = kept.filter((employeeNo) => {
    const [before, after] = [source.get(employeeNo), target.get(employeeNo)];
    return before?.['groupName'] !== undefined && after?.['groupName'] === undefined;
  });
  expect(
    rows
      .filter(({ outcome }) => outcome === 'ignored')
      .map(({ employeeNo, changes }) => [employeeNo, ...(changes ?? []).map(({ field }) => field)])
      .filter((row) => row.includes('groupName'))
      .map(([employeeNo]) => employeeNo)
      .toSorted(),
  ).toEqual(fieldsLost.toSorted());
  const printsLost = kept.flatMap((employeeNo) =>
    at
      .readers(0)
      .find(employeeNo, undefined, undefined)
      .filter(
        ({ cardReaderNo, fingerPrintID, fingerData }) =>
          at.readers(1).find(employeeNo, cardReaderNo, fingerPrintID)[0]?.fingerData !== fingerData,
      )
      .map(({ cardReaderNo, fingerPrintID }) => `${employeeNo}/${fingerPrintID} ${cardReaderNo}`),
  );
  const bad = results.filter(({ seen }) => seen !== true);
  expect(
    bad.map(({ employeeNo, fingerPrintID, reader }) => `${employeeNo}/${fingerPrintID} ${reader}`).toSorted(),
  ).toEqual(printsLost.toSorted());
  expect([...new Set(bad.map(({ status }) => status))].toSorted()).toEqual([
    ...['exists', 'illegal-id', 'memory-full'],
  ]);
  expect(results.length - bad.length).toBeGreaterThan(80);
  expect(job.results[0]?.units.at(-1)).toMatchObject({ outcome: 'refused', prints: { exists: 1 } });
  expect(plan.notes.map(({ id }) => id)).toContain('people-prints-follow');
  expect(tracesOfPrints(at.dataDir, templates.slice(0, 20))).toEqual([]);
});
