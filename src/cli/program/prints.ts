/** Fingerprints: from a file, from a device, at a terminal; results as they come. */
import type { Command } from 'commander';
import { addCommand, collect, addConnectionOptions, addDeviceOptions } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addPrintCommands(program: Command, run: Runner): void {
  const prints = program
    .command('fingerprints')
    .description('enrol, copy and remove fingerprints on many devices; one result for each reader');
  const load = () => import('../commands/prints.ts');
  withSending(
    withReaders(
      addDeviceOptions(
        addCommand(
          prints,
          'import <file>',
          'NDJSON { employeeNo, fingerPrintID, fingerType, fingerData, leaderFP? }; - is standard input',
        ),
      ),
    ),
  )
    .option('--check-person', 'devices refuse people they do not know')
    .option('--verify', 'ask the device for each fingerprint afterwards')
    .action(run(load, 'importFingerprints'));
  withSending(
    withReaders(addDeviceOptions(addCommand(prints, 'copy', 'from one device to others, in memory'))),
  )
    .option('--from <url|name|id>', 'the device that is read')
    .option('--to <url|name|id>', 'a device that they go to; may be repeated', collect)
    .option('--employee <number>', 'this person alone; may be repeated', collect)
    .option('--finger <number>', 'this finger alone, 1 to 10; may be repeated', collect)
    .option('--no-check-person', 'also for people that a device does not know')
    .option('--no-verify', 'do not ask the devices afterwards')
    .action(run(load, 'copyFingerprints'));
  withReaders(
    addDeviceOptions(
      addCommand(prints, 'remove', 'remove fingerprints of people, and ask each device again'),
    ),
  )
    .option('--employee <number>', 'whose; may be repeated', collect)
    .option('--finger <number>', 'this finger alone, 1 to 10; may be repeated', collect)
    .option('--yes', YES)
    .option('--progress', PROGRESS)
    .action(run(load, 'removeFingerprints'));
  withReaders(
    addDeviceOptions(
      addCommand(
        prints,
        'enrol',
        'wait until a finger is put on a terminal, then bring it to the other readers',
      ),
    ),
  )
    .option('--employee <number>', 'whose', collect)
    .option('--finger <number>', 'which, 1 to 10', collect)
    .option('--at <url|name|id>', 'the terminal; default: the first device')
    .option('--at-reader <number>', 'its reader', '1')
    .option('--anew', 'another capture, where the terminal has the finger already')
    .option('--as-it-is', 'what the terminal has already')
    .option('--wait <seconds>', 'how long to wait for the finger', '60')
    .option('--yes', YES)
    .option('--progress', PROGRESS)
    .action(run(load, 'enrolFingerprints'));
  addConnectionOptions(
    addCommand(
      prints,
      'export',
      'write the templates of a device readable to a file: biometric data; asks first',
    ),
  )
    .option('--from <url|name|id>', 'the device that is read')
    .option('--employee <number>', 'this person alone; may be repeated', collect)
    .option('--out <file>', 'where to; - is standard output')
    .option('--yes', 'do not ask')
    .action(run(load, 'exportFingerprints'));
  addCommand(prints, 'forget <job>', 'wipe the templates that a job still keeps for going on').action(
    run(load, 'forgetFingerprints'),
  );
  addCommand(prints, 'results <job>', 'what became of each fingerprint of a job').action(
    run(load, 'listFingerprintResults'),
  );
}

function withReaders(command: Command): Command {
  return command.option('--reader <number>', 'this reader, 1 to 10; may be repeated', collect);
}

function withSending(command: Command): Command {
  return command
    .option(
      '--encrypt <cipher>',
      "with each device's token key, as it was set up: aes-256-cbc, … (cbc, cfb, ofb, ecb); salt, vector and key derivation are our own reading",
    )
    .option('--iterations <n>', 'of the token key: 50000, 80000 or 100000', '100000')
    .option('--no-fill', 'what is encrypted is not padded')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}
