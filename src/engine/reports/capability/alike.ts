/** Devices that report and answer the same are told of once: on a site of 200 there are a handful of models. */
import { canonicalJson } from '../../canonical-json.ts';
import { sha256 } from '../../sha256.ts';
import type { Subject } from '../document.ts';
import type { DeviceReading } from '../reading.ts';

export interface Alike {
  /** Stands for all of them. */
  readonly reading: DeviceReading;
  readonly subjects: Subject[];
}

/** In the order of their first devices; those that were never read are in none. */
export function groupsOf(subjects: readonly Subject[]): readonly Alike[] {
  const groups = new Map<string, Alike>();
  for (const subject of subjects) {
    const { reading } = subject.known;
    if (reading === undefined) continue;
    const key = signatureOf(reading);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reading, subjects: [subject] });
    else group.subjects.push(subject);
  }
  return [...groups.values()];
}

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
