/** Sign-ins given for this run: never from an argument. */
import type { Engine } from '../../engine/api.ts';
import type { Device } from '../../shared/model.ts';
import type { DeviceOptions } from '../options.ts';
import type { Invocation } from '../invocation.ts';
import { askSecret } from './prompt.ts';

/** The name most devices ship with; used where only a password was given. */
const USUAL_NAME = 'admin';

export interface SignInSource {
  /** Sign-in for a device, or undefined where its saved one (or none) is to be used. */
  for(device: Device | undefined, user: string | undefined): Promise<{ readonly userName: string; readonly password: string } | undefined>;
}

/** FIELDWRIGHT_PASSWORD wins; then the vault; with `--user` and neither, the person is asked once a name. */
export function signIns(invocation: Invocation, engine: Engine, options: DeviceOptions): SignInSource {
  const fromEnv = invocation.io.env['FIELDWRIGHT_PASSWORD'];
  const asked = new Map<string, string | undefined>();
  return {
    async for(device, user = options.user) {
      const saved = engine.credentials.list().find(({ id }) => id === device?.credentialId);
      const userName = user ?? saved?.userName ?? USUAL_NAME;
      if (fromEnv !== undefined) return { userName, password: fromEnv };
      if (user === undefined || saved?.userName === user) return undefined;
      if (!asked.has(user)) asked.set(user, await askSecret(invocation, `Password of ${user}: `));
      const password = asked.get(user);
      return password === undefined ? undefined : { userName, password };
    },
  };
}
