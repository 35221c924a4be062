/** The configuration of electron-builder: `build/electron-builder.yml`, with what the environment decides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../tasks/support/paths.mjs';

/** Variables that hold a certificate for a system (a file or base64), or name one that is in its keychain. */
const KEYS = { mac: ['CSC_LINK', 'CSC_NAME'], win: ['WIN_CSC_LINK', 'CSC_LINK'] };

/** True where the environment has a key for programs of that system. */
export function hasKey(system, env) {
  return (KEYS[system] ?? []).some((name) => Boolean(env[name]));
}

/** Folder of what is made before packing: the command line for each processor, and scripts of the deb package. */
export const PREPARED = join(root, 'dist', 'prepared');

/** Returns the configuration with what was prepared for one system. */
function addPrepared(config, system, prepared) {
  const extraResources = [
    ...config.extraResources,
    { from: join(prepared, '${arch}'), to: 'bin' },
    { from: join(prepared, 'cli'), to: 'cli' },
  ];
  if (system !== 'linux') return { ...config, extraResources };
  const scripts = {
    afterInstall: join(prepared, 'after-install.tpl'),
    afterRemove: join(prepared, 'after-remove.tpl'),
  };
  return { ...config, extraResources, deb: { ...config.deb, ...scripts } };
}

/** Adds the folder of Electron's distribution that is there already; without it electron-builder downloads one. */
function addDistribution(config, { ELECTRON_OVERRIDE_DIST_PATH: folder }) {
  return folder ? { ...config, electronDist: folder } : config;
}

/**
 * Returns the configuration for one run. With keys in the environment, a package that cannot be signed is a failure;
 * without them programs for macOS are signed ad hoc and others not at all.
 */
export function readConfig(system, env = process.env, prepared = PREPARED) {
  const file = readFileSync(join(root, 'build', 'electron-builder.yml'), 'utf8');
  const config = addDistribution(addPrepared(parse(file), system, prepared), env);
  if (!hasKey(system, env)) return config;
  const signed = { ...config, forceCodeSigning: true };
  if (system !== 'mac') return signed;
  // Electron-builder chooses the certificate if none is named: the "Developer ID Application" of the keys.
  const { identity: _adHoc, ...mac } = config.mac;
  return { ...signed, mac: { ...mac, hardenedRuntime: true } };
}
