/** Saved states of devices, and putting one onto another device. */
import type { Command } from 'commander';
import { addCommand, addDeviceOptions } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addStateCommands(program: Command, run: Runner): void {
  const state = program.command('state').description('settings of a device, kept for the day it is replaced');
  const load = () => import('../commands/apply/state.ts');
  addDeviceOptions(
    addCommand(state, 'save', 'read everything a template can set and keep it; secrets are never kept'),
  )
    .option('--name <name>', 'name of the state; default: that of the device')
    .action(run(load, 'stateSave'));
  addCommand(state, 'list', 'saved states, newest first').action(run(load, 'stateList'));
  addCommand(state, 'show <id>', 'a saved state, with the template that it is').action(
    run(load, 'stateShow'),
  );
  addCommand(state, 'remove <id>', 'forget a saved state').action(run(load, 'stateRemove'));
  addDeviceOptions(
    addCommand(
      program,
      'swap',
      'a saved state onto another device: what is kept, converted and lost is told before anything is written',
    ),
  )
    .option('--state <id>', 'the saved state')
    .option('--yes', YES)
    .option('--progress', PROGRESS)
    .action(run(() => import('../commands/apply/swap.ts'), 'swap'));
}
