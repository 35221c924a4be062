/** Devices that report and answer the same are told of once: on a site of 200 there are a handful of models. */
import { canonicalJson } from '#engine/text/canonical-json.ts';
import { sha256 } from '#engine/text/sha256.ts';
import type { DeviceReading } from '../reading.ts';

/** Of everything but the device's own values. */
export function signatureOf({
  kinds,
  flags,
  limits,
  onlyWhenAskedForAll,
  answers,
  error,
}: DeviceReading): string {
  return sha256(
    canonicalJson({
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
