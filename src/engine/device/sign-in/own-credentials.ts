/** Name and password of one device while it is talked to, and what of them must not be shown in its answers. */
import type { DeviceDirectory } from '../directory.ts';
import { createOwnMask, type Mask } from './own-mask.ts';
import type { Credentials } from './proofs.ts';
import { createRedactor, hasMatchingText } from '../redact.ts';

export class OwnCredentials {
  readonly #deviceId: string;
  readonly #devices: Pick<DeviceDirectory, 'signIn'>;
  #used: Credentials | undefined;
  /** What Digest made of user and password when it was used last. */
  #keys: readonly string[] = [];
  /** Made anew where the sign-in changes and where Digest made something else of it: the vault is not opened for each of thousands of answers. */
  #mask: Mask | undefined;
  /** Of the `Authorization` header that was last seen again; that of Basic is the same each time. */
  #sent: { readonly authorization: string; readonly hide: Mask } | undefined;

  constructor(deviceId: string, devices: Pick<DeviceDirectory, 'signIn'>) {
    this.#deviceId = deviceId;
    this.#devices = devices;
  }

  /** As they are saved now. Throws `vault-locked`, and `sign-in-required` where it is not clear which to use. */
  read(): Credentials | undefined {
    return (this.#used = this.#devices.signIn(this.#deviceId));
  }

  /** The same where nothing may come of it but that nobody can sign in: the vault was locked or the sign-in removed meanwhile. */
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

  /** With what was sent along with this very request, as it may come back in an answer. */
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

/** A proof and a cnonce of Digest have 32 digits at least: a text without such a run repeats neither, unless it escapes them. */
function mayHoldProof(text: string): boolean {
  return text.length >= 32 && /[\w+/-]{32}|[&\\%]/.test(text);
}

/** Long enough to hold a secret. */
function isText(text: string): boolean {
  return text.length > 2;
}

/** What of an `Authorization` header says something about the sign-in. */
function partsOf(authorization: string): readonly string[] {
  const parts = [...authorization.matchAll(/\b(?:response|cnonce)="([^"]+)"/g)].flatMap(
    ([, value]) => value ?? [],
  );
  return [authorization, authorization.replace(/^\S+ /, ''), ...parts];
}
