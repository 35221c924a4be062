import { afterEach, expect, it } from 'vitest';
import { startOddDevice, type OddDevice } from '../odd-device.ts';
import { ended, openPrintSite, type PrintSite } from './site-with-prints.ts';

let at: PrintSite;
let source: OddDevice;
afterEach(async () => {
  await source.close();
});

// Would catch: templates that are bounded by their number alone, 220 MB of them in memory; a target that gets one.
it('a source whose templates are none ends the copy, and says why', async () => {
  at = await openPrintSite({ devices: 1, users: 1 });
  const people = Array.from({ length: 40 }, (_, index) => ({ employeeNo: String(index + 1), numOfFP: 1 }));
  const print = {
    cardReaderNo: 1,
    fingerPrintID: 1,
    fingerType: 'normalFP',
    fingerData: 'A'.repeat(400_000),
  };
  source = await startOddDevice(({ path }) => {
    const found = path.includes('UserInfo/Search')
      ? {
          UserInfoSearch: {
            searchID: '1',
            responseStatusStrg: 'OK',
            totalMatches: 40,
            numOfMatches: 40,
            UserInfo: people,
          },
        }
      : { FingerPrintInfo: { searchID: '1', status: 'OK', FingerPrintList: [print] } };
    return { type: 'application/json', text: JSON.stringify(found) };
  });
  const from = at.engine.devices.addTransient({ url: source.url, userName: 'admin', password: 'x' }).id;

  const { jobId } = at.engine.prints.copy({ from, deviceIds: at.ids });
  const { job } = await ended(at.engine, jobId);

  expect(job.results[0]?.error).toMatchObject({
    code: 'answer-too-large',
    detail: { id: 'prints-too-long' },
  });
  expect(source.requests.length).toBeLessThan(10);
  expect(at.site.device(0).requests.filter(({ path }) => path.includes('FingerPrint'))).toEqual([]);
});
