/** `secret list|set|remove`: values of secret template variables in the vault, by the variable's name. */
import { defined } from '../../../shared/defined.ts';
import { nearestName } from '../../../engine/index.ts';
import type { SavedSecret } from '../../../shared/access.ts';
import { FieldwrightError } from '../../../shared/errors.ts';
import { EXIT } from '../../exit-codes.ts';
import { secretName, secretOf } from '../../input/secrets.ts';
import { withEngine, type Invocation } from '../../invocation.ts';
import { dateFormat } from '../../output/date-format.ts';
import { usageError } from '../../usage.ts';

export async function secretList(invocation: Invocation): Promise<number> {
  return withEngine(invocation, async (engine) => {
    const secrets = engine.secrets.list();
    if (invocation.out.asJson) invocation.out.json(secrets);
    else if (secrets.length === 0)
      invocation.out.note('There is no saved secret yet. Save one with: fieldwright secret set NAME');
    else {
      const when = dateFormat(invocation.globals.lang);
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

export async function secretSet(invocation: Invocation, name: string): Promise<number> {
  return withEngine(invocation, async (engine) => {
    const value = await secretOf(invocation, name, `${name} (not shown): `);
    if (value === undefined || value === '')
      throw usageError(value === '' ? 'The secret is empty.' : 'The secret is missing.', {
        hint: `Set ${secretName(name)}, or run this at a terminal to be asked.`,
      });
    const saved = engine.secrets.save({ name, value });
    if (invocation.out.asJson) invocation.out.json(saved);
    else
      invocation.out.line(`Saved the secret ${name}; templates with a secret variable of this name use it.`);
    return EXIT.done;
  });
}

export async function secretRemove(invocation: Invocation, name: string): Promise<number> {
  return withEngine(invocation, async (engine) => {
    const names = engine.secrets.list().map((secret) => secret.name);
    if (!engine.secrets.remove({ name }).removed) {
      const nearest = nearestName(name, names);
      throw new FieldwrightError({
        code: 'not-found',
        source: 'user',
        message: `There is no saved secret "${name}".`,
        hint: 'fieldwright secret list shows them.',
        ...defined({ nearest }),
      });
    }
    if (invocation.out.asJson) invocation.out.json({ removed: true });
    else invocation.out.line(`Removed the secret ${name}; it is asked for again.`);
    return EXIT.done;
  });
}
