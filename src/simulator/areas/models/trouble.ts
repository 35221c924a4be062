/** Faults while a package is received, at a byte of it. */
import type { Faults, PackageFault } from '#simulator/faults.ts';
import { DownloadFailed } from './download.ts';

const AT_A_BYTE = [
  'download-drops',
  'download-restarts',
  'download-full',
] as const satisfies readonly PackageFault[];

export class Trouble {
  readonly #restartSelf: () => void;
  readonly #faults: Pick<Faults, 'strike'>;
  /** Faults that struck, with their byte if one was named; each happens once. */
  #coming: { readonly kind: (typeof AT_A_BYTE)[number]; readonly at: number | undefined }[] | undefined;
  #last = 0;

  constructor(faults: Pick<Faults, 'strike'>, { restartSelf }: { readonly restartSelf: () => void }) {
    this.#faults = faults;
    this.#restartSelf = restartSelf;
  }

  /** Records that so many bytes were received. @throws DownloadFailed if there is no more room */
  at(bytes: number, total: number | undefined): 'drop' | undefined {
    this.#coming ??= AT_A_BYTE.flatMap((kind) => {
      const scope = this.#faults.strike(kind);
      return scope === undefined ? [] : [{ kind, at: scope.at }];
    });
    const before = this.#last;
    this.#last = bytes;
    const reached = this.#coming.filter(({ at }) => {
      const place = at ?? Math.floor((total ?? bytes * 2) / 2);
      return before < place && place <= bytes;
    });
    if (reached.length === 0) return undefined;
    this.#coming = this.#coming.filter((each) => !reached.includes(each));
    if (reached.some(({ kind }) => kind === 'download-full'))
      throw new DownloadFailed('There is no room left.');
    if (reached.some(({ kind }) => kind === 'download-restarts')) this.#restartSelf();
    return 'drop';
  }
}
