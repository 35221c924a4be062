/** Battery of this computer, where it has one. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './system-programs.ts';

/** Share of its charge below which a computer on battery rests. */
const LOW = 0.2;
const LINUX_FOLDER = '/sys/class/power_supply';

/** Command of PowerShell that prints status and percentage of each battery, the same in every language of Windows. */
const LIST =
  "Get-CimInstance -ClassName Win32_Battery | ForEach-Object { '{0} {1}' -f [int]$_.BatteryStatus, [int]$_.EstimatedChargeRemaining }";
/** Values of `BatteryStatus` of a battery that is being emptied: discharging, low, critical. The last two have values of their own while charging. */
const EMPTIED = new Set([1, 4, 5]);

/** Milliseconds for which an answer counts: asking costs a program on some systems. */
const KNOWN_MS = 60_000;

/** Creates a check whether the computer runs on a battery that is nearly empty. An unknown charge counts as enough. */
export function createBatteryCheck(
  now: () => Date,
  readCharge = (): Promise<number | undefined> => readBattery(process.platform),
): () => Promise<boolean> {
  let asked = { at: -Infinity, isLow: Promise.resolve(false) };
  return () => {
    const at = now().getTime();
    if (Math.abs(at - asked.at) >= KNOWN_MS)
      asked = {
        at,
        isLow: readCharge().then(
          (charge) => charge !== undefined && charge < LOW,
          () => false,
        ),
      };
    return asked.isLow;
  };
}

/** Returns the charge from 0 to 1 of a battery that is being emptied. */
async function readBattery(platform: NodeJS.Platform): Promise<number | undefined> {
  const limits = { timeoutMs: 5_000, mostBytes: 65_536 };
  switch (platform) {
    case 'darwin':
      return parseMacBattery((await runProgram('pmset', ['-g', 'batt'], limits)) ?? '');
    case 'win32':
      return parseWindowsBatteries(
        (await runProgram('powershell', ['-NoProfile', '-NonInteractive', '-Command', LIST], limits)) ?? '',
      );
    case 'linux':
      return readLinuxBattery(LINUX_FOLDER);
    default:
      return undefined;
  }
}

/** Reads what `pmset -g batt` prints. */
export function parseMacBattery(text: string): number | undefined {
  const percent = /(\d{1,3})%/.exec(text)?.[1];
  return text.includes("'Battery Power'") && percent !== undefined ? Number(percent) / 100 : undefined;
}

/** Reads what `LIST` prints; of several batteries the fullest counts. */
export function parseWindowsBatteries(text: string): number | undefined {
  return fullest(
    [...text.matchAll(/^(\d+) (\d{1,3})\r?$/gm)].map(([, status, percent]) =>
      EMPTIED.has(Number(status)) ? Number(percent) / 100 : undefined,
    ),
  );
}

/** Reads the folder of power supplies that Linux keeps; of several batteries the fullest counts. */
export async function readLinuxBattery(folder: string): Promise<number | undefined> {
  const charges = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const read = (file: string): Promise<string> =>
        readFile(join(folder, name, file), 'utf8').then(
          (text) => text.trim(),
          () => '',
        );
      const [status, capacity] = await Promise.all([read('status'), read('capacity')]);
      return status === 'Discharging' && /^\d{1,3}$/.test(capacity) ? Number(capacity) / 100 : undefined;
    }),
  );
  return fullest(charges);
}

function fullest(charges: readonly (number | undefined)[]): number | undefined {
  const known = charges.filter((charge) => charge !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
