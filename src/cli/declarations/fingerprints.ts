/** Fingerprints: from a file, from a device, at a terminal; results as they come. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { say } from '#shared/details.ts';
import { MOST_FINGERS, MOST_READERS } from '#shared/people/fingerprints.ts';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import { PROGRESS, addConnectionOptions, addDeviceOptions, addWhenBack, YES } from './options.ts';
import { integer, oneOf, RefusedValue, repeated } from './parsers.ts';

const fingerNumber = integer(1, MOST_FINGERS);
const readerNumber = integer(1, MOST_READERS);

/** Parses a value that may be given only once. */
function once<Value>(parse: (text: string) => Value) {
  return (text: string, before: Value | undefined): Value => {
    if (before === undefined) return parse(text);
    throw new RefusedValue((option) => say('cli.takes-one', { command: 'fingerprints enrol', option }));
  };
}

function cipher(text: string): { readonly keyLen: 128 | 256; readonly mode: 'ECB' | 'CBC' | 'CFB' | 'OFB' } {
  const [, length, mode] = /^aes-(128|256)-(ecb|cbc|cfb|ofb)$/i.exec(text) ?? [];
  if (mode !== undefined) return { keyLen: length === '128' ? 128 : 256, mode: mode.toUpperCase() as 'CBC' };
  throw new RefusedValue((option) =>
    say('cli.one-of', { option, allowed: 'aes-{128|256}-{ecb|cbc|cfb|ofb}', text }),
  );
}

/** Parses the number of iterations of a token key (part 2). */
function iterations(text: string): 50_000 | 80_000 | 100_000 {
  return Number(oneOf(['50000', '80000', '100000'])(text)) as 100_000;
}

function addYesOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command.option('--yes', YES).option('--progress', PROGRESS);
}

function addReaderOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addYesOptions(addDeviceOptions(command)).option(
    '--reader <number>',
    'this reader, 1 to 10; may be repeated',
    repeated(readerNumber),
  );
}

function addSendingOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addWhenBack(addReaderOptions(command))
    .option(
      '--encrypt <cipher>',
      "with each device's token key, as it was set up: aes-256-cbc, … (cbc, cfb, ofb, ecb); salt, vector and key derivation are our own reading",
      cipher,
    )
    .option('--iterations <n>', 'of the token key: 50000, 80000 or 100000', iterations, 100_000)
    .option('--no-fill', 'what is encrypted is not padded');
}

export type SendingOptions = OptionsOf<typeof addSendingOptions<[], NoOptions>>;
export type ReaderOptions = OptionsOf<typeof addReaderOptions<[], NoOptions>>;

const EMPLOYEE = 'this person alone; may be repeated';
const FINGER = 'this finger alone, 1 to 10; may be repeated';

export const FINGERPRINTS = {
  fingerprints: declareGroup(
    'enrol, copy and remove fingerprints on many devices; one result for each reader',
    {
      import: declareCommand(
        'send fingerprints from NDJSON { employeeNo, fingerPrintID, fingerType, fingerData, leaderFP? }; - is standard input',
        'fingerprints import fingerprints.ndjson --device Lobby --yes',
        (command) =>
          addSendingOptions(command.arguments('<file>'))
            .option('--check-person', 'devices refuse people they do not know')
            .option('--verify', 'ask the device for each fingerprint afterwards'),
      ),
      copy: declareCommand(
        'copy fingerprints from one device to others, in memory',
        'fingerprints copy --from Lobby --to "Back door"',
        (command) =>
          addSendingOptions(command)
            .requiredOption('--from <url|name|id>', 'the device that is read')
            .option('--to <url|name|id>', 'a device that they go to; may be repeated', repeated())
            .option('--employee <number>', EMPLOYEE, repeated())
            .option('--finger <number>', FINGER, repeated(fingerNumber))
            .option('--no-check-person', 'also for people that a device does not know')
            .option('--no-verify', 'do not ask the devices afterwards'),
      ),
      remove: declareCommand(
        'remove fingerprints of people, and ask each device again',
        'fingerprints remove --employee 1001 --tag gates',
        (command) =>
          addWhenBack(addReaderOptions(command))
            .requiredOption('--employee <number>', 'whose; may be repeated', repeated())
            .option('--finger <number>', FINGER, repeated(fingerNumber)),
      ),
      enrol: declareCommand(
        'wait until a finger is put on a terminal, then bring it to the other readers',
        'fingerprints enrol --employee 1001 --finger 2 --tag gates --at Lobby',
        (command) =>
          addReaderOptions(command)
            .requiredOption('--employee <number>', 'whose', once(String))
            .requiredOption('--finger <number>', 'which, 1 to 10', once(fingerNumber))
            .option('--at <url|name|id>', 'the terminal; default: the first device')
            .option('--at-reader <number>', 'its reader', readerNumber, 1)
            .option('--anew', 'another capture, where the terminal has the finger already')
            .option('--as-it-is', 'what the terminal has already')
            .option('--wait <seconds>', 'how long to wait for the finger', integer(1, 600), 60),
      ),
      export: declareCommand(
        'write the templates of a device readable to a file: biometric data; asks first',
        'fingerprints export --from Lobby --out fingerprints.ndjson',
        (command) =>
          addConnectionOptions(command)
            .requiredOption('--from <url|name|id>', 'the device that is read')
            .option('--employee <number>', EMPLOYEE, repeated())
            .requiredOption('--out <file>', 'where to; - is standard output')
            .option('--yes', 'do not ask'),
      ),
      forget: declareCommand(
        'wipe the templates that a job still keeps for going on',
        'fingerprints forget j-75bbff2a5e8f',
        (command) => command.arguments('<job>'),
      ),
      results: declareCommand(
        'list the result of each fingerprint of a job',
        'fingerprints results j-75bbff2a5e8f',
        (command) => command.arguments('<job>'),
      ),
    },
  ),
};
