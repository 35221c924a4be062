/** Sections as people name them. */
import { findResource, nearestName, resources } from '../../protocol/index.ts';
import type { Resource } from '../../protocol/index.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import { didYouMean } from './check-names.ts';

/** Throws `unknown-section` with the nearest name. */
export function resourceNamed(set: string): Resource {
  const resource = findResource(set);
  if (resource !== undefined) return resource;
  const nearest = nearestName(set, resources.map(({ name }) => name));
  throw new FieldwrightError({
    code: 'unknown-section', source: 'user', message: `There is no section "${set.slice(0, 100)}" that can be read and written back.${didYouMean(nearest)}`,
    ...(nearest === undefined ? {} : { nearest }),
  });
}
