/** The storage card: its lock, the three minutes after an unlock, its health (part 3, 2.2 and 3). */
import type { DeviceState, Part, PartKey } from '../state/device-state.ts';
import { pickInt } from '../random.ts';
import { isEqualInConstantTime } from '../auth/digest.ts';

/** Reported by the device, not configurable. */
export const UNLOCK_MINUTES = 3;

class StorageCard implements Part {
  readonly #device: DeviceState;
  #password: string | undefined;
  #unlockedUntil = 0;
  /** A test may pull the card out. */
  present = true;
  readonly badBlocks: number;
  readonly powerLosses: number;
  readonly remainingLife: number;

  constructor(device: DeviceState) {
    const random = device.random('card');
    this.#device = device;
    this.badBlocks = pickInt(random, 0, 3);
    this.powerLosses = pickInt(random, 0, 5);
    this.remainingLife = pickInt(random, 70, 99);
  }

  get enabled(): boolean {
    return this.#password !== undefined;
  }

  get state(): 'onLine' | 'offLine' | 'locked' {
    if (!this.present) return 'offLine';
    return this.enabled && this.#device.clock.now() >= this.#unlockedUntil ? 'locked' : 'onLine';
  }

  isPassword(text: string | undefined): boolean {
    return this.#password !== undefined && text !== undefined && isEqualInConstantTime(text, this.#password);
  }

  lock(password: string): void {
    this.#password = password;
    this.#unlockedUntil = 0;
  }

  removeLock(): void {
    this.#password = undefined;
  }

  unlock(): void {
    this.#unlockedUntil = this.#device.clock.now() + UNLOCK_MINUTES * 60_000;
  }

  restarted(): void {
    this.#unlockedUntil = 0;
  }

  snapshot(): unknown {
    return { enabled: this.enabled, state: this.state };
  }
}

export const STORAGE_CARD: PartKey<StorageCard> = {
  name: 'storageCard',
  create: (device) => new StorageCard(device),
};
