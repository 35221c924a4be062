/** Templates, plans and their application. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { DEVICE_KINDS } from '#shared/model.ts';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import {
  PROGRESS,
  addConcurrency,
  addDeviceOptions,
  addRolloutOptions,
  addWhenBack,
  YES,
} from './options.ts';
import { integer, oneOf, parameters, repeated, separated, timeSpan, timeWindow } from './parsers.ts';

const version = integer(1, 1_000_000);

/** Adds the template's values, and the devices that they are for. */
function addPlanningOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addConcurrency(
    addDeviceOptions(command).option(
      '--values <csv|k=v...>',
      'values of variables, or a file with one row a device; secrets come from FIELDWRIGHT_SECRET_<NAME>, the vault (secret set) or a prompt',
    ),
  );
}

function addFileOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--out <file>', 'write it here instead of printing it')
    .option('--force', 'replace the file if there is one');
}

export type PlanningOptions = OptionsOf<typeof addPlanningOptions<[], NoOptions>>;

const TEMPLATE_OPTION = 'a template file, or the id of one the app holds';

export const TEMPLATE = {
  template: declareGroup('configuration templates', {
    check: declareCommand(
      'check against the specification, without a device',
      'template check site.yaml --capabilities lobby.json',
      (command) =>
        command
          .arguments('<file>')
          .option(
            '--capabilities <file>',
            'also against what devices reported (saved with caps --json); may be repeated',
            repeated(),
          )
          .option('--known', 'also against what the devices of its kinds reported when they were last read'),
    ),
    show: declareCommand(
      'show sections and variables of a template',
      'template show site-basics',
      (command) =>
        command.arguments('<file>').option('--version <n>', 'an older version of an own template', version),
    ),
    list: declareCommand('list templates of the app', 'template list'),
    new: declareCommand(
      'write a commented template to fill in; needs no device',
      'template new --kind thermal --out site.yaml',
      (command) =>
        addFileOptions(
          command
            .option(
              '--kind <kind...>',
              `for ${DEVICE_KINDS.join(', ')}; may be repeated`,
              (text: string, before: readonly (typeof DEVICE_KINDS)[number][] | undefined) => [
                ...new Set([...(before ?? []), ...separated(oneOf(DEVICE_KINDS))(text)]),
              ],
            )
            .option('--section <name...>', 'only these settings; may be repeated')
            .option('--name <name>', 'name of the template'),
        ),
    ),
    capture: declareCommand(
      'read a device into a template; writes nothing to it',
      'template capture --device Lobby --out lobby.yaml',
      (command) =>
        addFileOptions(
          addDeviceOptions(command)
            .option('--section <name...>', 'only these settings; may be repeated')
            .option(
              '--param <name=value>',
              'one channel, preset … instead of all; may be repeated',
              parameters,
            )
            .option('--name <name>', 'name of the template; default: that of the device'),
        ),
    ),
    save: declareCommand(
      'keep a template, as the next version if there is one of its name',
      'template save site.yaml --note "Gate opens for 5 s"',
      (command) =>
        command
          .arguments('<file>')
          .option('--note <text>', 'what changed, for readers of the versions')
          .option('--as <name|id>', 'as the next version of this own template')
          .option('--new', 'as a template of its own, also where there is one of its name')
          .option('--base <n>', 'refuse where a newer version than this was saved', version),
    ),
    versions: declareCommand(
      'list the versions of a template, newest first',
      'template versions "Site basics"',
      (command) => command.arguments('<template>'),
    ),
    diff: declareCommand(
      'compare two templates; each is a file, a name or id, or name@version',
      'template diff "Harbour gates@1" "Harbour gates@2"',
      (command) => command.arguments('<before> <after>'),
    ),
    export: declareCommand(
      'write the text of a template to a file',
      'template export "Harbour gates" --out gates.yaml',
      (command) =>
        addFileOptions(
          command
            .arguments('<template>')
            .option('--version <n>', 'an older version of an own template', version),
        ),
    ),
    remove: declareCommand(
      'forget an own template with all its versions; the journal stays',
      'template remove "Harbour gates"',
      (command) => command.arguments('<template>').option('--yes', 'do not ask'),
    ),
  }),
  plan: declareCommand(
    'show what would change; writes to no device',
    'plan --template site-basics --tag gates --out gates.plan.json',
    (command) =>
      addPlanningOptions(command)
        .requiredOption('--template <file>', TEMPLATE_OPTION)
        .option('--out <plan>', 'write the plan to a file for review')
        .option('--force', 'replace the file if there is one'),
  ),
  rehearse: declareCommand(
    'apply a template to virtual devices made of the last snapshots; the devices themselves get no request',
    'rehearse --template site-basics --tag gates',
    (command) => addPlanningOptions(command).requiredOption('--template <file>', TEMPLATE_OPTION),
  ),
  apply: declareCommand(
    'write settings, read them back and record both; Ctrl-C leaves the job resumable',
    'apply --template site-basics --tag gates --canary 1',
    (command) =>
      addWhenBack(addRolloutOptions(addPlanningOptions(command)))
        .option(
          '--between <window>',
          'local times of this computer, such as 22:00-05:00: begins then, and begins nothing after; the rest is open work',
          timeWindow,
        )
        .option(
          '--confirm-within <span>',
          'put everything back unless "jobs confirm" keeps it within 90s, 5m or 1h of the last write; Ctrl-C puts it back at once. No help where this computer is the one cut off',
          timeSpan,
        )
        .option('--template <file>', TEMPLATE_OPTION)
        .option('--plan <file>', 'a reviewed plan')
        .option(
          '--yes',
          `${YES}. With --plan it is the yes to the state that was reviewed: a device that changed since gets nothing`,
        )
        .option('--accept-drift', 'with --plan: also where a device changed since the plan was made')
        .option('--progress', PROGRESS),
  ),
};
