/**
 * A capability report of 200 virtual devices of every kind at 5 ms: reading them beside a bare client that asks for the same
 * in the same order, then the PDF in time and memory, and how long the HTML takes to open.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright';
import { createEngine, keyFileProtection } from '../../src/engine/index.ts';
import type { ReportFileFormat } from '../../src/shared/reports.ts';
import { findResourcesDir } from '../../src/rpc/hosting/folders.ts';
import { startSite } from '../../src/simulator/index.ts';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';

const DEVICES = 200;
const LATENCY_MS = 5;
const IN_FLIGHT = 2;
const AT_ONCE = 64;

export async function reportReport(): Promise<string> {
  const site = await startSite({ devices: DEVICES, latencyMs: LATENCY_MS });
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  const engine = await createEngine({
    dataDir,
    resourcesDir: findResourcesDir(),
    face: 'cli',
    version: 'bench',
    protections: [keyFileProtection(join(dataDir, 'key'))],
  });
  try {
    const deviceIds = site.devices.map(
      ({ url, name, user, password }) =>
        engine.devices.addTransient({ url, name, userName: user, password }).id,
    );
    const { signal } = new AbortController();
    await engine.devices.test({ ids: deviceIds }, signal);
    for (const [nth] of site.devices.entries()) site.device(nth).clearRequests();
    const begun = performance.now();
    let failed = 0;
    for await (const { error } of engine.reports.gather({ deviceIds }, signal))
      failed += error === undefined ? 0 : 1;
    const readMs = performance.now() - begun;
    const requests = site.devices.map((_device, nth) => site.device(nth).requests.length);
    const all = requests.reduce((sum, count) => sum + count, 0);
    // What the devices themselves take for these requests, two at a time, 64 devices at once.
    const boundMs = ((all / IN_FLIGHT) * LATENCY_MS) / AT_ONCE;

    const made = async (format: ReportFileFormat): Promise<{ ms: number; bytes: Buffer }> => {
      const start = performance.now();
      const parts: Uint8Array[] = [];
      const { parts: stream } = await engine.reports.file({
        kind: 'capabilities',
        deviceIds,
        format,
        language: 'en',
      });
      for await (const part of stream) parts.push(part);
      return { ms: performance.now() - start, bytes: Buffer.concat(parts) };
    };
    const html = await made('html');
    const pdf = await made('pdf');
    const memory = process.resourceUsage().maxRSS / 1024;
    const csv = await made('csv');
    const file = join(dataDir, 'report.html');
    writeFileSync(file, html.bytes);
    return [
      `report of ${DEVICES} devices at ${LATENCY_MS} ms, simulator in the same process`,
      `  read: ${(readMs / 1000).toFixed(1)} s for ${all} requests (${failed} devices failed); the devices alone ${(boundMs / 1000).toFixed(1)} s, ${(boundMs / readMs).toFixed(2)} of that bound`,
      `  HTML: ${Math.round(html.ms)} ms, ${(html.bytes.length / 1e6).toFixed(1)} MB, opens in ${await openMs(file)} ms (goal 1000)`,
      `  PDF: ${(pdf.ms / 1000).toFixed(1)} s, ${(pdf.bytes.length / 1e6).toFixed(1)} MB, process at most ${Math.round(memory)} MB with site and engine (goals 15 s, 400 MB)`,
      `  CSV: ${Math.round(csv.ms)} ms, ${(csv.bytes.length / 1e6).toFixed(1)} MB`,
    ].join('\n');
  } finally {
    await engine.close();
    await site.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function openMs(file: string): Promise<string> {
  const executablePath = findChromium();
  if (executablePath === undefined) return '? (no Chromium)';
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  try {
    const page = await browser.newPage();
    await page.goto('about:blank');
    const start = performance.now();
    await page.goto(pathToFileURL(file).href);
    return String(Math.round(performance.now() - start));
  } finally {
    await browser.close();
  }
}
