/**
 * Settings of an organisation, from a file that its administrator puts on the computer. Whatever it forbids stays forbidden
 * on every face. It guards against mistakes of people who use the program, not against people who may replace the program.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Operation } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { appError, userError } from '#shared/errors.ts';
import { computeOnce } from '#shared/once.ts';
import { readJson, RECORD_BOUNDS } from '#shared/read-json.ts';

const policySchema = z.strictObject({
  /** Oldest version of TLS that a connection to a device may use. */
  minimumTls: z.enum(['1.2', '1.3']).optional(),
  /** False: a password is never sent unprotected, whatever a profile says. */
  allowBasic: z.boolean().optional(),
  /** Names of sections that are never written, such as `access.userInfo`. */
  forbiddenSections: z.array(z.string().min(1).max(100)).max(500).readonly().optional(),
});

export interface Policy extends z.infer<typeof policySchema> {
  /** Path of the file; absent where there is none. */
  readonly file?: string;
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

/** Reads a policy. @throws `not-available` for a file that cannot be read or holds anything else: nothing is allowed by mistake */
export function readPolicy(file: string): Policy {
  if (!existsSync(file)) return {};
  try {
    if (statSync(file).size > RECORD_BOUNDS.bytes) throw new Error('too large');
    const read = readJson(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), RECORD_BOUNDS);
    return { ...policySchema.parse(read), file };
  } catch (cause) {
    throw appError('not-available', say('policy-unreadable', { file }), { file, cause });
  }
}

/** Returns the policy of this computer, read once in a process. `FIELDWRIGHT_POLICY` names a file where there is none. */
export const getPolicy = computeOnce((): Policy => {
  const file = getPolicyFile({ platform: process.platform, env: process.env });
  const named = process.env['FIELDWRIGHT_POLICY'];
  return readPolicy(named && !existsSync(file) ? named : file);
});

/** Returns whether the policy forbids to write a section. */
export function isForbidden(section: string, { forbiddenSections = [] } = getPolicy()): boolean {
  return forbiddenSections.includes(section);
}

/** Refuses to write what the policy forbids. @throws `not-allowed` */
export function requireAllowed({ id, method }: Pick<Operation, 'id' | 'method'>): void {
  const section = id.replace(/\.[a-z]+$/, '');
  if (method !== 'GET' && isForbidden(section))
    throw userError('not-allowed', say('policy-section', { set: section }), { operation: id });
}
