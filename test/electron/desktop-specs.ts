/** Requirements of the desktop face, written once for real Electron and for its stand-in. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { KeyProtection } from '#engine/api.ts';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import type { Device } from '#shared/model.ts';
import type { DesktopBridge } from '#shared/transport.ts';
import { pngOf } from '../helpers/png.ts';
import { byId, input } from '../e2e/pages/test-id.ts';
import { assertBuilt, getBundle, type DesktopApp, type DesktopLauncher } from './desktop-app.ts';
import { callFromPage, openStream, readStream } from './page-calls.ts';

const SITE_SCREEN = '[data-test-id="site-screen"]';
const PASSWORD = 'correct-horse-7-battery';
const TEMPLATE = `fieldwright: template/1
name: Entrance
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { emissivityMode: customsettings, emissivity: 0.97 }
`;
const INFO_CALL = JSON.stringify({ i: 'foreign', p: { u: '/app/info', b: {} } });

export function desktopSpecs(createLauncher: () => Promise<DesktopLauncher> | DesktopLauncher): void {
  let launcher: DesktopLauncher;
  let dataDir = '';
  let app: DesktopApp | undefined;

  /** Returns the running app, for specs that any state will do. */
  async function running(): Promise<DesktopApp> {
    return app ?? fresh();
  }
  /** Starts the app for the first time on an empty data folder. */
  async function fresh(): Promise<DesktopApp> {
    await folder();
    return restart();
  }
  /** Makes another data folder, empty and never opened. */
  async function folder(): Promise<string> {
    await discard();
    return (dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-desktop-')));
  }
  /** Makes the data folder as another face leaves it, with a saved credential. */
  async function madeElsewhere(protections: readonly KeyProtection[], passphrase?: string): Promise<void> {
    const engine = await createEngine({
      dataDir,
      resourcesDir: launcher.app.resources,
      face: 'cli',
      version: '0',
      protections,
    });
    if (passphrase !== undefined) await engine.unlockVault(passphrase);
    engine.credentials.save({ label: 'Elsewhere', userName: 'installer', password: PASSWORD });
    await engine.close();
  }
  async function restart(): Promise<DesktopApp> {
    await quit();
    app = await launcher.launch(dataDir);
    return app;
  }
  async function quit(): Promise<void> {
    const ending = app;
    app = undefined;
    await ending?.close();
  }
  async function discard(): Promise<void> {
    await quit();
    if (dataDir !== '') await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  beforeAll(async () => {
    launcher = await createLauncher();
    assertBuilt(launcher.app);
  });
  // The remains of a failed spec must not affect the next one.
  afterEach(({ task }) => (task.result?.state === 'fail' ? discard() : undefined));
  afterAll(async () => {
    await discard();
    await launcher.dispose();
  });

  test('starts with the site screen and a connected engine (else: a blank window)', async () => {
    const { page } = await fresh();

    await page.locator(SITE_SCREEN).waitFor();
    const info = await callFromPage(page, 'app/info');

    expect(info).toMatchObject({
      status: 200,
      value: { face: 'desktop', vault: { state: 'open', protection: 'safe-storage' }, canSimulate: true },
    });
  });

  test('refuses invalid input with the name of the field (else: the engine sees it)', async () => {
    const { page } = await running();

    const answer = await callFromPage(page, 'devices/add', { address: 17 });

    expect(answer).toMatchObject({ status: 400, value: { data: { code: 'wrong-type', path: 'address' } } });
  });

  test('a stream tells how things stand and then what changes (else: a stale list)', async () => {
    const { page } = await running();

    await openStream(page, 'devices/watch');
    const first = await readStream(page, 'all');
    await callFromPage(page, 'devices/add', { address: 'http://127.0.0.1:7', name: 'Hall' });
    const second = await readStream(page, 'changed');

    expect(first).toMatchObject({ devices: expect.any(Array) as unknown[] });
    expect(second).toMatchObject({ device: { name: 'Hall' } });
  });

  test('a stream of a page that was left ends with it, and the new page works (else: leaks, mixed-up answers)', async () => {
    const { page } = await running();
    await openStream(page, 'devices/watch');
    await readStream(page, 'all');

    await page.reload();
    await openStream(page, 'devices/watch');
    await callFromPage(page, 'devices/add', { address: 'http://127.0.0.1:9', name: 'Lobby' });

    expect(await readStream(page, 'changed')).toMatchObject({ device: { name: 'Lobby' } });
  });

  test('a window that is not ours gets no answer although it has the bridge (else: any page is the app)', async () => {
    const desktop = await running();
    const preload = join(launcher.app.root, 'out', 'preload', 'index.cjs');

    await desktop.evaluateMain(
      async ({ BrowserWindow }, { file, call }) => {
        const window = new BrowserWindow({
          show: false,
          webPreferences: { preload: file, sandbox: true, contextIsolation: true },
        });
        await window.loadURL('app://fieldwright/favicon.svg?foreign');
        await window.webContents.executeJavaScript(
          `globalThis.heard = []; fieldwright.onMessage((text) => heard.push(text)); fieldwright.send(${JSON.stringify(call)}); 0`,
        );
      },
      { file: preload, call: INFO_CALL },
    );
    await logged(dataDir, 'message-refused', 'unknown-window');
    // Whatever was to be said to the foreign window has been said when our own page has its answer.
    await callFromPage(desktop.page, 'app/info');
    const heard = await desktop.evaluateMain(async ({ BrowserWindow }) => {
      const foreign = BrowserWindow.getAllWindows().find((window) =>
        window.webContents.getURL().includes('foreign'),
      );
      const said: unknown = await foreign?.webContents.executeJavaScript('globalThis.heard');
      foreign?.close();
      return said;
    }, undefined);

    expect(heard).toEqual([]);
  });

  test('our own window gets no answer once it shows another origin (else: a navigation takes over the engine)', async () => {
    const desktop = await fresh();
    await desktop.page.locator(SITE_SCREEN).waitFor();

    await desktop.evaluateMain(async ({ BrowserWindow }) => {
      await BrowserWindow.getAllWindows()[0]
        ?.loadURL('app://elsewhere/')
        .catch(() => undefined);
    }, undefined);
    await desktop.page.waitForURL(/elsewhere/);
    await desktop.page.evaluate((call) => {
      const scope = globalThis as unknown as { fieldwright: DesktopBridge; heard: string[] };
      scope.heard = [];
      scope.fieldwright.onMessage((text) => scope.heard.push(text));
      scope.fieldwright.send(call);
    }, INFO_CALL);
    await logged(dataDir, 'message-refused', 'foreign-origin');

    expect(await desktop.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual(
      [],
    );
  });

  test('the vault outlives a restart and its password is in no file (else: lost or leaked sign-ins)', async () => {
    const first = await fresh();
    const saved = await callFromPage(first.page, 'credentials/save', {
      label: 'Building A',
      userName: 'installer',
      password: PASSWORD,
    });

    const second = await restart();
    const { value } = await callFromPage(second.page, 'credentials/list');
    const info = await callFromPage(second.page, 'app/info');
    await quit();

    expect(saved.status).toBe(200);
    expect(value).toMatchObject([{ label: 'Building A', userName: 'installer' }]);
    expect(info.value).toMatchObject({ vault: { state: 'open', protection: 'safe-storage' } });
    expect(await filesHolding(dataDir, PASSWORD)).toEqual([]);
  });

  test('a folder that the command line made opens, and from then on by the keychain (else: its key stays in a file beside it)', async () => {
    await madeElsewhere([createKeyFileProtection(join(await folder(), 'vault.key'))]);

    const first = await callFromPage((await restart()).page, 'app/info');
    await quit();
    await rm(join(dataDir, 'vault.key'));
    const second = await callFromPage((await restart()).page, 'app/info');

    expect(first.value).toMatchObject({ vault: { state: 'open', protection: 'key-file' } });
    expect(second.value).toMatchObject({ vault: { state: 'open', protection: 'safe-storage' } });
  });

  test('a passphrase is given once and remembered by the keychain where the person wants it (else: keychain and passphrase exclude each other)', async () => {
    await folder();
    await madeElsewhere([], 'correct horse');

    const { page } = await restart();
    await page.goto(`${page.url().split('#')[0] ?? ''}#/settings`);
    await input(page, 'vault-passphrase').fill('correct horse');
    await byId(page, 'vault-remember').check();
    await byId(page, 'unlock-vault').click();
    await byId(page, 'vault-passphrase').waitFor({ state: 'detached' });
    const again = await restart();
    const info = await callFromPage(again.page, 'app/info');
    const { value } = await callFromPage(again.page, 'credentials/list');

    expect(info.value).toMatchObject({ vault: { state: 'open', protection: 'safe-storage' } });
    expect(value).toMatchObject([{ label: 'Elsewhere' }]);
  });

  test('a second start brings the first window forward and ends (else: two engines on one store)', async () => {
    const desktop = await fresh();
    await desktop.evaluateMain(({ BrowserWindow, app: electronApp }) => {
      const [window] = BrowserWindow.getAllWindows();
      const scope = globalThis as unknown as { second: Promise<boolean> };
      window?.minimize();
      scope.second = new Promise((resolve) => {
        electronApp.on('second-instance', () => {
          setImmediate(() => {
            resolve(window?.isMinimized() ?? true);
          });
        });
      });
    }, undefined);

    const code = await launcher.launchBeside(dataDir);
    const stillMinimized = await desktop.evaluateMain(
      () => (globalThis as unknown as { second: Promise<boolean> }).second,
      undefined,
    );

    expect(code).toBe(0);
    expect(stillMinimized).toBe(false);
  });

  test('window.open opens nothing, in the app or outside (else: pages start programs)', async () => {
    const desktop = await running();

    const opened = await desktop.page.evaluate(() =>
      ['file:///etc/passwd', 'http://example.com/', 'smb://host/x', 'https://example.com/help'].map((url) =>
        (globalThis as unknown as { open(url: string): unknown }).open(url),
      ),
    );

    expect(opened.every((window) => window === null)).toBe(true);
    expect(
      await desktop.evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined),
    ).toBe(1);
    expect(await readFile(getBundle(launcher.app), 'utf8')).not.toContain('openExternal');
  });

  test('a saved sign-in goes to a new address only after a yes in a dialog of the system (else: a script in the page sends every password to itself)', async () => {
    const desktop = await fresh();
    const saved = await callFromPage(desktop.page, 'credentials/save', {
      label: 'Building A',
      userName: 'installer',
      password: PASSWORD,
    });
    const { id: credentialId } = saved.value as { readonly id: string };
    const device = { address: 'http://127.0.0.1:9', credentialId };

    await answerDialogs(desktop, 0);
    const refused = await callFromPage(desktop.page, 'devices/add', device);
    const without = (await callFromPage(desktop.page, 'devices/list')).value;
    await answerDialogs(desktop, 1);
    const agreed = await callFromPage(desktop.page, 'devices/add', device);
    const asked = await desktop.evaluateMain(
      () => (globalThis as unknown as { asked: string[] }).asked,
      undefined,
    );

    expect(refused).toMatchObject({
      status: 400,
      value: { data: { code: 'confirmation-needed', reason: 'outside-no' } },
    });
    expect(without).toEqual([]);
    expect(agreed).toMatchObject({ status: 200, value: { credentialId } });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('"Building A" (installer)');
    expect(asked[0]).toContain('http://127.0.0.1:9');
    expect(asked[0]).not.toContain(PASSWORD);
  });

  test('asks in the language that the window shows (else: an English dialog over a Chinese screen)', async () => {
    const desktop = await fresh();
    const saved = await callFromPage(desktop.page, 'credentials/save', {
      label: 'A',
      userName: 'installer',
      password: PASSWORD,
    });
    const { id: credentialId } = saved.value as { readonly id: string };
    // The page tells a language of its own before its first screen.
    await desktop.page.locator(SITE_SCREEN).waitFor();
    await callFromPage(desktop.page, 'app/showLanguage', { language: 'zh-CN' });

    await answerDialogs(desktop, 0);
    await callFromPage(desktop.page, 'devices/add', { address: 'http://127.0.0.1:9', credentialId });
    const [asked] = await desktop.evaluateMain(
      () => (globalThis as unknown as { asked: string[] }).asked,
      undefined,
    );

    expect(asked).toContain('不允许');
    expect(asked).toContain('凭据');
    expect(asked).not.toMatch(/saved|credential|Yes/);
  });

  test('a package that is picked in the dialog is used where it lies (else: gigabytes are copied, or a page names any file)', async () => {
    const desktop = await running();
    const file = join(dataDir, 'helmet.bin');
    await writeFile(file, 'x'.repeat(2_000));
    await desktop.evaluateMain(({ dialog }, picked) => {
      Object.assign(dialog, {
        showOpenDialog: () => Promise.resolve({ canceled: picked === '', filePaths: [picked] }),
      });
    }, file);

    await desktop.page.goto(`${desktop.page.url().split('#')[0] ?? ''}#/models/send`);
    await byId(desktop.page, 'choose-file').click();
    await desktop.page.getByText('helmet.bin').waitFor();
    const named = await callFromPage(desktop.page, 'app/pickPackage', { path: '/etc/hostname' });

    expect(await readdir(join(dataDir, 'packages')).catch(() => [])).toEqual([]);
    expect(named.value).toMatchObject({ file: { name: 'helmet.bin', size: 2_000 } });
    await desktop.page.goto(`${desktop.page.url().split('#')[0] ?? ''}#/`);
    await desktop.page.locator(SITE_SCREEN).waitFor();
  });

  test('closing the window while a job runs asks first, and "Keep working" keeps the window (else: an app without a window)', async () => {
    const desktop = await fresh();
    const jobId = await beginFlow(desktop);
    await answerDialogs(desktop, 0);

    await desktop.evaluateMain(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      // An impatient person asks twice.
      window?.close();
      window?.close();
    }, undefined);
    await expect.poll(() => askedOf(desktop)).toHaveLength(1);
    await desktop.evaluateMain(({ app: electronApp }) => electronApp.quit(), undefined);
    await expect.poll(() => askedOf(desktop)).toHaveLength(2);

    expect(await windowsOf(desktop)).toBe(1);
    await desktop.page.locator(SITE_SCREEN).waitFor();
    expect(await stateOf(desktop, jobId)).toBe('running');
    // Now the person means it.
    await answerDialogs(desktop, 1);
    const again = await restart();
    expect(await stateOf(again, jobId)).toBe('interrupted');
  });

  test.each(['shutdown', 'query-session-end'] as const)(
    '%s ends the app cleanly although nobody answers (else: the computer waits, or a job is cut off)',
    async (sign) => {
      const desktop = await fresh();
      const jobId = await beginFlow(desktop);
      await desktop.evaluateMain(({ BrowserWindow, dialog }) => {
        const scope = globalThis as unknown as { asked: string[] };
        scope.asked = [];
        Object.assign(dialog, {
          showMessageBox: (
            _window: unknown,
            { message, signal }: { message: string; signal: AbortSignal },
          ) => {
            scope.asked.push(message);
            return new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve({ response: 0 }));
            });
          },
        });
        BrowserWindow.getAllWindows()[0]?.close();
      }, undefined);
      await expect.poll(() => askedOf(desktop)).toHaveLength(1);

      const held = await desktop.evaluateMain(({ BrowserWindow, powerMonitor }, event) => {
        const window = BrowserWindow.getAllWindows()[0];
        const emitter = (event === 'shutdown' ? powerMonitor : window) as unknown as NodeJS.EventEmitter;
        // The caller of this has its answer before the process ends, and the system waits for one that holds it.
        return new Promise<boolean>((resolve) => {
          emitter.emit(event, { preventDefault: () => resolve(true), reasons: ['shutdown'] });
          resolve(false);
        });
      }, sign);
      const again = await restart();

      expect(held).toBe(true);

      expect(await stateOf(again, jobId)).toBe('interrupted');
    },
  );

  test('menus are in the language of the window, also of the next start (else: English menus over a Chinese screen)', async () => {
    const desktop = await fresh();
    await desktop.page.locator(SITE_SCREEN).waitFor();
    const english = await menuLabels(desktop);
    await callFromPage(desktop.page, 'app/showLanguage', { language: 'zh-CN' });
    const chinese = await menuLabels(desktop);
    // The page of the next start is in the person's language; before it, the app itself remembers.
    const again = await restart();
    const first = JSON.parse(await readFile(join(dataDir, 'window.json'), 'utf8')) as object;

    expect(english).toEqual(expect.arrayContaining(['&File', 'Copy', 'Zoom in', 'Quit Fieldwright']));
    expect(chinese).toEqual(expect.arrayContaining(['文件(&F)', '复制', '放大', '退出 Fieldwright']));
    // Items for developers are not in the installed app.
    expect(chinese.filter((label) => english.includes(label)).map((label) => label.toLowerCase())).toEqual([
      expect.stringMatching(/reload/),
      expect.stringMatching(/tools/),
    ]);
    expect(first).toMatchObject({ language: 'zh-CN' });
    await again.page.locator(SITE_SCREEN).waitFor();
  });

  test('the first window fits the screen, with its buttons above the taskbar (else: a laptop at 150 % hides them)', async () => {
    const desktop = await fresh();

    const { bounds, workArea } = await desktop.evaluateMain(
      ({ BrowserWindow, screen }) => ({
        bounds: BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
        workArea: screen.getPrimaryDisplay().workArea,
      }),
      undefined,
    );

    expect(bounds?.height).toBeLessThanOrEqual(workArea.height);
    expect(bounds?.width).toBeLessThanOrEqual(workArea.width);
  });

  test('the right mouse button offers cut, copy and paste in a field, copy on chosen text, and nothing elsewhere (else: a field without Paste)', async () => {
    const desktop = await fresh();
    const { page } = desktop;
    await page.locator(SITE_SCREEN).waitFor();
    await desktop.evaluateMain(({ Menu }) => {
      const scope = globalThis as unknown as { popped: (string | undefined)[][] };
      scope.popped = [];
      Menu.prototype.popup = function popup(this: Electron.Menu) {
        scope.popped.push(this.items.map(({ role, enabled }) => (enabled ? role : undefined)));
      };
    }, undefined);
    const popped = (): Promise<(string | undefined)[][]> =>
      desktop.evaluateMain(
        () => (globalThis as unknown as { popped: (string | undefined)[][] }).popped,
        undefined,
      );

    await page.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<p id=probe style=\\'position:fixed;inset:0 0 auto;z-index:9999;background:white\\'><input id=field value=abc><span id=text>words</span><b id=none>none</b></p>')",
    );
    await page.locator('#field').selectText();
    await page.locator('#field').click({ button: 'right' });
    await expect.poll(popped).toHaveLength(1);
    await page.evaluate("getSelection().selectAllChildren(document.getElementById('text'))");
    await page.locator('#text').click({ button: 'right' });
    await expect.poll(popped).toHaveLength(2);
    await page.evaluate('getSelection().removeAllRanges()');
    await page.locator('#none').click({ button: 'right' });
    await page.locator('#field').click({ button: 'right' });
    await expect.poll(popped).toHaveLength(3);
    const [field, text] = await popped();

    // Electron itself writes roles in small letters.
    expect(field?.flatMap((role) => role?.toLowerCase() ?? [])).toEqual([
      'cut',
      'copy',
      'paste',
      'selectall',
    ]);
    expect(text?.filter(Boolean)).toEqual(['copy']);
  });

  test('zoom keys change the size of the page, and the next start has it (else: small text for ever)', async () => {
    const desktop = await fresh();
    const press = (accelerator: string): Promise<void> =>
      desktop.evaluateMain(({ Menu }, key) => {
        const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
        items.find((item) => item.accelerator === key)?.click();
      }, accelerator);
    const zoomOf = (one: DesktopApp): Promise<number | undefined> =>
      one.evaluateMain(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel(),
        undefined,
      );

    await press('CommandOrControl+Plus');
    await press('CommandOrControl+=');
    await press('CommandOrControl+-');
    const larger = await zoomOf(desktop);
    const again = await restart();
    await expect.poll(() => zoomOf(again)).toBe(1);

    expect(larger).toBe(1);
  });

  test('a page that crashes is loaded again where it was; after three crashes in a minute the person is asked (else: a white window, or an endless loop)', async () => {
    const desktop = await fresh();
    await desktop.page.goto(`${desktop.page.url().split('#')[0] ?? ''}#/settings`);
    await answerDialogs(desktop, 0);
    const crash = (): Promise<void> =>
      desktop.evaluateMain(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
        undefined,
      );

    await crash();
    await crash();
    const before = await askedOf(desktop);
    await crash();
    await expect.poll(() => askedOf(desktop)).toHaveLength(1);

    expect(before).toEqual([]);
    expect((await askedOf(desktop))[0]).toContain('Load again');
    await desktop.page.waitForURL(/#\/settings/);
    expect(await faultsOf(dataDir)).toContainEqual(
      expect.objectContaining({ place: 'helper', event: 'page-crashed' }),
    );
  });

  test('a page that hangs is told, and the question goes when the page answers again (else: a window that nobody can close)', async () => {
    const desktop = await fresh();
    await desktop.evaluateMain(({ BrowserWindow, dialog }) => {
      const scope = globalThis as unknown as { asked: string[]; withdrawn: number };
      scope.asked = [];
      scope.withdrawn = 0;
      Object.assign(dialog, {
        showMessageBox: (_window: unknown, { message, signal }: { message: string; signal: AbortSignal }) => {
          scope.asked.push(message);
          return new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              scope.withdrawn += 1;
              resolve({ response: 0 });
            });
          });
        },
      });
      const window = BrowserWindow.getAllWindows()[0];
      window?.emit('unresponsive');
      window?.emit('unresponsive');
      window?.emit('responsive');
    }, undefined);

    expect(await askedOf(desktop)).toEqual(['Fieldwright does not respond.']);
    expect(
      await desktop.evaluateMain(() => (globalThis as unknown as { withdrawn: number }).withdrawn, undefined),
    ).toBe(1);
    await logged(dataDir, 'page-hangs', 'warn');
  });

  test('errors of the page, and of helper processes, are kept for diagnostics without what they quote (else: a crash in the field says nothing)', async () => {
    const desktop = await fresh();
    await desktop.page.locator(SITE_SCREEN).waitFor();
    await desktop.page.evaluate(() => {
      const error = new TypeError(
        `no "Ann Example" at http://admin:${'hunter2'}@192.0.2.7/x (reading 'door')`,
      );
      error.stack =
        'TypeError\n    at openDoor (app://fieldwright/assets/index-abc.js:3:41)\n    at C:\\Users\\Ann\\x.js:1:1';
      (globalThis as unknown as { reportError(error: unknown): void }).reportError(error);
    });
    await desktop.evaluateMain(({ app: electronApp }) => {
      electronApp.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 });
    }, undefined);

    await expect.poll(() => faultsOf(dataDir)).toHaveLength(2);
    const faults = await faultsOf(dataDir);
    expect(faults).toContainEqual(
      expect.objectContaining({
        place: 'page',
        name: 'TypeError',
        message: "no … at … (reading 'door')",
        frames: ['openDoor (assets/index-abc.js:3:41)'],
      }),
    );
    expect(faults).toContainEqual(
      expect.objectContaining({ place: 'helper', event: 'helper-gone-GPU', code: 'crashed' }),
    );
  });

  test('About tells the versions and shows the licences in a window without access to the app (else: nobody can say what he has)', async () => {
    const desktop = await fresh();
    await answerDialogs(desktop, 2);

    await desktop.evaluateMain(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
      items.find((item) => item.label === 'About Fieldwright')?.click();
    }, undefined);
    await expect.poll(() => askedOf(desktop)).toHaveLength(1);
    await expect.poll(() => windowsOf(desktop)).toBe(2);
    const text = await desktop.evaluateMain(async ({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find((each) => each.getParentWindow() !== null);
      while (window?.webContents.getURL().includes('licences') !== true)
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      const shown: unknown = await window.webContents.executeJavaScript(
        '`${typeof fieldwright} ${document.body.textContent}`',
      );
      window.close();
      return String(shown);
    }, undefined);

    expect((await askedOf(desktop))[0]).toMatch(/Fieldwright \d.*Node \d+\./s);
    expect(text).toMatch(/^undefined /);
    expect(text).toContain('MIT');
    expect(text).toContain('pdfkit');
  });

  test('the policy sets language and logo of the window, and About and a notice name the version that it announces (else: each person has to be told)', async () => {
    await folder();
    const release = {
      version: '999.0.0',
      date: '2030-01-31',
      notes: 'Faster.',
      address: 'https://updates.example/setup.exe',
      sha256: 'ab'.repeat(32),
    };
    await writeFile(join(dataDir, 'release.json'), JSON.stringify(release));
    await writeFile(join(dataDir, 'logo.png'), pngOf(300, 100));
    const policy = { language: 'de', logo: 'logo.png', updates: join(dataDir, 'release.json') };
    await writeFile(join(dataDir, 'policy.json'), JSON.stringify(policy));
    process.env['FIELDWRIGHT_POLICY'] = join(dataDir, 'policy.json');
    onTestFinished(() => {
      delete process.env['FIELDWRIGHT_POLICY'];
    });

    const desktop = await restart();
    const { page } = desktop;
    await page.getByText('Version 999.0.0 von Fieldwright ist verfügbar.').first().waitFor();
    await callFromPage(page, 'app/showLanguage', { language: 'en' });
    const menus = await menuLabels(desktop);
    await page.goto(`${page.url().split('#')[0] ?? ''}#/settings`);
    await byId(page, 'language-locked').waitFor();
    await page.getByText('https://updates.example/setup.exe').waitFor();
    const logo = await byId(page, 'logo').evaluate((image) => Reflect.get(image, 'naturalWidth') as unknown);
    await answerDialogs(desktop, 0);
    await desktop.evaluateMain(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
      items.find((item) => item.label === 'Über Fieldwright')?.click();
    }, undefined);
    await expect.poll(() => askedOf(desktop)).toHaveLength(1);
    await page.reload();
    await byId(page, 'language-locked').waitFor();

    expect(menus).toContain('Kopieren');
    expect(logo).toBe(300);
    expect(await byId(page, 'language').count()).toBe(0);
    expect((await askedOf(desktop))[0]).toContain('Version 999.0.0 (2030-01-31)');
    expect(await page.getByText('Version 999.0.0 von Fieldwright ist verfügbar.').count()).toBe(0);
  });

  test.skipIf(process.platform !== 'linux')(
    'a start without the sandbox is said on the first screen (else: a protection that is off, unseen)',
    async () => {
      await folder();
      app = await launcher.launch(dataDir, ['--no-sandbox']);

      await app.page.getByText('runs without the sandbox of its window').first().waitFor();
      await logged(dataDir, 'no-sandbox', 'warn');
    },
  );

  test('the log opens in its folder (else: nobody finds it)', async () => {
    const desktop = await running();

    const shown = await desktop.evaluateMain(({ Menu, shell }) => {
      let path = '';
      Object.assign(shell, { showItemInFolder: (given: string) => (path = given) });
      const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
      items.find((item) => item.label === 'Open log folder')?.click();
      return path;
    }, undefined);

    expect(shown).toBe(join(dataDir, 'fieldwright.log'));
  });

  test('a file that is opened with the app leads to its screen: at the start, by a second start, on macOS, of several the others are named, and a plan that is none is told (else: a double click opens an empty window)', async () => {
    await folder();
    const template = join(dataDir, 'Lobby gates.fwtemplate');
    const people = join(dataDir, 'people.csv');
    const plan = join(dataDir, 'broken.fwplan');
    await writeFile(template, TEMPLATE);
    await writeFile(people, 'employeeNo,name\n1001,Ann\n');
    await writeFile(plan, 'no plan');

    await quit();
    app = await launcher.launch(dataDir, [template, plan]);
    const { page } = app;
    await page.getByText('Not opened: broken.fwplan.').first().waitFor();
    await byId(page, 'template-editor').getByText('Entrance').first().waitFor();
    const code = await launcher.launchBeside(dataDir, [people]);
    // The template is not saved yet, so its screen asks first.
    await byId(page, 'leave').click();
    await byId(page, 'bring-screen').getByText('people.csv').first().waitFor();
    const prevented = await app.evaluateMain(({ app: electronApp }, path) => {
      let held = false;
      electronApp.emit('open-file', { preventDefault: () => (held = true) }, path);
      return held;
    }, plan);
    await page.getByText('broken.fwplan: ').first().waitFor();

    expect(code).toBe(0);
    expect(prevented).toBe(true);
  });

  test('a file that the page saves can be shown in its folder (else: nobody knows where it went)', async () => {
    const desktop = await fresh();
    await byId(desktop.page, 'desktop-events').waitFor({ state: 'attached' });
    await desktop.evaluateMain(
      ({ session, shell }, path) => {
        const scope = globalThis as unknown as { shown: string[] };
        scope.shown = [];
        Object.assign(shell, { showItemInFolder: (given: string) => scope.shown.push(given) });
        // The item of a download, as Electron's session tells of it.
        const listeners: Record<string, (event: object, state: string) => void> = {};
        const item = {
          getURL: () => 'blob:app://fieldwright/1',
          getSavePath: () => path,
          once: (name: string, listener: (event: object, state: string) => void) =>
            (listeners[name] = listener),
        };
        session.defaultSession.emit('will-download', { preventDefault: () => undefined }, item, {});
        listeners['done']?.({}, 'completed');
      },
      join(dataDir, 'plan.json'),
    );

    await desktop.page.getByText('plan.json is saved.').waitFor();
    await byId(desktop.page, 'show-saved').click();

    await expect
      .poll(() => desktop.evaluateMain(() => (globalThis as unknown as { shown: string[] }).shown, undefined))
      .toEqual([join(dataDir, 'plan.json')]);
  });

  test('work shows in the taskbar, keeps the computer awake, and is told when the person looks elsewhere; a click leads to it (else: a laptop sleeps in the middle of a job)', async () => {
    const desktop = await fresh();
    await byId(desktop.page, 'desktop-events').waitFor({ state: 'attached' });
    await callFromPage(desktop.page, 'app/startSimulatedSite', { devices: 2 });
    const { value: devices } = await callFromPage(desktop.page, 'devices/list');
    const device = (devices as Device[]).find(({ kinds }) => kinds.includes('thermal'));
    await desktop.evaluateMain(({ BrowserWindow, Notification, powerSaveBlocker }) => {
      const scope = globalThis as unknown as {
        signs: { progress: number[]; awake: number; told: { title: string; body: string }[] };
        told: Electron.Notification | undefined;
      };
      const signs: typeof scope.signs = { progress: [], awake: 0, told: [] };
      scope.signs = signs;
      const window = BrowserWindow.getAllWindows()[0];
      Object.assign(window ?? {}, { setProgressBar: (share: number) => signs.progress.push(share) });
      Object.assign(powerSaveBlocker, {
        start: (type: string) => (type === 'prevent-app-suspension' ? ++signs.awake : Number.NaN),
        stop: () => --signs.awake >= 0,
      });
      Notification.prototype.show = function show(this: Electron.Notification) {
        signs.told.push({ title: this.title, body: this.body });
        scope.told = this;
      };
      window?.blur();
    }, undefined);

    await openStream(desktop.page, 'plans/create', { templateText: TEMPLATE, deviceIds: [device?.id] });
    const { plan } = (await readStream(desktop.page, 'plan')) as { readonly plan: { readonly id: string } };
    const { value } = await callFromPage(desktop.page, 'jobs/start', { planId: plan.id });
    const { jobId } = value as { readonly jobId: string };
    const signs = (): Promise<{
      progress: number[];
      awake: number;
      told: { title: string; body: string }[];
    }> =>
      desktop.evaluateMain(
        () =>
          (
            globalThis as unknown as {
              signs: { progress: number[]; awake: number; told: { title: string; body: string }[] };
            }
          ).signs,
        undefined,
      );
    await expect.poll(async () => (await signs()).told).toHaveLength(1);
    const { progress, awake, told } = await signs();
    await desktop.evaluateMain(() => {
      (globalThis as unknown as { told: { emit(name: string): void } }).told.emit('click');
    }, undefined);

    expect(progress.some((share) => share >= 0 && share <= 1)).toBe(true);
    expect(progress.at(-1)).toBe(-1);
    expect(awake).toBe(0);
    expect(told).toEqual([{ title: `Entrance · ${device?.name ?? ''}`, body: 'Done on 1 device.' }]);
    await desktop.page.waitForURL((url) => url.hash.includes(jobId));
  });

  test('the window stays in the app (else: a link replaces the app by a foreign page with the bridge)', async () => {
    const { page } = await fresh();
    await page.locator(SITE_SCREEN).waitFor();

    await page.evaluate(() => {
      (globalThis as unknown as { location: { href: string } }).location.href = 'https://example.com/';
    });
    const info = await callFromPage(page, 'app/info');

    expect(info.status).toBe(200);
    await page.locator(SITE_SCREEN).waitFor();
  });

  test('the page has its content security policy and obeys it (else: injected scripts run)', async () => {
    const { page } = await running();

    const policy = await page.evaluate(async () =>
      (await fetch('/index.html')).headers.get('content-security-policy'),
    );
    const ran = await page.evaluate(inlineScriptRuns);
    const reached = await page.evaluate(() =>
      fetch('https://example.com/').then(
        () => true,
        () => false,
      ),
    );

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(ran).toBe(false);
    expect(reached).toBe(false);
  });

  test('the page itself never runs into its policy (else: styles or calls that silently fail)', async () => {
    const { page } = await running();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text());
    });

    await page.reload();
    await page.locator(SITE_SCREEN).waitFor();

    expect(complaints).toEqual([]);
  });

  test('nothing outside the built page is served (else: any file of the computer is a page)', async () => {
    const { page } = await running();

    const statuses = await page.evaluate(() =>
      Promise.all(
        [
          '/../main/index.cjs',
          '/%2e%2e/main/index.cjs',
          '/..%2fmain%2findex.cjs',
          '/assets/..%5c..%5cmain',
          '/%00',
          '/%ff',
        ].map(async (path) => (await fetch(path)).status),
      ),
    );

    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
  });

  test('starts a simulated site whose devices are signed in (else: the first thing a person tries fails)', async () => {
    const { page } = await fresh();

    const started = await callFromPage(page, 'app/startSimulatedSite', { devices: 3 });
    const { value } = await callFromPage(page, 'devices/list');

    expect(started).toMatchObject({ status: 200, value: { added: 3 } });
    expect((value as Device[]).map((device) => device.signIn)).toEqual(['ok', 'ok', 'ok']);
  });
}

/** Begins a job that runs until its question is answered. */
async function beginFlow(desktop: DesktopApp): Promise<string> {
  await callFromPage(desktop.page, 'app/startSimulatedSite', { devices: 5 });
  const { value: devices } = await callFromPage(desktop.page, 'devices/list');
  const device = (devices as Device[]).find(({ kinds }) => kinds.includes('thermal'));
  const begun = await callFromPage(desktop.page, 'flows/begin', { flow: 'thermal', deviceIds: [device?.id] });
  return (begun.value as { readonly jobId: string }).jobId;
}

async function stateOf({ page }: DesktopApp, id: string): Promise<unknown> {
  return ((await callFromPage(page, 'jobs/show', { id })).value as { readonly state: unknown }).state;
}

function askedOf(desktop: DesktopApp): Promise<readonly string[]> {
  return desktop.evaluateMain(() => (globalThis as unknown as { asked: string[] }).asked, undefined);
}

/** Labels of the menu bar and of what lies below, without the items that have none. */
function menuLabels(desktop: DesktopApp): Promise<string[]> {
  return desktop.evaluateMain(
    ({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? [])
        .flatMap((item) => [item, ...(item.submenu?.items ?? [])])
        .filter(({ type, visible }) => type !== 'separator' && visible)
        .map(({ label }) => label),
    undefined,
  );
}

async function faultsOf(dataDir: string): Promise<readonly object[]> {
  const text = await readFile(join(dataDir, 'faults.log'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object);
}

function windowsOf(desktop: DesktopApp): Promise<number> {
  return desktop.evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined);
}

/** Answers later dialogs with the button of this number. Keeps the questions. */
function answerDialogs(desktop: DesktopApp, response: number): Promise<void> {
  return desktop.evaluateMain(({ dialog }, button) => {
    const scope = globalThis as unknown as { asked?: string[] };
    const asked = (scope.asked ??= []);
    Object.assign(dialog, {
      showMessageBox: (...question: unknown[]) => {
        asked.push(JSON.stringify(question.at(-1)).replaceAll('\\"', '"'));
        return Promise.resolve({ response: button, checkboxChecked: false });
      },
    });
  }, response);
}

/** Runs in the page. */
function inlineScriptRuns(): boolean {
  const scope = globalThis as unknown as {
    ran?: boolean;
    document: { createElement(name: string): { textContent: string }; head: { append(node: unknown): void } };
  };
  const script = scope.document.createElement('script');
  script.textContent = 'globalThis.ran = true;';
  scope.document.head.append(script);
  return scope.ran === true;
}

async function logged(dataDir: string, event: string, code: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (await readFile(join(dataDir, 'fieldwright.log'), 'utf8').catch(() => ''))
          .split('\n')
          .filter((line) => line.includes(event) && line.includes(code)).length,
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
}

/** Finds files below the folder that contain the text, as UTF-8 or UTF-16 (as browsers store it). */
async function filesHolding(folder: string, text: string): Promise<string[]> {
  const needles = [
    Buffer.from(text, 'utf8'),
    Buffer.from(text, 'utf16le'),
    Buffer.from(Buffer.from(text).toString('base64')),
  ];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      return needles.some((needle) => bytes.includes(needle)) ? [file] : [];
    }),
  );
  return found.flat();
}
