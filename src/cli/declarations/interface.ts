/** The device interface: operations, calls, capabilities. */
import { declareCommand } from './declaration.ts';
import { addDeviceOptions, YES } from './options.ts';
import { oneOf, parameters } from './parsers.ts';

const CURL = [
  '--curl <sh|powershell>',
  'print the request as a command of curl for this shell, instead of the answer',
  oneOf(['sh', 'powershell']),
] as const;

export const INTERFACE = {
  operations: declareCommand('list the operations of the device interface', 'operations --json'),
  call: declareCommand(
    'send one operation to a device',
    'call gate.status.get --param channelID=1 --device Lobby',
    (command) =>
      addDeviceOptions(command.arguments('<operation>'))
        .option('--param <k=v>', 'a variable of path or query; may be repeated', parameters)
        .option('--body <file>', 'JSON in the shape of the definition; - is standard input')
        .option('--raw', 'send and print bytes as they are')
        .option(...CURL)
        .option('--yes', YES),
  ),
  request: declareCommand(
    'send a raw request',
    'request GET /API/System/deviceInfo --device Lobby',
    (command) =>
      addDeviceOptions(command.arguments('<method> <path>'))
        .option('--body <file>', 'bytes to send; - is standard input')
        .option('--type <type>', 'content type of the body')
        .option(...CURL)
        .option('--yes', YES),
  ),
  caps: declareCommand('show the capabilities of a device', 'caps --device Lobby --probe', (command) =>
    addDeviceOptions(command).option('--probe', 'add what harmless reads really answer'),
  ),
};
