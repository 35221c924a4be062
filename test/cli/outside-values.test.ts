/** A device that holds a value outside of the specification: read, saved and moved with a word about it. */
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

// Would catch: a setting of a dead device that is never mentioned again.
it('a saved state keeps it, and says so when it is saved and when it is moved', async () => {
  const device = ['--device', odd.url];
  const outside = { set: 'thermal.thermometryBasic', path: 'emissivity', value: 1.25 };

  const said = await run(folder, ['state', 'save', ...device]);
  const saved = await run(folder, ['state', 'save', ...device, '--json']);
  const { id } = saved.json<{ readonly id: string }>();
  const shown = await run(folder, ['state', 'show', id]);
  const swapped = await run(folder, ['swap', '--state', id, ...device, '--json']);

  expect(said.stderr).toContain('emissivity: 1.25');
  expect(saved.json()).toMatchObject({ outside: [outside] });
  expect(shown.stdout).toContain('emissivity: 1.25');
  expect(swapped.json()).toMatchObject({ report: { lost: [{ path: 'emissivity', from: 1.25 }] } });
});

it('a captured template keeps it as a comment, in Chinese too', async () => {
  const ran = await run(folder, ['template', 'capture', '--device', odd.url, '--lang', 'zh-CN']);

  expect(ran.stdout).toContain('emissivity: 1.25');
  expect(ran.stderr).toContain('超出规范');
});
