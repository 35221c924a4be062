/** Variables of a path, as they are typed. */
import { buildPath } from '#protocol/catalogue.ts';
import type { Operation, Param } from '#protocol/definition.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';

/** What is in the controls; channel 1 is where every device begins to count. */
export function buildInitialParams(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    operation.params.map((param) => [
      param.name,
      String(param.default ?? (param.name === 'channelID' ? 1 : '')),
    ]),
  );
}

/** Typed texts as parameters; what is empty is left out, so that a default or a complaint takes its place. */
export function readParams(operation: Operation, typed: Readonly<Record<string, string>>): Params {
  return Object.fromEntries(
    operation.params.flatMap((param): [string, string | number][] => {
      const text = (typed[param.name] ?? '').trim();
      if (text === '') return [];
      return [[param.name, param.type === 'int' && /^\d{1,15}$/.test(text) ? Number(text) : text]];
    }),
  );
}

/** What is wrong with one parameter alone. */
export function checkParam(
  operation: Operation,
  param: Param,
  typed: Readonly<Record<string, string>>,
): ErrorShape | undefined {
  return buildRequestPath(
    { ...operation, path: `/API/<${param.name}>`, params: [param] },
    { [param.name]: typed[param.name] ?? '' },
    '/API',
  ).problem;
}

/** The path as it would go out, or the first complaint against it. */
export function buildRequestPath(
  operation: Operation,
  typed: Readonly<Record<string, string>>,
  prefix: string,
): { readonly path?: string; readonly problem?: ErrorShape } {
  try {
    return { path: buildPath(operation, readParams(operation, typed), prefix) };
  } catch (error) {
    if (error instanceof FieldwrightError) return { problem: error.shape };
    throw error;
  }
}
