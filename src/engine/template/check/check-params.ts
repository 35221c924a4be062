/** The parameters of a section (channel, preset …) against those of its operation. */
import { appendKey, findNearestName, type Param, type Plain } from '#protocol/index.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { VariableDeclaration } from '../document.ts';
import type { Problems } from './problems.ts';
import { describeKind } from '#template/source-tree.ts';

interface Misfit {
  readonly code: ErrorCode;
  readonly detail: Detail;
}

/** A value of a parameter that suits it, or what is wrong with it. Numbers become text where text is due. */
export function coerceParam(param: Param, value: unknown): { readonly value: string | number } | Misfit {
  if (param.type === 'int') {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      return {
        code: 'wrong-type',
        detail: createDetail('parameter-takes', {
          name: param.name,
          takes: 'a whole number',
          given: describeKind(value),
        }),
      };
    if (param.min !== undefined && value < param.min)
      return {
        code: 'out-of-range',
        detail: createDetail('parameter-from', { name: param.name, min: param.min }),
      };
    if (param.max !== undefined && value > param.max)
      return {
        code: 'out-of-range',
        detail: createDetail('parameter-up-to', { name: param.name, max: param.max }),
      };
    return { value };
  }
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string')
    return {
      code: 'wrong-type',
      detail: createDetail('parameter-takes', {
        name: param.name,
        takes: 'text',
        given: describeKind(value),
      }),
    };
  if (text.length < (param.minLength ?? 0) || text.length > (param.maxLength ?? 1024))
    return {
      code: 'out-of-range',
      detail: createDetail('parameter-length', {
        name: param.name,
        min: param.minLength ?? 0,
        max: param.maxLength ?? 1024,
      }),
    };
  return { value: text };
}

/** Checks that the type and range of a variable fit the parameter that it fills. */
export function checkParamFit(param: Param, variable: VariableDeclaration): Misfit | undefined {
  if (variable.type === 'secret')
    return { code: 'not-allowed', detail: createDetail('parameter-secret', { variable: variable.name }) };
  const fits =
    param.type === 'int'
      ? variable.type === 'integer'
      : variable.type === 'string' || variable.type === 'integer';
  if (!fits)
    return {
      code: 'wrong-type',
      detail: createDetail('parameter-type', {
        name: param.name,
        takes: param.type === 'int' ? 'a whole number' : 'text',
        variable: variable.name,
        type: variable.type,
      }),
    };
  if (
    param.type === 'int' &&
    ((variable.max ?? Infinity) < (param.min ?? -Infinity) ||
      (variable.min ?? -Infinity) > (param.max ?? Infinity))
  ) {
    return {
      code: 'out-of-range',
      detail: createDetail('parameter-range', { variable: variable.name, name: param.name }),
    };
  }
  return undefined;
}

/** Unknown and missing parameters. */
export function checkParamNames(
  params: Plain,
  known: readonly Param[],
  at: { readonly path: string; readonly set: string; readonly problems: Problems },
): void {
  const names = known.map((param) => param.name);
  for (const name of Object.keys(params)) {
    if (names.includes(name)) continue;
    if (at.problems.isFull) return;
    const nearest = findNearestName(name, names);
    const detail =
      names.length === 0
        ? createDetail('takes-no-parameters', { name, set: at.set })
        : createDetail('unknown-parameter', { name, set: at.set, known: names.join(', ') });
    at.problems.add('unknown-parameter', appendKey(`${at.path}.params`, name), detail, {
      atKey: true,
      nearest,
    });
  }
  for (const param of known) {
    if (params[param.name] !== undefined || param.default !== undefined) continue;
    at.problems.add(
      'missing-parameter',
      at.path,
      createDetail('missing-parameter', { set: at.set, name: param.name }),
      { hint: `params: { ${param.name}: ${param.type === 'int' ? (param.min ?? 1) : '…'} }` },
    );
  }
}
