/** Configuration kept as the text that was last written: what was PUT is what GET returns. */
export class Documents {
  readonly #texts = new Map<string, string>();

  read(key: string): string | undefined {
    return this.#texts.get(key);
  }

  write(key: string, text: string): void {
    this.#texts.set(key, text);
  }

  all(): Record<string, string> {
    return Object.fromEntries(this.#texts);
  }
}

/** `resource/1/main`; variables are escaped so that a slash in one is no border. */
export function buildDocumentKey(resource: string, ...variables: readonly string[]): string {
  return [resource, ...variables.map(encodeURIComponent)].join('/');
}
