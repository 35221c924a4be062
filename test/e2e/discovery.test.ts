import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { DiscoveryOptions } from '#engine/api.ts';
import type { OwnNetwork, Sighting } from '#shared/discovery.ts';
import { look } from './look.ts';
import { openApp, type App, type WindowOptions } from './app.ts';
import { faults, faultsInBothThemes } from './axe.ts';
import { DiscoveryPage } from './pages/discovery-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId, input } from './pages/test-id.ts';

async function withApp(
  work: (app: App, discovery: DiscoveryPage) => Promise<void>,
  options: WindowOptions = {},
): Promise<void> {
  const app = await openApp(options);
  await byId(app.page, 'empty-state').waitFor();
  await work(app, new DiscoveryPage(app.page));
  expect(app.complaints).toEqual([]);
}
/** Starts devices of a virtual site; returns the ports they listen at. */
async function someDevices(app: App, devices: number): Promise<readonly number[]> {
  const site = await app.site({ devices });
  return site.devices.map(({ url }) => Number(new URL(url).port));
}
/** Hands the page results of an engine's search: the loopback interface receives no announcements. */
function announce(app: App): {
  readonly searches: DiscoveryOptions[];
  say(sighting: Partial<Sighting> & Pick<Sighting, 'identity' | 'url'>): void;
} {
  const queue: Sighting[] = [];
  const searches: DiscoveryOptions[] = [];
  let wake = (): void => {};
  app.engine.discovery.watch = async function* watch(options, signal) {
    searches.push(options);
    signal.addEventListener('abort', () => {
      wake();
    });
    while (!signal.aborted) {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        yield { type: 'sighting', sighting: next };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    searches,
    say(sighting) {
      const at = new Date().toISOString();
      queue.push({
        name: 'Lobby',
        alternatives: [],
        addresses: [],
        via: 'mdns:eth7',
        seenVia: ['mdns:eth7'],
        state: 'present',
        conflicts: [],
        firstSeenAt: at,
        seenAt: at,
        ...sighting,
      });
      wake();
    },
  };
}

describe('finding devices', () => {
  // Would catch: a sweep that shows nothing, adds nothing, or leaves what was added as new beside its row.
  it('sweeps a range, adds what it found, and knows it as the same', () =>
    withApp(async (app, discovery) => {
      const ports = await someDevices(app, 3);

      await discovery.sweep('127.0.0.1/32', ports);
      const result = await discovery.sweepResult();
      const count = await byId(result, 'sweep-count').innerText();
      await byId(app.page, 'sweep-close').click();
      await discovery.found.nth(2).waitFor();
      await discovery.addAllFound();
      await discovery.found.first().waitFor({ state: 'detached' });

      expect(count).toBe('3');
      expect(
        app.engine.devices
          .list()
          .map(({ url }) => new URL(url).port)
          .toSorted(),
      ).toEqual(ports.map(String).toSorted());
      expect(await byId(app.page, 'device-row').count()).toBe(3);
      expect(await byId(app.page, 'device-row').first().locator('[data-presence="present"]').count()).toBe(1);
      expect(await byId(app.page, 'selected-count').innerText()).toContain('3');

      // Would catch: "has not been searched yet" after every start.
      await app.page.reload();
      await byId(app.page, 'device-row').nth(2).waitFor();
      await byId(app.page, 'search-menu').click();
      await byId(app.page, 'last-search').waitFor();
    }));

  // Would catch: a cancel that only hides the progress while addresses go on being asked.
  it('cancels a sweep for good', () =>
    withApp(async (app, discovery) => {
      let ended = false;
      const { watch } = app.engine.discovery;
      app.engine.discovery.watch = (options, signal) => {
        signal.addEventListener('abort', () => {
          ended = true;
        });
        return watch(options, signal);
      };

      await discovery.sweep('127.0.16.0/20', [9]);
      await byId(app.page, 'cancel-sweep').click();
      const result = await discovery.sweepResult();

      expect(await result.innerText()).toContain('cancelled');
      await expect.poll(() => ended).toBe(true);
      expect(await byId(app.page, 'search-strip').count()).toBe(0);
    }));

  // Would catch: networks that arrive late and take the field away in which a person is about to type.
  it('keeps what was picked while the networks of the computer are still being read', () =>
    withApp(async (app) => {
      const told = Promise.withResolvers<void>();
      const slow: { networks(): readonly OwnNetwork[] | Promise<readonly OwnNetwork[]> } =
        app.engine.discovery;
      // The test has a network of its own: a computer may be in none.
      const cidr = '10.9.0.0/24';
      const own = { interface: 'eth7', address: '10.9.0.2', network: cidr, cidr, hosts: 254 };
      slow.networks = () => told.promise.then(() => [own]);
      await byId(app.page, 'sweep-first').click();
      await byId(app.page, 'sweep-network').selectOption('other');

      told.resolve();
      await expect.poll(() => byId(app.page, 'sweep-network').locator('option').count()).toBeGreaterThan(1);

      expect(await byId(app.page, 'sweep-network').inputValue()).toBe('other');
      expect(await input(app.page, 'sweep-range').isVisible()).toBe(true);
    }));

  // Would catch: a sweep of a network of others without a question, or ranges that are no ranges taken silently.
  it('refuses ranges that are too large or none, and asks before it sweeps elsewhere', () =>
    withApp(async (app, discovery) => {
      await discovery.sweep('127.0.0.0/8', [80]);
      await byId(app.page, 'field-error').waitFor();
      const tooLarge = await byId(app.page, 'field-error').innerText();
      await input(app.page, 'sweep-range').fill('203.0.113.0/30');
      await byId(app.page, 'start-sweep').click();
      await byId(app.page, 'sweep-force').waitFor();

      expect(tooLarge).toContain('/20');
      expect(await byId(app.page, 'sweep-force').isChecked()).toBe(false);
    }));

  // Would catch: a device that moved shown as a second row, its address changed without a person or not at all, or a conflict with one party only.
  it('keeps one row for a device that moved, and shows both parties of a conflict', () =>
    withApp(async (app, discovery) => {
      const network = announce(app);
      const known = app.engine.devices.add({
        address: 'http://10.9.0.5',
        name: 'Lobby',
        identity: 'serial:0001',
      });
      await discovery.fromMenu('search-menu', 'start-search');

      network.say({ identity: 'serial:0001', url: 'http://10.9.0.5', deviceId: known.id });
      await byId(app.page, 'device-row').locator('[data-presence="present"]').waitFor();
      network.say({
        identity: 'serial:0001',
        url: 'http://10.9.0.77',
        previousUrl: 'http://10.9.0.5',
        deviceId: known.id,
      });
      await byId(app.page, 'device-row').filter({ hasText: 'seen at 10.9.0.77' }).waitFor();
      const rows = await byId(app.page, 'device-row').count();
      const unasked = app.engine.devices.find(known.id).url;
      await byId(app.page, 'open-device').click();
      await byId(app.page, 'move-device').click();
      await byId(app.page, 'device-elsewhere').waitFor({ state: 'detached' });
      await app.page.keyboard.press('Escape');
      network.say({
        identity: 'name:gate',
        name: 'Gate',
        url: 'http://10.9.0.8',
        conflicts: [{ kind: 'address', with: 'serial:0001' }],
      });
      await byId(app.page, 'open-found').click();
      const parties = await byId(app.page, 'conflict').innerText();

      expect(rows).toBe(1);
      expect(unasked).toBe('http://10.9.0.5');
      expect(app.engine.devices.find(known.id).url).toBe('http://10.9.0.77');
      expect(parties).toContain('Gate · http://10.9.0.8');
      expect(parties).toContain('Lobby · http://10.9.0.77');
    }));

  // Would catch: printers among the devices, or hidden without a word; an address of a stranger's choice that can be added with a click.
  it('keeps printers out of sight but counted, shows them on request, and offers no address outside the networks', () =>
    withApp(async (app) => {
      const { page } = app;
      const network = announce(app);
      await byId(page, 'search-first').click();
      network.say({ identity: 'name:printer', name: 'Printer', url: 'http://10.9.0.9', recognised: 'web' });
      await byId(page, 'show-others').waitFor();
      const rowsOfPrinterAlone = await byId(page, 'device-row').count();
      network.say({ identity: 'serial:1', name: 'Gate', url: 'http://10.9.0.8' });
      network.say({ identity: 'serial:2', name: 'Far', url: 'http://203.0.113.9', outside: true });
      await byId(page, 'search-counts').filter({ hasText: '2 seen · 2 new' }).waitFor();
      await byId(page, 'device-row').nth(1).waitFor();
      const hidden = await byId(page, 'device-row').allInnerTexts();
      const offer = await byId(page, 'search-strip').innerText();
      await byId(page, 'show-others').check();
      await byId(page, 'device-row').filter({ hasText: 'Web service' }).waitFor();
      await byId(page, 'select-found').click();
      const chosen = await byId(page, 'selected-count').innerText();
      await byId(page, 'device-row')
        .filter({ hasText: 'other network' })
        .locator('[data-test-id="open-found"]')
        .click();
      await byId(page, 'found-outside').waitFor();
      const ways = (await byId(page, 'add-this').count()) + (await byId(page, 'found-probe').count());

      expect(rowsOfPrinterAlone).toBe(0);
      expect(hidden.join()).not.toContain('Printer');
      expect(offer).toContain('Show 1 other web service');
      expect(chosen).toContain('1');
      expect(ways).toBe(0);
      expect(await faults(page, 'found outside')).toEqual([]);
    }));

  // Would catch: one message and one commit per device, or a list that loses some of them.
  it('adds hundreds of found devices at once', () =>
    withApp(async (app, discovery) => {
      const network = announce(app);
      await byId(app.page, 'search-first').click();
      for (let index = 0; index < 600; index += 1)
        network.say({
          identity: `serial:${index}`,
          name: `Gate ${index}`,
          url: `http://10.9.${index >> 8}.${index & 255}`,
        });
      await byId(app.page, 'search-counts').filter({ hasText: '600 new' }).waitFor();

      await discovery.addAllFound();
      // The table has two headings while some devices are still being added.
      await expect.poll(() => byId(app.page, 'table-heading').count()).toBe(0);

      expect(app.engine.devices.list()).toHaveLength(600);
      expect(await byId(app.page, 'selected-count').innerText()).toContain('600');
    }));

  // Would catch: a choice that is forgotten with the window, or not sent; a missing interface without a word.
  it('listens only where it is told to, also after the next start', () =>
    withApp(async (app, discovery) => {
      const { page } = app;
      const network = announce(app);
      app.engine.discovery.networks = () => [
        { interface: 'eth7', address: '10.9.0.2', network: '10.9.0.0/24', cidr: '10.9.0.0/24', hosts: 254 },
      ];
      await byId(page, 'search-first').click();

      await discovery.fromMenu('search-menu', 'open-interfaces');
      await byId(page, 'some-interfaces').check();
      await byId(page, 'interface-choice').check();
      await byId(page, 'confirm-interfaces').click();
      await byId(page, 'search-state').filter({ hasText: 'eth7' }).waitFor();
      await page.reload();
      await byId(page, 'search-first').click();
      await byId(page, 'search-state').filter({ hasText: 'eth7' }).waitFor();

      expect(network.searches.map(({ interfaces }) => interfaces)).toEqual([undefined, ['eth7'], ['eth7']]);
    }));
});

describe('the actions on chosen devices', () => {
  // Would catch: the bar over two lines at 1024 px, or actions that are out of reach there.
  it('stay in one line, the rarer ones behind a button', () =>
    withApp(async (app, discovery) => {
      const { page } = app;
      const network = announce(app);
      const {
        added: [one],
      } = app.engine.devices.addMany({
        devices: [{ address: '10.9.1.1', name: 'Lobby' }, { address: '10.9.1.2' }],
      });
      await discovery.fromMenu('search-menu', 'start-search');
      network.say({ identity: 'serial:7', name: 'Gate', url: 'http://10.9.1.3' });
      await byId(page, 'open-found').waitFor();

      await byId(page, 'select-all').check();
      await byId(page, 'more-actions').click();
      const height = (await byId(page, 'selection-bar').boundingBox())?.height ?? 0;
      const strip = (await byId(page, 'search-strip').boundingBox())?.height ?? 0;
      await byId(page, 'tags').click();
      await input(page, 'tags-input').fill('north');
      await byId(page, 'confirm-tags').click();
      await byId(page, 'tags-dialog').waitFor({ state: 'detached' });

      expect(height).toBeLessThan(64);
      expect(strip).toBeLessThan(64);
      expect(app.engine.devices.find(one?.id ?? '').tags).toEqual(['north']);
    }));
});

describe('the doctor', () => {
  // Would catch: findings in the engine's English on a Chinese screen, or a copied text that misses them.
  it('says in the language of the screen what it found, and copies it whole', () =>
    withApp(
      async (app, discovery) => {
        await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

        await discovery.sweep('127.0.0.1/32', [9]);
        await discovery.sweepResult();
        await byId(app.page, 'sweep-doctor').click();
        await byId(app.page, 'finding').first().waitFor();
        const shown = await byId(app.page, 'doctor-dialog').innerText();
        await byId(app.page, 'copy-report').click();
        // The browser writes to the clipboard when it gets round to it: the button says when it has.
        await byId(app.page, 'copy-report').filter({ hasText: '已复制' }).waitFor();
        const copied = await app.page.evaluate<string>('navigator.clipboard.readText()');

        expect(shown).toContain('有主机在线，但拒绝所询问的端口。');
        expect(shown).not.toMatch(/host is|refuses/);
        expect(copied).toContain('127.0.0.1/32');
        expect(copied).toContain('有主机在线，但拒绝所询问的端口。');
        await byId(app.page, 'finding-sweep').first().click();
        await byId(app.page, 'sweep-dialog').waitFor();
      },
      { locale: 'zh-CN' },
    ));

  // Would catch: a button that says "copied" while nothing was: a page from another machine has no clipboard interface, and a dialog makes all else inert.
  it('copies where the page has no clipboard interface', () =>
    withApp(async (app, discovery) => {
      await app.page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.addEventListener('copy', () => { window.copiedText = document.activeElement.value; });",
      );
      await discovery.sweep('127.0.0.1/32', [9]);
      await discovery.sweepResult();
      await byId(app.page, 'sweep-doctor').click();
      await byId(app.page, 'finding').first().waitFor();
      await byId(app.page, 'copy-report').click();
      await byId(app.page, 'copy-report').filter({ hasText: 'Copied' }).waitFor();

      expect(await app.page.evaluate<string>('window.copiedText')).toContain('127.0.0.1/32');
    }));
});

describe('a file of devices', () => {
  // Would catch: names broken by the encoding, failed rows without a reason, a file of them that cannot be mended.
  it('shows what will be sent, says which rows failed and why, and gives them back as a file', () =>
    withApp(async (app, discovery) => {
      const dialog = await discovery.importFile(
        'site.csv',
        Buffer.from('address;name\n10.9.1.1;Tür Süd\nhttp://;Nowhere\n', 'utf16le'),
      );
      const preview = await byId(dialog, 'import-preview').innerText();
      const counts = await byId(dialog, 'import-counts').innerText();
      await look(app.page, 'import-preview');
      const nothing = app.engine.devices.list();
      await input(dialog, 'import-tags').fill('lobby');
      await byId(dialog, 'confirm-import').click();
      await byId(dialog, 'import-result').waitFor();
      const reason = await byId(dialog, 'failed-row').innerText();
      const downloading = app.page.waitForEvent('download');
      await byId(dialog, 'download-failed').click();
      const download = await downloading;
      const file = await readFile(await download.path(), 'utf8');

      await byId(app.page, 'close-import').click();

      expect(await byId(app.page, 'selected-count').innerText(), 'the next step is for those').toBe(
        'Tür Süd',
      );
      expect(preview).toContain('Tür Süd');
      expect(counts).toMatch(/^1 new device · 0 known · 1 wrong row\n.*Line 3/s);
      expect(nothing).toEqual([]);
      expect(app.engine.devices.list().map(({ name, tags }) => ({ name, tags }))).toEqual([
        { name: 'Tür Süd', tags: ['lobby'] },
      ]);
      expect(reason).toContain('3');
      expect(download.suggestedFilename()).toBe('site-failed.csv');
      expect(file).toMatch(/address.*reason/);
      expect(file).toContain('Nowhere');
    }));
});

describe('every panel of the search', () => {
  it('is free of accessibility faults in both themes', () =>
    withApp(
      async (app, discovery) => {
        const { page } = app;
        const ports = await someDevices(app, 2);
        const found: string[] = [...(await faultsInBothThemes(page, 'empty'))];

        await byId(page, 'sweep-first').click();
        found.push(...(await faultsInBothThemes(page, 'sweep dialog')));
        await page.keyboard.press('Escape');
        await discovery.sweep('127.0.0.1/32', ports);
        await discovery.sweepResult();
        found.push(...(await faultsInBothThemes(page, 'sweep result')));
        await byId(page, 'sweep-doctor').click();
        await byId(page, 'finding').first().waitFor();
        found.push(...(await faultsInBothThemes(page, 'doctor')));
        await page.keyboard.press('Escape');
        await byId(page, 'open-found').first().click();
        found.push(...(await faultsInBothThemes(page, 'found device')));
        await page.keyboard.press('Escape');
        await byId(page, 'select-found').click();
        found.push(...(await faultsInBothThemes(page, 'found, selected')));
        await byId(page, 'add-found').click();
        found.push(...(await faultsInBothThemes(page, 'add found')));
        await byId(page, 'confirm-add-found').click();
        await new SitePage(page).act('move-to-site');
        await byId(page, 'site-choice').selectOption('new');
        await input(page, 'new-site-name').fill('North');
        found.push(...(await faultsInBothThemes(page, 'site dialog')));
        await byId(page, 'confirm-move').click();
        await byId(page, 'table-heading').filter({ hasText: 'North' }).waitFor();
        found.push(...(await faultsInBothThemes(page, 'by site')));
        const dialog = await discovery.importFile('a.csv', Buffer.from('address\n10.9.1.1\nhttp://\n'));
        found.push(...(await faultsInBothThemes(page, 'import')));
        await byId(dialog, 'confirm-import').click();
        await byId(dialog, 'import-result').waitFor();
        found.push(...(await faultsInBothThemes(page, 'import result')));

        expect(found).toEqual([]);
      },
      { colorScheme: 'light' },
    ));
});
