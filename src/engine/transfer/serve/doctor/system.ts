/** What the doctor looks at this computer with: bounded, reading alone, without rights of an administrator. */
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { systemInterfaces } from '../../../discovery/network.ts';
import type { InterfaceAddress } from '../../../discovery/types.ts';

const LONGEST_MS = 3_000;
const MOST_BYTES = 256 * 1024;

export interface SystemView {
  readonly platform: NodeJS.Platform;
  readonly interfaces: () => readonly InterfaceAddress[];
  /** What a command writes, whatever it ends with; undefined where there is none, or where it takes too long. */
  readonly run: (command: string, args: readonly string[]) => Promise<string | undefined>;
  /** Undefined where it cannot be read. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

export const thisComputer: SystemView = {
  platform: process.platform,
  interfaces: systemInterfaces,
  run: (command, args) =>
    new Promise((resolve) => {
      execFile(
        command,
        [...args],
        // in English where the command knows languages
        {
          timeout: LONGEST_MS,
          maxBuffer: MOST_BYTES,
          windowsHide: true,
          env: { ...process.env, LC_ALL: 'C' },
        },
        (error, stdout) => {
          const ran = error === null || typeof error.code === 'number';
          resolve(ran && stdout.trim() !== '' ? stdout : undefined);
        },
      );
    }),
  readText: async (path) => {
    try {
      await using file = await open(path);
      const buffer = Buffer.alloc(MOST_BYTES);
      const { bytesRead } = await file.read(buffer);
      return buffer.toString('utf8', 0, bytesRead);
    } catch {
      return undefined;
    }
  },
};
