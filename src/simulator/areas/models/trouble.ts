/** Faults while a package is received, at a byte of it. */
import type { PackageFault } from '#simulator/faults.ts';
import type { DeviceState } from '#simulator/state/device-state.ts';
import { DownloadFailed } from './download.ts';

const AT_A_BYTE = [
  'download-drops',
  'download-restarts',
  'download-full',
] as const satisfies readonly PackageFault[];

export class Trouble {
  readonly #device: Pick<DeviceState, 'faults' | 'restartSelf'>;
  /** Faults that struck, with their byte if one was named; each happens once. */
  #coming: { readonly kind: (typeof AT_A_BYTE)[number]; readonly at: number | undefined }[] | undefined;
  #last = 0;

  constructor(device: Pick<DeviceState, 'faults' | 'restartSelf'>) {
    this.#device = device;
  }

  /** Records that so many bytes were received. @throws DownloadFailed if there is no more room */
  at(bytes: number, total: number | undefined): 'drop' | undefined {
    this.#coming ??= AT_A_BYTE.flatMap((kind) => {
      const scope = this.#device.faults.strike(kind);
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
    if (reached.some(({ kind }) => kind === 'download-restarts')) this.#device.restartSelf();
    return 'drop';
  }
}
