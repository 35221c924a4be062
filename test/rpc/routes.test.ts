import { startSite } from '../helpers/strict-site.ts';
import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { contract } from '#shared/contract.ts';
import { FieldwrightError, type ErrorCode } from '#shared/errors.ts';
import type { DeviceEvent, Plan, WorkEvent } from '#shared/model.ts';
import type { Client } from '#renderer/client/index.ts';
import { startTestServer, type TestServer } from './helpers/running-server.ts';

const TEMPLATE = `fieldwright: template/1
name: Entrance
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { emissivityMode: customsettings, emissivity: 0.97 }
`;

let running: TestServer;
let page: Client;
beforeAll(async () => {
  running = await startTestServer({ confirm: () => Promise.resolve('yes') });
  page = await running.page();
});
afterAll(() => running.close());

/** Routes of the contract that were called, to see that none is forgotten. */
const called = new Set<string>();

/** Marks a route as called and gives it. */
function route<Area extends keyof Client['api'], Name extends keyof Client['api'][Area]>(
  area: Area,
  name: Name,
): Client['api'][Area][Name] {
  called.add(`${area}.${String(name)}`);
  return page.api[area][name];
}

async function failure(call: Promise<unknown>): Promise<FieldwrightError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FieldwrightError) return error;
  throw new Error(`Expected a FieldwrightError, got ${String(error)}`);
}

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function firstOf<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  for await (const event of events) return [event];
  return [];
}

describe('every route once, over a real socket with a real engine and simulated devices', () => {
  test('app', async () => {
    const info = await route('app', 'info')();
    const [question] = await firstOf(await route('app', 'questions')());
    const started = await route('app', 'startSimulatedSite')({ devices: 2 });
    // A browser has no dialog outside the page; the desktop's is tested with it.
    const picked = await failure(route('app', 'pickPackage')());
    const noDialog = await failure(route('app', 'pickFingerprints')({ jobId: 'j-none' }));
    const locked = await failure(route('app', 'unlockVault')({ passphrase: 'this vault has a key file' }));
    const events = await collect(await route('app', 'desktopEvents')());
    const folder = await route('app', 'showSaved')({ id: 0 });
    const shown = await route('app', 'showLanguage')({ language: 'zh-CN' });
    const update = await route('app', 'checkForUpdate')();
    const kept = await route('app', 'reportFault')({ name: 'TypeError', message: 'no "Ann"', stack: '' });

    expect(update).toMatchObject({ state: 'off' });
    expect(noDialog.code).toBe('not-available');
    expect(info).toMatchObject({
      face: 'browser',
      version: '0.0.0-test',
      vault: { state: 'open', protection: 'key-file' },
      canSimulate: true,
    });
    expect(question).toEqual({ open: false });
    expect(started).toEqual({ added: 2 });
    // A browser has no desktop around the page.
    expect({ events, folder }).toEqual({ events: [], folder: { shown: false } });
    expect([shown, kept]).toEqual([{ shown: true }, { kept: true }]);
    expect(picked.code).toBe('not-available');
    expect(locked.code).toBe('vault-locked');
  });

  test('secrets of templates go in and never come back', async () => {
    const saved = await route('secrets', 'save')({ name: 'cardLock', value: 'not-to-be-seen' });
    const listed = await route('secrets', 'list')();
    expect(await route('keys', 'list')()).toEqual([]);
    const noKeys = await failure(route('keys', 'export')({ passphrase: 'correct horse battery' }));
    expect(noKeys.code).toBe('not-found');
    const unnamed = await failure(route('secrets', 'save')({ name: 'card lock', value: 'not-to-be-seen' }));
    const removed = await route('secrets', 'remove')({ name: 'cardLock' });

    expect(listed).toEqual([saved]);
    expect(Object.keys(saved)).toEqual(['name', 'changedAt']);
    expect(unnamed.code).toBe('usage');
    expect(JSON.stringify(unnamed)).not.toContain('not-to-be-seen');
    expect(removed).toEqual({ removed: true });
  });

  test('devices and credentials', async () => {
    const credential = await route(
      'credentials',
      'save',
    )({ label: 'Hall', userName: 'admin', password: 'wrong-one' });
    const renamed = await route(
      'credentials',
      'change',
    )({ id: credential.id, label: 'Hall', userName: 'admin', password: '' });
    const added = await route(
      'devices',
      'add',
    )({ address: 'http://127.0.0.1:9', name: 'Nobody there', tags: ['hall'] });
    const updated = await route(
      'devices',
      'update',
    )({ id: added.id, name: 'Still nobody', credentialId: credential.id });
    const more = await route(
      'devices',
      'addMany',
    )({ devices: [{ address: '127.0.0.1:9' }, { address: 'http://127.0.0.1:10' }] });
    const changed = await route(
      'devices',
      'updateMany',
    )({ ids: [added.id, more.added[0]?.id ?? ''], addTags: ['north'] });
    const assigned = await route('credentials', 'assign')({ credentialId: null, deviceIds: [added.id] });
    const tested = await route('devices', 'test')({ ids: [added.id] });
    const each = await collect(await route('devices', 'testEach')({ ids: [added.id] }));
    const given = await collect(
      await route('devices', 'signIn')({ ids: [added.id], signIn: { kind: 'saved', id: credential.id } }),
    );
    const lost = await route('devices', 'removal')({ ids: [added.id] });
    const listed = await route('devices', 'list')();
    const credentials = await route('credentials', 'list')();
    const events = await route('devices', 'watch')();
    const first = (await events.next()).value as DeviceEvent;
    await events.return?.();
    const checks = await route('devices', 'keepChecked')();
    const begun = await checks.next();
    await checks.return?.();
    const links = await route('devices', 'watchLinks')();
    const linksNow = await links.next();
    await links.return?.();
    const removed = await route('devices', 'remove')({ ids: [added.id, ...more.added.map(({ id }) => id)] });
    const forgotten = await route('credentials', 'remove')({ id: credential.id });

    // Would catch, checks without a report for as long as a round takes.
    expect(begun).toEqual({ done: false, value: { checked: 0 } });
    expect(linksNow).toEqual({ done: false, value: [] });
    expect(updated).toMatchObject({
      id: added.id,
      name: 'Still nobody',
      tags: ['hall'],
      credentialId: credential.id,
    });
    expect(renamed).toMatchObject({ credential: { id: credential.id }, tests: [] });
    expect(given.at(-1)).toMatchObject({
      type: 'given',
      given: { tests: [{ deviceId: added.id, ok: false }], changed: 0 },
    });
    expect(lost).toEqual({ credentials: 0, keys: 0, places: 1, restarts: 0 });
    expect(assigned).toEqual({ changed: 1 });
    expect(each).toMatchObject([{ deviceId: added.id, ok: false }]);
    expect(tested).toMatchObject([{ deviceId: added.id, ok: false, error: { code: 'connection-refused' } }]);
    expect(listed.map((device) => device.name)).toContain('Still nobody');
    expect(credentials.map((entry) => entry.label)).toContain('Hall');
    expect(JSON.stringify(credentials)).not.toContain('wrong-one');
    expect(first).toMatchObject({ type: 'all' });
    expect(more).toMatchObject({
      added: [{ url: 'http://127.0.0.1:10' }],
      failed: [{ index: 0, error: { code: 'duplicate-device' } }],
    });
    expect(changed).toEqual({ changed: 2 });
    expect(listed.filter(({ tags }) => tags.includes('north'))).toHaveLength(2);
    expect(removed).toEqual({ removed: 2 });
    expect(forgotten).toEqual({ removed: true });
  });

  test('sites, sign-ins of a tag or a site, connection profiles', async () => {
    const site = await route('sites', 'save')({ name: 'Depot' });
    const profile = await route(
      'profiles',
      'save',
    )({ name: 'Old', profile: { pathPrefix: '/Old' }, ports: [8000] });
    const credential = await page.api.credentials.save({
      label: 'Depot',
      userName: 'admin',
      password: 'in-the-vault',
    });
    const assigned = await route(
      'credentials',
      'assignTo',
    )({ credentialId: credential.id, scope: { kind: 'site', siteId: site.id } });
    const imported = await route(
      'devices',
      'importCsv',
    )({ text: 'address,profile\n127.0.0.1:9,old\nnowhere at all,\n', tags: ['hall'], siteId: site.id });
    const previewed = await route('devices', 'previewCsv')({ text: 'address\n127.0.0.1:9\n127.0.0.1:8\n' });
    expect(previewed).toMatchObject({ count: 1, failed: [{ error: { code: 'duplicate-device' } }] });
    const sites = await route('sites', 'list')();
    const secret = { passphrase: 'correct horse battery' };
    const short = await failure(route('siteFiles', 'pack')({ siteId: site.id, passphrase: 'short' }));
    expect(short.code).toBe('out-of-range');
    const { uploadId } = await route(
      'siteFiles',
      'receive',
    )({ name: 'depot', base64: 'bm8gZmlsZQ==', last: true });
    expect((await failure(route('siteFiles', 'read')({ ...secret, uploadId }))).code).toBe('unreadable-file');
    expect((await failure(route('siteFiles', 'merge')({ id: 'none' }))).code).toBe('not-found');
    const profiles = await route('profiles', 'list')();
    const credentials = await page.api.credentials.list();
    const removed = [
      await route('sites', 'remove')({ id: site.id }),
      await route('profiles', 'remove')({ id: profile.id }),
    ];
    const kept = await failure(page.api.profiles.remove({ id: profiles[0]?.id ?? '' }));
    const [device] = imported.added;
    await page.api.devices.remove({ ids: [device?.id ?? ''] });
    await page.api.credentials.remove({ id: credential.id });

    expect(assigned).toEqual({ changed: 0 });
    expect(imported).toMatchObject({
      failed: [{ row: 3 }],
      failedFile: expect.stringContaining('nowhere at all') as string,
    });
    expect(device).toMatchObject({
      siteId: site.id,
      tags: ['hall'],
      profile: { pathPrefix: '/Old' },
      signInFrom: { kind: 'site', siteId: site.id },
    });
    expect(sites).toEqual([{ id: site.id, name: 'Depot', devices: 1, credentialId: credential.id }]);
    expect(profiles.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Default', true],
      ['Old', false],
    ]);
    expect(credentials.find(({ id }) => id === credential.id)).toMatchObject({
      devices: 1,
      scopes: [{ kind: 'site', siteId: site.id }],
    });
    expect(removed).toEqual([{ removed: true }, { removed: true }]);
    expect(kept.code).toBe('not-allowed');
    expect(JSON.stringify([imported, sites, credentials, await page.api.devices.list()])).not.toContain(
      'in-the-vault',
    );
  });

  test('certificates, ways to a device, networks', async () => {
    const plain = await page.api.devices.add({ address: 'http://127.0.0.1:9' });
    const refused = await failure(
      route('devices', 'trust')({ items: [{ id: plain.id, fingerprint: 'ab'.repeat(32) }] }),
    );
    const nothing = await route('devices', 'distrust')({ ids: [plain.id] });
    const [virtual] = await page.api.devices.list();
    const probed = await route('devices', 'probe')({ address: virtual?.url ?? '' });
    const networks = await route('discovery', 'networks')();
    await page.api.devices.remove({ ids: [plain.id] });

    expect(refused.code).toBe('not-allowed');
    expect(nothing).toEqual({ changed: 0 });
    expect(probed).toMatchObject({
      address: virtual?.url,
      findings: [{ pathPrefix: '/API', profileIds: ['p-default'] }],
    });
    expect(Array.isArray(networks)).toBe(true);
  });

  test('templates', async () => {
    const checked = await route(
      'templates',
      'check',
    )({ text: TEMPLATE.replace('emissivity:', 'emisivity:') });
    const saved = await route('templates', 'save')({ text: TEMPLATE });
    const listed = await route('templates', 'list')();

    expect(checked).toMatchObject({
      ok: false,
      errors: [{ code: 'unknown-field', nearest: 'emissivity', line: 6 }],
    });
    expect(saved).toMatchObject({ source: 'own', name: 'Entrance', text: TEMPLATE });
    expect(listed.map((entry) => entry.id)).toContain(saved.id);
  });

  test('versions of a template', async () => {
    const first = await page.api.templates.save({ text: TEMPLATE.replace('Entrance', 'Versions') });
    const text = first.text.replace('0.97', '0.96');
    await page.api.templates.save({ id: first.id, text, note: 'less', baseVersion: 1 });
    const stale = await failure(
      page.api.templates.save({ id: first.id, text: text.replace('0.96', '0.95'), baseVersion: 1 }),
    );
    const versions = await route('templates', 'versions')({ id: first.id });
    const before = await route('templates', 'version')({ id: first.id, version: 1 });
    const amended = await route('templates', 'changeSection')({ text, index: 0, path: 'clamp', value: true });
    expect(amended.text).toContain('clamp: true');
    const compared = await route('templates', 'compare')({ before: before.text, after: text });
    const removed = await route('templates', 'remove')({ id: first.id });

    expect(stale.code).toBe('changed-meanwhile');
    expect(versions).toMatchObject([{ version: 2, note: 'less' }, { version: 1 }]);
    expect(before.text).toBe(first.text);
    expect(compared.sections).toMatchObject([
      { set: 'thermal.thermometryBasic', state: 'changed', changes: [{ from: 0.97, to: 0.96 }] },
    ]);
    expect(removed).toEqual({ removed: true });
  });

  test('settings of a device, captured', async () => {
    const deviceId = (await page.api.devices.list()).find(({ kinds }) => kinds.includes('thermal'))?.id ?? '';
    const captured = await collect(
      await route(
        'templates',
        'capture',
      )({ deviceId, sections: [{ set: 'thermal.thermometryBasic', params: { channelID: 1 } }] }),
    );

    expect(JSON.stringify(captured.at(-1))).toContain('thermal.thermometryBasic');
  });

  test('proposals', async () => {
    const added = await route('proposals', 'addRule')({ templateId: 'bundled:site-basics', tag: 'lanes' });
    expect(await route('proposals', 'rules')()).toMatchObject([{ id: added.id, tag: 'lanes' }]);
    expect(await route('proposals', 'list')()).toEqual([]);
    const chosen = { ruleId: added.id, deviceIds: ['d-1'] };
    expect((await route('proposals', 'template')(chosen)).templateText).toContain('fieldwright: template/1');
    expect(await route('proposals', 'dismiss')(chosen)).toEqual({ dismissed: 0 });
    expect(await route('proposals', 'removeRule')({ id: added.id })).toEqual({ removed: true });
  });

  test('replacements', async () => {
    const [oldId = '', newId = ''] = (await page.api.devices.list()).flatMap(({ id, kinds }) =>
      kinds.includes('thermal') ? id : [],
    );
    const itself = collect(await route('replacements', 'plan')({ oldId, newId: oldId }));
    await expect(itself).rejects.toMatchObject({ code: 'usage' });
    if (newId !== '')
      expect((await collect(await route('replacements', 'plan')({ oldId, newId }))).at(-1)).toMatchObject({
        type: 'replacement',
      });
    expect((await failure(route('replacements', 'begin')({ planId: 'r-0' }))).code).toBe('plan-outdated');
    expect(await route('replacements', 'archived')()).toEqual([]);
  });

  test('devices beside what was agreed for them', async () => {
    const deviceId = (await page.api.devices.list()).find(({ kinds }) => kinds.includes('thermal'))?.id ?? '';
    const looked = await collect(await route('agreements', 'look')({ deviceIds: [deviceId] }));
    const status = await route('agreements', 'status')({ deviceIds: [deviceId] });
    const templates = await route('agreements', 'putRight')({ name: 'Put right', deviceIds: [deviceId] });
    const groups = await route('agreements', 'groups')();
    const nothing = { deviceIds: [deviceId], settings: [{ path: 'nothing-like-this' }] };
    const refused = await failure(route('agreements', 'accept')({ ...nothing, reason: 'it is fine' }));
    const kept = await failure(route('agreements', 'putOff')(nothing));

    expect(looked.at(-1)).toEqual({ type: 'end' });
    expect(status).toMatchObject([{ deviceId }]);
    expect(templates).toEqual([]);
    expect(groups).toEqual([]);
    expect([refused.code, kept.code]).toEqual(['not-found', 'not-found']);
  });

  test('openWork', async () => {
    const id = 'j-000000000000.0';

    expect(await route('openWork', 'list')()).toEqual([]);
    expect((await failure(route('openWork', 'doNow')({ ids: [id] }))).code).toBe('not-found');
    expect((await failure(route('openWork', 'drop')({ id, reason: 'Scrapped' }))).code).toBe('not-found');
  });

  test('the black box of a device', async () => {
    const deviceId = (await page.api.devices.list()).find(({ kinds }) => kinds.includes('thermal'))?.id ?? '';
    const taken = await route('snapshots', 'take')({ deviceId });
    const listed = await route('snapshots', 'list')({ deviceId });
    const shown = await route('snapshots', 'show')({ deviceId });
    const known = await route('snapshots', 'facts')({ deviceId });
    const timeline = await route('snapshots', 'timeline')({ deviceId, since: '2001-01-01T00:00:00Z' });

    const differing = await route('snapshots', 'compare')({ deviceId, from: taken.at, to: taken.at });
    const captured = await route('snapshots', 'capture')({ deviceId });
    const restored = await route('snapshots', 'restore')({ deviceId, at: taken.at, name: 'As it was' });

    expect(listed).toEqual([taken]);
    expect(differing).toEqual([]);
    expect(captured).toMatch(/^fieldwright: template/m);
    expect(restored).toEqual({ left: 0 });
    expect(shown.length).toBeGreaterThanOrEqual(taken.documents);
    expect(known.at).toBeDefined();
    expect(Array.isArray(timeline)).toBe(true);
  });

  test('reports', async () => {
    const [device] = await route('devices', 'list')();
    const deviceIds = [device?.id ?? ''];
    const read = await collect(await route('reports', 'gather')({ deviceIds }));
    const readings = await route('reports', 'readings')({ deviceId: deviceIds[0] });
    const file = await collect(
      await route('reports', 'make')({ kind: 'capabilities', deviceIds, format: 'html', language: 'zh-CN' }),
    );

    expect(read).toMatchObject([{ deviceId: deviceIds[0], done: 1, total: 1 }]);
    expect(readings).toMatchObject([{ deviceId: deviceIds[0] }]);
    expect(await route('reports', 'checkTemplate')({ text: 'none' })).toMatchObject({
      ok: false,
      devices: 1,
    });
    const opened = await route(
      'reports',
      'open',
    )({ document: Buffer.from('none of ours').toString('base64') });
    expect(opened).toMatchObject({ intact: false, deviceIds: [] });
    const siteDetails = { details: { customer: 'Quay' }, branding: { company: 'Fieldwork' } };
    expect(await route('reports', 'saveSiteDetails')(siteDetails)).toEqual(siteDetails);
    expect(await route('reports', 'siteDetails')({})).toEqual(siteDetails);
    await collect(
      await route('reports', 'make')({ kind: 'handover', deviceIds, format: 'json', language: 'en' }),
    );
    const [{ id = '', kind = '' } = {}] = await route('reports', 'documents')();
    const exported = await collect(
      await route('reports', 'exportDocument')({ id, format: 'pdf', language: 'en' }),
    );
    expect(kind).toBe('handover');
    expect((await route('reports', 'document')({ id })).document.id).toBe(id);
    expect(exported[0]).toMatchObject({ type: 'file', id });
    // Nothing was changed since it was read.
    expect(await route('reports', 'putBack')({ documentId: id, deviceId: deviceIds[0] ?? '' })).toEqual({
      left: 0,
    });
    expect(await route('reports', 'removeDocument')({ id })).toEqual({ removed: true });

    const { text } = await route('reports', 'exampleDetails')({ language: 'zh-CN' });
    expect(await route('reports', 'details')({ text })).toMatchObject({
      checks: expect.arrayContaining([{ check: 'day', result: 'open' }]) as unknown,
    });
    const [head, ...parts] = file;
    expect(head).toMatchObject({ type: 'file', fileName: expect.stringMatching(/\.html$/) as string });
    const html = parts
      .map((part) => ('base64' in part ? Buffer.from(part.base64, 'base64').toString() : ''))
      .join('');
    expect(html).toContain('<html lang="zh-CN">');
  });

  test('discovery', async () => {
    const nothing = { mdns: false, addresses: ['http://127.0.0.1:9'] };
    const seen = await collect(await route('discovery', 'watch')(nothing));
    const reported = await collect(
      await route('discovery', 'watch')({ ...nothing, doctor: true, seconds: 0.1 }),
    );

    expect(seen).toEqual([]);
    expect(reported.at(-1)).toMatchObject({ type: 'doctor', report: { devices: 0, interfaces: [] } });
  });

  test('operations', async () => {
    const device = (await route('devices', 'list')()).find(({ kinds }) => kinds.includes('thermal'));
    const deviceId = device?.id ?? '';
    const read = await route(
      'operations',
      'call',
    )({ deviceId, operation: 'thermal.thermometryBasic.get', params: { channelID: 1 } });
    const capabilities = await route('operations', 'capabilities')({ deviceId });
    const channels = await route(
      'operations',
      'paramValues',
    )({ deviceId, operation: 'thermal.thermometryBasic.get', param: 'channelID' });
    const alarms = await route('operations', 'alarms')({ deviceId, eventSeconds: 30 });
    const raw = await route(
      'operations',
      'request',
    )({ deviceId, method: 'GET', path: '/API/System/capabilities' });

    expect(read).toMatchObject({ outcome: 'ok', value: { emissivityMode: expect.any(String) as string } });
    expect(read).not.toHaveProperty('exchange');
    expect(capabilities).toMatchObject({ deviceId, kinds: ['thermal'], problems: [] });
    expect(alarms).toMatchObject({ deviceId, eventSeconds: 30, chains: [{ channel: 1 }, { channel: 2 }] });
    expect(channels).toEqual({ values: [1, 2], isWhole: true });
    expect(raw).toMatchObject({
      outcome: 'ok',
      status: { http: 200 },
      raw: expect.stringContaining('DeviceCap') as string,
    });
  });

  test('plan, job, result on the device', async () => {
    const devices = await route('devices', 'list')();
    const thermal = devices.filter((device) => device.kinds.includes('thermal'));
    const deviceIds = thermal.map((device) => device.id);
    const planned = await collect(await route('plans', 'create')({ templateText: TEMPLATE, deviceIds }));
    const plan = planned.at(-1) as { type: 'plan'; plan: Plan };
    const { jobId } = await route('jobs', 'start')({ planId: plan.plan.id });
    const everything = await route('jobs', 'watchAll')();
    const atWork = (await everything.next()).value as WorkEvent;
    await everything.return?.();
    const watched = await collect(await route('jobs', 'watch')({ id: jobId }));
    const shown = await route('jobs', 'show')({ id: jobId });
    const cancelled = await route('jobs', 'cancel')({ id: jobId });

    expect(deviceIds).toHaveLength(1);
    expect(atWork.jobs).toMatchObject([{ id: jobId, kind: 'apply', state: 'running' }]);
    expect(plan).toMatchObject({ type: 'plan', plan: { counts: { changes: 1 } } });
    expect(watched.at(-1)).toMatchObject({
      type: 'end',
      job: { id: jobId, state: 'done', counts: { effective: 1 } },
    });
    expect(shown).toMatchObject({ id: jobId, state: 'done' });
    expect(cancelled).toEqual({ cancelled: false });
  });

  test('undo and resume', async () => {
    const id = (await route('jobs', 'search')({})).jobs[0]?.id ?? '';
    const changed = await route('jobs', 'changes')({ jobId: id, limit: 10 });
    const last = await route('jobs', 'lastChanges')({ deviceIds: [changed.changes[0]?.deviceId ?? ''] });
    expect(last).toMatchObject([{ kind: 'apply' }]);
    const left = await route('jobs', 'resumePreview')({ id });
    const taken = await route('jobs', 'takeOver')({ id });
    const resumed = await route('jobs', 'resume')({ id });
    const before = await route('jobs', 'undoPreview')({ id });
    const { jobId } = await route(
      'jobs',
      'undo',
    )({ id, deviceIds: before.devices.map(({ deviceId }) => deviceId), options: { concurrency: 2 } });
    const watched = await collect(await route('jobs', 'watch')({ id: jobId }));
    const refused = await failure(page.api.jobs.undo({ id, deviceIds: [] }));

    expect(taken).toEqual({ taken: false });
    expect(left).toMatchObject({ job: { id, state: 'done' }, devices: [], secrets: [] });
    expect(changed).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({ path: 'emissivity', canUndo: true }),
      ]) as unknown[],
    });
    expect(resumed).toEqual({ jobId: id, resumed: false });
    expect(before).toMatchObject({
      possible: 1,
      impossible: 0,
      devices: [
        {
          known: true,
          sections: [
            {
              changes: expect.arrayContaining([
                expect.objectContaining({ path: 'emissivity', from: 0.97 }),
              ]) as unknown[],
            },
          ],
        },
      ],
    });
    expect(watched.at(-1)).toMatchObject({
      type: 'end',
      job: { kind: 'undo', undoOf: id, state: 'done', counts: { effective: 1 } },
    });
    expect(refused.shape).toMatchObject({ source: 'user', path: 'deviceIds' });
  });

  test('a plan as a file, values of a table, the journal', async () => {
    const device = (await page.api.devices.list()).find(({ kinds }) => kinds.includes('thermal'));
    const id = (await page.api.jobs.search({})).jobs[0]?.id ?? '';
    const planned = (
      await collect(await page.api.plans.create({ templateText: TEMPLATE, deviceIds: [device?.id ?? ''] }))
    ).at(-1) as { type: 'plan'; plan: Plan };
    const shown = await collect(await route('plans', 'show')({ planId: planned.plan.id }));
    const gone = await failure(
      route('plans', 'show')({ planId: 'p-gone' }).then((events) => collect(events)),
    );
    const file = await route('plans', 'exportFile')({ planId: planned.plan.id });
    const back = await route('plans', 'importFile')({ text: file.text });
    // Would catch: a page that says what only the command line may, so that a name in a file decides where something goes.
    const foreign = await failure(
      route(
        'plans',
        'importFile',
      )({
        text: file.text.replaceAll(`"${device?.url ?? ''}"`, '"http://10.255.0.1"'),
        foreignDevices: true,
      } as { text: string }),
    );
    const table = await route(
      'plans',
      'readValues',
    )({
      templateText: TEMPLATE,
      base64: Buffer.from(`device\n${device?.name ?? ''}\nnobody\n`).toString('base64'),
    });
    const again = await failure(route('plans', 'retryPreview')({ jobId: id }));
    const retried = await failure(route('plans', 'retry')({ jobId: id }).then((events) => collect(events)));
    const paused = [await route('jobs', 'pause')({ id }), await route('jobs', 'unpause')({ id })];
    const found = await route('jobs', 'search')({ text: 'entrance' });
    const exported = await route('jobs', 'export')({ query: {}, format: 'csv' });
    const pending = await route('jobs', 'rebootPending')({ id });
    const followed = await failure(route('jobs', 'followUp')({ id }));
    const kept = await failure(route('jobs', 'confirm')({ id }));

    expect(shown).toEqual([planned]);
    expect(gone.code).toBe('plan-outdated');
    expect(foreign.code).toBe('unknown-device');
    expect(again.shape).toEqual(retried.shape);
    expect(back.devices).toEqual(planned.plan.devices);
    expect(table).toMatchObject({
      devices: [{ deviceId: device?.id, row: 2 }],
      errors: [{ code: 'unknown-device', line: 3 }],
    });
    expect([retried.code, followed.code, kept.code]).toEqual(Array(3).fill('not-allowed'));
    expect(paused).toEqual([{ paused: false }, { unpaused: false }]);
    expect(found.total).toBeGreaterThanOrEqual(2);
    expect(exported.text).toContain('Entrance');
    expect(pending).toEqual([]);
  });

  test('a guided flow from its first question to its record as a file', async () => {
    const [device] = await route('devices', 'list')();
    const names = (await route('flows', 'list')()).map(({ name }) => name);
    const { jobId } = await route('flows', 'begin')({ flow: 'token-key', deviceIds: [device?.id ?? ''] });
    const answered = new Set<string>();
    let asked: string[] = [];
    for await (const view of await route('flows', 'watch')({ jobId })) {
      const question = view.asked;
      if (question === undefined || answered.has(question.token)) continue;
      answered.add(question.token);
      asked = [...asked, question.step];
      const values = question.step === 'sign' ? { name: 'A. Installer' } : {};
      await route(
        'flows',
        'answer',
      )({
        jobId,
        token: question.token,
        answer:
          question.step === 'hand-over' ? { kind: 'skip', reason: 'Later' } : { kind: 'values', values },
      });
    }
    const none = await failure(route('flows', 'template')({ jobId, position: 0 }));
    const gate = (await page.api.devices.list()).find(({ kinds }) => kinds.includes('gate'));
    const { picture, faults, counters } = await route('flows', 'picture')({ deviceId: gate?.id ?? '' });
    const [record] = await route('flows', 'records')();
    const sealed = await route('flows', 'record')({ id: record?.id ?? '' });
    const chain = await route('flows', 'checkChain')();
    const same = await failure(
      route('flows', 'compareRecords')({ before: record?.id ?? '', after: 'there-is-none' }),
    );
    const file = await route(
      'flows',
      'exportRecord',
    )({
      id: record?.id ?? '',
      format: 'html',
      language: 'zh-CN',
    });

    expect(names).toContain('token-key');
    expect(none.code).toBe('not-supported');
    expect(chain).toEqual({ faults: [] });
    expect(same.code).toBe('not-found');
    expect(picture).toMatchObject({ block: 'drawing' });
    expect(faults).toEqual([]);
    expect(counters?.inDoorPassCount).toBeGreaterThan(0);
    expect(asked).toEqual(['settings', 'key', 'send', 'hand-over', 'check', 'sign']);
    expect(sealed.sha256).toBe(record?.sha256);
    expect(JSON.stringify(sealed)).toContain('Later');
    expect(Buffer.from(file.base64, 'base64').toString()).toContain('令牌密钥');
  });

  test('people of a terminal: read, compared, brought from a file, removed with a receipt', async () => {
    const gate = (await page.api.devices.list()).find(({ kinds }) => kinds.includes('gate'));
    const deviceId = gate?.id ?? '';
    const plan = async (
      source: Parameters<Client['api']['people']['plan']>[0]['source'],
    ): Promise<string> => {
      const events = await collect(await route('people', 'plan')({ source, deviceIds: [deviceId] }));
      const last = events.at(-1);
      if (last?.type !== 'plan') throw new Error('there is no plan');
      return last.plan.id;
    };
    const carryOut = async (id: string): Promise<string> => {
      const { jobId } = await route('people', 'begin')({ id, options: {} });
      await collect(await route('jobs', 'watch')({ id: jobId }));
      return jobId;
    };

    const text = 'employeeNo,name,password\n7001,Route One,271828\n7002,,\n7001,Twice,\n';
    const brought = await plan({ kind: 'file', name: 'people.csv', text, format: 'csv' });
    const rows = await route('people', 'rows')({ id: brought, limit: 10 });
    await carryOut(brought);
    const failed = await route('people', 'failed')({ id: brought });
    const outcome = await route('people', 'outcome')({ id: brought });
    const read = await collect(await route('people', 'read')({ deviceId }));
    const person = await route('people', 'person')({ deviceId, employeeNo: '7001' });
    const compared = (await collect(await route('people', 'compare')({ deviceIds: [deviceId] }))).at(-1);
    const id = compared?.type === 'compared' ? compared.id : '';
    const people = await route('people', 'compared')({ id, limit: 500 });
    const discarded = await route('people', 'discard')({ id });
    const removed = await carryOut(await plan({ kind: 'remove', employeeNos: ['7001', '7002'] }));
    const receipt = await route('people', 'receipt')({ id: removed });
    const lines = await route('people', 'removed')({ id: removed });
    const paper = await collect(
      await route('reports', 'make')({ kind: 'receipt', jobId: removed, format: 'json', language: 'en' }),
    );
    const receiptText = paper.map((event) => (event.type === 'part' ? atob(event.base64) : '')).join('');
    expect(JSON.parse(receiptText)).toMatchObject({ document: { kind: 'deletion-receipt' } });
    expect(receiptText).toContain('7001');
    expect(JSON.stringify(await page.api.reports.documents()), 'it names people').not.toContain(
      'deletion-receipt',
    );

    expect(rows.map(({ plan: meant }) => meant)).toContain('added');
    expect(failed.text).toContain('7001');
    expect(outcome).toMatchObject({ work: 'import', people: 3, nowhere: 1, devices: 1 });
    expect(read.at(-1)).toMatchObject({ type: 'end', complete: true });
    expect(person.value).toMatchObject({ name: 'Route One' });
    expect(JSON.stringify([rows, read, person, people])).not.toContain('271828');
    expect(people.map(({ employeeNo }) => employeeNo)).toContain('7001');
    expect(discarded).toEqual({ discarded: true });
    expect(receipt.text).toContain('7001');
    expect(lines).toMatchObject({ complete: true, devices: [{ deviceId }] });
  });

  test('fingerprints, without a template on the way to the page', async () => {
    const gate = (await page.api.devices.list()).find(({ kinds }) => kinds.includes('gate'));
    const deviceId = gate?.id ?? '';
    const held = await route('prints', 'held')({ deviceId, employeeNo: '1001' });
    const [waiting] = await firstOf(
      await route(
        'prints',
        'enrol',
      )({ employeeNo: '1001', fingerPrintID: 5, at: { deviceId, reader: 1 }, targets: [] }),
    );
    const results = await failure(collect(await route('prints', 'results')({ jobId: 'j-none' })));
    const { jobId } = await route('prints', 'prepare')({ deviceIds: [deviceId], readers: [1] });
    const discarded = await route('prints', 'discard')({ jobId });
    const forgotten = await failure(route('prints', 'begin')({ jobId }));
    const ownSource = await failure(route('prints', 'copy')({ from: deviceId, deviceIds: [deviceId] }));
    const removal = await route(
      'prints',
      'remove',
    )({ deviceIds: [deviceId], people: ['1001'], fingers: [9] });
    const removed = await collect(await page.api.prints.results(removal));
    const wiped = await route('prints', 'forget')(removal);

    expect(held).toContainEqual({
      employeeNo: '1001',
      fingerPrintID: 1,
      fingerType: 'normalFP',
      reader: 1,
    });
    expect(waiting).toMatchObject({ type: 'waiting', capture: 1 });
    expect(results.code).toBe('not-found');
    expect(discarded).toEqual({ discarded: true });
    expect(forgotten.code).toBe('not-found');
    expect(ownSource.code).toBe('usage');
    expect(removed).toMatchObject([{ employeeNo: '1001', status: 'absent' }]);
    expect(wiped).toEqual({ wiped: false });
  });

  test('a model package from a page to an AI device, and the engines by hand', async () => {
    const site = await startSite({ devices: 1, kinds: ['ai'] });
    onTestFinished(() => site.close());
    const { url = '', user = '', password = '' } = site.devices[0] ?? {};
    const { id: deviceId } = await page.api.devices.add({
      address: url,
      signIn: { userName: user, password },
    });
    const board = await route('models', 'board')({ deviceId });
    const half = await route(
      'models',
      'receive',
    )({ name: '../pack age.bin', base64: Buffer.alloc(900, 1).toString('base64'), last: false });
    const { file } = await route(
      'models',
      'receive',
    )({ uploadId: half.uploadId, name: 'x', base64: Buffer.alloc(100, 2).toString('base64'), last: true });
    const events = await collect(
      await route('models', 'plan')({ deviceIds: [deviceId], fileId: file?.id ?? '', mpid: 'from-a-page' }),
    );
    const last = events.at(-1);
    const planId = last?.type === 'plan' ? last.plan.id : '';
    const { jobId } = await route('models', 'send')({ planId });
    for await (const _event of await route('jobs', 'watch')({ id: jobId })) continue;
    const findings = await route('models', 'doctor')({ deviceIds: [deviceId] });
    const unloaded = await route('models', 'unload')({ deviceId, engine: 1, confirmed: true });
    const removed = await failure(route('models', 'remove')({ deviceId, mpid: 'nobody', confirmed: true }));
    const reset = await route('models', 'reset')({ deviceId, engine: 2, confirmed: true });
    const loaded = await failure(route('models', 'load')({ deviceId, engine: 2, mpid: 'nobody' }));

    expect(board.engines.map(({ engine }) => engine)).toEqual([1, 2]);
    // The name of a page leads nowhere.
    expect(file).toMatchObject({ name: 'pack age.bin', size: 1000 });
    expect((await route('jobs', 'show')({ id: jobId })).rebootPending).toBe(1);
    expect(findings.length).toBeGreaterThan(0);
    expect(unloaded).toMatchObject({ outcome: 'effective', status: 0 });
    expect(reset.outcome).toBe('accepted');
    expect([removed.shape.source, loaded.shape.source]).toEqual(['device', 'device']);
  });

  test('no route of the contract was left out', () => {
    const routes = Object.entries(contract).flatMap(([area, procedures]) =>
      Object.keys(procedures).map((name) => `${area}.${name}`),
    );

    expect([...called].sort()).toEqual(routes.sort());
  });
});

describe('input that no engine should see', () => {
  const cases: readonly (readonly [
    string,
    (api: Client['api']) => Promise<unknown>,
    ErrorCode,
    string | undefined,
  ])[] = [
    [
      'a number for a text',
      (api) => api.devices.add({ address: 7 as unknown as string }),
      'wrong-type',
      'address',
    ],
    ['a field left out', (api) => api.devices.add({} as { address: string }), 'missing-field', 'address'],
    ['no input at all', (api) => api.jobs.show(undefined as unknown as { id: string }), 'missing-field', ''],
    ['an address too long', (api) => api.devices.add({ address: 'x'.repeat(301) }), 'too-long', 'address'],
    [
      'a deadline beyond its range',
      (api) => api.devices.add({ address: 'http://127.0.0.1:9', profile: { deadlineMs: 1 } }),
      'out-of-range',
      'profile.deadlineMs',
    ],
    [
      'a way to sign in that does not exist',
      (api) => api.devices.add({ address: 'http://127.0.0.1:9', profile: { auth: 'ntlm' as 'basic' } }),
      'not-allowed',
      'profile.auth',
    ],
    [
      'a prefix that is no path',
      (api) => api.devices.add({ address: 'http://127.0.0.1:9', profile: { pathPrefix: 'API' } }),
      'not-allowed',
      'profile.pathPrefix',
    ],
    [
      'a scope of another kind',
      (api) =>
        api.credentials.assignTo({
          credentialId: null,
          scope: { kind: 'all' } as unknown as { kind: 'tag'; tag: string },
        }),
      'wrong-type',
      'scope.kind',
    ],
    ['a site without a name', (api) => api.sites.save({ name: '' }), 'out-of-range', 'name'],
    ['a name that poses as another', (api) => api.sites.save({ name: 'De\u202epot' }), 'not-allowed', 'name'],
    [
      'a port beyond its range',
      (api) => api.profiles.save({ name: 'x', profile: {}, ports: [70_000] }),
      'out-of-range',
      'ports[0]',
    ],
    ['one bad id among good ones', (api) => api.devices.remove({ ids: ['a', ''] }), 'out-of-range', 'ids[1]'],
    [
      'more virtual devices than allowed',
      (api) => api.app.startSimulatedSite({ devices: 201 }),
      'out-of-range',
      'devices',
    ],
    ['a plan nobody kept', (api) => api.jobs.start({ planId: 'gone' }), 'plan-outdated', 'planId'],
    [
      'a method nobody knows',
      (api) => api.operations.request({ deviceId: 'x', method: 'PATCH' as 'PUT', path: '/API/x' }),
      'not-allowed',
      'method',
    ],
    [
      'an operation nobody knows',
      async (api) =>
        api.operations.call({
          deviceId: (await api.devices.list())[0]?.id ?? '',
          operation: 'system.capabilitys.get',
        }),
      'unknown-operation',
      undefined,
    ],
    ['a job that never was', (api) => api.jobs.show({ id: 'never' }), 'not-found', undefined],
  ];
  test.each(cases)(
    '%s is refused by name (else: a crash or a silent default)',
    async (_name, call, code, path) => {
      const error = await failure(call(page.api));

      expect(error.shape).toMatchObject({ code, source: 'user' });
      if (path !== undefined) expect(error.shape.path).toBe(path);
    },
  );

  test('several wrong fields are told together (else: one round trip for each)', async () => {
    const error = await failure(
      page.api.credentials.save({ label: 5, userName: null } as unknown as {
        label: string;
        userName: string;
        password: string;
      }),
    );

    expect([error.shape, ...(error.shape.others ?? [])].map((shape) => shape.path)).toEqual([
      'label',
      'userName',
      'password',
    ]);
  });

  test("a stream that cannot start fails with the engine's own error (else: an endless wait)", async () => {
    const error = await failure(
      page.api.plans
        .create({ templateText: 'sections: [', deviceIds: ['x'] })
        .then((events) => collect(events)),
    );

    expect(error.shape).toMatchObject({ code: 'invalid-template', source: 'user' });
  });

  test('a route that does not exist is refused (else: an unhandled call)', async () => {
    const unknown = page.api as unknown as Record<string, Record<string, () => Promise<unknown>>>;
    const error = await failure(unknown['devices']?.['explode']?.() ?? Promise.resolve());

    expect(error.shape).toMatchObject({ code: 'usage', source: 'app' });
  });
});
