/** `call` and `request` of scripts: what destroys needs a yes, and what was cut off is found out and never sent twice. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { CallAnswer, Job, JobSummary } from '#shared/model.ts';
import { startSite } from '#simulator/index.ts';
import { atTerminal, errorOf, makeFolder, run, start } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());
const env = { FIELDWRIGHT_PASSWORD: 'Patient-1' };

describe('what destroys', () => {
  it('is not sent by a script that did not say so, and asks at a terminal', async () => {
    const site = await startSite({ devices: 1, kinds: ['gate'], password: 'Patient-1' });
    try {
      const device = ['--device', site.device(0).url];
      const remove = ['call', 'accessControl.localController.deleteAll', ...device];
      const raw = ['request', 'DELETE', '/API/AccessControl/localController', ...device];
      const sent = (): number =>
        site.device(0).requests.filter(({ method, http }) => method === 'DELETE' && http !== 401).length;

      for (const command of [remove, raw, [...remove, '--raw']]) {
        const refused = await run(folder, [...command, '--json'], { env });
        expect(refused.code).toBe(2);
        expect(errorOf(refused).code).toBe('confirmation-needed');
        expect((await run(folder, command, { env })).code).toBe(2);
      }
      expect(sent()).toBe(0);

      const no = await atTerminal(folder, remove, 'n', env);
      expect(no.code).toBe(2);
      expect(no.shown).toContain('accessControl.localController.deleteAll');
      expect(sent()).toBe(0);

      const yes = await run(folder, [...remove, '--yes', '--json'], { env });
      expect(yes.code).toBe(0);
      expect(yes.json<CallAnswer>()).toMatchObject({ outcome: 'ok', job: expect.any(String) as string });
      expect(sent()).toBe(1);
      const list = (await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();
      expect(list).toMatchObject([{ kind: 'call', title: 'Remove all local controllers', by: 'tester' }]);
      const chinese = await run(folder, ['jobs', 'list', '--lang', 'zh-CN']);
      expect(chinese.stdout).toContain('单次调用');
    } finally {
      await site.close();
    }
  });

  // Would catch: a script of every day that suddenly needs a yes.
  it('only that: any other call of a script goes on as before', async () => {
    const site = await startSite({ devices: 1, kinds: ['thermal'], password: 'Patient-1' });
    try {
      const body = folder.file('mode.json');
      writeFileSync(body, '{"mode":"expert"}');
      const written = await run(
        folder,
        [
          'call',
          'thermal.thermometryMode.put',
          '--param',
          'channelID=1',
          '--body',
          body,
          '--device',
          site.device(0).url,
          '--json',
        ],
        { env },
      );
      expect(written.code).toBe(0);
      const { job } = written.json<CallAnswer>();

      const undone = await run(folder, ['jobs', 'undo', job ?? '', '--yes', '--json'], { env });
      expect(undone.code).toBe(0);
      expect(undone.json<Job>()).toMatchObject({ kind: 'undo', undoOf: job, counts: { effective: 1 } });
    } finally {
      await site.close();
    }
  });
});

describe('an answer that is none', () => {
  // Would catch: "ok" and exit 0 for a web page.
  it('is unknown, with exit code 1', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html></html>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const result = await run(
        folder,
        ['call', 'accessControl.localController.deleteAll', '--device', url, '--yes', '--json'],
        { env },
      );

      expect(result.json<CallAnswer>()).toMatchObject({
        outcome: 'unknown',
        status: { http: 200 },
        error: { code: 'malformed-answer' },
      });
      expect(result.code).toBe(1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('a call whose process is killed after it was sent', () => {
  // Would catch: a write that is sent twice, or reported as failed although the device took it.
  it.each([
    [true, 'effective', 0],
    [false, 'ignored', 1],
  ])('is found out by reading (taken: %s)', async (taken, outcome, code) => {
    const own = makeFolder();
    let shown = '<ThermometryMode version="2.0" xmlns="urn:x"><mode>normal</mode></ThermometryMode>';
    let writes = 0;
    let kill = (): void => undefined;
    const server = createServer((request, response) => {
      let body = '';
      request
        .setEncoding('utf8')
        .on('data', (part: string) => {
          body += part;
        })
        .on('end', () => {
          if (request.url?.endsWith('/thermometryMode') !== true) response.writeHead(404).end();
          else if (request.method === 'GET') response.end(shown);
          else {
            writes += 1;
            if (taken) shown = body;
            kill();
          }
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const body = own.file('mode.json');
      writeFileSync(body, '{"mode":"expert"}');
      const child = start(
        own,
        ['call', 'thermal.thermometryMode.put', '--param', 'channelID=1', '--body', body, '--device', url],
        env,
      );
      kill = () => child.child.kill('SIGKILL');
      await child.ended;

      const [job] = (await run(own, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();
      expect(job).toMatchObject({
        kind: 'call',
        state: 'interrupted',
        resumable: true,
        counts: { unknown: 1 },
      });
      const resumed = await run(own, ['jobs', 'resume', job?.id ?? '', '--json'], { env });

      expect(resumed.json<Job>().counts).toEqual({ [outcome]: 1 });
      expect(resumed.code).toBe(code);
      expect(writes).toBe(1);
    } finally {
      server.closeAllConnections();
      server.close();
      own.remove();
    }
  });
});

describe('a call as a command of curl', () => {
  it.each([
    ['sh', /^curl --globoff .* --user USER /],
    ['powershell', /^@'\nglobof[^]*\n'@ \| curl\.exe --config -\n$/],
  ])('for %s is printed without a password', async (shell, form) => {
    const site = await startSite({ devices: 1, kinds: ['gate'], password: 'Patient-1' });
    try {
      const { url } = site.device(0);
      const call = ['call', 'accessControl.hostConfig.get', '--device', url, '--curl', shell];
      const { code, stdout } = await run(folder, call, { env });

      expect(code).toBe(0);
      expect(stdout).toMatch(form);
      expect(stdout).toContain(`${url}/`);
      expect(stdout).not.toContain('Patient-1');
    } finally {
      await site.close();
    }
  });
});
