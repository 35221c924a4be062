/** Every command with its options, as the command line's contract lists them. */
import { Command } from 'commander';
import { addAccessCommands } from './program/access.ts';
import { addDeviceCommands } from './program/device.ts';
import { addFlowCommands } from './program/flow.ts';
import { addInterfaceCommands } from './program/interface.ts';
import { addJobCommands } from './program/jobs.ts';
import { addReportCommands } from './program/report.ts';
import { addModelCommands } from './program/model.ts';
import { GLOBAL_OPTIONS } from './options.ts';
import type { Runner } from './program/runner.ts';
import { addPrintCommands } from './program/prints.ts';
import { addSiteCommands } from './program/site.ts';
import { addStateCommands } from './program/state.ts';
import { addTemplateCommands } from './program/template.ts';
import { addUsersCommands } from './program/users.ts';

/** In the order of `--help`, by the commands that each adds. */
const AREAS: readonly {
  readonly commands: readonly string[];
  readonly add: (program: Command, runner: Runner) => void;
}[] = [
  { commands: ['simulate', 'serve'], add: addSiteCommands },
  { commands: ['discover', 'device'], add: addDeviceCommands },
  { commands: ['site', 'credential', 'secret', 'profile'], add: addAccessCommands },
  { commands: ['operations', 'call', 'request', 'caps'], add: addInterfaceCommands },
  { commands: ['template', 'plan', 'apply'], add: addTemplateCommands },
  { commands: ['jobs'], add: addJobCommands },
  { commands: ['state', 'swap'], add: addStateCommands },
  { commands: ['flow', 'keys'], add: addFlowCommands },
  { commands: ['fingerprints'], add: addPrintCommands },
  { commands: ['model'], add: addModelCommands },
  { commands: ['users'], add: addUsersCommands },
  { commands: ['report'], add: addReportCommands },
];

/**
 * Modules are loaded by the command that needs them: `operations` should not wait for SQLite. Where `word`, the first
 * of the line, names a command, its area alone is built: all of them take a fifth of a start.
 */
export function buildProgram(version: string, runner: Runner, word?: string): Command {
  const program = new Command('fieldwright')
    .description('Configure networked devices on site: plan, apply, read back.')
    .version(version)
    .addHelpText(
      'after',
      `
Every command takes:
${GLOBAL_OPTIONS.map(([flags, about]) => `  ${flags.padEnd(34)} ${about}`).join('\n')}`,
    )
    // `--version` behind a command is that command's own.
    .enablePositionalOptions();
  const named = AREAS.filter(({ commands }) => word !== undefined && commands.includes(word));
  for (const { add } of named.length > 0 ? named : AREAS) add(program, runner);
  return program;
}
