/** Templates in what the general ways to a device show: calls, raw requests, traces, errors, the log of the engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEngine, createKeyFileProtection, type LogEntry } from '#engine/index.ts';
import { guardOperations } from '#rpc/guard-operations.ts';
import { never, addDevices } from '../site-engine.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { templateOf } from './site-with-prints.ts';

const QUERY = { FingerPrintCond: { searchID: 'a', employeeNo: '1005' } };

async function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-prints-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  // One request is refused on purpose.
  const site = await startSite({ kinds: ['gate'], strict: false });
  onTestFinished(() => site.close());
  const log: LogEntry[] = [];
  const engine = await createEngine({
    dataDir,
    resourcesDir: join(import.meta.dirname, '../../../resources'),
    face: 'cli',
    version: '0',
    protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
    log: (entry) => log.push(entry),
  });
  onTestFinished(() => engine.close());
  const [deviceId = ''] = addDevices(engine, site);
  return { site, engine, log, deviceId, page: guardOperations(engine.operations) };
}

describe('the template of a fingerprint', () => {
  // Would catch: biometric data on its way to the page, by whatever door, or in a line of the log.
  it('is masked in every answer and trace that a page gets', async () => {
    const { site, engine, log, deviceId, page } = await open();
    const there = site.device(0).part(FINGERPRINTS).present('1005', 3);
    const sent = templateOf('sent');
    const setUp = {
      employeeNo: '1005',
      enableCardReader: [1],
      fingerPrintID: 4,
      fingerType: 'normalFP',
      fingerData: sent,
    };

    const shown = [
      await page['operations.call'](
        { deviceId, operation: 'accessControl.fingerprints.query', body: QUERY.FingerPrintCond, trace: true },
        never,
      ),
      await page['operations.call'](
        { deviceId, operation: 'accessControl.fingerprints.setUp', body: setUp, trace: true },
        never,
      ),
      await page['operations.request'](
        {
          deviceId,
          method: 'POST',
          path: '/API/AccessControl/FingerPrintUpload?format=json',
          body: JSON.stringify(QUERY),
          trace: true,
        },
        never,
      ),
      await page['operations.request'](
        {
          deviceId,
          method: 'POST',
          path: '/API/AccessControl/FingerPrint/SetUp?format=json',
          body: JSON.stringify({ FingerPrintCfg: { ...setUp, fingerType: 'none' } }),
          trace: true,
        },
        never,
      ),
    ];

    const all = JSON.stringify([shown, log, engine.devices.list()]);
    expect(all).toContain('••••••');
    for (const template of [there, sent]) {
      expect(all).not.toContain(template.slice(8, 40));
      expect(all).not.toContain(Buffer.from(template, 'base64').toString('hex').slice(16, 64));
    }
  });
});
