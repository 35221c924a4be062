/** Writes secrets of devices to a file that a person outside the page agrees to; the page gets no byte of it. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeFile } from '#engine/files/write-file.ts';
import type { Engine } from '#engine/api.ts';
import { createDetail } from '#shared/details.ts';
import type { InputAt } from '#shared/contract.ts';
import type { Confirmer } from './confirmation.ts';

interface KeysHost {
  /** Lets the person choose where a file goes; undefined if none was chosen. */
  readonly chooseTarget?: (fileName: string) => Promise<string | undefined>;
}

export function createKeysExport(
  engine: Pick<Engine, 'keys'>,
  host: KeysHost,
  confirmer: Pick<Confirmer, 'agree'>,
) {
  return async (
    request: InputAt<'keys.export'>,
    signal: AbortSignal,
  ): Promise<{ readonly file?: string; readonly count: number }> => {
    const { bytes, count } = await engine.keys.export(request);
    const fileName = `device-keys-${new Date().toISOString().slice(0, 16).replace(/[-:]/g, '')}.bin`;
    let file = join(homedir(), fileName);
    if (host.chooseTarget === undefined)
      await confirmer.agree(
        (sentence) => ({ message: sentence(createDetail('ask.keys', { count })), details: [file] }),
        signal,
      );
    else {
      const chosen = await host.chooseTarget(fileName);
      if (chosen === undefined) return { count };
      file = chosen;
    }
    await writeFile(file, { replace: host.chooseTarget !== undefined }, (write) => write(bytes));
    return { file, count };
  };
}
