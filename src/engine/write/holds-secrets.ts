/** Which settings hold secrets: their documents are sealed before they are kept. */
import type { Field, Resource } from '../../protocol/index.ts';

const known = new Map<string, boolean>();

/** True where reading or writing the resource may carry a secret or biometric value. */
export function holdsSecrets(resource: Resource): boolean {
  const answer =
    known.get(resource.name) ??
    (resource.get.sensitive ||
      resource.put.sensitive ||
      [resource.get.response, resource.put.request].some(
        (payload) =>
          payload !== undefined &&
          (payload.fields.some(isSensitive) ||
            (payload.rootItem !== undefined && isSensitive(payload.rootItem))),
      ));
  known.set(resource.name, answer);
  return answer;
}

function isSensitive(field: Field): boolean {
  if (field.sensitive === true) return true;
  if (field.kind === 'object') return field.fields.some(isSensitive);
  return field.kind === 'list' && isSensitive(field.item);
}
