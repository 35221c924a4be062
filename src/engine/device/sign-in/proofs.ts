/**
 * One name and password for many devices is tried on one of them first: a typing error costs one failed
 * sign-in, not one a device. What is known of them lasts for this run.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { FieldwrightError } from '#shared/errors.ts';
import { createQueue, type Queue } from '../queue.ts';

export interface Credentials {
  readonly userName: string;
  readonly password: string;
}

interface ProofOptions {
  readonly signal: AbortSignal;
  /** A person tries a sign-in out: the first refusal ends it. Work on many devices is not stopped by one odd device among them, but by two. */
  readonly isTrial: boolean;
  /** Returns true if a device has accepted these credentials before, as far as is stored. */
  readonly hasWorked: () => boolean;
  readonly refused: () => FieldwrightError;
}

export interface Proofs {
  /**
   * Does the attempt, which resolves where the device let these in. As long as no device has, one of
   * them is asked at a time. Throws `refused` without an attempt where enough were turned away.
   */
  through<T>(credentials: Credentials, options: ProofOptions, attempt: () => Promise<T>): Promise<T>;
  /** Allows what was refused to be tried again, on one device first, because a person acts. */
  forgive(): void;
}

interface Proof {
  readonly turn: Queue;
  isGood: boolean;
  refusals: number;
}

const REFUSALS_OF_WORK = 2;

export function createProofs(): Proofs {
  const salt = randomBytes(16);
  const proofs = new Map<string, Proof>();

  function proofOf({ userName, password }: Credentials): Proof {
    const key = createHmac('sha256', salt)
      .update(JSON.stringify([userName, password]))
      .digest('base64');
    const known = proofs.get(key) ?? { turn: createQueue(1), isGood: false, refusals: 0 };
    proofs.set(key, known);
    return known;
  }
  function worked(proof: Proof): void {
    proof.isGood = true;
    proof.turn.resize(Infinity);
  }

  return {
    through(credentials, { signal, isTrial, hasWorked, refused }, attempt) {
      const proof = proofOf(credentials);
      if (!proof.isGood && hasWorked()) worked(proof);
      if (proof.isGood) return attempt();
      return proof.turn.run(
        async () => {
          if (!proof.isGood && proof.refusals >= (isTrial ? 1 : REFUSALS_OF_WORK)) throw refused();
          try {
            const result = await attempt();
            worked(proof);
            return result;
          } catch (error) {
            if (isRefusal(error)) proof.refusals += 1;
            throw error;
          }
        },
        { signal },
      );
    },
    forgive() {
      for (const proof of proofs.values()) proof.refusals = 0;
    },
  };
}

/**
 * Returns true for a refusal. A device that could not be asked to the end has said nothing about the
 * credentials.
 */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof FieldwrightError && (error.code === 'sign-in-failed' || error.code === 'account-locked')
  );
}
