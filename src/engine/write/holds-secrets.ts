/** Says which settings hold secrets: their documents are sealed before they are stored. */
import { findResource, type Field, type Operation, type Payload, type Resource } from '#protocol/index.ts';

const known = new Map<string, boolean>();

/** Returns true if reading or writing the resource may carry a secret or biometric value. */
export function holdsSecrets(resource: Resource): boolean {
  const answer =
    known.get(resource.name) ??
    (resource.get.sensitive ||
      resource.put.sensitive ||
      [resource.get.response, resource.put.request].some(hasSecretField));
  known.set(resource.name, answer);
  return answer;
}

/** Returns true if a request of the operation, or the document it replaces, may hold a secret, or is not specified. */
export function mayHoldSecrets({ id, sensitive, specified, request }: Operation): boolean {
  const resource = id.endsWith('.put') ? findResource(id.slice(0, -'.put'.length)) : undefined;
  return (
    sensitive || !specified || (resource === undefined ? hasSecretField(request) : holdsSecrets(resource))
  );
}

function hasSecretField(payload: Payload | undefined): boolean {
  return (
    payload !== undefined &&
    (payload.fields.some(isSensitive) || (payload.rootItem !== undefined && isSensitive(payload.rootItem)))
  );
}

function isSensitive(field: Field): boolean {
  if (field.sensitive === true) return true;
  if (field.kind === 'object') return field.fields.some(isSensitive);
  return field.kind === 'list' && isSensitive(field.item);
}
