/** Declares the variable that can replace a field: its type, its limits, its meaning. */
import { hash } from 'node:crypto';
import { toVariableShape, type Field } from '#protocol/index.ts';
import type { VariableDeclaration } from '../document.ts';

const NAME_LENGTH = 64;

/** `hostConfig_thermalIp`, `localController_1_DefaultGateway_ipAddress`: the same at every capture. */
export function makeVariableName(
  set: string,
  params: Readonly<Record<string, unknown>>,
  path: string,
): string {
  const parts = [set.slice(set.lastIndexOf('.') + 1), ...Object.values(params).map(String), path];
  const name = parts
    .map((part) => part.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, ''))
    .filter((part) => part !== '')
    .join('_');
  if (name.length <= NAME_LENGTH) return name;
  const end = hash('sha256', name, 'hex').slice(0, 8);
  return `${name.slice(0, NAME_LENGTH - end.length - 1)}_${end}`;
}

/** Creates a declaration without a default, so that a value is required. */
export function createVariableDeclaration(
  name: string,
  field: Field,
  description: string,
): VariableDeclaration {
  return { name, ...toVariableShape(field), description, required: true };
}
