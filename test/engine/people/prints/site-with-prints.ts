/** Virtual gates, an engine that knows them, and templates that can be recognised wherever they turn up. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../../../src/engine/index.ts';
import type { Job } from '../../../../src/shared/model.ts';
import type { PrintResult } from '../../../../src/shared/prints.ts';
import { FINGERPRINTS } from '../../../../src/simulator/areas/fingerprint-readers.ts';
import type { FingerprintReaders } from '../../../../src/simulator/areas/fingerprint-readers.ts';
import { startSite } from '../../../../src/simulator/index.ts';
import type { Site, SiteOptions } from '../../../../src/simulator/index.ts';
import { filesOf, tracesIn } from '../../../helpers/traces-of.ts';
import { never, openEngine } from '../../site-engine.ts';

export interface PrintSite {
  readonly site: Site;
  readonly engine: Engine;
  readonly ids: readonly string[];
  readonly dataDir: string;
  readers(device: number): FingerprintReaders;
  close(): Promise<void>;
}

export async function openPrintSite(
  options: SiteOptions & { readonly dataDir?: string } = {},
): Promise<PrintSite> {
  const { dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-prints-')), ...wanted } = options;
  const site = await startSite({ devices: 2, kinds: ['gate'], ...wanted });
  const engine = await openEngine(dataDir);
  return {
    site,
    engine,
    dataDir,
    ids: addDevices(engine, site),
    readers: (device) => site.device(device).part(FINGERPRINTS),
    async close() {
      await engine.close();
      await site.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function addDevices(engine: Engine, site: Pick<Site, 'devices'>): readonly string[] {
  return site.devices.map(
    ({ url, name, user, password }) =>
      engine.devices.addTransient({ url, name, userName: user, password }).id,
  );
}

/** A template as devices give them: random bytes in base64. */
export function templateOf(name: string): string {
  const bytes = ['a', 'b', 'c', 'd'].map((part) => createHash('sha512').update(`${name}/${part}`).digest());
  return Buffer.concat(bytes).toString('base64');
}

export function line(employeeNo: string, fingerPrintID: number, more: object = {}): string {
  return JSON.stringify({
    employeeNo,
    fingerPrintID,
    fingerType: 'normalFP',
    fingerData: templateOf(`${employeeNo}/${fingerPrintID}`),
    ...more,
  });
}

export async function* bytes(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

export async function resultsOf(engine: Engine, jobId: string): Promise<readonly PrintResult[]> {
  const results: PrintResult[] = [];
  for await (const result of engine.prints.results({ jobId }, never)) results.push(result);
  return results;
}

export interface Ended {
  readonly job: Job;
  readonly results: readonly PrintResult[];
}

export async function ended(engine: Engine, jobId: string): Promise<Ended> {
  const results = await resultsOf(engine, jobId);
  return { results, job: engine.jobs.show({ id: jobId }) };
}

/** Reads lines into a new job and waits for its end. */
export async function importLines(
  { engine, ids }: Pick<PrintSite, 'engine' | 'ids'>,
  lines: readonly string[],
  more: Partial<Parameters<Engine['prints']['prepare']>[0]> = {},
): Promise<Ended> {
  const { jobId } = engine.prints.prepare({ deviceIds: ids, ...more });
  await engine.prints.fill(jobId, bytes(lines.join('\n')), never);
  engine.prints.begin(jobId);
  return ended(engine, jobId);
}

/** `person/finger reader: status` in a stable order, for comparing. */
export function told(results: readonly PrintResult[], device?: string): readonly string[] {
  return results
    .filter((result) => device === undefined || result.device === device)
    .map(
      ({ employeeNo = '?', fingerPrintID = '?', reader = '?', status, owner }) =>
        `${employeeNo}/${fingerPrintID} ${reader}: ${status}${owner === undefined ? '' : ` (${owner})`}`,
    )
    .toSorted();
}

/** Writes that a device carried out, as its own log tells them: person, finger and readers that took it. */
export function written(site: Site, device: number): readonly string[] {
  return site
    .device(device)
    .requests.filter(({ applied, told: facts }) => applied && facts !== undefined)
    .flatMap(({ told: facts = {} }) => {
      const { employeeNo, fingerPrintID, readers, codes } = facts as {
        readonly employeeNo: string;
        readonly fingerPrintID: number;
        readonly readers: readonly number[];
        readonly codes?: readonly number[];
      };
      return readers.flatMap((reader, at) =>
        codes === undefined || codes[at] === 1 ? [`${employeeNo}/${fingerPrintID} ${reader}`] : [],
      );
    });
}

/** Every place below the folder where a template stands: as it is, in base64 of base64, or in hexadecimal. */
export function tracesOfPrints(folder: string, templates: readonly string[]): readonly string[] {
  const files = filesOf(folder);
  return templates.flatMap((base64) => {
    const raw = Buffer.from(base64, 'base64');
    // The middle of it: no neighbour changes these characters.
    const middle = base64.slice(16, 64);
    return tracesIn(
      files,
      new Map([
        ['base64', Buffer.from(middle)],
        ['bytes', raw.subarray(16, 48)],
        ['hex', Buffer.from(raw.subarray(16, 48).toString('hex'))],
        ['HEX', Buffer.from(raw.subarray(16, 48).toString('hex').toUpperCase())],
        ['base64 of base64', Buffer.from(Buffer.from(base64.slice(15, 63)).toString('base64'))],
        ['UTF-16', Buffer.from(middle, 'utf16le')],
      ]),
    );
  });
}
