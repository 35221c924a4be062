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
  withGlobals(flow.command('list').description('guided flows there are')).action((options) =>
    run(options, async (invocation) => (await load()).flowList(invocation)),
  );
  withGlobals(flow.command('show <name>').description('the steps of a flow')).action((name, options) =>
    run(options, async (invocation) => (await load()).flowShow(invocation, name)),
  );
  withAnswers(flow.command('run <name>').description('go through a flow; one device after the other')).action(
    (name, options) =>
      run(options, async (invocation) => (await loadRun()).flowRun(invocation, name, options)),
  );
  withAnswers(flow.command('resume <id>').description('go on with a flow where it was left')).action(
    (id, options) =>
      run(options, async (invocation) => (await loadRun()).flowResume(invocation, id, options)),
  );
  withGlobals(flow.command('records').description('kept commissioning records, newest first')).action(
    (options) => run(options, async (invocation) => (await load()).flowRecords(invocation)),
  );
  withGlobals(
    flow
      .command('verify [files...]')
      .description(
        'whether records are still what was exported: hash, what they show, and the chain of their sites; without a file the kept ones; needs no device',
      ),
  ).action((files, options) =>
    run(options, async (invocation) => (await loadVerify()).flowVerify(invocation, files)),
  );
  withGlobals(
    flow
      .command('compare <before> <after>')
      .description('what differs between two records of the same flow; each is a file, or kept by its id'),
  ).action((before, after, options) =>
    run(options, async (invocation) => (await loadVerify()).flowCompare(invocation, before, after)),
  );

  const keys = program.command('keys').description('secrets of devices that guided flows made, in the vault');
  const loadKeys = () => import('../commands/access/keys.ts');
  withGlobals(keys.command('list').description('which device has which secret, without the secrets')).action(
    (options) => run(options, async (invocation) => (await loadKeys()).keysList(invocation)),
  );
  withDevices(
    withGlobals(
      keys.command('export').description('write them to a file that a passphrase opens, with openssl too'),
    ),
  )
    .option('--out <file>', 'where to; it must not be there yet')
    .action((options) =>
      run(options, async (invocation) => (await loadKeys()).keysExport(invocation, options)),
    );
}

function withAnswers(command: Command): Command {
  return withDevices(withGlobals(command))
    .option('--answers <file>', 'answers by step and field, YAML or JSON; "skip: reason" leaves a step out')
    .option('--record <file>', 'write the record, also of a flow that is not through')
    .option('--template <file>', 'write what the flow set on the device as a template')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}
