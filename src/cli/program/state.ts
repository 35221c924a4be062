/** Saved states of devices, and putting one onto another device. */
import type { Command } from 'commander';
import { withDevices, withGlobals } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addStateCommands(program: Command, run: Runner): void {
  const state = program.command('state').description('settings of a device, kept for the day it is replaced');
  const load = () => import('../commands/apply/state.ts');
  withDevices(
    withGlobals(
      state
        .command('save')
        .description('read everything a template can set and keep it; secrets are never kept'),
    ),
  )
    .option('--name <name>', 'name of the state; default: that of the device')
    .action((options) => run(options, async (invocation) => (await load()).stateSave(invocation, options)));
  withGlobals(state.command('list').description('saved states, newest first')).action((options) =>
    run(options, async (invocation) => (await load()).stateList(invocation)),
  );
  withGlobals(state.command('show <id>').description('a saved state, with the template that it is')).action(
    (id, options) => run(options, async (invocation) => (await load()).stateShow(invocation, id)),
  );
  withGlobals(state.command('remove <id>').description('forget a saved state')).action((id, options) =>
    run(options, async (invocation) => (await load()).stateRemove(invocation, id)),
  );
  withDevices(
    withGlobals(
      program
        .command('swap')
        .description(
          'a saved state onto another device: what is kept, converted and lost is told before anything is written',
        ),
    ),
  )
    .option('--state <id>', 'the saved state')
    .option('--yes', YES)
    .option('--progress', PROGRESS)
    .action((options) =>
      run(options, async (invocation) =>
        (await import('../commands/apply/swap.ts')).swap(invocation, options),
      ),
    );
}
