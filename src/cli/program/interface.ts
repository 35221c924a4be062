/** The device interface as it is: operations, calls, capabilities. */
import type { Command } from 'commander';
import { collect, withDevices, withGlobals } from '../options.ts';
import type { Runner } from './runner.ts';

export function addInterfaceCommands(program: Command, run: Runner): void {
  withGlobals(program.command('operations').description('all operations of the device interface')).action(
    run(() => import('../commands/operations.ts'), 'operations'),
  );
  withDevices(withGlobals(program.command('call <operation>').description('one operation on a device')))
    .option('--param <k=v>', 'a variable of path or query; may be repeated', collect)
    .option('--body <file>', 'JSON in the shape of the definition; - is standard input')
    .option('--raw', 'send and print bytes as they are')
    .action(run(() => import('../commands/call.ts'), 'call'));
  withDevices(withGlobals(program.command('request <method> <path>').description('a raw request')))
    .option('--body <file>', 'bytes to send; - is standard input')
    .option('--type <type>', 'content type of the body')
    .action(run(() => import('../commands/call.ts'), 'request'));
  withDevices(withGlobals(program.command('caps').description('capabilities of a device')))
    .option('--probe', 'add what harmless reads really answer')
    .action(run(() => import('../commands/devices/caps.ts'), 'caps'));
}
