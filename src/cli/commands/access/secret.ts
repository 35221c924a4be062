/** `secret list|set|remove`: values of secret template variables in the vault, by the variable's name. */
import { say } from '#shared/details.ts';
import { findNearestName } from '#engine/index.ts';
import type { SavedSecret } from '#shared/access.ts';
import { userError } from '#shared/errors.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { suggestSecretName, readSecret } from '#cli/input/secrets.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { createUsageError } from '#cli/usage.ts';

export async function listSecrets(invocation: Invocation): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const secrets = engine.secrets.list();
    if (invocation.out.asJson) invocation.out.json(secrets);
    else if (secrets.length === 0) invocation.out.note(invocation.out.say('cli.no-secrets'));
    else {
      const when = createDateFormat(invocation.globals.lang);
      invocation.out.table<SavedSecret>(
        [
          { title: 'NAME', cell: ({ name }) => name, flexible: true },
          { title: 'CHANGED', cell: ({ changedAt }) => when(changedAt) },
        ],
        secrets,
      );
    }
    return EXIT.done;
  });
}

export async function setSecret(invocation: Invocation, name: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const value = await readSecret(invocation, name, invocation.out.say('cli.ask-secret', { name }));
    if (value === undefined || value === '')
      throw createUsageError(
        say(value === '' ? 'cli.secret-empty' : 'cli.secret-missing', { variable: suggestSecretName(name) }),
      );
    const saved = engine.secrets.save({ name, value });
    if (invocation.out.asJson) invocation.out.json(saved);
    else invocation.out.line(invocation.out.say('cli.secret-saved', { name }));
    return EXIT.done;
  });
}

export async function removeSecret(invocation: Invocation, name: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const names = engine.secrets.list().map((secret) => secret.name);
    if (!engine.secrets.remove({ name }).removed) {
      const nearest = findNearestName(name, names);
      throw userError('not-found', say('cli.no-secret', { name }), { nearest });
    }
    if (invocation.out.asJson) invocation.out.json({ removed: true });
    else invocation.out.line(invocation.out.say('cli.secret-removed', { name }));
    return EXIT.done;
  });
}
