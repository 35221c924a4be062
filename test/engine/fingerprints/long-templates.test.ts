import { afterEach, expect, it } from 'vitest';
import { never } from '../site-engine.ts';
import { startOddDevice, type OddDevice } from '../odd-device.ts';
import { ended, openPrintSite, type PrintSite } from './site-with-prints.ts';

let at: PrintSite;
let source: OddDevice;
afterEach(async () => {
  await source.close();
});

// Would catch: templates that are bounded by their number alone, 220 MB of them in memory; a target that gets one.
/** A device with 40 people, each with `fingers` templates of so many characters. */
async function startSource(fingers: number, characters: number): Promise<string> {
  const people = Array.from({ length: 40 }, (_, index) => ({
    employeeNo: String(index + 1),
    numOfFP: fingers,
  }));
  const prints = Array.from({ length: fingers }, (_, index) => ({
    cardReaderNo: 1,
    fingerPrintID: index + 1,
    fingerType: 'normalFP',
    fingerData: 'A'.repeat(characters),
  }));
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
      : { FingerPrintInfo: { searchID: '1', status: 'OK', FingerPrintList: prints } };
    return { type: 'application/json', text: JSON.stringify(found) };
  });
  return at.engine.devices.addTransient({ url: source.url, userName: 'admin', password: 'x' }).id;
}

// Would catch: an export that a device makes as long as it likes, 450 MB in 20 seconds.
it('an export of templates that weigh far too much ends, and says why', async () => {
  at = await openPrintSite({ devices: 1, users: 1 });
  const deviceId = await startSource(10, 60_000);
  const read = async (): Promise<void> => {
    for await (const _print of at.engine.prints.read({ deviceId }, never));
  };

  await expect(read()).rejects.toMatchObject({
    shape: { code: 'answer-too-large', detail: { id: 'prints-too-much' } },
  });

  expect(source.requests.length).toBeLessThan(10);
});

it('a source whose templates are none ends the copy, and says why', async () => {
  at = await openPrintSite({ devices: 1, users: 1 });
  const from = await startSource(1, 400_000);

  const { jobId } = at.engine.prints.copy({ from, deviceIds: at.ids });
  const { job } = await ended(at.engine, jobId);

  expect(job.results[0]?.error).toMatchObject({
    code: 'answer-too-large',
    detail: { id: 'prints-too-long' },
  });
  expect(source.requests.length).toBeLessThan(10);
  expect(at.site.device(0).requests.filter(({ path }) => path.includes('FingerPrint'))).toEqual([]);
});
