/**
 * Groups devices that report and answer the same, so that each group is described once: on a site of 200
 * there are a handful of models.
 */
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { hashSha256 } from '#engine/text/sha256.ts';
import type { DeviceReading } from '../reading.ts';

/** Computes the signature of everything but the device's own values. */
export function computeSignature({
  kinds,
  flags,
  limits,
  onlyWhenAskedForAll,
  answers,
  error,
}: DeviceReading): string {
  return hashSha256(
    encodeCanonicalJson({
      kinds,
      flags,
      limits,
      onlyWhenAskedForAll,
      answers: answers.map(({ operation, params, mark, error: said }) => ({
        operation,
        params,
        mark,
        said: said?.code,
      })),
      error: error?.code,
    }),
  );
}
