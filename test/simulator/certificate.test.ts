import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSite } from '#simulator/index.ts';

/** Fingerprint of the next connection, which stays open until `ended`. */
async function shown(port: number): Promise<{ readonly fingerprint: string; readonly ended: Promise<void> }> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.on('error', () => {});
  await new Promise<void>((resolve) => {
    socket.once('secureConnect', () => resolve());
  });
  onTestFinished(async () => {
    socket.destroy();
  });
  return { fingerprint: socket.getPeerCertificate().fingerprint256, ended };
}

describe('renewCertificate', () => {
  it('shows another certificate from then on, and ends the connections there are', async () => {
    const site = await startSite({ devices: 1, tls: true });
    onTestFinished(() => site.close());
    const { port } = site.device(0);
    const [before, same] = [await shown(port), await shown(port)];

    await site.device(0).renewCertificate();
    await Promise.all([before.ended, same.ended]);
    const after = await shown(port);

    expect(same.fingerprint).toBe(before.fingerprint);
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect((await shown(port)).fingerprint).toBe(after.fingerprint);
  });

  it('is refused where there is none', async () => {
    const site = await startSite({ devices: 1 });
    onTestFinished(() => site.close());

    await expect(site.device(0).renewCertificate()).rejects.toThrow(/without tls/);
  });
});
