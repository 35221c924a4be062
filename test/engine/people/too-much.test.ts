/** A terminal that gives people without end fails by itself: others go on, and nothing of it stays on the disk. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { DATABASE_FILE } from '#engine/store/index.ts';
import type { CompareEvent } from '#shared/people/people.ts';
import { startOddDevice, type OddDevice } from '../odd-device.ts';
import { never, openSite, type TestSite } from '../site-engine.ts';

let at: TestSite;
let hostile: OddDevice;
afterEach(async () => {
  await hostile.close();
});

/** A device that gives a hundred people in each answer, and always says that there are more. */
async function opened(totalOf: (page: number) => number, characters = 9000): Promise<string> {
  at = await openSite({ kinds: ['gate'] });
  let page = 0;
  hostile = await startOddDevice(({ path }) => {
    if (!path.includes('UserInfo/Search')) return { http: 404, text: '' };
    page += 1;
    const people = Array.from({ length: 100 }, (_, index) => ({
      employeeNo: `${page}-${index}`,
      remark: 'x'.repeat(characters),
    }));
    const search = {
      responseStatusStrg: 'MORE',
      numOfMatches: 100,
      totalMatches: totalOf(page),
      UserInfo: people,
    };
    return {
      type: 'application/json',
      text: JSON.stringify({ UserInfoSearch: { searchID: '1', ...search } }),
    };
  });
  return at.engine.devices.addTransient({ url: hostile.url, userName: 'admin', password: 'x' }).id;
}

const MB = 1024 * 1024;
const size = (): number => statSync(join(at.dataDir, DATABASE_FILE)).size;

// Would catch: a count that the device raises with every page; what came before the end of it, kept; others that fail with it.
it.each([
  ['raises its count with every page', 'people-without-end', (page: number) => page * 200, 100],
  ['gives people of many kilobytes', 'people-too-much', () => 2000, 9000],
])('a comparison goes on without one that %s, and says why', async (_name, why, totalOf, characters) => {
  const id = await opened(totalOf, characters);
  const events: CompareEvent[] = [];

  for await (const event of at.engine.people.compare({ deviceIds: [id, ...at.ids] }, never))
    events.push(event);

  const end = events.find((event) => event.type === 'compared');
  expect(end?.devices).toMatchObject([
    { people: 0, complete: false, error: { code: 'answer-too-large', detail: { id: why } } },
    { complete: true },
  ]);
  expect(hostile.requests.length).toBeLessThan(50);
  const shown = at.engine.people.compared({ id: end?.id ?? '', limit: 10 });
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter(({ employeeNo }) => employeeNo.includes('-'))).toEqual([]);
});

// Would catch: a copy that goes on with a part of the people; rows that stay when the plan does not come about.
it('a copy from it comes to nothing, and leaves nothing', async () => {
  const id = await opened(() => 500);
  const plan = async (): Promise<void> => {
    const source = { kind: 'copy', from: id } as const;
    for await (const _event of at.engine.people.plan({ source, deviceIds: at.ids }, never));
  };

  await expect(plan()).rejects.toMatchObject({ code: 'answer-too-large' });

  expect(size()).toBeLessThan(30 * MB);
});
