/** One device without a sign-in behind a proxy that plays the cases of `write-cases.ts`, and an engine that knows it. */
import { onTestFinished } from 'vitest';
import type { DeviceKind } from '#shared/model.ts';
import { startWriteProxy, type WriteProxy, type WriteProxyOptions } from '#test/helpers/write-cases.ts';
import { openSite, type TestSite } from './site-engine.ts';

export interface WriteBench extends TestSite {
  readonly proxy: WriteProxy;
  /** The device, at the address of the proxy. */
  readonly id: string;
}

export async function openWriteBench(
  kind: DeviceKind,
  options: Omit<WriteProxyOptions, 'target'>,
): Promise<WriteBench> {
  const at = await openSite({ kinds: [kind], auth: 'none', strict: false });
  const proxy = await startWriteProxy({ ...options, target: at.site.device(0).url });
  onTestFinished(() => proxy.close());
  return { ...at, proxy, id: at.engine.devices.addTransient({ url: proxy.url, name: 'device' }).id };
}
