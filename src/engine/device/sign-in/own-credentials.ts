/** Name and password of one device while it is talked to, and what of them must not be shown in its answers. */
import type { DeviceDirectory } from '../directory.ts';
import { createOwnMask, type Mask } from './own-mask.ts';
import type { Credentials } from './proofs.ts';
import { createRedactor, hasMatchingText } from '../redact.ts';

export class OwnCredentials {
  readonly #deviceId: string;
  readonly #devices: Pick<DeviceDirectory, 'signIn'>;
  #used: Credentials | undefined;
  /** Values that Digest computed from user and password when it was last used. */
  #keys: readonly string[] = [];
  /** Made anew where the sign-in changes and where Digest made something else of it: the vault is not opened for each of thousands of answers. */
  #mask: Mask | undefined;
  /** `Authorization` header that was last seen again, with its mask; that of Basic is the same each time. */
  #sent: { readonly authorization: string; readonly hide: Mask } | undefined;

  constructor(deviceId: string, devices: Pick<DeviceDirectory, 'signIn'>) {
    this.#deviceId = deviceId;
    this.#devices = devices;
  }

  /**
   * Reads the saved credentials. @throws `vault-locked`, or `sign-in-required` if it is not clear which to
   * use
   */
  read(): Credentials | undefined {
    return (this.#used = this.#devices.signIn(this.#deviceId));
  }

  /**
   * Reads the credentials like `read`, but returns undefined if that fails: the vault was locked or the
   * sign-in removed meanwhile.
   */
  readIfPossible(): Credentials | undefined {
    try {
      return this.read();
    } catch {
      return undefined;
    }
  }

  madeOfThem(keys: readonly string[]): void {
    if (keys === this.#keys || keys.join() === this.#keys.join()) return;
    this.#keys = keys;
    this.#mask = undefined;
  }

  /** Others are in force from now on. */
  forget(): void {
    this.#used = undefined;
    this.#mask = undefined;
    this.#sent = undefined;
  }

  /** Masks what the device may repeat of them. */
  readonly hide: Mask = (value) => {
    if (!hasMatchingText(value, isText)) return value;
    if (this.#mask === undefined) {
      const known = this.#used ?? this.readIfPossible();
      if (known === undefined) return value;
      this.#mask = createOwnMask(known, this.#keys);
    }
    return this.#mask(value);
  };

  /**
   * Returns a mask that also hides the `Authorization` header of this request, which an answer may repeat.
   */
  hideWith(authorization: string | undefined): Mask {
    if (authorization === undefined) return this.hide;
    const mayRepeat = authorization.startsWith('Digest ') ? mayHoldProof : isText;
    return (value) => {
      if (!hasMatchingText(value, mayRepeat)) return this.hide(value);
      if (this.#sent?.authorization !== authorization)
        this.#sent = { authorization, hide: createRedactor(partsOf(authorization)) };
      return this.hide(this.#sent.hide(value));
    };
  }
}

/**
 * Returns true if the text may hold a proof. Proof and cnonce of Digest have 32 digits at least: a text
 * without such a run repeats neither, unless it escapes them.
 */
function mayHoldProof(text: string): boolean {
  return text.length >= 32 && /[\w+/-]{32}|[&\\%]/.test(text);
}

/** Returns true for a text long enough to hold a secret. */
function isText(text: string): boolean {
  return text.length > 2;
}

/** Returns the parts of an `Authorization` header that reveal something about the sign-in. */
function partsOf(authorization: string): readonly string[] {
  const parts = [...authorization.matchAll(/\b(?:response|cnonce)="([^"]+)"/g)].flatMap(
    ([, value]) => value ?? [],
  );
  return [authorization, authorization.replace(/^\S+ /, ''), ...parts];
}
