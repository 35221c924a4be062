/** The device interface as it is: operations, calls, capabilities. */
import type { Command } from 'commander';
import { addCommand, collect, addDeviceOptions } from '../options.ts';
import { YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addInterfaceCommands(program: Command, run: Runner): void {
  addCommand(program, 'operations', 'all operations of the device interface').action(
    run(() => import('../commands/operations.ts'), 'printOperations'),
  );
  addDeviceOptions(addCommand(program, 'call <operation>', 'one operation on a device'))
    .option('--param <k=v>', 'a variable of path or query; may be repeated', collect)
    .option('--body <file>', 'JSON in the shape of the definition; - is standard input')
    .option('--raw', 'send and print bytes as they are')
    .option('--yes', YES)
    .action(run(() => import('../commands/call.ts'), 'call'));
  addDeviceOptions(addCommand(program, 'request <method> <path>', 'a raw request'))
    .option('--body <file>', 'bytes to send; - is standard input')
    .option('--type <type>', 'content type of the body')
    .option('--yes', YES)
    .action(run(() => import('../commands/call.ts'), 'request'));
  addDeviceOptions(addCommand(program, 'caps', 'capabilities of a device'))
    .option('--probe', 'add what harmless reads really answer')
    .action(run(() => import('../commands/devices/caps.ts'), 'showCapabilities'));
}
