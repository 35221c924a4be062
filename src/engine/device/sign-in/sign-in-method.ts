/** Chooses one of the ways to sign in that a device offers, if any is allowed. */
import type { FieldwrightError, StatusReport } from '#shared/errors.ts';
import type { ConnectionProfile } from '#shared/model.ts';
import { getPolicy } from '#engine/files/policy.ts';
import type { Challenge } from './challenge.ts';
import { chooseDigest, hashRealm, rankDigest, type DigestChallenge } from './digest.ts';
import type { Credentials } from './proofs.ts';
import {
  createBasicRefusedError,
  createNoCommonSchemeError,
  createWeakerDigestError,
} from './sign-in-errors.ts';

export type Method =
  | { readonly kind: 'digest'; readonly challenge: DigestChallenge }
  | { readonly kind: 'basic'; readonly realm: string };

interface MethodRules {
  readonly auth: ConnectionProfile['auth'];
  readonly isSecure: boolean;
  /** Rank of the strongest sign-in that the device has ever offered, see `rankDigest`: nothing weaker is answered. */
  readonly strength: number;
}

/** Chooses a method, or returns why none may be taken. */
export function chooseMethod(
  challenges: readonly Challenge[],
  { auth, isSecure, strength: before }: MethodRules,
  report: () => StatusReport,
): Method | FieldwrightError {
  const digest = chooseDigest(challenges);
  const basic = challenges.find(({ scheme }) => scheme === 'basic');
  const strength = rankDigest(challenges);
  const isWeaker = strength < before;
  if (digest !== undefined)
    return isWeaker ? createWeakerDigestError(report()) : { kind: 'digest', challenge: digest };
  if (basic === undefined)
    return createNoCommonSchemeError(
      report(),
      challenges.map(({ scheme }) => scheme),
    );
  if (getPolicy().allowBasic === false) return createBasicRefusedError(report(), 'policy');
  if (auth === 'digest') return createBasicRefusedError(report(), 'profile');
  if (isWeaker || strength > 0) return createBasicRefusedError(report(), 'downgrade');
  // A certificate says nothing about who reads the password behind it.
  if (auth !== 'basic') return createBasicRefusedError(report(), isSecure ? 'unasked' : 'plain');
  return { kind: 'basic', realm: basic.params.get('realm') ?? '' };
}

/** Returns the hash of the realm that was signed in to. */
export function getMethodRealm(method: Method): string {
  return hashRealm(method.kind === 'digest' ? method.challenge.realm : method.realm);
}

/** Asks for a sign-in, but never in the realm in which this device let us in: another device, as far as anybody can tell. */
export function isOtherRealm(challenges: readonly Challenge[], realm: string | undefined): boolean {
  const asked = challenges.filter(({ scheme }) => scheme === 'digest' || scheme === 'basic');
  return (
    realm !== undefined &&
    asked.length > 0 &&
    asked.every(({ params }) => hashRealm(params.get('realm')) !== realm)
  );
}

export function formatBasicHeader({ userName, password }: Credentials): string {
  return `Basic ${Buffer.from(`${userName}:${password}`, 'utf8').toString('base64')}`;
}
