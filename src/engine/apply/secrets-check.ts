/**
 * Checks that a resumed job is given the same secrets as at its start, without storing them: half a site with
 * another card password would be worse than a job that does not continue.
 */
import { createHash, randomBytes } from 'node:crypto';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Vault } from '../inventory/access/vault.ts';
import { parseSecretsCheck } from './settings-schemas.ts';
import { readOwnJson } from '#shared/read-json.ts';

type Secrets = Readonly<Record<string, string>>;

function hashOf(salt: string, value: string): string {
  return createHash('sha256').update(`${salt}\n${value}`, 'utf8').digest('hex');
}

function contextOf(jobId: string): string {
  return `journal/${jobId}/secrets`;
}

/**
 * Seals a check value of the secrets, as hexadecimal digits: the seal prevents guessing passwords with it.
 * Returns undefined without secrets or with a locked vault.
 */
export function sealSecretsCheck(
  secrets: Secrets,
  jobId: string,
  vault: Pick<Vault, 'seal'>,
): string | undefined {
  if (Object.keys(secrets).length === 0) return undefined;
  const salt = randomBytes(16).toString('hex');
  const hashes = Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, hashOf(salt, value)]),
  );
  try {
    return Buffer.from(vault.seal(JSON.stringify({ salt, hashes }), contextOf(jobId))).toString('hex');
  } catch {
    return undefined;
  }
}

/**
 * Checks the secrets given on resuming against the check value; secrets that it does not contain pass.
 * @throws `not-allowed` if one differs
 */
export function requireSameSecrets(
  secrets: Secrets,
  check: string | undefined,
  jobId: string,
  vault: Pick<Vault, 'open'>,
): void {
  if (check === undefined || Object.keys(secrets).length === 0) return;
  const { salt, hashes } = parseSecretsCheck(
    readOwnJson(vault.open(Buffer.from(check, 'hex'), contextOf(jobId))),
  );
  const other = Object.entries(secrets).find(
    ([name, value]) => Object.hasOwn(hashes, name) && hashes[name] !== hashOf(salt, value),
  );
  if (other === undefined) return;
  throw userError('not-allowed', say('other-secret', { name: other[0] }), { path: `variables.${other[0]}` });
}
