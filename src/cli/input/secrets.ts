/** Values of secret variables: from the environment, the vault or a prompt, never from an argument. */
import { say } from '#shared/details.ts';
import type { TemplateVariable } from '#shared/model.ts';
import { createUsageError } from '../usage.ts';
import type { Invocation } from '../invocation.ts';
import { askSecret } from './prompt.ts';

/** Names under which a variable's secret may stand: as spelled, in capitals, in capitals with underscores. */
function environmentNames(variable: string): readonly string[] {
  const snake = variable
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  return [variable, variable.toUpperCase(), snake].map((name) => `FIELDWRIGHT_SECRET_${name}`);
}

/** The name to recommend. */
export function suggestSecretName(variable: string): string {
  return environmentNames(variable).at(-1) ?? '';
}

function fromEnvironment(invocation: Invocation, variable: string): string | undefined {
  return environmentNames(variable)
    .map((key) => invocation.io.env[key])
    .find((value) => value !== undefined);
}

/**
 * Returns the secret from the environment, or asks for it; undefined if there is neither a variable nor a
 * terminal.
 */
export async function readSecret(
  invocation: Invocation,
  variable: string,
  question: string,
): Promise<string | undefined> {
  return fromEnvironment(invocation, variable) ?? (await askSecret(invocation, question));
}

/** The secrets that can be had; those in the vault, and the complaint about a missing one, are left to the engine. */
export async function readSecrets(
  invocation: Invocation,
  variables: readonly TemplateVariable[],
  given: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const secrets: Record<string, string> = {};
  for (const { name, type, description, saved } of variables) {
    if (type !== 'secret') continue;
    if (Object.hasOwn(given, name))
      throw createUsageError(say('cli.secret-argument', { name, variable: suggestSecretName(name) }), {
        path: '--values',
      });
    const found =
      saved === true
        ? fromEnvironment(invocation, name)
        : await readSecret(invocation, name, `${description ?? name}: `);
    if (found !== undefined) secrets[name] = found;
    else if (saved === true) invocation.out.note(invocation.out.say('cli.from-vault', { name }));
  }
  return secrets;
}
