/** Sections as people name them. */
import { defined } from '#shared/defined.ts';
import { findResource, nearestName, resources, type Resource } from '#protocol/index.ts';
import { detailOf } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { problemText } from './check/problems.ts';

/** Throws `unknown-section` with the nearest name. */
export function resourceNamed(set: string): Resource {
  const resource = findResource(set);
  if (resource !== undefined) return resource;
  const nearest = nearestName(
    set,
    resources.map(({ name }) => name),
  );
  const detail = detailOf('no-such-setting', { set: set.slice(0, 100) });
  throw new FieldwrightError({
    code: 'unknown-section',
    source: 'user',
    ...problemText(detail, nearest),
    ...defined({ nearest }),
  });
}
