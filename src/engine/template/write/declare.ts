/** The variable that can stand in for a field: its type, its limits, what it means. */
import { hash } from 'node:crypto';
import type { Field } from '../../../protocol/index.ts';
import type { VariableDeclaration } from '../document.ts';

const NAME_LENGTH = 64;

/** `hostConfig_thermalIp`, `localController_1_DefaultGateway_ipAddress`: the same at every capture. */
export function variableName(set: string, params: Readonly<Record<string, unknown>>, path: string): string {
  const parts = [set.slice(set.lastIndexOf('.') + 1), ...Object.values(params).map(String), path];
  const name = parts.map((part) => part.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '')).filter((part) => part !== '').join('_');
  if (name.length <= NAME_LENGTH) return name;
  const end = hash('sha256', name, 'hex').slice(0, 8);
  return `${name.slice(0, NAME_LENGTH - end.length - 1)}_${end}`;
}

/** Without a default: it has to be given. */
export function declarationFor(name: string, field: Field, description: string): VariableDeclaration {
  return { name, ...typeOf(field), description, required: true };
}

function typeOf(field: Field): Pick<VariableDeclaration, 'type' | 'min' | 'max' | 'options'> {
  if (field.sensitive === true) return { type: 'secret' };
  switch (field.kind) {
    case 'int': return { type: 'integer', ...limits(field) };
    case 'float': return { type: 'number', ...limits(field) };
    case 'bool': return { type: 'boolean' };
    case 'choice': {
      const options = field.options.map(({ value }) => value);
      return { type: options.every((value) => typeof value === 'number') ? 'integer' : 'string', options };
    }
    default: return { type: 'string' };
  }
}

function limits({ min, max }: { readonly min?: number; readonly max?: number }): { readonly min?: number; readonly max?: number } {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}
