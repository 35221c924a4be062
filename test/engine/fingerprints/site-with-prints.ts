/** Virtual gates, an engine that knows them, and templates that can be recognised wherever they turn up. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { Job } from '#shared/model.ts';
import { computeOnce } from '#shared/once.ts';
import type { PrintResult } from '#shared/people/fingerprints.ts';
import { FINGERPRINTS, type FingerprintReaders } from '#simulator/areas/people/fingerprint-readers.ts';
import { startSite, type Site, type SiteOptions } from '#test/helpers/strict-site.ts';
import { filesOf, tracesIn } from '#test/helpers/traces-of.ts';
import { addDevices, never, openEngine } from '../site-engine.ts';

export interface PrintSite {
  readonly site: Site;
  readonly engine: Engine;
  readonly ids: readonly string[];
  readonly dataDir: string;
  readers(device: number): FingerprintReaders;
  close(): Promise<void>;
}

/** Opens gates and an engine, and closes both at the end of the test. */
export async function openPrintSite(
  options: SiteOptions & { readonly dataDir?: string } = {},
): Promise<PrintSite> {
  const { dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-prints-')), ...wanted } = options;
  const site = await startSite({ devices: 2, kinds: ['gate'], ...wanted });
  const engine = await openEngine(dataDir);
  const at: PrintSite = {
    site,
    engine,
    dataDir,
    ids: addDevices(engine, site),
    readers: (device) => site.device(device).part(FINGERPRINTS),
    close: computeOnce(async () => {
      await engine.close();
      await site.close();
      rmSync(dataDir, { recursive: true, force: true });
    }),
  };
  onTestFinished(() => at.close());
  return at;
}

/** Part of every template of `templateOf`, at a place where base64 spells it in one way. */
const MARK = createHash('sha384').update('in every template').digest();

/** A template as devices give them: random bytes in base64. */
export function templateOf(name: string): string {
  const bytes = ['a', 'b', 'c'].map((part) => createHash('sha384').update(`${name}/${part}`).digest());
  return Buffer.concat([...bytes, MARK, ...bytes]).toString('base64');
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
  engine.prints.begin({ jobId });
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

/** Every place below the folder that has a template: one of these, and any at all of `templateOf`. */
export function tracesOfPrints(folder: string, templates: readonly string[] = []): readonly string[] {
  const files = filesOf(folder);
  return [...templates.map((base64) => Buffer.from(base64, 'base64').subarray(12, 60)), MARK].flatMap((raw) =>
    tracesIn(files, spellingsOfBytes(raw)),
  );
}

/** Returns the bytes as they are, in base64 and base64 of that, in hexadecimal, and in two bytes a letter. */
function spellingsOfBytes(raw: Buffer): ReadonlyMap<string, Buffer> {
  const base64 = raw.toString('base64');
  return new Map<string, Buffer>([
    ['bytes', raw],
    ['base64', Buffer.from(base64)],
    ['hex', Buffer.from(raw.toString('hex'))],
    ['HEX', Buffer.from(raw.toString('hex').toUpperCase())],
    ['base64 of base64', Buffer.from(Buffer.from(base64).toString('base64'))],
    ['UTF-16', Buffer.from(base64, 'utf16le')],
  ]);
}
