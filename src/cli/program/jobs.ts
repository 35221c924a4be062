/** The journal. */
import type { Command } from 'commander';
import { JOB_STATES } from '#shared/model.ts';
import { addCommand, collect, addConnectionOptions } from '../options.ts';
import type { Runner } from './runner.ts';

export function addJobCommands(program: Command, run: Runner): void {
  const jobs = program.command('jobs').description('the journal');
  const load = () => import('../commands/jobs/jobs.ts');
  withQuery(addCommand(jobs, 'list', 'jobs, newest first'))
    .option('--limit <n>', 'at most so many', '500')
    .action(run(load, 'listJobs'));
  addCommand(jobs, 'show <id>', 'what became of one job').action(run(load, 'showJob'));
  withQuery(addCommand(jobs, 'export', 'every change of the jobs that match, a row each; secrets are masked'))
    .option('--format <csv|json>', 'csv is safe to open in a spreadsheet', 'csv')
    .option('--out <file>', 'where to; - is standard output')
    .action(run(load, 'exportJobs'));
  withContinuing(
    addCommand(jobs, 'resume <id>', 'finish what is unfinished, a follow-up that was cut off too'),
  )
    .option(
      '--yes',
      `${YES}: also where one changed meanwhile, and where a write cannot be checked by reading`,
    )
    .action(run(() => import('../commands/jobs/resume.ts'), 'resumeJob'));
  withContinuing(addCommand(jobs, 'undo <id>', 'put back what the job found, as a job of its own'))
    .option('--device <url|name|id>', 'only this device; may be repeated', collect)
    .option('--yes', `${YES}: also overwrite what others have set since on the same fields`)
    .action(run(() => import('../commands/jobs/undo.ts'), 'undoJob'));
  addRolloutOptions(
    withContinuing(
      addCommand(
        jobs,
        'retry <id>',
        'plan the devices that did not get through anew, with the values they had, and apply that',
      ),
    ),
  )
    .option('--device <url|name|id>', 'only this device; may be repeated', collect)
    .option('--yes', `${YES}`)
    .action(run(() => import('../commands/jobs/retry.ts'), 'retryJob'));
  addConnectionOptions(
    addCommand(
      jobs,
      'follow-up <id>',
      'wait until devices that have to restart were restarted, and read what they show; Ctrl-C ends the wait',
    ),
  )
    .option('--device <url|name|id>', 'only this device; may be repeated', collect)
    .option('--wait <seconds>', 'how long to wait', '600')
    .option('--progress', 'tell what happens as it happens')
    .action(run(() => import('../commands/jobs/follow-up.ts'), 'followUpJob'));
}

/** The rule of `--yes` on every command; only a reviewed plan (apply --plan) was looked at before. */
export const YES = 'do not ask; a yes to the devices as they are now';

/** How devices are handed out. */
export function addRolloutOptions(command: Command): Command {
  return command
    .option('--canary <n>', 'devices of the first wave; when one fails, the rest is left alone')
    .option('--wave <n>', 'devices of each further wave')
    .option('--stop-after <failures>', 'start no more devices after so many failed')
    .option(
      '--leave-out-blocked',
      'what is blocked on a device is left out there on purpose: skipped, and no failure',
    )
    .option('--wait', 'where another job works on one of the devices, wait until it is done with them');
}

export const PROGRESS =
  'tell what happens as it happens; Ctrl-C finishes what is under way and leaves the job resumable';

/** The journal knows addresses and profiles, never sign-ins. */
function withContinuing(command: Command): Command {
  return addConnectionOptions(command)
    .option('--insecure-plain-fields', 'send passwords inside a document also over unencrypted HTTP')
    .option('--concurrency <n>', 'devices at a time')
    .option('--progress', PROGRESS);
}

function withQuery(command: Command): Command {
  return command
    .option('--text <text>', 'in title, device, address, setting, user or id')
    .option('--device <url|name|id>', 'jobs that this device was part of')
    .option('--state <state>', `${JOB_STATES.join(', ')}; may be repeated`, collect)
    .option('--from <time>', 'begun at this time or later, a day or ISO 8601')
    .option('--to <time>', 'begun at this time or earlier');
}
