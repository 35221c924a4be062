/** The journal. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { JOB_STATES } from '#shared/model.ts';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import { addConnectionOptions, addContinueOptions, addRolloutOptions, addWhenBack, YES } from './options.ts';
import { integer, moment, oneOf, repeated } from './parsers.ts';

function addQueryOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--text <text>', 'in title, device, address, setting, user or id')
    .option('--device <url|name|id>', 'jobs that this device was part of')
    .option('--state <state>', `${JOB_STATES.join(', ')}; may be repeated`, repeated(oneOf(JOB_STATES)))
    .option('--from <time>', 'begun at this time or later, a day or ISO 8601', moment('start'))
    .option('--to <time>', 'begun at this time or earlier', moment('end'));
}

function addDeviceChoice<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command.option('--device <url|name|id>', 'only this device; may be repeated', repeated());
}

export type QueryOptions = OptionsOf<typeof addQueryOptions<[], NoOptions>>;
export type ContinueOptions = OptionsOf<typeof addContinueOptions<[], NoOptions>> & { readonly yes?: true };

export const JOBS = {
  changes: declareGroup('settings that jobs changed', {
    list: declareCommand(
      'list changes, newest first: time, device, setting, old and new value, who',
      'changes list --device Lobby --from 2030-03-01',
      (command) =>
        addDeviceChoice(command)
          .option('--from <time>', 'of jobs begun at this time or later, a day or ISO 8601', moment('start'))
          .option('--to <time>', 'of jobs begun at this time or earlier', moment('end'))
          .option('--limit <n>', 'at most so many', integer(1, 1_000_000), 500),
    ),
    undo: declareCommand(
      'put one setting back as it was, and nothing else, as a job of its own',
      'changes undo j-75bbff2a5e8f:0:0:distance',
      (command) =>
        addContinueOptions(command.arguments('<id>')).option(
          '--yes',
          `${YES}: also overwrite what others have set since on the same field`,
        ),
    ),
  }),
  work: declareGroup('work that waits for devices', {
    list: declareCommand(
      'list the open work of jobs: devices that were away, busy or waited for a restart',
      'work list',
    ),
    run: declareCommand(
      'do what can be done now; with ids that work alone, also where a window of time is closed',
      'work run --watch',
      (command) =>
        addConnectionOptions(command.arguments('[ids...]')).option(
          '--watch',
          'go on until nothing waits any more, as devices come back; Ctrl-C ends it cleanly',
        ),
    ),
    drop: declareCommand(
      'give up the work on a device; the journal keeps the reason',
      'work drop j-75bbff2a5e8f.3 --reason "Gate is scrapped"',
      (command) => command.arguments('<id>').requiredOption('--reason <text>', 'why, for the journal'),
    ),
  }),
  jobs: declareGroup('the journal', {
    list: declareCommand('list jobs, newest first', 'jobs list --state failed --from 2030-03-01', (command) =>
      addQueryOptions(command)
        .option('--open', 'only what a person still has to do something about')
        .option('--limit <n>', 'at most so many', integer(1, 1_000_000), 500),
    ),
    show: declareCommand('show the results of a job', 'jobs show j-75bbff2a5e8f', (command) =>
      command.arguments('<id>'),
    ),
    export: declareCommand(
      'write every change of the jobs that match, a row each; secrets are masked',
      'jobs export --from 2030-03-01 --out changes.csv',
      (command) =>
        addQueryOptions(command)
          .option(
            '--format <csv|json>',
            'csv is safe to open in a spreadsheet',
            oneOf(['csv', 'json']),
            'csv',
          )
          .requiredOption('--out <file>', 'where to; - is standard output'),
    ),
    resume: declareCommand(
      'finish what is unfinished, also a follow-up that was cut off',
      'jobs resume j-75bbff2a5e8f',
      (command) =>
        addContinueOptions(command.arguments('<id>'))
          .option(
            '--yes',
            `${YES}: also where one changed meanwhile, and where a write cannot be checked by reading`,
          )
          .option('--take-over', 'also where another program seems to be at work on it; asks, or takes --yes')
          .option('--answers <file>', 'answers by step and field, of a guided flow'),
    ),
    confirm: declareCommand(
      'keep what a job with --confirm-within changed, where devices answer a fresh sign-in; exit code 1 where one does not',
      'jobs confirm j-75bbff2a5e8f',
      (command) => addConnectionOptions(command.arguments('<id>')),
    ),
    undo: declareCommand(
      'put back what the job found, as a job of its own',
      'jobs undo j-75bbff2a5e8f',
      (command) =>
        addWhenBack(addDeviceChoice(addContinueOptions(command.arguments('<id>')))).option(
          '--yes',
          `${YES}: also overwrite what others have set since on the same fields`,
        ),
    ),
    retry: declareCommand(
      'plan again for the devices that failed, with the values they had, and apply that',
      'jobs retry j-75bbff2a5e8f',
      (command) =>
        addDeviceChoice(addRolloutOptions(addContinueOptions(command.arguments('<id>')))).option(
          '--yes',
          YES,
        ),
    ),
    'follow-up': declareCommand(
      'wait until devices are restarted, and read what they show then; Ctrl-C ends the wait',
      'jobs follow-up j-75bbff2a5e8f --wait 900',
      (command) =>
        addDeviceChoice(addConnectionOptions(command.arguments('<id>')))
          .option('--wait <seconds>', 'how long to wait', integer(1, 86_400), 600)
          .option('--progress', 'print what happens as it happens'),
    ),
  }),
};
