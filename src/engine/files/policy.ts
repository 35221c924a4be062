/**
 * Settings of an organisation, from a file that its administrator puts on the computer. Whatever it forbids stays forbidden
 * on every face. It guards against mistakes of people who use the program, not against people who may replace the program.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { operations, type Operation } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { LANGUAGES, type Language } from '#shared/details/languages.ts';
import { appError, FieldwrightError, userError, type ErrorShape } from '#shared/errors.ts';
import type { AppInfo } from '#shared/model.ts';
import { computeOnce } from '#shared/once.ts';
import { readJson, RECORD_BOUNDS } from '#shared/read-json.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { parseAddress } from '../device/transport/address.ts';
import { createLogoError, readLogo, type Logo } from './logo.ts';

/** Every document carries the logo, and the journal keeps documents. */
const MOST_LOGO_BYTES = 100 * 1024;

const policySchema = z.strictObject({
  /** Oldest version of TLS that a connection to a device may use. */
  minimumTls: z.enum(['1.2', '1.3']).optional(),
  /** False: a password is never sent unprotected, whatever a profile says. */
  allowBasic: z.boolean().optional(),
  /** Names of sections that are never written, such as `access.userInfo`. */
  forbiddenSections: z.array(z.string().min(1).max(100)).max(500).readonly().optional(),
  /** Language of every face; a person cannot change it. */
  language: z.enum(LANGUAGES).optional(),
  /** Name of a PNG or JPEG beside the policy. */
  logo: z
    .string()
    .max(255)
    .refine((name) => name !== '' && basename(name) === name && !/[\\:]/.test(name))
    .optional(),
  /** Address of the file that announces new versions: `https://…` without a sign-in, or an absolute path. */
  updates: z.string().max(1000).refine(isUpdateAddress).optional(),
});

export interface Policy extends z.infer<typeof policySchema> {
  /** Path of the file; absent where there is none. */
  readonly file?: string;
}

function isUpdateAddress(address: string): boolean {
  if (/^(?:\/|[a-z]:[\\/]|\\\\)/i.test(address)) return true;
  return isHttpsAddress(address);
}

/** Returns true for an address with https whose host is a name or an IP address as those of devices are, without a sign-in. */
export function isHttpsAddress(address: string): boolean {
  const [origin = ''] = /^https:\/\/[^/?#]*/i.exec(address) ?? [];
  try {
    return URL.canParse(address) && parseAddress(origin).secure;
  } catch {
    return false;
  }
}

interface PolicySurroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the place of the file: one that only administrators write to. */
export function getPolicyFile({ platform, env }: PolicySurroundings): string {
  if (platform === 'win32')
    return join(env['ProgramData'] || 'C:\\ProgramData', 'Fieldwright', 'policy.json');
  if (platform === 'darwin') return '/Library/Application Support/Fieldwright/policy.json';
  return '/etc/fieldwright/policy.json';
}

/** Returns whether a file is there; true for one that this account may not see, so that its rules are not passed over. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/**
 * Reads a policy; there need not be one. @throws `not-available` for a file that cannot be read, is too large or holds
 * anything else: nothing is allowed by mistake
 */
export function readPolicy(file: string): Policy {
  if (!isThere(file)) return {};
  const refuse = (sentences: ReturnType<typeof say>, cause?: unknown): Error =>
    appError('not-available', sentences, { file, cause });
  let read: ReturnType<typeof policySchema.safeParse>;
  try {
    const stats = statSync(file);
    if (stats.isFile() && stats.size > RECORD_BOUNDS.bytes)
      throw refuse(say('policy-too-large', { file, most: RECORD_BOUNDS.bytes / 1024 }));
    // A pipe in its place would keep the program waiting.
    if (!stats.isFile()) throw new Error('not a file');
    read = policySchema.safeParse(readJson(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), RECORD_BOUNDS));
  } catch (cause) {
    if (cause instanceof FieldwrightError && cause.code === 'not-available') throw cause;
    throw refuse(say('policy-unreadable', { file }), cause);
  }
  const issue = read.error?.issues[0];
  if (issue?.code === 'unrecognized_keys')
    throw refuse(say('policy-unknown-name', { file, name: (issue.keys[0] ?? '').slice(0, 60) }));
  if (issue !== undefined)
    throw refuse(say('policy-wrong-value', { file, path: issue.path.map(String).join('.') }));
  const unknown = read.data?.forbiddenSections?.find((name) => !CHANGEABLE().has(name));
  if (unknown !== undefined) throw refuse(say('policy-unknown-name', { file, name: unknown.slice(0, 60) }));
  return { ...read.data, file };
}

/** Names of everything that can be changed on a device: a slip of the pen would forbid nothing. */
const CHANGEABLE = computeOnce(
  () => new Set(operations.filter(({ method }) => method !== 'GET').map(({ id }) => getSection(id))),
);

function getSection(operation: string): string {
  return operation.replace(/\.[a-z]+$/, '');
}

/** Returns the policy of this computer, read once in a process. `FIELDWRIGHT_POLICY` names a file where there is none. */
export const getPolicy = computeOnce((): Policy => {
  const file = getPolicyFile({ platform: process.platform, env: process.env });
  const named = process.env['FIELDWRIGHT_POLICY'];
  if (!named || isThere(file)) return readPolicy(file);
  if (!isThere(named))
    throw appError('not-available', say('policy-unreadable', { file: named }), { file: named });
  return readPolicy(named);
});

/** Returns the language that the policy sets; undefined also for a policy that cannot be read, which says so itself. */
export function getLockedLanguage(): Language | undefined {
  try {
    return getPolicy().language;
  } catch {
    return undefined;
  }
}

/** Returns the logo of the organisation, or why it cannot be shown: work goes on without it. */
export const getPolicyLogo = computeOnce((): { readonly logo?: Logo; readonly problem?: ErrorShape } => {
  const { file, logo } = getPolicy();
  if (file === undefined || logo === undefined) return {};
  const path = join(dirname(file), logo);
  try {
    const isPicture = statSync(path).isFile();
    return { logo: readLogo(isPicture ? readFileSync(path) : Buffer.alloc(0), MOST_LOGO_BYTES) };
  } catch (thrown) {
    const known = thrown instanceof FieldwrightError ? thrown : createLogoError();
    return { problem: { ...known.shape, file: path } };
  }
});

/** Returns what the policy sets of a face; undefined for none of it. */
export function describePolicy(): AppInfo['policy'] {
  const { language, updates } = getPolicy();
  const { logo } = getPolicyLogo();
  const picture = logo && `data:${logo.type};base64,${logo.base64}`;
  const set = removeUndefined({ language, updates, logo: picture });
  return Object.keys(set).length === 0 ? undefined : set;
}

/** Returns whether the policy forbids to write a section. */
export function isForbidden(section: string, { forbiddenSections = [] } = getPolicy()): boolean {
  return forbiddenSections.includes(section);
}

/** Refuses to write what the policy forbids. @throws `not-allowed` */
export function requireAllowed({ id, method }: Pick<Operation, 'id' | 'method'>): void {
  const section = getSection(id);
  if (method !== 'GET' && isForbidden(section))
    throw userError('not-allowed', say('policy-section', { set: section }), { operation: id });
}
