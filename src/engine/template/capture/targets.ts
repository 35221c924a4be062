/** Resolves the targets of a capture request before any device is contacted. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { formatDetail, say } from '#shared/details.ts';
import { findNearestName, resources, type Resource } from '#protocol/index.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import type { CaptureRequest } from '#engine/api/routes.ts';
import { coerceParam } from '../check/check-params.ts';
import { requireResource } from '../resource-named.ts';
import { findContainingResource } from './which.ts';

export interface Target {
  readonly resource: Resource;
  /** Fixed parameters; all others are read for each value that the device has. */
  readonly given: Params;
}

/** Throws `unknown-section`, `unknown-parameter`, `wrong-type` and `out-of-range`. */
export function resolveTargets({
  sections = resources.map(({ name }) => ({ set: name })),
  params: common = {},
}: CaptureRequest): readonly Target[] {
  const targets = sections.map(({ set, params = {} }: { readonly set: string; readonly params?: Params }) => {
    const resource = requireResource(set);
    for (const name of Object.keys(params)) checkParamName(name, [resource]);
    return { resource, given: paramsFor(resource, { ...common, ...params }) };
  });
  for (const name of Object.keys(common))
    checkParamName(
      name,
      targets.map(({ resource }) => resource),
    );
  return targets;
}

/** Returns the parameters that the resource takes, converted to numbers where it takes numbers. */
function paramsFor({ get }: Resource, params: Params): Params {
  return Object.fromEntries(
    get.params.flatMap((param) => {
      const given = params[param.name];
      if (given === undefined) return [];
      const coerced = coerceParam(
        param,
        param.type === 'int' && typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given,
      );
      if ('code' in coerced)
        throw new FieldwrightError({
          code: coerced.code,
          source: 'user',
          path: param.name,
          operation: get.id,
          message: formatDetail(coerced.detail),
          detail: coerced.detail,
        });
      return [[param.name, coerced.value]];
    }),
  );
}

function checkParamName(name: string, taking: readonly Resource[]): void {
  const known = [...new Set(taking.flatMap(({ get }) => get.params.map((param) => param.name)))];
  if (known.includes(name)) return;
  const nearest = findNearestName(name, known);
  throw new FieldwrightError({
    code: 'unknown-parameter',
    source: 'user',
    path: name,
    ...removeUndefined({ nearest }),
    ...(known.length === 0
      ? say('no-parameters-here', { name })
      : say('no-such-parameter', { name, known: known.join(', ') })),
  });
}

/**
 * Puts resources that are part of another one into a second phase: the first decides whether they were
 * captured.
 */
export function splitIntoPhases(targets: readonly Target[]): readonly (readonly Target[])[] {
  const isPart = ({ resource }: Target): boolean => findContainingResource(resource, resources) !== undefined;
  return [targets.filter((target) => !isPart(target)), targets.filter(isPart)];
}
