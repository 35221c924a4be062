/** A list of devices from a spreadsheet; good rows are added, the others come back with the reason, to be mended. */
import { say } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, userError } from '#shared/errors.ts';
import type { Device, DeviceImport } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import type { AddDevice, ImportDevices } from '#engine/api/routes.ts';
import { readTable, writeTable, type TableRow } from '#engine/text/csv.ts';
import type { Store } from '#engine/store/index.ts';
import { readCredentialNames, requireCredential } from '../access/credential-rows.ts';
import type { Profiles } from '../profiles.ts';
import { requireSite, ensureSite } from '../sites.ts';
import { readColumns, type ReadColumns } from './columns.ts';
import { readRow } from './read-row.ts';

interface ImportHost {
  readonly add: (device: AddDevice, siteOf: () => string | undefined) => Device;
  readonly store: Store;
  readonly clock: Clock;
  readonly profiles: Pick<Profiles, 'named' | 'get'>;
  readonly transaction: Store['transaction'];
}

type FailedRow = DeviceImport['failed'][number];

const LIMITS = { characters: 4_000_000, rows: 10_001 };

/** Throws where the file as a whole cannot be taken (see `readColumns`), or the options name what is not there. */
export function importDevices({ text, ...options }: ImportDevices, host: ImportHost): DeviceImport {
  const {
    mark,
    rows: [header, ...rows],
  } = readTable(text, LIMITS);
  if (header === undefined) throw userError('unreadable-file', say('csv-empty'));
  const { columns, leftOut } = readColumns(header.cells, options);
  requireAll(host, options);
  const context = { credentials: readCredentialNames(host.store), profiles: host.profiles, options };
  const added: Device[] = [];
  const failed: FailedRow[] = [];
  const notActivated: string[] = [];
  host.transaction(() => {
    for (const row of rows) {
      try {
        const { device, site, isActivated } = readRow(columns, row.cells, context);
        const one = host.add(device, () =>
          site === undefined ? options.siteId : ensureSite(host.store, host.clock, site),
        );
        added.push(one);
        if (!isActivated) notActivated.push(one.id);
      } catch (error) {
        if (!(error instanceof FieldwrightError) || error.shape.source === 'app') throw error;
        failed.push({ row: row.line, cells: row.cells, error: { ...toErrorShape(error), line: row.line } });
      }
    }
  });
  return {
    added,
    failed,
    notActivated,
    leftOut,
    ...(failed.length === 0 ? {} : { failedFile: failedFile(header, columns, failed, mark) }),
  };
}

function requireAll(
  { store, profiles }: ImportHost,
  { siteId, profileId, credentialId }: Pick<ImportDevices, 'siteId' | 'profileId' | 'credentialId'>,
): void {
  if (siteId !== undefined) requireSite(store, siteId);
  if (profileId !== undefined) profiles.get(profileId);
  if (credentialId !== undefined) requireCredential(store, credentialId);
}

/** The rows as they were, with the reason in a last column; a reason from an import before gives way. */
function failedFile(
  header: TableRow,
  columns: ReadColumns['columns'],
  failed: readonly FailedRow[],
  mark: string,
): string {
  const kept = columns.flatMap((column, at) => (column === 'reason' ? [] : [at]));
  const lines = failed.map(({ cells, error }) => [
    ...kept.map((at) => cells[at] ?? ''),
    [error.message, ...surplus(cells, columns)].join(' '),
  ]);
  return writeTable([[...kept.map((at) => header.cells[at] ?? ''), 'reason'], ...lines], mark);
}

/** Cells beyond the last column would be lost. */
function surplus(cells: readonly string[], columns: ReadColumns['columns']): string[] {
  return cells
    .slice(columns.length)
    .filter((cell) => cell !== '')
    .map((cell) => `"${cell}"`);
}
