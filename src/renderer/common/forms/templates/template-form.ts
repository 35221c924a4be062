import type { Field } from '#protocol/definition.ts';
import { getControllerPath } from '#protocol/fields/condition.ts';
import { getValueAt, setAt } from '#protocol/fields/values.ts';
import { NOT_GIVEN, findWholeVariable } from '#template/placeholder.ts';
import { blankValue } from '../model/edit-model.ts';

/**
 * Returns the initial value of a setting that is added to a template: the specification's default, else
 * nothing.
 */
export function getInitialValue(field: Field): unknown {
  if (field.kind === 'object' || field.kind === 'opaque') return blankValue(field);
  return 'default' in field && field.default !== undefined ? field.default : NOT_GIVEN;
}

/**
 * Returns the value with `initial` at the path, and with the settings on which it depends, unless they are named already:
 * an emissivity along with the mode that leaves it free.
 */
export function addWithControllers(
  { when = [], freeWhile }: Field,
  path: string,
  { value, initial }: { readonly value: unknown; readonly initial: unknown },
): unknown {
  const conditions = freeWhile === undefined ? when : [...when, freeWhile];
  const controlled = conditions.reduce((held, condition) => {
    const controller = getControllerPath(condition, path);
    return getValueAt(held, controller) === undefined ? setAt(held, controller, condition.oneOf[0]) : held;
  }, value);
  return setAt(controlled, path, initial);
}

/** True for what stands in place of a value in a template: a variable, text with variables inside, or `null`. */
export function isPlaceholder(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.includes('${'));
}
/** The variable that the value wholly is. */
export function findVariable(value: unknown): string | undefined {
  return typeof value === 'string' ? findWholeVariable(value) : undefined;
}
