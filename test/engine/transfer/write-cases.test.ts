/** The table of cases for changes of model packages, and what a required restart means for an engine. */
import { onTestFinished, describe, expect, it, type TestContext } from 'vitest';
import type { Engine } from '#engine/index.ts';
import { toErrorShape } from '#shared/errors.ts';
import { startWriteProxy, WRITE_CASES, type WriteProxy } from '#test/helpers/write-cases.ts';
import { begin, ended, followUp, hurry, openModelSite, stagesOf } from './model-site.ts';

const never = new AbortController().signal;
const DELIVERED = 'delivered-safety-helmet';

interface Bench {
  readonly engine: Engine;
  readonly proxy: WriteProxy;
  readonly deviceId: string;
  readonly at: Awaited<ReturnType<typeof openModelSite>>;
}

/** A device without a sign-in, behind a proxy that plays a case on the writes below `path`. */
async function openBench(
  path: string,
  atEnd: TestContext['onTestFinished'] = onTestFinished,
): Promise<Bench> {
  const at = await openModelSite({ auth: 'none' });
  const proxy = await startWriteProxy({
    target: at.site.device(0).url,
    isWrite: ({ method, path: asked }) => method !== 'GET' && asked.includes(path),
    format: 'json',
  });
  atEnd(async () => {
    await proxy.close();
    await at.close();
  });
  return {
    at,
    engine: at.engine,
    proxy,
    deviceId: at.engine.devices.addTransient({ url: proxy.url, name: 'device' }).id,
  };
}

async function outcomeOf(change: Promise<{ readonly outcome: string }>): Promise<string> {
  try {
    return (await change).outcome;
  } catch (thrown) {
    return toErrorShape(thrown).source === 'device' ? 'refused' : 'failed';
  }
}

describe('a package that is deleted', () => {
  // Would catch: "removed" after a web page, or after a status that broke off, while the package is still listed.
  it.each(WRITE_CASES)('$name: $visible', async (played) => {
    const { engine, proxy, deviceId } = await openBench('/management/space/');
    await engine.models.unload({ deviceId, engine: 1, confirmed: true }, never);
    proxy.play(played);

    expect(await outcomeOf(engine.models.remove({ deviceId, mpid: DELIVERED, confirmed: true }, never))).toBe(
      played.visible,
    );
    expect(proxy.sends()).toBe(played.sends);
  });
});

describe('an engine that is reset', () => {
  // Would catch: "reset" after an answer that says neither yes nor no; nothing shows a reset afterwards.
  it.concurrent.for(WRITE_CASES)('$name: $hidden', async (played, context) => {
    const { engine, proxy, deviceId } = await openBench('/reset', context.onTestFinished);
    proxy.play(played);

    context
      .expect(await outcomeOf(engine.models.reset({ deviceId, engine: 1, confirmed: true }, never)))
      .toBe(played.hidden);
  });

  // Would catch: a reset sent to a device that says it has none.
  it('is not sent where the device reports that it cannot', async () => {
    const { engine, proxy, deviceId } = await openBench('/reset');
    proxy.rewrite('/AIOpenPlatform/capabilities', (text) =>
      text.replace(/"isSupportResetEngine":\s*true/, '"isSupportResetEngine": false'),
    );

    await expect(engine.models.reset({ deviceId, engine: 1, confirmed: true }, never)).rejects.toMatchObject({
      shape: { code: 'not-supported' },
    });
    expect(proxy.sends()).toBe(0);
  });
});

describe('a load that counts after a restart (7)', () => {
  const restart = WRITE_CASES.find(({ answer }) => answer === 'restart');

  // Would catch: a minute of polling that ends with "ignored".
  it('is told at once as waiting for the restart', async () => {
    const { engine, proxy, deviceId } = await openBench('/loading/');
    proxy.play(restart);

    expect(await engine.models.load({ deviceId, engine: 2, mpid: DELIVERED }, never)).toMatchObject({
      outcome: 'needs-reboot',
    });
    expect(proxy.sends()).toBe(1);
  });

  // Would catch: a job that fails, or loads again, because the engine does not run at once what it takes with its restart.
  it('lets the job wait for the restart, and goes on without sending it again', async () => {
    const { at, engine, proxy, deviceId } = await openBench('/loading/');
    const behind = { ...at, ids: [deviceId] };
    const own = at.ids[0] ?? '';
    using _ = hurry(at);
    const id = await begin(behind);
    await ended(behind, id);
    proxy.play(restart);
    await at.site.device(0).restart();
    const waiting = await followUp(behind, id);
    expect(stagesOf(waiting)).toContain('engine needs-reboot');

    // The device takes it with its restart, as it said.
    await engine.models.load({ deviceId: own, engine: 2, mpid: 'helmet-7' }, never);
    await at.site.device(0).restart();
    const done = await followUp(behind, id);

    expect(done.state).toBe('done');
    expect(stagesOf(done)).toContain('engine effective');
    expect(proxy.sends()).toBe(1);
  });
});
