/** A device that holds a value outside of the specification: read with a word about it. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startOddDevice, type OddDevice } from '../engine/odd-device.ts';
import { makeFolder, run, type Folder } from './helpers.ts';

let odd: OddDevice;
let folder: Folder;
beforeEach(async () => {
  folder = makeFolder();
  odd = await startOddDevice(({ path }) => {
    if (path.includes('/Thermal/capabilities'))
      return { text: '<ThermalCap><isSupportThermometry>true</isSupportThermometry></ThermalCap>' };
    return path.endsWith('/channels/1/thermometry/basicParam')
      ? {
          text: '<ThermometryBasicParam><distance>5</distance><emissivity>1.25</emissivity></ThermometryBasicParam>',
        }
      : { http: 404, text: '' };
  });
});
afterEach(async () => {
  await odd.close();
  folder.remove();
});

it('a captured template keeps it as a comment, in Chinese too', async () => {
  const ran = await run(folder, ['template', 'capture', '--device', odd.url, '--lang', 'zh-CN']);

  expect(ran.stdout).toContain('emissivity: 1.25');
  expect(ran.stderr).toContain('超出规范');
});
