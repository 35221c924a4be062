/** Files of reports are named after what is in them. */
import { expect, it } from 'vitest';
import { openSite, type TestSite } from '../site-engine.ts';

let at: TestSite;

// Would catch: a report of two sites under the name of the first, and one of a device with a name that Windows refuses.
it.each(['capabilities', 'diagnostics', 'handover'] as const)(
  'the file of %s is named after its device, the site of all of them, or how many they are',
  async (kind) => {
    at = await openSite({ kinds: ['gate'], devices: 3 });
    const { engine, ids } = at;
    const [first = '', second = '', third = ''] = ids;
    engine.devices.update({ id: first, name: 'Gate 1: "North/South"?' });
    const site = engine.sites.save({ name: 'Plant | South' });
    engine.devices.updateMany({ ids: [first, second], siteId: site.id });
    const nameOf = async (deviceIds: readonly string[]): Promise<string> =>
      (
        await engine.reports.file({
          deviceIds,
          format: 'json',
          language: 'en',
          ...(kind === 'capabilities' ? { kind, offline: true } : { kind }),
        } as Parameters<typeof engine.reports.file>[0])
      ).fileName.replace(/ \d{4}-\d\d-\d\d\.json$/, ' DAY');

    const chinese = await engine.reports.file({
      deviceIds: [first],
      format: 'json',
      language: 'zh-CN',
      ...(kind === 'capabilities' ? { kind, offline: true } : { kind }),
    } as Parameters<typeof engine.reports.file>[0]);
    expect(chinese.fileName).toMatch(/^[\u4e00-\u9fff]+ Gate 1- -North-South- /);
    expect([await nameOf([first]), await nameOf([first, second]), await nameOf([second, third])]).toEqual([
      `${kind} Gate 1- -North-South- DAY`,
      `${kind} Plant - South DAY`,
      `${kind} 2 devices DAY`,
    ]);
  },
);
