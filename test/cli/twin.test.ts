/** Virtual devices made of snapshots of others: they answer and take what the others do. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICE_KINDS } from '#shared/model.ts';
import { startSite, type Site } from '#simulator/index.ts';
import { OPERATIONS } from '#simulator/specification/operations.ts';
import type { Twin } from '#simulator/options.ts';
import { parseTwin } from '#simulator/twin.ts';
import { ask } from '../simulator/helpers.ts';
import { LANES, makeFolder, run, type Folder } from './helpers.ts';

let folder: Folder;
let real: Site;
let twins: Site;
const files: string[] = [];

beforeAll(async () => {
  folder = makeFolder();
  real = await startSite({ devices: DEVICE_KINDS.length, auth: 'none', namespace: 'urn:a-maker:9' });
  for (const [nth, { url, kind }] of real.devices.entries()) {
    const file = folder.file(`${kind}.json`);
    await run(folder, ['device', 'add', url, '--name', `D${nth}`]);
    await run(folder, ['device', 'test', '--device', `D${nth}`]);
    await run(folder, ['snapshot', `D${nth}`]);
    await run(folder, ['snapshot', 'show', `D${nth}`, '--out', file]);
    files.push(file);
  }
  twins = await startSite({
    auth: 'none',
    twins: files.map((file) => parseTwin(readFileSync(file, 'utf8')) as Twin),
  });
});
afterAll(async () => {
  await real.close();
  await twins.close();
  folder.remove();
});

/** Documents that tell what happens at the moment. */
const LIVE = new Set(['gate.status.get', 'gate.irStatus.get', 'peopleCounting.status.get']);

function addressOf(operation: string, params: Readonly<Record<string, string | number>>): string {
  const path = OPERATIONS.find(({ id }) => id === operation)?.path ?? '';
  return `/API${path.replace(/<(\w+)>/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))}`;
}

interface PlanShown {
  readonly devices: readonly { readonly sections: readonly unknown[] }[];
}

describe('a twin', () => {
  // Would catch: a rehearsal on something that is not like the device: other limits, another channel, another namespace.
  it('answers each document of each kind byte for byte as the device did', async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const [nth, file] of files.entries()) {
      const { documents } = parseTwin(readFileSync(file, 'utf8')) as Twin;
      for (const { operation, params, text } of documents) {
        const path = addressOf(operation, params);
        const [at, of] = [twins, real].map((site) => site.devices[nth]?.url ?? '');
        const [shown, original] = [await ask(at ?? '', 'GET', path), await ask(of ?? '', 'GET', path)];
        compared += 1;
        if (shown.text !== text || (!LIVE.has(operation) && shown.text !== original.text))
          wrong.push(`${nth} ${path}`);
      }
    }
    expect(compared).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  // Would catch: a twin that takes what the device would refuse, or refuses what it would take.
  it('takes the same template as the device, with the same plan, and shows the same afterwards', async () => {
    writeFileSync(folder.file('lanes.yaml'), LANES);
    const nth = DEVICE_KINDS.indexOf('thermal');
    const apply = async (site: Site, distance: number) => {
      const url = site.devices[nth]?.url ?? '';
      const what = [
        '--template',
        folder.file('lanes.yaml'),
        '--device',
        url,
        '--values',
        `distance=${distance}`,
      ];
      const planned = (await run(folder, ['plan', ...what, '--json'])).json<PlanShown>();
      const { code } = await run(folder, ['apply', ...what, '--yes', '--json']);
      const path = addressOf('thermal.thermometryBasic.get', { channelID: '1' });
      return { code, sections: planned.devices[0]?.sections, shown: (await ask(url, 'GET', path)).text };
    };
    const [onTwin, onDevice] = [await apply(twins, 7), await apply(real, 7)];

    expect(onTwin.code).toBe(0);
    expect(onTwin.shown).toContain('<distance>7<');
    expect(onTwin.sections).toHaveLength(1);
    expect(onTwin).toEqual(onDevice);
  });

  it('refuses what the device never showed', async () => {
    const at = twins.devices[DEVICE_KINDS.indexOf('thermal')]?.url ?? '';
    const missing = await ask(at, 'GET', addressOf('thermal.thermometryBasic.get', { channelID: '9' }));
    const other = await ask(at, 'GET', addressOf('gate.status.get', {}));
    expect([missing.http, other.http].every((http) => http >= 400)).toBe(true);
  });
});

describe('rehearse', () => {
  const thermal = DEVICE_KINDS.indexOf('thermal');
  const rehearse = async (distance: number) => {
    const what = ['--template', folder.file('lanes.yaml'), '--values', `distance=${distance}`];
    return run(folder, ['rehearse', ...what, '--device', `D${thermal}`, '--json']);
  };

  // Would catch: a rehearsal that writes to the device, or calls good what the device would refuse.
  it('says what would become of each device and sends it nothing', async () => {
    writeFileSync(folder.file('lanes.yaml'), LANES);
    const before = real.device(thermal).requests.length;
    const good = await rehearse(9);
    const outside = await rehearse(99);
    const jobs = await run(folder, ['jobs', 'list', '--json']);

    expect(good.json()).toMatchObject([
      {
        device: real.devices[thermal]?.url,
        name: `D${thermal}`,
        state: 'as-predicted',
        sections: [{ set: 'thermal.thermometryBasic', outcome: 'effective' }],
      },
    ]);
    expect([good.code, outside.code]).toEqual([0, 2]);
    expect(real.device(thermal).requests.length).toBe(before);
    expect(
      jobs.json<readonly { readonly title: string }[]>().filter(({ title }) => title === 'Lanes'),
    ).toHaveLength(2);
  });

  it('says so where there is no snapshot to rehearse on', async () => {
    await run(folder, ['device', 'add', 'http://127.0.0.1:9', '--name', 'New']);
    const { code, stderr } = await run(folder, [
      'rehearse',
      ...['--template', folder.file('lanes.yaml'), '--values', 'distance=9', '--device', 'New'],
    ]);
    expect([code, stderr.includes('New')]).toEqual([2, true]);
  });
});

describe('simulate --twin', () => {
  const mark = '{"fieldwright":"snapshot/1","name":"T","kinds":[],"documents":';
  it.each([
    ['no JSON', '<?xml version="1.0"?>', /no snapshot/],
    ['another file', '{"fieldwright":"template/1"}', /no snapshot/],
    ['a file that was cut off', `${mark}[{"operation":"a.get","params":{},"te`, /no snapshot/],
    ['no document', `${mark}[]}`, /no snapshot/],
    ['a document without its text', `${mark}[{"operation":"a.get","params":{}}]}`, /no snapshot/],
    ['one of a newer version', '{"fieldwright":"snapshot/2"}', /newer version/],
  ])('refuses %s with the file’s name', async (_, text, said) => {
    const file = folder.file('broken.json');
    writeFileSync(file, text);
    const { code, stderr } = await run(folder, ['simulate', '--twin', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('broken.json');
    expect(stderr).toMatch(said);
  });

  it('takes no kinds beside the snapshots', async () => {
    const { code, stderr } = await run(folder, ['simulate', '--twin', files[0] ?? '', '--kinds', 'gate']);
    expect([code, stderr.includes('--kinds')]).toEqual([2, true]);
  });

  it('starts as many devices as there are files, with their names', async () => {
    const chosen = files.slice(0, 2).flatMap((file) => ['--twin', file]);
    let line = '';
    await run(folder, ['simulate', ...chosen], {
      onOutput: (text, interrupt) => {
        line = text;
        interrupt();
      },
    });
    expect(JSON.parse(line)).toMatchObject({ ready: true, devices: [{ name: 'D0' }, { name: 'D1' }] });
  });
});
