/** Variables of a path, as they are typed. */
import { buildPath } from '#protocol/catalogue.ts';
import type { Operation, Param } from '#protocol/definition.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';

/** Builds the initial parameters; devices number channels from 1. */
export function buildInitialParams(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    operation.params.map((param) => [
      param.name,
      String(param.default ?? (param.name === 'channelID' ? 1 : '')),
    ]),
  );
}

/**
 * Converts typed texts to parameters; empty ones are omitted, so that a default or a complaint replaces them.
 */
export function readParams(operation: Operation, typed: Readonly<Record<string, string>>): Params {
  return Object.fromEntries(
    operation.params.flatMap((param): [string, string | number][] => {
      const text = (typed[param.name] ?? '').trim();
      if (text === '') return [];
      return [[param.name, param.type === 'int' && /^\d{1,15}$/.test(text) ? Number(text) : text]];
    }),
  );
}

/** Checks one parameter alone. */
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
