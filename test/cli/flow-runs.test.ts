/** Each guided flow by a script alone, from the first step to its record, its template and the chain of records. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChangeEntry } from '#shared/history.ts';
import type { Job, Plan } from '#shared/model.ts';
import { startSite, type Site, type SiteOptions } from '../helpers/strict-site.ts';
import { ANSWERS as GATE } from '../engine/flow/gate-walk.ts';
import { ANSWERS as THERMAL } from '../engine/flow/thermal-answers.ts';
import { ENTRY, makeFolder, run, start, type Folder, type Ran, type SiteDevice } from './helpers.ts';

const SIGN = { name: 'A. Installer', model: 'M-1', serial: '4711' };
const LOCK = {
  password: { kept: true, understood: true },
  prove: { wait: false },
  alarms: { schedule: 'always', 'badBlocks-email': true },
  sign: SIGN,
};
const TOKEN = { 'hand-over': { to: 'Integrator', given: true }, sign: SIGN };

let folder: Folder;
const open: (() => void | Promise<unknown>)[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  folder.remove();
});

async function siteOf(options: SiteOptions): Promise<Site> {
  const site = await startSite({ password: 'Site-1', ...options });
  open.push(() => site.close());
  return site;
}

const env = { FIELDWRIGHT_PASSWORD: 'Site-1' };

function argsOf(flow: string, url: string, answers: object, ...more: readonly string[]): readonly string[] {
  const file = folder.file(`${flow}-answers.json`);
  writeFileSync(file, JSON.stringify(answers));
  return ['flow', 'run', flow, '--device', url, '--answers', file, '--yes', '--json', ...more];
}

// Would catch: a flow that a script cannot go through, and a template that is not what the device has now.
it('verifies a thermal camera, and its template changes nothing on it any more', async () => {
  const site = await siteOf({ kinds: ['thermal'] });
  const url = site.devices[0]?.url ?? '';
  const template = folder.file('thermal.yaml');

  const ran = await run(folder, argsOf('thermal', url, THERMAL, '--template', template), { env });

  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.json<Job>().state).toBe('done');
  await expectUnchanged(template, url, ['thermal.thermometryBasic', 'thermal.thermometryMode']);
  // Would catch: settings that a flow wrote and that the changes of the device do not have.
  const changes = (await run(folder, ['changes', 'list', '--device', url, '--json'])).json<
    readonly ChangeEntry[]
  >();
  expect([...new Set(changes.map(({ set, kind }) => `${kind} ${set}`))]).toEqual([
    'flow thermal.thermometryBasic',
  ]);
});

it('locks a card, and its template holds what is no secret', async () => {
  const site = await siteOf({ kinds: ['recorder'] });
  const url = site.devices[0]?.url ?? '';
  const template = folder.file('lock.yaml');

  const ran = await run(folder, argsOf('storage-lock', url, LOCK, '--template', template), { env });

  expect([ran.code, ran.stderr]).toEqual([0, '']);
  await expectUnchanged(template, url, ['events.hdBadBlockTrigger', 'events.storageSchedule']);
});

// Would catch: a watch that a script cannot end, an answer that vanishes, an unreported typing error.
it('ends watches at the limit of the answers, and says what of them is wrong or was never asked for', async () => {
  const site = await siteOf({ kinds: ['recorder'] });
  const url = site.devices[0]?.url ?? '';
  const wrong = await run(folder, argsOf('storage-lock', url, { ...LOCK, pasword: {} }), { env });
  expect(wrong.code).toBe(2);
  expect(wrong.json()).toMatchObject({ code: 'unknown-field', path: 'pasword', nearest: 'password' });
  expect(site.device(0).requests).toEqual([]);

  const limited = { ...LOCK, prove: { wait: true, watch: { locked: 1 } }, sign: { ...SIGN, nmae: 'x' } };
  const ran = await run(folder, argsOf('storage-lock', url, limited), { env });

  // The card stays open for three minutes: that it locks itself again was not seen.
  expect(ran.code).toBe(1);
  expect(outcomesOf(ran.json())[3]).toBe('failed');
  expect(ran.json()).toMatchObject({ unusedAnswers: ['sign.nmae'] });
  expect(ran.stderr).toContain('sign.nmae');
});

// Would catch: records that can be taken out or changed without anybody noticing; a comparison that shows nothing, or everything.
it('gives devices their keys, and tells what differs in the records and what is missing in their chain', async () => {
  const site = await siteOf({ devices: 3, kinds: ['counter'] });
  const files: string[] = [];
  for (const [nth, { url }] of site.devices.entries()) {
    files.push(folder.file(`record-${nth}.json`));
    const answers = { ...TOKEN, ...(nth === 1 && { settings: { encryptAlgorithmMode: 'CFB' } }) };
    const more = [
      '--record',
      files[nth] ?? '',
      ...(nth === 0 ? ['--template', folder.file('none.yaml')] : []),
    ];
    const ran = await run(folder, argsOf('token-key', url, answers, ...more), { env });
    // A key is no setting: there is no template, and the script is informed.
    expect(ran.code).toBe(nth === 0 ? 1 : 0);
    if (nth === 0) expect(ran.json()).toMatchObject({ templates: [{ error: { code: 'not-supported' } }] });
  }
  const [first = '', second = '', third = ''] = files;
  const verify = (...some: readonly string[]): Promise<Ran> =>
    run(folder, ['flow', 'verify', ...some, '--json']);

  const compared = await run(folder, ['flow', 'compare', first, second, '--json']);
  expect(compared.code).toBe(0);
  const { differences } = compared.json<{ differences: readonly { what: string }[] }>();
  expect(differences.map(({ what }) => what)).toEqual(['Address', 'Mode of encryption']);

  expect((await verify()).json()).toMatchObject({ count: 3, chain: { state: 'intact' } });
  expect((await verify(first, second, third)).code).toBe(0);
  // This simulates a person who knows where they are kept.
  const kept = new DatabaseSync(join(folder.file('data'), 'fieldwright.db'));
  kept.exec("UPDATE records SET sealed = replace(sealed, 'A. Installer', 'B. Installer') WHERE rowid = 2");
  const changed = await verify();
  expect(changed.code).toBe(1);
  expect(changed.json()).toMatchObject({ chain: { faults: [{ kind: 'changed' }] } });
  kept.exec('DELETE FROM records WHERE rowid = 2');
  kept.close();
  expect((await verify()).json()).toMatchObject({ chain: { faults: [{ kind: 'missing' }] } });
  // This simulates a person who has the files alone.
  const elsewhere = makeFolder();
  open.push(() => elsewhere.remove());
  const missing = await run(elsewhere, ['flow', 'verify', third, first, '--json']);
  expect(missing.code).toBe(1);
  expect(missing.json()).toMatchObject({ chain: { state: 'broken', faults: [{ kind: 'missing' }] } });
});

// Would catch: a script whose key a restart brings into force, and that ends well without it, sends the key with every resume,
// or can never be finished; an export that holds one of two keys that may be in force.
it('stops at the restart that a key needs, names it, and goes on with the resume without sending again', async () => {
  const site = await siteOf({ kinds: ['counter'] });
  const device = site.device(0);
  const url = site.devices[0]?.url ?? '';
  const sent = (): number =>
    device.requests.filter(({ operation, http }) => operation === 'token.secretKey.set' && http === 200)
      .length;
  expect((await run(folder, argsOf('token-key', url, TOKEN), { env })).code).toBe(0);
  device.setFault('reboot', 1, { operation: 'token.secretKey.set', times: 1 });

  const ran = await run(folder, argsOf('token-key', url, TOKEN), { env });

  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain('send.restarted');
  expect(ran.stderr).toContain('Restart it, then go on');
  const { jobId } = ran.json<{ jobId: string }>();
  const states = async (): Promise<readonly string[]> =>
    (await run(folder, ['keys', 'list', '--json']))
      .json<readonly { state: string }[]>()
      .map(({ state }) => state);
  expect(await states()).toEqual(['current', 'pending']);
  const before = sent();
  const answers = ['--answers', folder.file('token-key-answers.json'), '--yes', '--json'];
  const resumed = await run(folder, ['flow', 'resume', jobId, ...answers], { env });

  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('Restart the device now')]);
  expect(sent()).toBe(before);
  expect(await states()).toEqual(['current', 'former']);
});

// Would catch: a script that asks for a person although the device restarts by itself.
it('sees a device through a restart of its own', async () => {
  const site = await siteOf({ kinds: ['counter'], restartAfterMs: 200, awayMs: 3000 });
  const url = site.devices[0]?.url ?? '';
  site.device(0).setFault('reboot', 1, { operation: 'token.secretKey.set', times: 1 });
  const record = folder.file('record.html');

  const ran = await run(folder, argsOf('token-key', url, TOKEN, '--record', record), { env });

  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The device is away.')]);
  expect(readFileSync(record, 'utf8')).toContain('with a restart that Fieldwright watched');
});

// Would catch: exit 0 after an unreadable answer.
it('does not end with 0 where a device answers a web page, and tells what is not known', async () => {
  const site = await siteOf({ kinds: ['counter'] });
  const url = site.devices[0]?.url ?? '';
  site.device(0).setFault('html', 1, { operation: 'token.secretKey.set' });
  const record = folder.file('record.html');

  const ran = await run(folder, argsOf('token-key', url, TOKEN, '--record', record), { env });

  expect(ran.code).toBe(4);
  expect(outcomesOf(ran.json())[2]).toBe('unknown');
  expect(readFileSync(record, 'utf8')).toContain('not known whether the device has the new key');
});

/** Actions of the person at the gate when the app asks, as lines of a scenario. */
const AT_GATE: Readonly<Record<string, readonly object[]>> = {
  'beams.walk-1': [
    { do: 'cover', beams: [1, 2, 3, 4, 5, 6] },
    { when: 'gate.irStatus.get', times: 2, do: 'cover', beams: [] },
  ],
  'passes.walk-in': [{ when: 'gate.status.get', times: 2, do: 'walk', direction: 'in' }],
  'passes.walk-out': [{ when: 'gate.status.get', times: 2, do: 'walk', direction: 'out' }],
  'fire.release': [
    { do: 'advance', seconds: 10 },
    { when: 'gate.status.get', times: 2, do: 'fire', closed: true },
  ],
  'fire.restore': [{ do: 'fire', closed: false }],
  'fire.unplug': [{ do: 'unplug' }],
  'fire.offline': [{ do: 'fire', closed: true }],
  'fire.back': [{ do: 'plug' }],
  'fire.restore-after': [{ do: 'fire', closed: false }],
  'power.loss': [{ do: 'power', mode: 'Battery' }],
  'power.mains': [{ do: 'power', mode: 'ACPower' }],
};

// Would catch: a gate that only our own tests can walk through. Both programs are outside of this one, and talk in lines.
it('takes a gate into service by the lines of two programs', async () => {
  const simulated = spawn(
    process.execPath,
    [ENTRY, 'simulate', '--kinds', 'gate', '--devices', '1', '--scenario', '-'],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, FIELDWRIGHT_PASSWORD: 'Site-1' } },
  );
  open.push(() => void simulated.kill('SIGTERM'));
  const told = createInterface({ input: simulated.stdout })[Symbol.asyncIterator]();
  const { devices } = JSON.parse((await told.next()).value as string) as { devices: readonly SiteDevice[] };
  const act = (lines: readonly object[]): void => {
    for (const line of lines) simulated.stdin.write(`${JSON.stringify(line)}\n`);
  };
  act([{ do: 'stop-traffic' }, { do: 'emitters', count: 6 }]);
  await told.next();
  await told.next();
  const answers = { ...GATE, beams: { beams: 6 }, passes: { count: 1 } };
  const seen = new Set<string>();
  let read = 0;

  const ran = await run(folder, argsOf('gate', devices[0]?.url ?? '', answers, '--progress'), {
    env,
    onOutput(text) {
      const lines = text.slice(0, text.lastIndexOf('\n')).split('\n');
      for (const line of lines.slice(read)) {
        const { step, key } = JSON.parse(line) as { readonly step?: string; readonly key?: string };
        const question = `${step}.${key}`;
        if (!seen.has(question)) act(AT_GATE[question] ?? []);
        seen.add(question);
      }
      read = lines.length;
    },
  });

  const job: unknown = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '');
  expect(new Set(outcomesOf(job))).toEqual(new Set(['unchanged']));
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect([...seen]).toEqual(expect.arrayContaining(Object.keys(AT_GATE)));
}, 120_000);

// Would catch: a job of a killed command line that cannot be resumed, and a card that is locked twice.
it.each([
  ['storage-lock', 'recorder', 'storage.rwLock.put', LOCK],
  ['token-key', 'counter', 'token.secretKey.set', TOKEN],
] as const)(
  'goes on with %s after its process was killed when the device had just taken the write',
  async (flow, kind, operation, answers) => {
    const site = await siteOf({ kinds: [kind] });
    const device = site.device(0);
    const url = site.devices[0]?.url ?? '';
    const running = start(folder, [...argsOf(flow, url, answers), '--progress'], env);
    const written = (): number =>
      device.requests.filter((request) => request.operation === operation && request.applied).length;
    while (written() === 0 && running.child.exitCode === null) await delay(5);
    running.child.kill('SIGKILL');
    await running.ended;

    const list = (await run(folder, ['jobs', 'list', '--json'])).json<
      readonly { id: string; state: string }[]
    >();
    expect(list).toMatchObject([{ state: 'interrupted' }]);
    const file = folder.file(`${flow}-answers.json`);
    const resumed = await run(
      folder,
      ['flow', 'resume', list[0]?.id ?? '', '--answers', file, '--yes', '--json'],
      { env },
    );

    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    const bodies = device.requests.filter((request) => request.operation === operation && request.applied);
    expect(new Set(bodies.map(({ bodyHash }) => bodyHash)).size).toBe(1);
    if (flow === 'storage-lock') expect(bodies).toHaveLength(1);
  },
  60_000,
);

/** Returns the outcomes of the steps of the first device, as scripts read them. */
function outcomesOf(job: unknown): readonly string[] {
  const { results } = job as {
    readonly results: readonly { readonly sections: readonly { outcome: string }[] }[];
  };
  return results[0]?.sections.map(({ outcome }) => outcome) ?? [];
}

async function expectUnchanged(file: string, url: string, sets: readonly string[]): Promise<void> {
  const checked = await run(folder, ['template', 'check', file, '--json']);
  expect(checked.json()).toMatchObject({ ok: true, errors: [], warnings: [] });
  const planned = await run(folder, ['plan', '--template', file, '--device', url, '--json'], { env });
  expect([planned.code, planned.stderr]).toEqual([0, '']);
  const { sections = [] } = planned.json<Plan>().devices[0] ?? {};
  expect(sections.map(({ set }) => set).toSorted()).toEqual(sets);
  expect(sections.flatMap(({ changes }) => changes)).toEqual([]);
}

// Would catch: a script that stands still for minutes and does not say what it waits for.
it('says what a long wait is for, and how long it may last', async () => {
  const site = await siteOf({ kinds: ['ai'] });
  const url = site.devices[0]?.url ?? '';
  const answers = {
    password: { kept: true, understood: true },
    prove: { wait: true, watch: { locked: 4 } },
    sign: { name: 'A. Installer' },
  };

  const ran = await run(folder, argsOf('storage-lock', url, answers), { env });

  expect(ran.stderr).toMatch(
    /127\.0\.0\.1:\d+, .+: waits at most 1 minute more\. Waiting until the card locks itself again\. Expected in: \d+ s/,
  );
});
