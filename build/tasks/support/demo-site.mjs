/** The demo's virtual site, its devices in a temporary inventory with their sign-ins. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli, startCli } from './cli.mjs';
import { TaskError } from './report.mjs';

export const DEVICES = 12;
export const TAG = 'demo';

function csvCell(text) {
  return /[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Starts the site and imports its devices; `dispose` ends the one and removes the other. */
export async function startDemoSite() {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-demo-'));
  const dataDir = join(folder, 'data');
  let site;
  async function dispose() {
    await site?.stop();
    // Windows may hold a file of a process that has just ended.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  try {
    site = await startCli([
      'simulate',
      '--devices',
      String(DEVICES),
      '--kinds',
      'thermal,gate',
      '--mdns-local',
    ]);
    await importDevices(site.ready.devices, { folder, dataDir });
    // A test now lets the first look show which devices answer, and what they are.
    const { code, document } = await cli(['device', 'test', '--tag', TAG, '--data-dir', dataDir]);
    if (code !== 0)
      throw new TaskError(
        'The devices of the virtual site do not answer.',
        JSON.stringify(document, null, 2),
      );
    return { site, dataDir, devices: site.ready.devices, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** One import for each sign-in: passwords travel in the environment, never in a file. */
async function importDevices(devices, { folder, dataDir }) {
  const bySignIn = Map.groupBy(devices, ({ user, password }) => `${user}\n${password}`);
  for (const group of bySignIn.values()) {
    const file = join(folder, 'devices.csv');
    writeFileSync(
      file,
      [
        'address,name,tags',
        ...group.map(({ url, name, kind }) => [url, name, `${TAG};${kind}`].map(csvCell).join(',')),
        '',
      ].join('\n'),
    );
    const { code, document } = await cli(
      ['device', 'import', file, '--user', group[0].user, '--data-dir', dataDir],
      { env: { FIELDWRIGHT_PASSWORD: group[0].password } },
    );
    if (code !== 0)
      throw new TaskError(
        'The devices of the virtual site could not be added.',
        JSON.stringify(document, null, 2),
      );
  }
}
