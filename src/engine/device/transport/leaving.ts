/** Client that was released and may still have requests under way. */
interface Closing {
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/** Forgotten as soon as it has ended: thousands of devices are talked to in a day. */
export class Leaving {
  readonly #all = new Set<Closing>();

  /** Lets what it has under way end. */
  add(one: Closing | undefined): void {
    if (one === undefined) return;
    this.#all.add(one);
    void one.close().finally(() => this.#all.delete(one));
  }

  /** Ends what is under way. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map((one) => one.destroy()));
  }
}
