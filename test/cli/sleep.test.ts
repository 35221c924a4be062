/** A computer that falls asleep in the middle of a job: every socket is dead when it wakes up. */
import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { startSite } from '../helpers/strict-site.ts';
import type { Job } from '#shared/model.ts';
import { makeFolder, start } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

it.skipIf(process.platform === 'win32')(
  'goes on with the job after waking up, and writes nothing twice',
  async () => {
    const site = await startSite({ devices: 3, kinds: ['thermal'], password: 'Sleepy-1', latencyMs: 10 });
    try {
      const file = folder.file('t.yaml');
      writeFileSync(
        file,
        'fieldwright: template/1\nname: Sleep\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: 9 }\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
      );
      const running = start(
        folder,
        [
          'apply',
          '--template',
          file,
          ...site.devices.flatMap(({ url }) => ['--device', url]),
          '--yes',
          '--json',
          '--progress',
          '--concurrency',
          '2',
        ],
        { FIELDWRIGHT_PASSWORD: 'Sleepy-1' },
      );
      let slept: Promise<void> | undefined;
      running.child.stdout?.on('data', (text: string) => {
        if (slept !== undefined || !text.includes('"phase":"writing"')) return;
        running.child.kill('SIGSTOP');
        // Meanwhile the devices give up on its connections, as they do during a night.
        slept = Promise.all(site.devices.map((_device, index) => site.device(index).restart(0))).then(() => {
          running.child.kill('SIGCONT');
        });
      });
      const ended = await running.ended;
      await slept;

      const job = JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '') as Job;
      expect(slept).toBeDefined();
      expect(job).toMatchObject({ state: 'done', counts: { effective: 6 } });
      expect(ended.code).toBe(0);
      for (const index of [0, 1, 2]) {
        const applied = site
          .device(index)
          .requests.filter(({ method, applied: took }) => method === 'PUT' && took);
        expect(applied.map(({ operation }) => operation)).toEqual([
          'thermal.thermometryBasic.put',
          'thermal.thermometryMode.put',
        ]);
      }
    } finally {
      await site.close();
    }
  },
  60_000,
);
