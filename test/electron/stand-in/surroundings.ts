/** Environment of the stand-in's process: a Chromium to connect to and a folder of its own. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright';
import type { Reply } from './protocol.ts';

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}

/**
 * Folder in place of the operating system: its keychain, its list of running apps. Outside the data folder.
 */
export const systemDir = required('STAND_IN_SYSTEM_DIR');
mkdirSync(systemDir, { recursive: true });

/** Differs by data folder, so that no app sees another's page storage. */
const suffix = `${createHash('sha256').update(required('FIELDWRIGHT_DATA_DIR')).digest('hex').slice(0, 12)}.stand-in.test`;

/** `app://host/path` as an address Chromium can load: secure, with an origin of its own. */
export function toPageUrl(url: string): string {
  const parsed = new URL(url);
  return parsed.protocol === 'app:'
    ? `https://${parsed.host}.${suffix}${parsed.pathname}${parsed.search}${parsed.hash}`
    : url;
}

/** The way back; other addresses stay as they are. */
export function fromPageUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.host.endsWith(`.${suffix}`)
    ? `app://${parsed.host.slice(0, -suffix.length - 1)}${parsed.pathname}${parsed.search}${parsed.hash}`
    : url;
}

/** `app://host`; an opaque origin is the text `null`, as in Chromium. */
export function originOf(url: string): string {
  const own = fromPageUrl(url);
  const { protocol, host } = URL.canParse(own) ? new URL(own) : { protocol: '', host: '' };
  return host === '' ? 'null' : `${protocol}//${host}`;
}

let connected: Promise<BrowserContext> | undefined;

/** The default context: the only one that the test, connected to the same Chromium, sees as well. */
export function browserContext(): Promise<BrowserContext> {
  connected ??= chromium.connectOverCDP(required('STAND_IN_CDP')).then((browser) => {
    const [context] = browser.contexts();
    if (context === undefined) throw new Error('This Chromium has no default context.');
    return context;
  });
  return connected;
}

export function tell(reply: Reply): void {
  process.send?.(reply);
}

export function systemFile(name: string): string {
  return join(systemDir, name);
}
