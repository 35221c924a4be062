import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, parseFault } from '#simulator/index.ts';
import { ask, askDigest, parsed, site, tag } from './helpers.ts';

const MODE = '/API/Thermal/channels/1/thermometryMode';
const EXPERT = '<ThermometryMode><mode>expert</mode></ThermometryMode>';
const HOST = '/API/AccessControl/AcsCfg?format=json';

async function mode(url: string): Promise<string | undefined> {
  return tag((await ask(url, 'GET', MODE)).text, 'mode');
}

describe('faults', () => {
  it('busy: refuses with 2 in the family of the address and does nothing', async () => {
    const started = await site({ devices: 2, kinds: ['thermal', 'gate'] });
    started.device(0).setFault('busy');
    started.device(1).setFault('busy');

    const xml = await ask(started, 'PUT', MODE, EXPERT);
    const json = await ask(started.devices[1]?.url ?? '', 'PUT', HOST, '{"AcsCfg":{}}');
    started.device(0).clearFaults();

    expect([xml.http, tag(xml.text, 'statusCode'), tag(xml.text, 'subStatusCode')]).toEqual([
      503,
      '2',
      'deviceBusy',
    ]);
    expect(parsed(json)).toMatchObject({ statusCode: '2', errorMsg: expect.any(String) as string });
    expect(await mode(started.devices[0]?.url ?? '')).toBe('normal');
  });

  it('unauthorized: 401 even with the right password, without counting it', async () => {
    const started = await site({ kinds: ['thermal'], auth: 'digest', password: 'pw' });
    const url = started.devices[0]?.url ?? '';
    started.device(0).setFault('unauthorized');

    const replies = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      replies.push((await askDigest(url, 'admin', 'pw', 'GET', MODE)).http);
    started.device(0).clearFaults();

    expect(replies).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await askDigest(url, 'admin', 'pw', 'GET', MODE)).http).toBe(200);
  });

  it('reset: the connection is cut before anything happened', async () => {
    const started = await site({ kinds: ['thermal'] });
    started.device(0).setFault('reset', 1, { method: 'PUT' });

    await expect(ask(started, 'PUT', MODE, EXPERT)).rejects.toThrow();

    expect(await mode(started.devices[0]?.url ?? '')).toBe('normal');
    expect(started.device(0).requests[0]).toMatchObject({ http: 0, applied: false, fault: 'reset' });
  });

  it('reset-after: the write is done, the answer is lost', async () => {
    const started = await site({ kinds: ['thermal'] });
    started.device(0).setFault('reset-after');

    await expect(ask(started, 'PUT', MODE, EXPERT)).rejects.toThrow();

    expect(await mode(started.devices[0]?.url ?? '')).toBe('expert');
    expect(started.device(0).requests[0]).toMatchObject({ http: 0, applied: true, fault: 'reset-after' });
  });

  it('ignored: answers success and stores nothing', async () => {
    const started = await site({ kinds: ['thermal'] });
    started.device(0).setFault('ignored');

    const reply = await ask(started, 'PUT', MODE, EXPERT);

    expect(tag(reply.text, 'statusCode')).toBe('1');
    expect(await mode(started.devices[0]?.url ?? '')).toBe('normal');
    expect(started.device(0).requests[0]?.applied).toBe(false);
  });

  it('reboot: answers 7 and takes effect after the restart', async () => {
    const started = await site({ kinds: ['thermal'] });
    const url = started.devices[0]?.url ?? '';
    started.device(0).setFault('reboot');

    const reply = await ask(started, 'PUT', MODE, EXPERT);
    const before = await mode(url);
    const waiting = started.device(0).state().waitingForRestart;
    await started.device(0).restart();

    expect([reply.http, tag(reply.text, 'statusCode'), tag(reply.text, 'statusString')]).toEqual([
      200,
      '7',
      'Reboot',
    ]);
    expect([before, waiting]).toEqual(['normal', 1]);
    expect(await mode(url)).toBe('expert');
  });

  it('malformed, html, empty: the answer is unusable, the length is right', async () => {
    const started = await site({ kinds: ['thermal'] });
    const device = started.device(0);

    device.setFault('malformed', 1, { times: 1 });
    const malformed = await ask(started, 'GET', MODE);
    device.setFault('html', 1, { times: 1 });
    const html = await ask(started, 'PUT', MODE, EXPERT);
    device.setFault('empty', 1, { times: 1 });
    const empty = await ask(started, 'GET', MODE);

    expect(malformed.text).toMatch(/^<\?xml/);
    expect(malformed.text).not.toContain('</ThermometryMode>');
    expect([html.http, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect([empty.http, empty.text]).toEqual([200, '']);
    expect(await mode(started.devices[0]?.url ?? '')).toBe('normal');
  });

  it('slow: head at once, the body in pieces over the time given', async () => {
    const started = await site({ kinds: ['thermal'], slowMs: 200 });
    started.device(0).setFault('slow');

    const asked = performance.now();
    const response = await fetch(`${started.devices[0]?.url ?? ''}${MODE}`);
    const text = await response.text();

    expect(performance.now() - asked).toBeGreaterThan(100);
    expect(text).toContain('</ThermometryMode>');
  });

  it('slow: the rest comes at once when the fault is cleared', async () => {
    const started = await site({ kinds: ['thermal'], slowMs: 600_000 });
    started.device(0).setFault('slow');
    const response = await fetch(`${started.devices[0]?.url ?? ''}${MODE}`);

    started.device(0).clearFaults();

    expect(await response.text()).toContain('</ThermometryMode>');
  });

  it('slow: a site closes without waiting for it', async () => {
    const started = await site({ kinds: ['thermal'], slowMs: 600_000 });
    started.device(0).setFault('slow');
    const response = await fetch(`${started.devices[0]?.url ?? ''}${MODE}`);
    const body = response.text().catch(() => 'cut');

    await started.close();

    expect(await body).toBe('cut');
  });

  it('strike at their rate, the same way for the same seed', async () => {
    const run = async (seed: number): Promise<number[]> => {
      const started = await site({ kinds: ['thermal'], seed, faults: ['busy:0.5'] });
      const replies = [];
      for (let attempt = 0; attempt < 40; attempt += 1) replies.push((await ask(started, 'GET', MODE)).http);
      return replies;
    };

    const [one, again, other] = [await run(7), await run(7), await run(8)];

    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one.filter((http) => http === 503).length).toBeGreaterThan(8);
    expect(one.filter((http) => http === 200).length).toBeGreaterThan(8);
  });

  it('never touch the question for a password, unauthorized apart', async () => {
    const started = await site({
      kinds: ['thermal'],
      auth: 'digest',
      faults: FAULT_KINDS.filter((kind) => !['unauthorized', 'not-activated', 'odd-head'].includes(kind)),
    });

    const reply = await ask(started, 'GET', MODE);

    expect([reply.http, tag(reply.text, 'lockStatus')]).toEqual([401, 'unlock']);
  });

  it('leave reads alone where they are about writes', async () => {
    const started = await site({ kinds: ['thermal'], faults: ['ignored', 'reboot', 'reset-after'] });

    expect((await ask(started, 'GET', MODE)).http).toBe(200);
  });

  it.each([
    'explode',
    'busy:2',
    'busy:x',
    'busy:',
    'busy:0.1:2',
    '',
    'busy,',
    'busy,when=now',
    'busy,times=0',
    'html,done=perhaps',
  ])('refuses %j and names what there is', (text) => {
    expect(() => parseFault(text)).toThrowError(expect.objectContaining({ code: 'usage' }) as Error);
  });

  it('lists the names for an unknown one', () => {
    expect(() => parseFault('explode')).toThrow(/reset-after/);
  });
});
