/** Events for the page: each waits until a page is there, and goes to one page alone. */
import type { DesktopEvent } from '#shared/desktop-events.ts';

export class Events {
  /** Bound for a page that never comes. */
  static readonly #most = 20;
  readonly #waiting: DesktopEvent[] = [];
  #wake: () => void = () => undefined;

  add(event: DesktopEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > Events.#most) this.#waiting.shift();
    this.#wake();
  }

  async *watch(signal: AbortSignal): AsyncGenerator<DesktopEvent> {
    while (!signal.aborted) {
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    }
  }
}
