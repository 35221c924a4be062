/** Values of secret variables: from the environment or a prompt, never from an argument. */
import type { TemplateVariable } from '../../shared/model.ts';
import { usageError } from '../usage.ts';
import type { Invocation } from '../invocation.ts';
import { askSecret } from './prompt.ts';

/** Names under which a variable's secret may stand: as spelled, in capitals, in capitals with underscores. */
function environmentNames(variable: string): readonly string[] {
  const snake = variable.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return [variable, variable.toUpperCase(), snake].map((name) => `FIELDWRIGHT_SECRET_${name}`);
}

/** The secrets that can be had; a missing one is left to the engine to complain about. */
export async function readSecrets(invocation: Invocation, variables: readonly TemplateVariable[], given: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, string>>> {
  const secrets: Record<string, string> = {};
  for (const { name, type, description } of variables) {
    if (type !== 'secret') continue;
    if (Object.hasOwn(given, name)) throw usageError(`"${name}" is a secret and is not taken from an argument.`, { path: '--values', hint: `Set ${environmentNames(name).at(-1)} or answer the prompt.` });
    const found = environmentNames(name).map((key) => invocation.io.env[key]).find((value) => value !== undefined)
      ?? await askSecret(invocation, `${description ?? name}: `);
    if (found !== undefined) secrets[name] = found;
  }
  return secrets;
}
