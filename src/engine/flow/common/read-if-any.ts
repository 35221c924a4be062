/** Readings of what a device may not have, or may not give while it is away. */
import { answerKind, isGone, isMissingOnDevice } from '#shared/error-meaning.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { Absence } from '#engine/device/absence.ts';
import type { StepContext } from '../flow.ts';

/** Returns what `look` reads, or undefined where it fails for one of these reasons. Throws everything else. */
export async function readUnless<T>(
  isReason: (error: ErrorShape) => boolean,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (thrown) {
    if (thrown instanceof FieldwrightError && isReason(thrown.shape)) return undefined;
    throw thrown;
  }
}

/** Value that a device gave, or the reason why it gave none: not having it differs from having trouble and from giving no right. */
export type Found<T> = { readonly value: T } | { readonly none: DocumentText };

/** Reads what the device may not have. Throws where it cannot be asked, or may answer better in a moment. */
export function readIfAny<T>(step: StepContext, operation: string, params?: Params): Promise<Found<T>> {
  return lookIfAny(() => step.read<T>(operation, params));
}

export async function lookIfAny<T>(look: () => Promise<T>): Promise<Found<T>> {
  try {
    return { value: await look() };
  } catch (thrown) {
    if (!(thrown instanceof FieldwrightError)) throw thrown;
    const { shape } = thrown;
    if (isMissingOnDevice(shape)) return { none: { id: 'flow-thermal-not-there' } };
    const kind = answerKind(shape);
    if (kind === 'trouble' || kind === 'no-permission') return { none: shape.detail ?? shape.message };
    throw thrown;
  }
}

/** Reading of a device that may be switched off or unplugged. */
export interface Presence<T> {
  /** Undefined while it does not answer. */
  readonly seen?: T;
  /** True after a refused connection, or two lost answers in a row. */
  readonly isAway: boolean;
}

/** Returns a function that looks at a device which a person disconnects from the network or from power. */
export function createPresenceCheck<T>(look: () => Promise<T>): () => Promise<Presence<T>> {
  const absence = new Absence();
  return async () => {
    try {
      const seen = await look();
      absence.there();
      return { seen, isAway: false };
    } catch (thrown) {
      if (!(thrown instanceof FieldwrightError) || !isGone(thrown.shape)) throw thrown;
      absence.away(thrown.shape);
      return { isAway: absence.hasLeft };
    }
  };
}
