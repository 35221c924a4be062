/**
 * A stand-in for what Electron's makers publish: laid out as electron-builder finds it, with no program inside. With it
 * the packages of all systems are made on any of them, without a download: their files, resources, fuses and entries.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PackedSystem } from '../../../build/packaging/config.mjs';

/** Electron's languages; a package keeps those that Fieldwright speaks. */
const LANGUAGES = ['de', 'en-GB', 'en-US', 'fr', 'zh-CN', 'zh-TW'];
const MAC_LANGUAGES = ['de', 'en', 'fr', 'zh_CN', 'zh_TW'];

/** Fuses as Electron's program keeps them: a mark, their version and count, and one character each. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101101010'),
]);

/** The part of resedit that is used here; its own types bring those of a browser with them. */
interface Resedit {
  readonly NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): { generate(): ArrayBuffer } };
  readonly NtExecutableResource: {
    from(
      program: unknown,
      ignoreSigned: boolean,
    ): { entries: unknown[]; outputResource(program: unknown): void };
  };
  readonly Resource: {
    readonly VersionInfo: {
      createEmpty(): {
        setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
        outputToResourceEntries(entries: unknown[]): void;
      };
    };
  };
}

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Writes the distribution of one system into a folder. */
export async function writeStandInDistribution(system: PackedSystem, folder: string): Promise<void> {
  const files = { linux: linuxFiles, mac: macFiles, win: winFiles }[system]();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content, { mode: 0o755 });
  }
}

function commonFiles(): Files {
  return {
    LICENSE: 'Licence of Electron',
    'LICENSES.chromium.html': 'Licences of Chromium',
    version: '0.0.0',
  };
}

function flatFiles(): Files {
  return {
    ...commonFiles(),
    ...Object.fromEntries(LANGUAGES.map((language) => [`locales/${language}.pak`, language])),
  };
}

function linuxFiles(): Files {
  return { ...flatFiles(), electron: FUSES, 'chrome-sandbox': 'x', chrome_crashpad_handler: 'x' };
}

function winFiles(): Files {
  return { ...flatFiles(), 'electron.exe': Buffer.concat([createEmptyProgram(), FUSES]) };
}

/** Returns a program of Windows that has nothing but the description which electron-builder rewrites. */
function createEmptyProgram(): Uint8Array {
  const builder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib/package.json'));
  const { NtExecutable, NtExecutableResource, Resource } = builder('resedit') as Resedit;
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program, true);
  const description = Resource.VersionInfo.createEmpty();
  description.setStringValues({ lang: 0x409, codepage: 1200 }, { ProductName: 'Electron' });
  description.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return new Uint8Array(program.generate());
}

function macFiles(): Files {
  const contents = 'Electron.app/Contents';
  const frameworks = `${contents}/Frameworks`;
  const languages = [
    `${contents}/Resources`,
    `${frameworks}/Electron Framework.framework/Versions/A/Resources`,
  ].flatMap((resources) =>
    MAC_LANGUAGES.map((language) => [`${resources}/${language}.lproj/locale.pak`, language] as const),
  );
  return {
    ...commonFiles(),
    ...Object.fromEntries(languages),
    [`${contents}/Info.plist`]: formatPlist('Electron'),
    [`${contents}/MacOS/Electron`]: 'x',
    [`${frameworks}/Electron Framework.framework/Electron Framework`]: FUSES,
    [`${frameworks}/Electron Helper.app/Contents/Info.plist`]: formatPlist('Electron Helper'),
    [`${frameworks}/Electron Helper.app/Contents/MacOS/Electron Helper`]: 'x',
  };
}

function formatPlist(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${name}</string>
<key>CFBundleName</key><string>${name}</string>
</dict></plist>
`;
}
