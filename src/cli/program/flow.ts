/** Guided flows, their records, and the secrets that they made. */
import type { Command } from 'commander';
import { withDevices, withGlobals } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addFlowCommands(program: Command, run: Runner): void {
  const flow = program.command('flow').description('guided setup without a screen, answered from a file');
  const load = () => import('../commands/flows/flow.ts');
  const loadRun = () => import('../commands/flows/run.ts');
  const loadVerify = () => import('../commands/flows/verify.ts');
  withGlobals(flow.command('list').description('guided flows there are')).action(run(load, 'flowList'));
  withGlobals(flow.command('show <name>').description('the steps of a flow')).action(run(load, 'flowShow'));
  withAnswers(flow.command('run <name>').description('go through a flow; one device after the other')).action(
    run(loadRun, 'flowRun'),
  );
  withAnswers(flow.command('resume <id>').description('go on with a flow where it was left')).action(
    run(loadRun, 'flowResume'),
  );
  withGlobals(flow.command('records').description('kept commissioning records, newest first')).action(
    run(load, 'flowRecords'),
  );
  withGlobals(
    flow
      .command('verify [files...]')
      .description(
        'whether records are still what was exported: hash, what they show, and the chain of their sites; without a file the kept ones; needs no device',
      ),
  ).action(run(loadVerify, 'flowVerify'));
  withGlobals(
    flow
      .command('compare <before> <after>')
      .description('what differs between two records of the same flow; each is a file, or kept by its id'),
  ).action(run(loadVerify, 'flowCompare'));

  const keys = program.command('keys').description('secrets of devices that guided flows made, in the vault');
  const loadKeys = () => import('../commands/access/keys.ts');
  withGlobals(keys.command('list').description('which device has which secret, without the secrets')).action(
    run(loadKeys, 'keysList'),
  );
  withDevices(
    withGlobals(
      keys.command('export').description('write them to a file that a passphrase opens, with openssl too'),
    ),
  )
    .option('--out <file>', 'where to; it must not be there yet')
    .action(run(loadKeys, 'keysExport'));
}

function withAnswers(command: Command): Command {
  return withDevices(withGlobals(command))
    .option('--answers <file>', 'answers by step and field, YAML or JSON; "skip: reason" leaves a step out')
    .option('--record <file>', 'write the record, also of a flow that is not through')
    .option('--template <file>', 'write what the flow set on the device as a template')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}
