/** Interface to fingerprints for work on people; the fingerprints room provides it, see `areas.ts`. */
import type { PrintsOfRemoved } from '#shared/people/people.ts';
import type { Person } from './person.ts';
import type { Reach } from './view.ts';

/** Fingerprints of the people of one device. */
export interface FingerprintsOfPeople {
  /**
   * Removes all fingerprints of a person and checks the device again. `before`: result of an earlier attempt.
   * Throws if the device cannot be asked anything further.
   */
  remove(employeeNo: string, shown: Person | undefined, before?: PrintsOfRemoved): Promise<PrintsOfRemoved>;
  /** Reads whether a person has fingerprints; writes nothing. Throws like `remove`. */
  look(employeeNo: string, before?: PrintsOfRemoved): Promise<PrintsOfRemoved>;
}

/** Opens the fingerprints of a device for one plan or phase. */
export type OpenFingerprints = (reach: Reach) => FingerprintsOfPeople;
