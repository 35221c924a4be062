/** Hand-over documents, and the warranty check that opens one months later. */
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { decodeQR } from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { drawQrCode } from '#report-layout/figure.ts';
import { splitAtMark } from '#engine/report-files/end-mark.ts';
import { findAttachment, readPdf } from '#engine/report-files/read-pdf.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { coverOf } from '#engine/reports/reports.ts';
import { pngOf } from '#test/helpers/png.ts';
import { indexDocument } from '#engine/reports/comparison/keyed.ts';
import { formatDeviceKinds, formatParamRanges } from '#engine/reports/document.ts';
import { readDetails } from '#engine/reports/handover/details-file.ts';
import { buildDiagnosticsReport, collectRawAnswers } from '#engine/reports/diagnostics.ts';
import { buildDrawings } from '#engine/reports/handover/drawings.ts';
import type { CallAnswer } from '#shared/model.ts';
import type { Fact, SealedDocument, Value } from '#shared/report-document.ts';
import type { ReportRequest } from '#shared/contract/reports.ts';
import {
  applyPlan,
  BASIC,
  makePlan,
  never,
  asAnotherProgram,
  openSite,
  template,
  type TestSite,
} from '../site-engine.ts';
import { follow } from '../flow/run-flow.ts';
import { sampleDocument } from '../report-files/sample.ts';
import { bytesOf, CONTEXT, gatherAll, subjectOf } from './make.ts';

/** Corners on a plane of 1280 by 1024. */
const CORNERS = [
  { positionX: 0, positionY: 0 },
  { positionX: 1280, positionY: 0 },
  { positionX: 1280, positionY: 1024 },
  { positionX: 640, positionY: 1024 },
];

let at: TestSite;

/** Answers that hold secrets, or are asked with one. */
const READS = {
  operations: [
    'storage.rwLock.get',
    'system.capabilities.get',
    'passback.basic.get',
    'events.thermometryPresetTrigger.get',
  ],
};

type Extra = { readonly operations?: readonly string[]; readonly language?: 'zh-CN' } & Partial<
  Extract<ReportRequest, { kind: 'comparison' }>
> & { readonly details?: object };

async function made(
  site: TestSite,
  kind: 'capabilities' | 'handover' | 'comparison' | 'diagnostics',
  format: 'json' | 'csv' | 'html' | 'pdf',
  extra: Extra = {},
): Promise<Buffer> {
  const deviceIds = [...site.ids];
  return bytesOf(site.engine, { kind, deviceIds, format, language: 'en', ...extra } as ReportRequest);
}

/** Returns the content that is attached to it, which its pages show: its own text is packed. */
function contentOfPdf(bytes: Buffer): string {
  const parts = readPdf(splitAtMark('pdf', bytes)[0]);
  const content = parts && findAttachment(parts);
  if (content === undefined) throw new Error('This PDF holds no content.');
  return Buffer.from(content).toString('latin1');
}

/** Rows of a table by their heads. */
function rowsOf(csv: Buffer): readonly Record<string, string>[] {
  return parse(csv, { bom: true, columns: true });
}

/** Changes a setting as another program does. */
function changeByHand(
  at: TestSite,
  deviceId: string,
  resource: string,
  params: Record<string, number>,
  change: (value: Record<string, unknown>) => object,
): Promise<void> {
  return asAnotherProgram(at, at.ids.indexOf(deviceId), async (engine, other) => {
    const place = { deviceId: other, params };
    const read = await engine.operations.call({ ...place, operation: `${resource}.get` }, never);
    const body = change(read.value as Record<string, unknown>);
    const answer = await engine.operations.call({ ...place, operation: `${resource}.put`, body }, never);
    expect(answer.outcome).toBe('ok');
  });
}

describe('the warranty check', () => {
  // Would catch: a check that misses a change, or that names what changes by itself.
  it('names exactly the three settings that were changed by hand', async () => {
    at = await openSite({ devices: 3, kinds: ['thermal', 'gate', 'ai'] });
    const [thermal = '', gate = '', analyzer = ''] = at.ids;
    await gatherAll(at.engine, at.ids);
    const document = (await made(at, 'handover', 'html')).toString('base64');
    await changeByHand(at, thermal, 'thermal.thermometryBasic', { channelID: 1 }, (value) => ({
      ...value,
      distance: 7,
    }));
    // Two reads show it.
    await changeByHand(at, analyzer, 'humanRecognition.config', { channelID: 1 }, (value) => ({
      ...value,
      HumanRecognitionRegionList: (value['HumanRecognitionRegionList'] as object[]).map((region) => ({
        ...region,
        regionName: 'Moved',
      })),
    }));
    await changeByHand(at, gate, 'accessControl.hostConfig', {}, (value) => ({
      ...value,
      voicePrompt: value['voicePrompt'] !== true,
    }));
    await gatherAll(at.engine, at.ids);

    const rows = rowsOf(await made(at, 'comparison', 'csv', { document }));

    expect(rows.map((row) => [row['Operation'], row['On the wire'], row['Result']])).toEqual([
      ['humanRecognition.regions.get', '[0].regionName', 'changed'],
      ['accessControl.hostConfig.get', 'voicePrompt', 'changed'],
      ['thermal.thermometryBasic.get', 'distance', 'changed'],
    ]);
    expect(rows[2]).toMatchObject({ Now: '7 m' });
    expect(rows.every((row) => /^\d{4}-/.test(row['Since'] ?? ''))).toBe(true);

    // Would catch: a week that lost its Sunday reported in a line for each value of that day.
    await changeByHand(at, thermal, 'events.thermometrySchedule', { channelID: 1 }, (value) => ({
      ...value,
      TimeBlockList: (value['TimeBlockList'] as object[]).slice(0, -1),
    }));
    await gatherAll(at.engine, [thermal]);
    const more = rowsOf(await made(at, 'comparison', 'csv', { document }));
    expect(more).toHaveLength(4);
    expect(more[3]).toMatchObject({
      ...{ 'On the wire': 'TimeBlockList[6]', Field: 'Period Sunday', Result: 'gone', Now: '' },
      Then: 'Day Sunday · Begin 00:00:00 · End 24:00:00',
    });
  });

  // Would catch: a device without handed over data that is "the same"; unanswered data called removed.
  it('tells devices apart that are unchanged, gone, new and not read, then or now', async () => {
    at = await openSite({ devices: 6, kinds: ['counter'] });
    const [same = '', gone = '', unread = '', unreadThen = '', refusing = '', added = ''] = at.ids;
    const site = at;
    await gatherAll(at.engine, [same, gone, unread, refusing]);
    const document = (
      await bytesOf(at.engine, {
        kind: 'handover',
        deviceIds: [same, gone, unread, unreadThen, refusing],
        format: 'json',
        language: 'en',
      })
    ).toString('base64');
    at.site.device(2).setFault('reset');
    at.site.device(4).setFault('malformed', 1, { operation: 'peopleCounting.shield.get' });
    await gatherAll(at.engine, [same, unread, unreadThen, refusing, added]);

    const csv = await bytesOf(site.engine, {
      kind: 'comparison',
      deviceIds: [same, unread, unreadThen, refusing, added],
      document,
      format: 'csv',
      language: 'en',
    });

    expect(rowsOf(csv).map((row) => [row['Operation'], row['Result']])).toEqual([
      ['', 'the same'],
      ['', 'gone'],
      ['', 'no answer'],
      ['', 'not read'],
      ['peopleCounting.shield.get', 'not readable'],
      ['', 'new'],
    ]);
  });

  // Would catch: a check against a file that was made to fit.
  it('refuses a document that was changed', async () => {
    at = await openSite({ devices: 1, kinds: ['thermal'] });
    await gatherAll(at.engine, at.ids);
    const text = (await made(at, 'handover', 'json')).toString('utf8');
    const forged = Buffer.from(text.replace('"as-found"', '"x"').replace('read-back', 'attested')).toString(
      'base64',
    );

    await expect(made(at, 'comparison', 'json', { document: forged })).rejects.toMatchObject({
      shape: { code: 'unreadable-file', detail: { id: 'report.verify.content-changed' } },
    });
    expect((await at.engine.reports.open({ document: forged }, never)).intact).toBe(false);
  });

  // Would catch: a change of our own reported as one of a stranger.
  it('says who changed it where the journal knows', async () => {
    at = await openSite({ devices: 1, kinds: ['thermal'] });
    await gatherAll(at.engine, at.ids);
    const document = (await made(at, 'handover', 'json')).toString('base64');
    await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    await gatherAll(at.engine, at.ids);

    const rows = rowsOf(await made(at, 'comparison', 'csv', { document }));

    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row['Changed by']?.startsWith('installer (Test,'))).toBe(true);
  });
});

// Would catch: a password that is called removed, because an earlier document called it set.
it('compares nothing of what is said of secrets', () => {
  const of = { operation: 'storage.rwLock.get', params: {} };
  const fact = (path: string, value: Value) => ({ label: { root: 'RWLock', path, label: path }, value });
  const facts = [fact('enabled', { yes: true }), fact('passwd', { isSet: true })];
  const section = { title: 'Camera', device: 'd-1', blocks: [{ block: 'facts', of, facts } as const] };

  const keyed = indexDocument({ document: { ...sampleDocument(), sections: [section] }, sha256: '' });

  expect([...(keyed.get('d-1')?.values() ?? [])].map(({ path }) => path)).toEqual(['enabled']);
});

describe('a hand-over document', () => {
  it('tells what was applied, with the template and how far each value is proved', async () => {
    at = await openSite({ devices: 1, kinds: ['thermal'] });
    await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    await gatherAll(at.engine, at.ids);

    const text = (await made(at, 'handover', 'json')).toString('utf8');

    const { document } = JSON.parse(text) as SealedDocument;
    const page = document.sections.find(({ device }) => device === at?.ids[0]);
    const facts = (page?.blocks ?? []).flatMap((block) => (block.block === 'facts' ? block.facts : []));
    expect(page?.page).toBe(true);
    expect(
      facts.find(({ label }) => typeof label === 'object' && 'root' in label && label.path === 'distance'),
    ).toMatchObject({
      value: { number: 3 },
      proof: 'read-back',
      source: 'Test',
    });
    expect(text).not.toContain('complies with');
    // Would catch: signatures on the back of what is signed.
    expect(document.sections.find(({ blocks }) => blocks.at(-1)?.block === 'signatures')?.page).toBe(true);

    // Would catch: a value that was changed later under the name of the template that wrote another.
    await changeByHand(at, at.ids[0] ?? '', 'thermal.thermometryBasic', { channelID: 1 }, (value) => ({
      ...value,
      distance: 7,
    }));
    await gatherAll(at.engine, at.ids);
    const changed = (await made(at, 'handover', 'json')).toString('utf8');
    expect(changed).toContain('"reports.changed-after","values":{"title":"Test"}');
    expect(changed).toContain('"reports.point-differs","values":{"count":1}');
  });

  // Would catch: "set, read back" of a password that no device shows, whether there is one or not.
  it('proves nothing of a secret that the device does not show', async () => {
    at = await openSite({ devices: 2, kinds: ['counter'] });
    const [locked = ''] = at.ids;
    const lock = template('set: storage.rwLock\nvalue: { enabled: true, passwd: "${card}" }').replace(
      'sections:',
      'variables: { card: { type: secret } }\nsections:',
    );
    const plan = await makePlan(at, lock, { deviceIds: [locked] });
    await applyPlan(at.engine, plan, { allowPlainFields: true }, { secrets: { card: 'Crd-1' } });
    await gatherAll(at.engine, at.ids);

    const { document } = JSON.parse((await made(at, 'handover', 'json')).toString('utf8')) as SealedDocument;

    const told = document.sections.flatMap(({ blocks }) =>
      blocks.flatMap((block): readonly Pick<Fact, 'label' | 'proof'>[] =>
        block.block === 'facts' ? block.facts : block.block === 'matrix' ? block.settings : [],
      ),
    );
    const passwords = told.filter(
      ({ label }) => typeof label === 'object' && 'root' in label && label.path === 'passwd',
    );
    expect(passwords).toMatchObject([{ proof: 'written', without: at.ids.filter((id) => id !== locked) }]);
  });

  // Would catch: "nothing is set" below the settings that were read, of a device that does not tell how many it has.
  it('says that there may be more, and not that there is nothing', async () => {
    at = await openSite({ devices: 1, kinds: ['recorder'] });
    await gatherAll(at.engine, at.ids);

    const { document } = JSON.parse((await made(at, 'handover', 'json')).toString('utf8')) as SealedDocument;

    const plans = document.sections
      .flatMap(({ blocks }) => blocks)
      .filter((block) => JSON.stringify(block).includes('passback.historyPlan.get'));
    expect(JSON.stringify(plans)).toContain('"reports.may-have-more"');
    expect(JSON.stringify(plans)).not.toContain('"reports.nothing-set"');
  });

  // Would catch: the account of a computer as the one who hands over, in a document that a customer signs.
  it('is by whom the details name', async () => {
    at = await openSite({ devices: 1, kinds: ['counter'] });
    await gatherAll(at.engine, at.ids);

    const text = (await made(at, 'handover', 'json', { details: { by: 'K. Jansen' } })).toString('utf8');

    const { document } = JSON.parse(text) as SealedDocument;
    expect(document.by).toEqual([{ name: 'K. Jansen' }]);
    expect(text).toContain('"name":"K. Jansen","role":{"id":"reports.hands-over"}');
  });

  // Would catch: a failed test that is missing in the list of open points.
  it('lists tests that failed among the open points', async () => {
    at = await openSite({ devices: 1, kinds: ['counter'] });
    await gatherAll(at.engine, at.ids);
    const details = {
      checks: [
        { check: 'night', result: 'failed', reason: 'Dazzled' },
        { check: 'Horn', result: 'failed' },
        { check: 'day', result: 'done' },
        { check: 'trained', result: 'open' },
      ],
    };

    const rows = rowsOf(await made(at, 'handover', 'csv', { details }));

    expect(rows.map((row) => [row['Open point'], row['Severity']])).toEqual([
      ['Image and coverage by night failed · Reason Dazzled', 'major'],
      ['Horn failed', 'major'],
    ]);
  });

  // Would catch: a real change of a device that the document which the customer signs does not name.
  it('names single calls too, with who made them and what they set', async () => {
    at = await openSite({ devices: 2, kinds: ['thermal', 'gate'] });
    const [thermal = '', gate = ''] = at.ids;
    await at.engine.operations.call(
      {
        deviceId: thermal,
        operation: 'thermal.thermometryMode.put',
        params: { channelID: 1 },
        body: { mode: 'expert' },
      },
      never,
    );
    const { job } = await at.engine.operations.call(
      { deviceId: gate, operation: 'accessControl.localController.deleteAll', confirmed: true },
      never,
    );
    await gatherAll(at.engine, at.ids);

    const text = (await made(at, 'handover', 'json')).toString('utf8');

    expect(text).toContain(
      '"proof":"read-back","source":{"label":"Temperature measuring mode","root":"thermal.thermometryMode.put"}',
    );
    expect(text).toContain(
      '{"label":"Remove all local controllers","root":"accessControl.localController.deleteAll"}',
    );
    expect(text).toContain(`"installer","${job ?? 'none'}"`);
  });

  // Would catch: a secret that is handed over with the document that says where it is kept.
  it('holds no secret in any format', async () => {
    at = await openSite({ devices: 3, kinds: ['thermal', 'recorder', 'gate'] });
    const [thermal = '', , gate = ''] = at.ids;
    const { engine } = at;
    const card = 'Crd-s3cret';
    const key = Buffer.from('a token key of 24 bytes!').toString('base64');
    const finger = createHash('sha512').update('a finger').digest('base64');
    const sent = async (deviceId: string, operation: string, body: object): Promise<void> => {
      const answer = await engine.operations.call(
        { deviceId, operation, body, allowPlainFields: true },
        never,
      );
      expect(answer.outcome, `${operation} ${JSON.stringify(answer)}`).toBe('ok');
    };
    await sent(thermal, 'storage.rwLock.put', { enabled: true, passwd: card });
    await sent(thermal, 'token.secretKey.set', { tokenAuthenticateEnable: true, keyInfo: { key } });
    await sent(gate, 'accessControl.fingerprints.setUp', {
      employeeNo: '1005',
      enableCardReader: [1],
      fingerPrintID: 1,
      fingerType: 'normalFP',
      fingerData: finger,
    });
    // A device that repeats what the vault keeps.
    engine.secrets.save({ name: 'word', value: card });
    const preset = { channelID: 1, presetID: 1 };
    await changeByHand(at, thermal, 'events.thermometryPresetTrigger', preset, (value) => ({
      ...value,
      eventDescription: `see ${card}`,
    }));
    await gatherAll(engine, at.ids);
    const secrets = [card, key, finger, ...at.site.devices.map(({ password }) => password)];

    for (const kind of ['capabilities', 'handover', 'comparison', 'diagnostics'] as const)
      for (const format of ['json', 'html', 'csv', 'pdf'] as const) {
        const bytes = await made(at, kind, format, kind === 'diagnostics' ? READS : {});
        const text = format === 'pdf' ? contentOfPdf(bytes) : bytes.toString('latin1');
        expect(text.length).toBeGreaterThan(format === 'csv' ? 20 : 1_000);
        for (const secret of secrets) expect(text.includes(secret), `${kind} ${format}`).toBe(false);
      }
    for (const secret of secrets) expect(at.stored().includes(secret)).toBe(false);
  });

  // Would catch: states by their codes, in English, in what a Chinese colleague gets to read.
  it('tells states in the language of who reads it', async () => {
    at = await openSite({ devices: 1 });
    await gatherAll(at.engine, at.ids);
    await applyPlan(at.engine, await makePlan(at, template(BASIC)));

    const html = (await made(at, 'diagnostics', 'html', { language: 'zh-CN' })).toString('utf8');

    for (const word of ['在线', '下发', '已验证生效']) expect(html).toContain(`>${word}<`);
    expect(html).not.toMatch(/>(?:reachable|apply|effective)\b/);
  });

  // Would catch: results of records and names of keys by their codes, in a document for the customer.
  it('tells records and kept keys in words', async () => {
    at = await openSite({ devices: 1, kinds: ['counter'] });
    const { jobId } = at.engine.flows.begin({ flow: 'token-key', deviceIds: at.ids });
    await follow(at.engine, jobId, { 'hand-over': { to: 'X', given: true }, sign: { name: 'A. Installer' } });
    await gatherAll(at.engine, at.ids);

    const html = (await made(at, 'handover', 'html', { language: 'zh-CN' })).toString('utf8');
    const [shown = ''] = html.split('<script type="application/json"');

    expect(shown).toMatch(/的令牌密钥</);
    expect(shown).not.toMatch(/token-key|>(?:skipped|done)</);
  });

  // Would catch: the codes of its kinds for a device of several, and a comma too many.
  it.each([
    ['en', 'Thermal, Counter'],
    ['zh-CN', '热成像、客流统计'],
  ] as const)('calls the kinds of a device by their names: %s', (language, words) => {
    expect(getReader(language).value(formatDeviceKinds(['counter', 'thermal'])).text).toBe(words);
  });

  it('has the punch list as a table', async () => {
    at = await openSite({ devices: 1, kinds: ['counter'] });
    await gatherAll(at.engine, at.ids);
    const details = {
      openPoints: [
        { text: '=HYPERLINK("x")', severity: 'major', owner: 'A.', due: '2026-12-01' },
        { text: 'Exit is blocked', severity: 'unsafe' },
      ],
    };

    const rows = rowsOf(await made(at, 'handover', 'csv', { details }));
    const text = (await made(at, 'handover', 'json', { details })).toString('utf8');

    // Would catch: a dangerous device, reported on page 8 among scratches.
    const [{ blocks: [verdict, ...others] = [] } = {}] = (JSON.parse(text) as SealedDocument).document
      .sections;
    expect(verdict).toMatchObject({ tone: 'danger', text: { id: 'reports.verdict-unsafe' } });
    expect(JSON.stringify(others)).toContain('Exit is blocked');
    expect(JSON.stringify(others)).not.toContain('HYPERLINK');
    expect(rows).toEqual([
      { Device: '', 'Open point': 'Exit is blocked', Severity: 'unsafe', Owner: '', Due: '' },
      { Device: '', 'Open point': '\'=HYPERLINK("x")', Severity: 'major', Owner: 'A.', Due: '2026-12-01' },
    ]);
  });

  // Would catch: one template that failed three times as three things to do.
  it('tells once what does not come into force', async () => {
    at = await openSite({ devices: 1, kinds: ['thermal'] });
    at.site.device(0).setFault('ignored');
    for (let nth = 0; nth < 2; nth += 1) await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    at.site.device(0).clearFaults();
    await gatherAll(at.engine, at.ids);

    const rows = rowsOf(await made(at, 'handover', 'csv'));

    expect(rows.filter((row) => row['Open point']?.includes('in force'))).toHaveLength(1);
  });
  // Would catch: a details file of brackets that takes gigabytes, a day that is none, and no line to look at.
  it.each([
    ['checks:\n  - check: day\n    result: fine\n', { line: 3, column: 13 }],
    ['maintenanceDue: 2026-02-30\n', { line: 1, column: 17 }],
    ['['.repeat(500), { line: 1, column: 1 }],
    ['checks: [\n', { line: 2, column: 1 }],
    // YAML takes the text after the comma for a name of its own.
    ['keys: [{ what: Key, where: Reception, box 7 }]\n', { line: 1, column: 8 }],
  ])('says where a details file is wrong: %#', (text, where) => {
    expect(() => readDetails(text)).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({ code: 'unreadable-file', ...where }) as object,
      }),
    );
    expect(readDetails('# checks:\n')).toEqual({});
    expect(readDetails('project:\nplace: Quay\n')).toEqual({ place: 'Quay' });
  });
  // Would catch: a code that no telephone reads.
  it('has a code that names it', () => {
    const text = 'Fieldwright 4f478138\nGate 01 北门\nhttp://10.0.0.1';
    const { width, height, marks } = drawQrCode(text);
    const data = new Uint8Array(width * height * 4).fill(255);
    const drawn = marks.map((mark) => (mark.mark === 'code' ? mark.path : '')).join('');
    for (const cell of drawn.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)/g)) {
      const [, x = 0, y = 0, across = 0, down = 0] = cell.map(Number);
      for (let row = y; row < y + down; row += 1)
        data.fill(0, (row * width + x) * 4, (row * width + x + across) * 4);
    }

    expect(decodeQR({ width, height, data })).toBe(text);
  });

  it('draws regions from the bottom left, and weeks by their days', () => {
    const fact = (path: string, value: string | number) => ({
      label: { root: 'x', path, label: path },
      value: typeof value === 'number' ? { number: value } : value,
    });
    const { drawings, drawn } = buildDrawings('x', [
      ...[
        [0, 0],
        [1000, 0],
        [1000, 1000],
      ].flatMap(([x = 0, y = 0], nth) => [
        fact(`Region[0].Points[${nth}].positionX`, x),
        fact(`Region[0].Points[${nth}].positionY`, y),
      ]),
      fact('TimeBlockList[0].dayOfWeek', 2),
      fact('TimeBlockList[0].TimeRange.beginTime', '08:00:00'),
      fact('TimeBlockList[0].TimeRange.endTime', '24:00:00'),
      fact('TimeBlockList[0].recordType', 'motion'),
    ]);
    const [region, week] = drawings;

    expect(region?.shapes[1]).toMatchObject({
      points: [
        [0, 225],
        [400, 225],
        [400, 0],
      ],
    });
    expect(week?.twin.map(({ value }) => value)).toEqual([null, '08:00–24:00', null, null, null, null, null]);
    expect(week?.shapes).toContainEqual(expect.objectContaining({ text: { id: 'reports.day-2' } }));
    // Would catch: a setting that no picture shows, left out of the page with those that one shows.
    expect(drawn.size).toBe(9);
  });

  // Would catch: a region of a larger plane that is drawn without the corners beyond 1000, as another one, or not at all.
  it('draws regions on the plane that the device reports', async () => {
    at = await openSite({ devices: 1, kinds: ['ai'], models: ['compact'] });
    const { engine, ids } = at;
    const taken = await engine.operations.call(
      {
        deviceId: ids[0] ?? '',
        operation: 'humanRecognition.regions.put',
        params: { channelID: 1 },
        body: [{ id: '1', regionName: 'Hall', enabled: true, RegionCoordinatesList: CORNERS }],
      },
      never,
    );
    expect(taken.outcome, JSON.stringify(taken)).toBe('ok');
    await gatherAll(engine, ids);

    const { document } = JSON.parse((await made(at, 'handover', 'json')).toString('utf8')) as SealedDocument;

    const drawn = document.sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.block === 'drawing' ? block.shapes : [])),
    );
    expect(drawn).toContainEqual(
      expect.objectContaining({
        points: [
          [0, 225],
          [400, 225],
          [400, 0],
          [200, 0],
        ],
      }),
    );
  });

  it('takes a logo that is a picture, and nothing else', () => {
    expect(coverOf({ logo: pngOf(300, 100).toString('base64') }).logo).toMatchObject({
      type: 'image/png',
      width: 300,
      height: 100,
    });
    for (const wrong of [pngOf(90_000, 1), Buffer.from('<svg onload=alert(1)>'), Buffer.alloc(400 * 1024)])
      expect(() => coverOf({ logo: wrong.toString('base64') })).toThrow();
  });

  // Would catch: a picture that breaks, or fills the memory, in the middle of the document.
  it('refuses a logo that is cut off, damaged, or holds other pixels than it says', () => {
    const png = pngOf(300, 100);
    const jpeg = Buffer.from(
      'ffd8ffc00011080001000103011100021101031100ffda000c03010002110311003f00d2ffd9',
      'hex',
    );
    const damaged = Buffer.from(png);
    damaged[50] = (damaged[50] ?? 0) ^ 0xff;

    expect(coverOf({ logo: jpeg.toString('base64') }).logo).toMatchObject({ width: 1, height: 1 });
    for (const wrong of [
      ...[20, 33, 60, png.length - 13, png.length - 1].map((length) => png.subarray(0, length)),
      damaged,
      pngOf(300, 100, Buffer.alloc(50)),
      pngOf(10, 10, Buffer.alloc(200_000_000)),
      jpeg.subarray(0, -2),
      jpeg.subarray(0, 20),
    ])
      expect(() => coverOf({ logo: wrong.toString('base64') })).toThrow(
        expect.objectContaining({ code: 'unreadable-file' }),
      );
  });
});

describe('a diagnostics bundle', () => {
  // Would catch: hundreds of pages of the same answer; another device's answer under its number; an empty table as a journal.
  it('states each different answer once, and who gave it', async () => {
    at = await openSite({ devices: 4, kinds: ['counter', 'gate'] });
    await gatherAll(at.engine, at.ids);

    const operations = ['system.capabilities.get', 'peopleCounting.shield.get'];

    const { document } = JSON.parse(
      (await made(at, 'diagnostics', 'json', { operations })).toString('utf8'),
    ) as SealedDocument;

    expect(JSON.stringify(document.sections[2])).toContain('"reports.no-jobs"');
    const [byDevice, different] = document.sections.at(-1)?.blocks ?? [];
    if (byDevice?.block !== 'table' || different?.block !== 'table') throw new Error('no tables');
    const kinds = byDevice.rows.map(([device, , , , number]) => [String(device).split(' ')[0], number]);
    expect(kinds).toEqual([
      ['Counter', '#1'],
      ['Counter', '#2'],
      ['Counter', '#1'],
      ['Counter', '#2'],
      ['Gate', '#3'],
      ['Gate', '#4'],
      ['Gate', '#3'],
      ['Gate', '#4'],
    ]);
    expect(different.rows.map(([number, , count]) => [number, count])).toEqual(
      ['#1', '#2', '#3', '#4'].map((number) => [number, { number: 2 }]),
    );
    const texts = different.rows.map((row) => String(row[3]));
    expect(texts.map((text) => /<(DeviceCap|Shield|ResponseStatus)\b/.exec(text)?.[1])).toEqual([
      'DeviceCap',
      'Shield',
      'DeviceCap',
      'ResponseStatus',
    ]);
  });

  // Would catch: two answers that begin alike shown as one, and an end that is left out without a note.
  it('tells answers apart beyond what it shows of them, and says how much it leaves out', async () => {
    const text = (end: string): string => 'x'.repeat(5_000) + end;
    const subjects = ['a', 'b', 'c'].map((id) => subjectOf({ deviceId: id, name: id }));
    const answers = await collectRawAnswers(
      subjects,
      ['gate.status.get'],
      {
        call: ({ deviceId }) =>
          Promise.resolve({
            outcome: 'ok',
            exchange: { http: 200, responseBody: text(deviceId === 'b' ? '2' : '1') },
          } as unknown as CallAnswer),
      },
      () => (held) => held,
      never,
    );

    const { sections } = buildDiagnosticsReport(subjects, {
      ...CONTEXT,
      dataDir: '/nowhere',
      face: 'cli',
      devices: [],
      jobs: [],
      answers,
    });

    const [, different] = sections.at(-1)?.blocks ?? [];
    if (different?.block !== 'table') throw new Error('no table');
    expect(different.rows.map(([, , count]) => count)).toEqual([{ number: 2 }, { number: 1 }]);
    expect(String(different.rows[0]?.[3])).toMatch(/^x+… \(\+1101\)$/);
  });
});

describe('a comparison', () => {
  // Would catch: names of operations in English, in a table for a Chinese colleague.
  it('names operations in the language of who reads it, as csv too', async () => {
    at = await openSite({ devices: 2, kinds: ['counter', 'gate'] });
    await gatherAll(at.engine, at.ids);

    const csv = (await made(at, 'comparison', 'csv', { language: 'zh-CN' })).toString('utf8');

    expect(csv).toContain(',客流统计屏蔽区域,');
    expect(csv).not.toContain(',Masked areas for counting,');
  });

  // Would catch: noise that makes people stop reading; or a device that differs in its answers shown as the
  // same.
  it('groups devices that are the same, and tells only what differs', async () => {
    at = await openSite({ devices: 3, kinds: ['counter'] });
    await gatherAll(at.engine, at.ids);
    const alike = rowsOf(await made(at, 'comparison', 'csv'));
    at.site.device(1).setFault('malformed', 1, { operation: 'peopleCounting.status.get' });
    await gatherAll(at.engine, at.ids);

    const rows = rowsOf(await made(at, 'comparison', 'csv'));
    const { document } = JSON.parse(
      (await made(at, 'comparison', 'json')).toString('utf8'),
    ) as SealedDocument;

    expect(alike).toEqual([]);
    expect(new Set(rows.map((row) => row['Operation']))).toEqual(new Set(['peopleCounting.status.get']));
    expect(JSON.stringify(document.sections[0])).toContain('"groups":2');
  });

  // Would catch: a line for every field of an area that other kinds of devices do not have, and every name each time.
  it('tells once who alone has an area, and then what differs among those', async () => {
    at = await openSite({ devices: 6, kinds: ['thermal', 'counter'] });
    await gatherAll(at.engine, at.ids);
    const first = at.ids[0] ?? '';
    await changeByHand(at, first, 'thermal.thermometryBasic', { channelID: 2 }, (value) => ({
      ...value,
      distance: 7,
    }));
    await gatherAll(at.engine, [first]);

    const { document } = JSON.parse(
      (await made(at, 'comparison', 'json')).toString('utf8'),
    ) as SealedDocument;

    const group = document.sections
      .flatMap(({ blocks }) => blocks)
      .find(
        (block) => block.block === 'group' && JSON.stringify(block.title).includes('Temperature measurement'),
      );
    const [only, differing] = group?.block === 'group' ? group.blocks : [];
    const cells = only?.block === 'table' ? only.rows : [];
    expect(cells).toEqual([
      [{ id: 'reports.at-channel', values: { channelID: '1, 2' } }, { number: 3 }, expect.any(String)],
    ]);
    const distances =
      differing?.block === 'table'
        ? differing.rows.filter((row) => JSON.stringify(row[1]).includes('"Distance"'))
        : [];
    expect(distances.map((row) => [row[0], row[3]])).toEqual([
      [{ id: 'reports.at-channel', values: { channelID: '2' } }, { number: 2 }],
      [{ id: 'reports.at-channel', values: { channelID: '2' } }, { number: 1 }],
    ]);
    expect(differing?.block === 'table' && differing.rows.some((row) => row[2] === null)).toBe(false);
    // Would catch: a table of 90 MB for 200 devices, most of its lines without a value.
    const lines = rowsOf(await made(at, 'comparison', 'csv'));
    expect(lines.filter((row) => row['Operation']?.startsWith('thermal.thermometryBasic'))).not.toEqual([]);
    expect(lines.filter((row) => row['Value'] === '')).toEqual([]);
  });

  // Would catch: "streamID , channelID" where a list of places broke off.
  it('names places that are known', () => {
    const places = [1, 2, 3].map((channelID) => ({ streamID: 1, channelID }));

    expect(formatParamRanges('passback.historyPlan.get', [...places, {}])).toEqual({
      id: 'reports.at-stream',
      values: { streamID: '1', channelID: '1–3' },
    });
    expect(
      formatParamRanges('passback.historyPlan.get', [...places, { streamID: 2, channelID: 1 }, {}]),
    ).toBe(
      'streamID 1, channelID 1; streamID 1, channelID 2; streamID 1, channelID 3; streamID 2, channelID 1',
    );
  });
  it('of a device with itself needs a reading from then', async () => {
    at = await openSite({ devices: 1, kinds: ['thermal'] });
    await gatherAll(at.engine, at.ids);

    await expect(made(at, 'comparison', 'json', { since: '2001-01-01T00:00:00Z' })).rejects.toMatchObject({
      shape: { code: 'not-found' },
    });
    await expect(made(at, 'comparison', 'json')).rejects.toMatchObject({ shape: { code: 'usage' } });
  });
});
