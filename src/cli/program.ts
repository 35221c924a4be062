/** Every command with its options, as the command line's contract lists them. */
import { Command } from 'commander';
import { addAccessCommands } from './program/access.ts';
import { addDeviceCommands } from './program/device.ts';
import { addFlowCommands } from './program/flow.ts';
import { addInterfaceCommands } from './program/interface.ts';
import { addJobCommands } from './program/jobs.ts';
import { addReportCommands } from './program/report.ts';
import { addModelCommands } from './program/model.ts';
import type { Runner } from './program/runner.ts';
import { addPrintCommands } from './program/prints.ts';
import { addSiteCommands } from './program/site.ts';
import { addStateCommands } from './program/state.ts';
import { addTemplateCommands } from './program/template.ts';
import { addUsersCommands } from './program/users.ts';

/** Modules are loaded by the command that needs them: `operations` should not wait for SQLite. */
export function buildProgram(version: string, runner: Runner): Command {
  const program = new Command('fieldwright')
    .description('Configure networked devices on site: plan, apply, read back.')
    .version(version)
    // `--version` behind a command is that command's own.
    .enablePositionalOptions();
  addSiteCommands(program, runner);
  addDeviceCommands(program, runner);
  addAccessCommands(program, runner);
  addInterfaceCommands(program, runner);
  addTemplateCommands(program, runner);
  addJobCommands(program, runner);
  addStateCommands(program, runner);
  addFlowCommands(program, runner);
  addPrintCommands(program, runner);
  addModelCommands(program, runner);
  addUsersCommands(program, runner);
  addReportCommands(program, runner);
  return program;
}
