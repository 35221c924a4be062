/** The journal searched and exported: found by anything a person remembers, in pages that do not shift, without secrets or formulas. */
import type { HistoryQuery } from '#shared/contract/inputs.ts';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import {
  BASIC,
  HOST,
  MODE,
  applyPlan,
  makePlan,
  openEngine,
  openSite,
  planEvents,
  template,
  watchToEnd,
  type TestSite,
} from '#test/engine/site-engine.ts';

let at: TestSite;

const found = (query: HistoryQuery): readonly string[] =>
  at.engine.jobs.search(query).jobs.map(({ id }) => id);

describe('a search', () => {
  it('looks into template, device, address, section, user and id, whatever the case', async () => {
    at = await openSite({ devices: 2, kinds: ['thermal', 'gate'] });
    const [thermal = '', gate = ''] = at.ids;
    const one = await applyPlan(
      at.engine,
      await makePlan({ ...at, ids: [thermal] }, template(BASIC).replace('name: Test', 'name: Lobby Ähre')),
    );
    const two = await applyPlan(at.engine, await makePlan({ ...at, ids: [gate] }, template(HOST)));

    expect(found({})).toEqual([two.id, one.id]);
    expect(found({ text: 'LOBBY ähRE' })).toEqual([one.id]);
    expect(found({ text: at.site.devices[1]?.name.toUpperCase() ?? '' })).toEqual([two.id]);
    expect(found({ text: at.site.devices[0]?.url ?? '' })).toEqual([one.id]);
    expect(found({ text: 'hostconfig' })).toEqual([two.id]);
    expect(found({ text: 'Installer' })).toEqual([two.id, one.id]);
    expect(found({ text: one.id })).toEqual([one.id]);
    expect(found({ text: "100%' OR 1=1 --" })).toEqual([]);
    expect(found({ deviceId: thermal })).toEqual([one.id]);
    expect(found({ deviceId: thermal, text: 'hostConfig' })).toEqual([]);
    expect(found({ kind: 'undo' })).toEqual([]);
    expect(found({ states: ['failed'] })).toEqual([]);
    expect(found({ from: two.createdAt })).toEqual([two.id]);
    expect(found({ to: one.createdAt })).toEqual([one.id]);
    expect(found({ from: '2999-01-01T00:00:00+09:00' })).toEqual([]);
  });

  it('pages without gaps and repeats, also where a job is added meanwhile and times are equal', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    for (let count = 0; count < 5; count += 1) await applyPlan(at.engine, plan, { acceptDrift: true });
    const writer = new DatabaseSync(join(at.dataDir, 'fieldwright.db'));
    writer.exec("UPDATE jobs SET created_at = '2026-03-01T08:00:00.000Z'");
    writer.close();
    const all = found({});

    const first = at.engine.jobs.search({ limit: 2 });
    await applyPlan(at.engine, plan, { acceptDrift: true });
    const second = at.engine.jobs.search({ limit: 2, after: first.next ?? '' });
    const third = at.engine.jobs.search({ limit: 2, after: second.next ?? '' });

    expect([first, second, third].flatMap(({ jobs }) => jobs.map(({ id }) => id))).toEqual(all);
    expect(first.total).toBe(5);
    expect(third).not.toHaveProperty('next');
    expect(() => at.engine.jobs.search({ after: '1; DROP TABLE jobs' })).toThrow(
      expect.objectContaining({ code: 'usage' }) as Error,
    );
  });

  it('tells the same numbers as the job itself, while it runs and after a restart', async () => {
    at = await openSite({ devices: 2, faults: ['reboot'] });
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC, MODE)));
    const { results: _results, runs: _runs, options: _options, ...summary } = job;
    expect(at.engine.jobs.search({}).jobs).toEqual([summary]);
    await at.engine.close();
    const again = await openEngine(at.dataDir);
    expect(again.jobs.search({}).jobs).toEqual([summary]);
    expect(summary).toMatchObject({ rebootPending: 2, counts: { 'needs-reboot': 4 } });
    await again.close();
  });
});

it('a job names the saved version of its template, and who worked on it', async () => {
  at = await openSite();
  const text = template(BASIC);
  const saved = at.engine.templates.save({ text });
  const last = (await planEvents(at.engine, { templateText: text, deviceIds: at.ids })).at(-1);
  if (last?.type !== 'plan') throw new Error('no plan came');
  expect(last.plan.template).toMatchObject({ id: saved.id, version: 1 });
  const job = await applyPlan(at.engine, last.plan);

  expect(job).toMatchObject({
    title: 'Test',
    about: { template: { id: saved.id, version: 1 } },
    runs: [{ kind: 'start', by: 'installer' }],
  });
  at.engine.templates.save({ id: saved.id, text: text.replace('Test', 'Other') });
  expect(at.engine.jobs.show({ id: job.id }).about.template).toMatchObject({ id: saved.id, version: 1 });
  const { jobId } = at.engine.jobs.undo({ id: job.id });
  await watchToEnd(at.engine, jobId);
  expect(at.engine.jobs.show({ id: jobId }).about.template).toMatchObject({ id: saved.id, version: 1 });
  expect(found({ subject: saved.id })).toEqual([jobId, job.id]);
});

// Would catch: the English name of a template that ships with the app on a Chinese screen.
it('a job names the template that ships with the app', async () => {
  at = await openSite();
  const shipped = at.engine.templates.list().find(({ source }) => source === 'bundled');
  const job = await applyPlan(at.engine, await makePlan(at, shipped?.text ?? ''));

  expect(job.about.template?.id).toBe(shipped?.id);
  expect(job.about.template?.version).toBeUndefined();
});

describe('an export', () => {
  it('is one row a change, with names that are formulas made harmless', async () => {
    at = await openSite();
    const [{ url = '', user = '', password = '' } = {}] = at.site.devices;
    const { id } = at.engine.devices.addTransient({
      url: url.replace('127.0.0.1', 'localhost'),
      name: '=HYPERLINK("http://x")',
      userName: user,
      password,
    });
    const job = await applyPlan(
      at.engine,
      await makePlan(
        { ...at, ids: [id] },
        template(BASIC, MODE).replace('name: Test', 'name: "+1, \\"quoted\\""'),
      ),
    );

    const { text, fileName } = at.engine.jobs.export({ query: {}, format: 'csv' });
    const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[];

    expect(fileName).toMatch(/^fieldwright-history-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(rows.map(({ section, path, from, to, outcome }) => [section, path, from, to, outcome])).toEqual([
      ['thermal.thermometryBasic', 'distance', '5', '3', 'effective'],
      ['thermal.thermometryBasic', 'alarmInterval', '10', '20', 'effective'],
      ['thermal.thermometryMode', 'mode', 'normal', 'expert', 'effective'],
    ]);
    expect(rows[0]).toMatchObject({
      job: job.id,
      kind: 'apply',
      by: 'installer',
      device: '\'=HYPERLINK("http://x")',
      template: '\'+1, "quoted"',
      params: '{"channelID":1}',
    });
    expect(
      at.engine.jobs
        .export({ query: { text: 'nothing like it' }, format: 'csv' })
        .text.trim()
        .split('\n'),
    ).toHaveLength(1);
  });

  it('as JSON is one document, in pieces, with what was refused and why', async () => {
    at = await openSite({ devices: 3 });
    await at.site.device(1).close();
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const parts = [...at.engine.jobs.exportParts({ query: { text: job.id }, format: 'json' })];
    const { rows } = JSON.parse(parts.join('')) as { readonly rows: readonly Record<string, unknown>[] };
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      'effective',
      'effective',
      'failed',
      'effective',
      'effective',
    ]);
    expect(rows[2]).toMatchObject({ error: expect.any(String) as string });
  });

  it('never holds a secret', async () => {
    at = await openSite({ kinds: ['recorder'] });
    const text =
      'fieldwright: template/1\nname: Lock\nvariables:\n  card: { type: secret }\nsections:\n  - set: storage.rwLock\n    value: { enabled: true, passwd: "${card}" }\n';
    const secrets = { card: 'Geheim-123' };
    const plan = await makePlan(at, text, { secrets });
    const job = await applyPlan(at.engine, plan, { allowPlainFields: true }, { secrets });

    expect(job).toMatchObject({ state: 'done', counts: { accepted: 1 } });
    const { text: exported } = at.engine.jobs.export({ query: {}, format: 'csv' });
    expect(exported).toContain('storage.rwLock');
    expect(exported).not.toContain('Geheim');
  });
});
