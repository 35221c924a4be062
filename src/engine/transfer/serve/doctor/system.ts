/** Access of the doctor to this computer: bounded, read-only, without administrator rights. */
import { open } from 'node:fs/promises';
import { listSystemInterfaces } from '#engine/discovery/network.ts';
import type { InterfaceAddress } from '#engine/discovery/types.ts';
import { lookAtProgramRules, type LookAtRules } from '#engine/host/program-rules.ts';
import { runProgram, type SystemProgram } from '#engine/host/system-programs.ts';

const LONGEST_MS = 3_000;
const MOST_BYTES = 256 * 1024;

export interface SystemView {
  readonly platform: NodeJS.Platform;
  readonly interfaces: () => readonly InterfaceAddress[];
  /** Output of a program, whatever its exit code; undefined if it does not exist or takes too long. */
  readonly run: (program: SystemProgram, args: readonly string[]) => Promise<string | undefined>;
  /** Rules of the firewall about this program. */
  readonly rules: LookAtRules;
  /** Text of a file; undefined if it cannot be read. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

export const thisComputer: SystemView = {
  platform: process.platform,
  interfaces: listSystemInterfaces,
  run: (program, args) => runProgram(program, args, { timeoutMs: LONGEST_MS, mostBytes: MOST_BYTES }),
  rules: () => lookAtProgramRules(),
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
