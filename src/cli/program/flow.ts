/** Guided flows, their records, and the secrets that they made. */
import type { Command } from 'commander';
import { addCommand, addDeviceOptions } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addFlowCommands(program: Command, run: Runner): void {
  const flow = program.command('flow').description('guided setup without a screen, answered from a file');
  const load = () => import('../commands/flows/flow.ts');
  const loadRun = () => import('../commands/flows/run.ts');
  const loadVerify = () => import('../commands/flows/verify.ts');
  addCommand(flow, 'list', 'guided flows there are').action(run(load, 'listFlows'));
  addCommand(flow, 'show <name>', 'the steps of a flow').action(run(load, 'showFlow'));
  withAnswers(addCommand(flow, 'run <name>', 'go through a flow; one device after the other')).action(
    run(loadRun, 'runFlow'),
  );
  withAnswers(addCommand(flow, 'resume <id>', 'go on with a flow where it was left')).action(
    run(loadRun, 'resumeFlow'),
  );
  addCommand(flow, 'records', 'kept commissioning records, newest first').action(
    run(load, 'listFlowRecords'),
  );
  addCommand(
    flow,
    'verify [files...]',
    'whether records are still what was exported: hash, what they show, and the chain of their sites; without a file the kept ones; needs no device',
  ).action(run(loadVerify, 'verifyFlowRecords'));
  addCommand(
    flow,
    'compare <before> <after>',
    'what differs between two records of the same flow; each is a file, or kept by its id',
  ).action(run(loadVerify, 'compareFlowRecords'));

  const keys = program.command('keys').description('secrets of devices that guided flows made, in the vault');
  const loadKeys = () => import('../commands/access/keys.ts');
  addCommand(keys, 'list', 'which device has which secret, without the secrets').action(
    run(loadKeys, 'listKeys'),
  );
  addDeviceOptions(
    addCommand(keys, 'export', 'write them to a file that a passphrase opens, with openssl too'),
  )
    .option('--out <file>', 'where to; it must not be there yet')
    .action(run(loadKeys, 'exportKeys'));
}

function withAnswers(command: Command): Command {
  return addDeviceOptions(command)
    .option('--answers <file>', 'answers by step and field, YAML or JSON; "skip: reason" leaves a step out')
    .option('--record <file>', 'write the record, also of a flow that is not through')
    .option('--template <file>', 'write what the flow set on the device as a template')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}
