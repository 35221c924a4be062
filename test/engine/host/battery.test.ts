/** Charge of the computer: what systems say, and when the app rests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  createBatteryCheck,
  parseMacBattery,
  parseWindowsBatteries,
  readLinuxBattery,
} from '#engine/host/battery.ts';
import { createRestCheck } from '#main/background-rest.ts';

it('reads the charge only of a battery that is being emptied', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-battery-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, files: Readonly<Record<string, string>>): void => {
    mkdirSync(join(folder, name), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), `${text}\n`);
  };
  write('AC', { type: 'Mains', online: '0' });
  write('BAT0', { status: 'Discharging', capacity: '12' });
  const low = await readLinuxBattery(folder);
  write('BAT0', { status: 'Charging', capacity: '12' });
  const charging = await readLinuxBattery(folder);

  expect([low, charging]).toEqual([0.12, undefined]);
  expect(parseMacBattery("Now drawing from 'Battery Power'\n -InternalBattery-0\t19%; discharging;")).toBe(
    0.19,
  );
  expect(parseMacBattery("Now drawing from 'AC Power'\n -InternalBattery-0\t19%; charging;")).toBeUndefined();
});

// Would catch: a laptop that charges, or stands full at its cable, taken for one whose battery runs down.
it.each([
  ['1 12\r\n', 0.12],
  ['4 9\r\n', 0.09],
  ['5 3\r\n', 0.03],
  ['1 12\r\n1 64\r\n', 0.64],
  ['6 12\r\n1 15\r\n', 0.15],
  ['2 12\r\n', undefined],
  ['3 100\r\n', undefined],
  ['6 12\r\n', undefined],
  ['8 9\r\n', undefined],
  ['9 3\r\n', undefined],
  ['0 0\r\n', undefined],
  ['Get-CimInstance : Access denied', undefined],
  ['', undefined],
])('takes %j of Windows for a charge of %s', (text, charge) => {
  expect(parseWindowsBatteries(text)).toBe(charge);
});

it('rests below a fifth of the charge, and asks the system once a minute at most', async () => {
  let now = 0;
  let charge: number | undefined = 0.21;
  let asked = 0;
  const isLow = createBatteryCheck(
    () => new Date(now),
    () => {
      asked += 1;
      return charge === undefined ? Promise.reject(new Error('no such folder')) : Promise.resolve(charge);
    },
  );

  const answers = [await isLow()];
  charge = 0.19;
  answers.push(await isLow());
  now = 60_000;
  answers.push(await isLow());
  charge = undefined;
  now = 120_000;
  answers.push(await isLow());

  expect(answers).toEqual([false, false, true, false]);
  expect(asked).toBe(3);
});

it('goes on in a window that is hidden for a moment, and rests in one that was left', () => {
  let now = 0;
  let isHidden = true;
  const mayLook = createRestCheck({
    isHidden: () => isHidden,
    now: () => now,
  });

  const answers = [mayLook()];
  now = 11 * 60_000;
  answers.push(mayLook());
  isHidden = false;
  answers.push(mayLook());

  expect(answers).toEqual([true, false, true]);
});
