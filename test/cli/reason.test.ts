import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOddDevice, type OddDevice } from '../engine/odd-device.ts';
import { makeFolder, run, type Folder } from './helpers.ts';

const MODE = '/API/Thermal/channels/1/thermometryMode';
const TEMPLATE = `fieldwright: template/1
name: Mode
sections:
  - set: thermal.thermometryMode
    params: { channelID: 1 }
    value: { mode: expert }
`;

/** A device that answers every write like this. */
function startRefusing(http: number, text: string): Promise<OddDevice> {
  return startOddDevice(({ method, path }) => {
    if (method !== 'GET') return { http, text, type: 'application/json' };
    return path === MODE
      ? { text: '<ThermometryMode version="2.0"><mode>normal</mode></ThermometryMode>' }
      : { http: 404, text: '' };
  });
}

describe('why a device refused a write', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => folder.remove());

  it.each<[string, number, string, string]>([
    ['errorCode and errorMsg alone', 200, '{"errorCode":1610637363,"errorMsg":"modeIsFixed"}', 'modeIsFixed'],
    ['a number alone', 400, '{"errorCode":1610637363}', 'errorCode 1610637363'],
    [
      'a sub status',
      400,
      '{"statusCode":6,"statusString":"Invalid Content","subStatusCode":"noMode"}',
      'noMode',
    ],
  ])(
    'stands in both languages, in the list of jobs and in its export: %s',
    async (_what, http, text, reason) => {
      const device = await startRefusing(http, text);
      const template = folder.file('mode.yaml');
      writeFileSync(template, TEMPLATE);

      const apply = ['apply', '--template', template, '--yes', '--device', device.url];
      const english = await run(folder, apply);
      const chinese = await run(folder, [...apply, '--lang', 'zh-CN']);
      const csv = folder.file('history.csv');
      await run(folder, ['jobs', 'export', '--out', csv, '--format', 'csv']);
      await device.close();

      expect(english.code).toBe(1);
      expect(english.stderr).toContain(`The device says: ${reason}`);
      expect(chinese.stderr).toContain(`设备应答：${reason}`);
      expect(readFileSync(csv, 'utf8').match(new RegExp(reason, 'g'))).toHaveLength(2);
    },
  );

  it('stands in the file of failed rows in Chinese too', async () => {
    const device = await startOddDevice(({ method, path }) => {
      if (path.includes('/Count'))
        return { text: '{"UserInfoCount":{"userNumber":0}}', type: 'application/json' };
      if (path.includes('/Search'))
        return {
          text: '{"UserInfoSearch":{"searchID":"1","responseStatusStrg":"NO MATCH","numOfMatches":0,"totalMatches":0}}',
          type: 'application/json',
        };
      if (method === 'GET') return { http: 404, text: '' };
      return {
        http: 400,
        text: '{"errorCode":1610637363,"errorMsg":"nameIsTaken"}',
        type: 'application/json',
      };
    });
    const people = folder.file('people.csv');
    writeFileSync(people, 'employeeNo,name\n1,Ann\n');
    const failed = folder.file('failed.csv');

    const importing = ['users', 'import', people, '--yes', '--failed', failed, '--device', device.url];
    const ran = await run(folder, [...importing, '--lang', 'zh-CN']);
    await device.close();

    expect(ran.code, ran.stderr).toBe(1);
    expect(readFileSync(failed, 'utf8')).toContain('设备应答：nameIsTaken (errorCode 1610637363)');
  });

  it('stands in the result of a fingerprint that a reader did not take', async () => {
    const device = await startOddDevice(({ method, path }) => {
      const type = 'application/json';
      if (path.includes('/FingerPrint/SetUp'))
        return {
          text: '{"FingerPrintStatus":{"StatusList":[{"id":1,"cardReaderRecvStatus":0,"errorMsg":"sensorDirty"}]}}',
          type,
        };
      if (path.includes('/FingerPrintUpload'))
        return { text: '{"FingerPrintInfo":{"searchID":"1","status":"NoFP"}}', type };
      return method === 'GET' ? { http: 404, text: '' } : { text: '{"statusCode":1}', type };
    });
    const prints = folder.file('prints.jsonl');
    const print = {
      employeeNo: '1',
      fingerPrintID: 1,
      fingerType: 'normalFP',
      enableCardReader: [1],
      fingerData: 'AAAA',
    };
    writeFileSync(prints, `${JSON.stringify(print)}\n`);

    const ran = await run(folder, ['fingerprints', 'import', prints, '--yes', '--device', device.url]);
    await device.close();

    expect(ran.stdout + ran.stderr).toContain('The reader failed. The device says: sensorDirty');
  });
});
