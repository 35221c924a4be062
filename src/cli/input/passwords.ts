/** Sign-ins given for this run: never from an argument. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { signInInForce } from '#shared/access.ts';
import type { Device } from '#shared/model.ts';
import type { DeviceOptions } from '../declarations/options.ts';
import type { Invocation } from '../invocation.ts';
import type { Io } from '../io.ts';
import { createUsageError } from '../usage.ts';
import { askSecret } from './prompt.ts';

/** The name most devices ship with; used where only a password was given. */
const USUAL_NAME = 'admin';

/** Scripts often set an empty one where none is known; to try it would cost the device a failed sign-in. */
export function readEnvPassword({ env }: Pick<Io, 'env'>): string | undefined {
  return env['FIELDWRIGHT_PASSWORD'] || undefined;
}

/**
 * Returns the user whose password is to be saved: named, or implied by FIELDWRIGHT_PASSWORD alone.
 * @throws `usage` if a saved sign-in is named too
 */
export function getUserToSave(
  { io }: Pick<Invocation, 'io'>,
  { user, credential }: { readonly user?: string; readonly credential?: string },
): string | undefined {
  if (credential === undefined) return user ?? (readEnvPassword(io) === undefined ? undefined : USUAL_NAME);
  if (user !== undefined) throw createUsageError(say('cli.sign-in-or-user'), { path: '--credential' });
  return undefined;
}

/** The password to save with a user name. Throws `usage` where none can be had. */
export async function requirePassword(invocation: Invocation, user: string): Promise<string> {
  const password =
    readEnvPassword(invocation.io) ??
    (await askSecret(invocation, invocation.out.say('cli.ask-password', { user })));
  if (password === undefined)
    throw createUsageError(say('cli.password-missing', { user }), {
      path: '--user',
    });
  return password;
}

export interface SignInSource {
  /** Sign-in for a device, or undefined where its saved one (or none) is to be used. */
  for(
    device: Device | undefined,
    user: string | undefined,
  ): Promise<{ readonly userName: string; readonly password: string } | undefined>;
}

/** FIELDWRIGHT_PASSWORD wins; then the vault; with `--user` and neither, the person is asked once a name. */
export function signIns(invocation: Invocation, engine: Engine, options: DeviceOptions): SignInSource {
  const fromEnv = readEnvPassword(invocation.io);
  const asked = new Map<string, string | undefined>();
  const credentials = engine.credentials.list();
  return {
    async for(device, user = options.user) {
      const saved = device === undefined ? undefined : signInInForce(device, credentials);
      const userName = user ?? saved?.userName ?? USUAL_NAME;
      if (fromEnv !== undefined) return { userName, password: fromEnv };
      if (user === undefined || saved?.userName === user) return undefined;
      if (!asked.has(user))
        asked.set(user, await askSecret(invocation, invocation.out.say('cli.ask-password', { user })));
      const password = asked.get(user);
      return password === undefined ? undefined : { userName, password };
    },
  };
}
