/** People brought to devices from the command line: shown, confirmed, done, and what went wrong comes back as a file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { makeFolder, run, type Folder } from './helpers.ts';

const env = { FIELDWRIGHT_PASSWORD: 'Site-Passw0rd' };
let site: Site;
let folder: Folder;

beforeEach(async () => {
  folder = makeFolder();
  site = await startSite({ devices: 2, kinds: ['gate'], password: 'Site-Passw0rd' });
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

const count = (device: number): number => site.device(device).part(PEOPLE).count;
const writes = (): number =>
  site.device(0).requests.filter(({ operation }) => operation === 'accessControl.users.setUp').length;
const device = (nth: number, option = '--device'): string[] => [option, site.devices[nth]?.url ?? ''];

/** Writes a file of so many people, every tenth of them wrong. */
function file(people: number, name = 'people.csv'): string {
  const rows = Array.from(
    { length: people },
    (_, at) => `${7000 + at},=Person ${at},${at % 10 === 9 ? 'yesterday' : '2031-05-01'}\n`,
  );
  const path = folder.file(name);
  writeFileSync(path, `Nr,Name,Valid until\n${rows.join('')}`);
  return path;
}

describe('users import', () => {
  it('counts people over all terminals, in words and as data ("4 still need you" for 500 people)', async () => {
    const given = ['users', 'import', file(20), ...device(0), ...device(1), '--map', 'Nr=employeeNo'];

    const { stdout } = await run(folder, [...given, '--yes'], { env });
    const again = await run(folder, [...given, '--yes', '--json'], { env });
    const chinese = await run(folder, [...given, '--yes', '--lang=zh-CN'], { env });

    expect(stdout).toContain('18 of 20 people are on both terminals, read back.');
    expect(stdout).toContain('2 are on no terminal as asked.');
    expect(again.json()).toMatchObject({
      people: { work: 'import', people: 20, devices: 2, everywhere: 18, nowhere: 2, some: 0, open: 0 },
    });
    expect(chinese.stdout).toContain('20 人中 18 人已在全部 2 台终端上');
  });

  it('says which rows go to no device and why, also when it is not a dry run (only their count was told)', async () => {
    const path = folder.file('shortened.csv');
    writeFileSync(path, 'employeeNo,name\n1.0E+5,Carl\n7001,Ann\n#N/A,Eve\n');

    const { code, stderr } = await run(folder, ['users', 'import', path, ...device(0), '--yes'], { env });

    expect(code).toBe(1);
    expect(stderr).toContain('2: — A spreadsheet has shortened the number to 1.0E+5');
    expect(stderr).toContain('4: — #N/A is an error of a spreadsheet');
    expect(stderr).not.toContain('3: 7001');
  });

  it('sends nothing without a yes, nor on a dry run, which says what would happen', async () => {
    const given = ['users', 'import', file(20), ...device(0), '--map', 'Nr=employeeNo', '--json'];

    const refused = await run(folder, given, { env });
    const dry = await run(folder, [...given, '--dry-run'], { env });

    expect(refused.code).toBe(2);
    expect(refused.json()).toMatchObject({ code: 'confirmation-needed' });
    expect(dry.code).toBe(1);
    expect(dry.json()).toMatchObject({
      rows: 20,
      bad: 2,
      devices: [{ counts: { added: 18 } }],
    });
    expect(dry.json<{ people: object[] }>().people).toHaveLength(20);
    expect(writes()).toBe(0);
  });

  // Would catch: one bad row that keeps the good ones from being done, or an unreported reason.
  it('does the good rows, and gives the bad ones back as a file that can be mended and imported again', async () => {
    const failed = folder.file('failed.csv');
    const given = [...device(0), '--map', 'Nr=employeeNo', '--yes', '--json'];

    const first = await run(folder, ['users', 'import', file(300), ...given, '--failed', failed], { env });
    const text = readFileSync(failed, 'utf8');
    writeFileSync(failed, text.replaceAll('yesterday', '2031-05-01'));
    const second = await run(folder, ['users', 'import', failed, ...given], { env });

    expect(first.code).toBe(1);
    expect(first.json()).toMatchObject({ state: 'done', failed: { rows: 30 }, plan: { bad: 30 } });
    expect(text.trimEnd().split('\n')).toHaveLength(31);
    expect(text).toContain(`7009,'=Person 9,yesterday,"""yesterday"" is no date and time.`);
    expect(second.code).toBe(0);
    expect(count(0)).toBe(312);
    const person = site
      .device(0)
      .part(PEOPLE)
      .search('t', 0, { only: new Set(['7009']) })
      .page(0, 1)[0];
    expect(person?.record).toMatchObject({ name: '=Person 9', userType: 'normal' });
  });

  it('names a heading that is not there, before anything is read of a device', async () => {
    const result = await run(
      folder,
      ['users', 'import', file(3), ...device(0), '--map', 'No=employeeNo', '--json'],
      { env },
    );

    expect(result.code).toBe(2);
    expect(result.json()).toMatchObject({ code: 'usage', nearest: 'Nr' });
    expect(site.device(0).requests).toHaveLength(0);
  });

  it('takes standard input', async () => {
    const input = '{"employeeNo":"8001","name":"Ada"}\n{"employeeNo":"8002"}\n';

    const result = await run(folder, ['users', 'import', '-', ...device(1), '--yes', '--json'], {
      env,
      input,
    });

    expect(result.code).toBe(0);
    expect(count(1)).toBe(14);
  });
});

describe('users copy and remove', () => {
  it('refuses people whose number is someone else there, unless that is asked for (a copy that makes one person another)', async () => {
    const input = '{"employeeNo":"8001","name":"Ada  LOVELACE"}\n{"employeeNo":"8002","name":"Grace"}\n';
    await run(folder, ['users', 'import', '-', ...device(0), '--yes', '--json'], { env, input });
    await run(folder, ['users', 'import', '-', ...device(1), '--yes', '--json'], {
      env,
      input: '{"employeeNo":"8001","name":"ada lovelace"}\n{"employeeNo":"8002","name":"Hedy"}\n',
    });
    const copy = ['users', 'copy', ...device(0, '--from'), ...device(1, '--to'), '--yes', '--json'];
    const namesThere = () =>
      ['8001', '8002'].map(
        (number) =>
          site
            .device(1)
            .part(PEOPLE)
            .search('t', 0, { only: new Set([number]) })
            .page(0, 1)[0]?.record['name'],
      );

    const first = await run(folder, copy, { env });
    const kept = namesThere();
    const second = await run(folder, [...copy, '--replace-others'], { env });

    expect(first.code).toBe(1);
    expect(first.json()).toMatchObject({
      people: { work: 'copy', people: 14, everywhere: 13, nowhere: 1 },
      plan: {
        devices: [
          {
            counts: { refused: 1 },
            notes: expect.arrayContaining([
              expect.objectContaining({ id: 'people-numbers-taken', values: { count: 1 } }),
            ]),
          },
        ],
      },
    });
    expect(kept).toEqual(['Ada  LOVELACE', 'Hedy']);
    expect(second.code).toBe(0);
    expect(second.json()).toMatchObject({ people: { people: 14, everywhere: 14, nowhere: 0 } });
    expect(namesThere()).toEqual(['Ada  LOVELACE', 'Grace']);
  });

  it('copies, and finds nothing to copy the second time', async () => {
    const input = '{"employeeNo":"8001","name":"Ada"}\n';
    await run(folder, ['users', 'import', '-', ...device(0), '--yes', '--json'], { env, input });
    const given = ['users', 'copy', ...device(0, '--from'), ...device(1, '--to'), '--yes', '--json'];

    const first = await run(folder, given, { env });
    const second = await run(folder, given, { env });
    const listed = await run(folder, ['jobs', 'list', '--lang=zh-CN']);

    // Would catch: gates of one site whose people are others under each number, so that every copy has to be agreed.
    expect(first.code).toBe(0);
    // Would catch: "copy …", as the journal has it, for people who read Chinese.
    expect(listed.stdout).toContain('人员复制：');
    expect(first.json()).toMatchObject({ plan: { work: 'copy', rows: 13 } });
    expect(count(1)).toBe(13);
    expect(second.json()).toMatchObject({ plan: { devices: [{ counts: { unchanged: 13 } }] } });
    expect(second.code).toBe(0);
  });

  // Would catch: fingerprints that never follow, because the device they come from is in no inventory and is not found again.
  it('goes on in another process with the fingerprints of a device that was named by its address', async () => {
    const given = ['users', 'copy', ...device(0, '--from'), ...device(1, '--to'), '--yes', '--json'];
    site.device(0).setFault('reset', 1, { operation: 'accessControl.fingerprints.query' });
    const cut = await run(folder, given, { env });
    site.device(0).clearFaults();

    const resumed = await run(folder, ['jobs', 'resume', cut.json<{ id: string }>().id, '--yes', '--json'], {
      env,
    });

    expect(cut.json()).toMatchObject({ resumable: true });
    expect(resumed.json()).toMatchObject({ state: 'done', resumable: false });
    expect(resumed.code).toBe(0);
    expect(site.device(1).part(FINGERPRINTS).find('1001', 1, 1)).toMatchObject([
      { fingerData: site.device(0).part(FINGERPRINTS).find('1001', 1, 1)[0]?.fingerData },
    ]);
  });

  it('removes from all devices that are named, and says where nobody was', async () => {
    const given = [
      'users',
      'remove',
      '1003',
      '9999',
      '--everywhere',
      ...device(0),
      ...device(1),
      '--yes',
      '--json',
    ];

    const result = await run(folder, given, { env });

    expect(result.code).toBe(0);
    expect(result.json()).toMatchObject({
      plan: { devices: [{ counts: { removed: 1, absent: 1 } }, { counts: { removed: 1, absent: 1 } }] },
    });
    expect([count(0), count(1)]).toEqual([11, 11]);
  });

  // Would catch: a difference that a comparison does not see, or one that is none.
  it('tells who is missing and who differs, and brings nobody anywhere', async () => {
    const input =
      '{"employeeNo":"8001","name":"Ada"}\n{"employeeNo":"8002","name":"Eve","doorRight":"1,2"}\n';
    for (const nth of [0, 1])
      await run(folder, ['users', 'import', '-', ...device(nth), '--yes', '--json'], { env, input });
    const more =
      '{"employeeNo":"8001","name":"Adele"}\n{"employeeNo":"8002","doorRight":"2, 1"}\n{"employeeNo":"8003"}\n';
    await run(folder, ['users', 'import', '-', ...device(1), '--yes', '--json'], { env, input: more });

    const result = await run(folder, ['users', 'compare', ...device(0), ...device(1), '--json'], { env });

    const { people } = result.json<{ people: { employeeNo: string; places: object; fields: string[] }[] }>();
    const of = (employeeNo: string) => people.find((person) => person.employeeNo === employeeNo);
    expect(Object.values(of('8001')?.places ?? {}).toSorted()).toEqual(['differs', 'present']);
    expect(of('8001')?.fields).toEqual(['name']);
    expect(of('8002')).toBeUndefined();
    expect(Object.values(of('8003')?.places ?? {})).toEqual(['missing', 'present']);
  });
});
