/** The parameters of a section (channel, preset …) against those of its operation. */
import { nearestName } from '../../protocol/index.ts';
import type { Param } from '../../protocol/index.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import type { VariableDeclaration } from './document.ts';
import { didYouMean } from './check-names.ts';
import type { Problems } from './problems.ts';
import { keyPath, kindOf } from './source-tree.ts';

type Bag = Readonly<Record<string, unknown>>;

/** A value of a parameter that suits it, or what is wrong with it. Numbers become text where text is due. */
export function coerceParam(param: Param, value: unknown): { readonly value: string | number } | { readonly code: ErrorCode; readonly message: string } {
  if (param.type === 'int') {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { code: 'wrong-type', message: `The parameter "${param.name}" takes a whole number, not ${kindOf(value)}.` };
    if (param.min !== undefined && value < param.min) return { code: 'out-of-range', message: `The parameter "${param.name}" begins at ${param.min}.` };
    if (param.max !== undefined && value > param.max) return { code: 'out-of-range', message: `The parameter "${param.name}" ends at ${param.max}.` };
    return { value };
  }
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return { code: 'wrong-type', message: `The parameter "${param.name}" takes text, not ${kindOf(value)}.` };
  if (text.length < (param.minLength ?? 0) || text.length > (param.maxLength ?? 1024)) return { code: 'out-of-range', message: `The parameter "${param.name}" takes ${param.minLength ?? 0} to ${param.maxLength ?? 1024} characters.` };
  return { value: text };
}

/** What a parameter that is wholly one variable may be, and whether its range meets the parameter's. */
export function paramFits(param: Param, variable: VariableDeclaration): { readonly code: ErrorCode; readonly message: string } | undefined {
  if (variable.type === 'secret') return { code: 'not-allowed', message: `The secret "${variable.name}" cannot be part of an address.` };
  const fits = param.type === 'int' ? variable.type === 'integer' : variable.type === 'string' || variable.type === 'integer';
  if (!fits) return { code: 'wrong-type', message: `The parameter "${param.name}" takes ${param.type === 'int' ? 'a whole number' : 'text'}; the variable "${variable.name}" is declared as ${variable.type}.` };
  if (param.type === 'int' && ((variable.max ?? Infinity) < (param.min ?? -Infinity) || (variable.min ?? -Infinity) > (param.max ?? Infinity))) {
    return { code: 'out-of-range', message: `No value of the variable "${variable.name}" fits the parameter "${param.name}".` };
  }
  return undefined;
}

/** Unknown and missing parameters. */
export function checkParamNames(params: Bag, known: readonly Param[], at: { readonly path: string; readonly set: string; readonly problems: Problems }): void {
  const names = known.map((param) => param.name);
  for (const name of Object.keys(params)) {
    if (names.includes(name)) continue;
    const nearest = nearestName(name, names);
    const takes = names.length === 0 ? `"${at.set}" takes no parameters.` : `"${at.set}" takes ${names.join(', ')}.`;
    at.problems.add('unknown-parameter', keyPath(`${at.path}.params`, name), `There is no parameter "${name}": ${takes}${didYouMean(nearest)}`, { atKey: true, nearest });
  }
  for (const param of known) {
    if (params[param.name] !== undefined || param.default !== undefined) continue;
    at.problems.add('missing-parameter', at.path, `"${at.set}" needs the parameter "${param.name}" (${param.label}).`, { hint: `params: { ${param.name}: ${param.type === 'int' ? (param.min ?? 1) : '…'} }` });
  }
}
