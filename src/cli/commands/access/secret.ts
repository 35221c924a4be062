/** `secret list|set|remove`: values of secret template variables in the vault, by the variable's name. */
import type { Action } from '#cli/declarations/all.ts';
import { findNearestName } from '#engine/index.ts';
import { suggestSecretName, readSecret } from '#cli/input/secrets.ts';
import { listRows } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { createUsageError } from '#cli/usage.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';

export const listSecrets: Action<'secret list'> = async ({ open, out, globals }) => {
  const when = createDateFormat(globals.lang);
  return listRows(
    (await open()).secrets.list(),
    { NAME: { value: 'name', flexible: true }, CHANGED: ({ changedAt }) => when(changedAt) },
    out.say('cli.no-secrets'),
  );
};

export const setSecret: Action<'secret set'> = async (invocation, name) => {
  const { open, out } = invocation;
  const engine = await open();
  const value = await readSecret(invocation, name, out.say('cli.ask-secret', { name }));
  if (value === undefined || value === '')
    throw createUsageError(
      say(value === '' ? 'cli.secret-empty' : 'cli.secret-missing', { variable: suggestSecretName(name) }),
    );
  return { json: engine.secrets.save({ name, value }), text: out.say('cli.secret-saved', { name }) };
};

export const removeSecret: Action<'secret remove'> = async ({ open, out }, name) => {
  const { secrets } = await open();
  const names = secrets.list().map((secret) => secret.name);
  if (!secrets.remove({ name }).removed)
    throw userError('not-found', say('cli.no-secret', { name }), { nearest: findNearestName(name, names) });
  return { json: { removed: true }, text: out.say('cli.secret-removed', { name }) };
};
