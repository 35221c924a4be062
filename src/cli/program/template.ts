/** Templates, plans and their application. */
import type { Command } from 'commander';
import { DEVICE_KINDS } from '#shared/model.ts';
import { addCommand, collect, addDeviceOptions } from '../options.ts';
import { PROGRESS, addRolloutOptions, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

function withPlanning(command: Command): Command {
  return addDeviceOptions(command)
    .option('--template <file>', 'a template file, or the id of one the app holds')
    .option(
      '--values <csv|k=v...>',
      'values of variables, or a file with one row a device; secrets come from FIELDWRIGHT_SECRET_<NAME>, the vault (secret set) or a prompt',
    )
    .option('--concurrency <n>', 'devices at a time');
}

export function addTemplateCommands(program: Command, run: Runner): void {
  const template = program.command('template').description('configuration templates');
  const load = () => import('../commands/templates/template.ts');
  addCommand(template, 'check <file>', 'check against the specification, without a device')
    .option(
      '--capabilities <file>',
      'also against what devices reported (saved with caps --json); may be repeated',
      collect,
    )
    .action(run(load, 'runTemplateCheck'));
  addCommand(template, 'show <file>', 'sections and variables of a template')
    .option('--version <n>', 'an older version of an own template')
    .action(run(load, 'showTemplate'));
  addCommand(template, 'list', 'templates that the app holds').action(run(load, 'listTemplates'));
  addCommand(template, 'new', 'a commented template to fill in; needs no device')
    .option('--kind <kind...>', `for ${DEVICE_KINDS.join(', ')}; may be repeated`)
    .option('--section <name...>', 'only these settings; may be repeated')
    .option('--name <name>', 'name of the template')
    .option('--out <file>', 'write it here instead of printing it')
    .option('--force', 'replace the file where there is one')
    .action(run(() => import('../commands/templates/new.ts'), 'createTemplate'));
  addDeviceOptions(addCommand(template, 'capture', 'read a device into a template; writes nothing to it'))
    .option('--section <name...>', 'only these settings; may be repeated')
    .option('--param <name=value>', 'one channel, preset … instead of all; may be repeated', collect)
    .option('--name <name>', 'name of the template; default: that of the device')
    .option('--out <file>', 'write it here instead of printing it')
    .option('--force', 'replace the file where there is one')
    .action(run(() => import('../commands/templates/capture.ts'), 'writeCapturedTemplate'));
  addOwnTemplateCommands(template, run);
  withPlanning(addCommand(program, 'plan', 'what would change; writes to no device'))
    .option('--out <plan>', 'write the plan to a file for review')
    .option('--force', 'replace the file where there is one')
    .action(run(() => import('../commands/apply/plan.ts'), 'plan'));
  addRolloutOptions(
    withPlanning(addCommand(program, 'apply', 'write, read back, journal; Ctrl-C leaves the job resumable')),
  )
    .option('--plan <file>', 'a reviewed plan')
    .option(
      '--yes',
      `${YES}. With --plan it is the yes to the state that was reviewed: a device that changed since gets nothing`,
    )
    .option('--accept-drift', 'with --plan: also where a device changed since the plan was made')
    .option('--progress', PROGRESS)
    .action(run(() => import('../commands/apply/apply.ts'), 'apply'));
}

/** Own templates and their versions. */
function addOwnTemplateCommands(template: Command, run: Runner): void {
  const load = () => import('../commands/templates/own.ts');
  addCommand(template, 'save <file>', 'keep a template; the next version where there is one of its name')
    .option('--note <text>', 'what changed, for whoever reads the versions')
    .option('--as <name|id>', 'as the next version of this own template')
    .option('--new', 'as a template of its own, also where there is one of its name')
    .option('--base <n>', 'refuse where a newer version than this was saved')
    .action(run(load, 'saveTemplate'));
  addCommand(template, 'versions <template>', 'every version that was saved, newest first').action(
    run(load, 'listTemplateVersions'),
  );
  addCommand(
    template,
    'diff <before> <after>',
    'what differs; each is a file, a name or id, or name@version',
  ).action(run(() => import('../commands/templates/diff.ts'), 'printTemplateComparison'));
  addCommand(template, 'export <template>', 'the text of a template as a file')
    .option('--version <n>', 'an older version of an own template')
    .option('--out <file>', 'write it here instead of printing it')
    .option('--force', 'replace the file where there is one')
    .action(run(load, 'exportTemplate'));
  addCommand(template, 'remove <template>', 'forget an own template with all its versions; the journal stays')
    .option('--yes', 'do not ask')
    .action(run(load, 'removeTemplate'));
}
