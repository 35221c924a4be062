/** Models of one kind, and a device that restarts by itself after a write that needs it. */
import { afterEach, describe, expect, it } from 'vitest';
import { startSite, type Site, type SiteOptions } from '#simulator/index.ts';

let site: Site;
afterEach(() => site.close());

async function open(options: SiteOptions): Promise<void> {
  site = await startSite({ auth: 'none', ...options });
}
const at = (index: number, path: string): string => `${site.devices[index]?.url ?? ''}${path}`;
const text = async (index: number, path: string): Promise<string> => (await fetch(at(index, path))).text();

async function paths(): Promise<{
  readonly basic: (channel: number) => string;
  readonly mode: string;
  readonly modeLimits: string;
  readonly passback: string;
  readonly passbackLimits: string;
}> {
  const { buildPath, findOperation } = await import('#protocol/index.ts');
  const path = (id: string, params: Readonly<Record<string, number>> = {}): string => {
    const operation = findOperation(id);
    if (operation === undefined) throw new Error(id);
    return buildPath(operation, params, '/API');
  };
  return {
    basic: (channel) => path('thermal.thermometryBasic.get', { channelID: channel }),
    mode: path('thermal.thermometryMode.put', { channelID: 1 }),
    modeLimits: path('thermal.thermometryMode.capabilities.get', { channelID: 1 }),
    passback: path('passback.basic.put'),
    passbackLimits: path('passback.basic.capabilities.get'),
  };
}

describe('models', () => {
  it('are handed out beside the kinds; the compact camera has one channel, one mode and no choice of units', async () => {
    const { basic, mode, modeLimits } = await paths();
    await open({ devices: 2, kinds: ['thermal'], models: ['standard', 'compact'] });

    expect((await fetch(at(0, basic(2)))).status).toBe(200);
    expect((await fetch(at(1, basic(2)))).status).toBe(404);
    expect(await text(0, basic(1))).toContain('<distanceUnit>');
    expect(await text(1, basic(1))).not.toMatch(/<(distanceUnit|temperatureUnit|rulesOverlayMode)>/);
    expect(await text(1, modeLimits)).toContain('opt="normal"');
    const body = (await text(1, mode)).replace('normal', 'expert');
    expect((await fetch(at(0, mode), { method: 'PUT', body })).status).toBe(200);
    expect((await fetch(at(1, mode), { method: 'PUT', body })).status).toBe(400);
  });

  it('the compact recorder takes fewer downloads at a time, and says so', async () => {
    const { passback, passbackLimits } = await paths();
    await open({ devices: 2, kinds: ['recorder'], models: ['standard', 'compact'] });
    expect(await text(1, passbackLimits)).toContain('max="250"');
    const body = (await text(1, passback)).replace(
      '<maxTotalConcurrenceNum>200',
      '<maxTotalConcurrenceNum>251',
    );
    expect((await fetch(at(0, passback), { method: 'PUT', body })).status).toBe(200);
    expect((await fetch(at(1, passback), { method: 'PUT', body })).status).toBe(400);
  });

  it('that nobody knows are refused', async () => {
    await open({});
    await expect(startSite({ models: ['huge' as 'compact'] })).rejects.toThrow(
      expect.objectContaining({ code: 'usage' }) as Error,
    );
    await expect(startSite({ models: [] })).rejects.toThrow(
      expect.objectContaining({ code: 'usage' }) as Error,
    );
  });
});

it('a device that answered 7 goes away by itself, comes back, and then holds what was written', async () => {
  const { basic } = await paths();
  await open({ kinds: ['thermal'], faults: ['reboot'], restartAfterMs: 20, awayMs: 500 });
  const body = (await text(0, basic(1))).replace('<distance>5<', '<distance>8<');
  expect(await (await fetch(at(0, basic(1)), { method: 'PUT', body })).text()).toContain('<statusCode>7<');

  let refused = false;
  let shown = '';
  while (!shown.includes('<distance>8<')) {
    shown = await text(0, basic(1)).catch(() => {
      refused = true;
      return '';
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  expect(refused).toBe(true);
  expect(site.device(0).state().waitingForRestart).toBe(0);
});
