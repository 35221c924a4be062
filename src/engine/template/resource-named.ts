/** Sections as people name them. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { findResource, findNearestName, resources, type Resource } from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { describeProblem } from './check/problems.ts';

/** Throws `unknown-section` with the nearest name. */
export function requireResource(set: string): Resource {
  const resource = findResource(set);
  if (resource !== undefined) return resource;
  const nearest = findNearestName(
    set,
    resources.map(({ name }) => name),
  );
  const detail = createDetail('no-such-setting', { set: set.slice(0, 100) });
  throw new FieldwrightError({
    code: 'unknown-section',
    source: 'user',
    ...describeProblem(detail, nearest),
    ...removeUndefined({ nearest }),
  });
}
