/** The device interface as it is: operations, calls, capabilities. */
import type { Command } from 'commander';
import { collect, withDevices, withGlobals } from '../options.ts';
import type { Runner } from './runner.ts';

export function addInterfaceCommands(program: Command, run: Runner): void {
  withGlobals(program.command('operations').description('all operations of the device interface')).action(
    (options) =>
      run(options, async (invocation) => (await import('../commands/operations.ts')).operations(invocation)),
  );
  withDevices(withGlobals(program.command('call <operation>').description('one operation on a device')))
    .option('--param <k=v>', 'a variable of path or query; may be repeated', collect)
    .option('--body <file>', 'JSON in the shape of the definition; - is standard input')
    .option('--raw', 'send and print bytes as they are')
    .action((operation, options) =>
      run(options, async (invocation) =>
        (await import('../commands/call.ts')).call(invocation, operation, options),
      ),
    );
  withDevices(withGlobals(program.command('request <method> <path>').description('a raw request')))
    .option('--body <file>', 'bytes to send; - is standard input')
    .option('--type <type>', 'content type of the body')
    .action((method, path, options) =>
      run(options, async (invocation) =>
        (await import('../commands/call.ts')).request(invocation, method, path, options),
      ),
    );
  withDevices(withGlobals(program.command('caps').description('capabilities of a device')))
    .option('--probe', 'add what harmless reads really answer')
    .action((options) =>
      run(options, async (invocation) =>
        (await import('../commands/devices/caps.ts')).caps(invocation, options),
      ),
    );
}
