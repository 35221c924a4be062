/** Model packages of AI devices. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import { PROGRESS, addConcurrency, addDeviceOptions, addWaves, addWhenBack, YES } from './options.ts';
import { integer, oneOf, repeated } from './parsers.ts';

const engineNumber = integer(0, 9999);

function addSendingOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addConcurrency(
    addWaves(
      addWhenBack(addDeviceOptions(command))
        .requiredOption('--file <file>', 'the package')
        .requiredOption('--mpid <id>', 'the id it gets on the devices, up to 64 characters')
        .option('--name <name>', 'its name on the devices, up to 128 characters')
        .option(
          '--mode <url|push>',
          'the device fetches it (as specified), or it is sent in a request',
          oneOf(['url', 'push']),
          'url',
        )
        .option('--address <ip>', 'the own address that devices fetch from'),
    ),
  )
    .option(
      '--wait <seconds>',
      'how long the restart of each device is waited for within its turn',
      integer(0, 86_400),
      0,
    )
    .option('--dry-run', 'say what would happen on each device, and send nothing')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}

function addEngineOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addDeviceOptions(command)
    .option('--yes', YES)
    .requiredOption('--engine <n>', 'which engine', engineNumber);
}

/** Choice of one engine or package on devices. */
export type ModelChangeOptions = OptionsOf<typeof addDeviceOptions<[], NoOptions>> & {
  readonly engine?: number;
  readonly mpid?: string;
  readonly yes?: true;
};

/** Options of `model update`; `model send` has more. */
export type ModelSendOptions = OptionsOf<typeof addSendingOptions<[], NoOptions>> & {
  readonly engine?: readonly number[];
  readonly keepPrevious?: true;
  readonly removePrevious?: true;
};

export const MODEL = {
  model: declareGroup('model packages of AI devices', {
    send: declareCommand(
      'send a package to many devices: fetched, restarted, loaded, proved; a job that can be resumed',
      'model send --file people.mpk --mpid people-2 --engine 1 --tag ai --canary 1',
      (command) =>
        addSendingOptions(command)
          .option(
            '--engine <n>',
            'load it into this engine; may be repeated; without any it is only stored',
            repeated(engineNumber),
          )
          .option(
            '--remove-previous',
            'delete packages from the device that had to leave the engine, once the new one runs',
          )
          .option('--keep-previous', 'keep them on the device (the default)'),
    ),
    update: declareCommand(
      'send another content for a package that is on the devices',
      'model update --file people.mpk --mpid people-2 --tag ai',
      addSendingOptions,
    ),
    list: declareCommand('list packages on a device', 'model list --device Hall', addDeviceOptions),
    engines: declareCommand(
      'list engines of a device and what they hold',
      'model engines --device Hall',
      addDeviceOptions,
    ),
    storage: declareCommand(
      'show how much room a device has for packages',
      'model storage --device Hall',
      addDeviceOptions,
    ),
    load: declareCommand(
      'load a package into an engine, and wait until it runs',
      'model load --engine 1 --mpid people-2 --device Hall',
      (command) => addEngineOptions(command).requiredOption('--mpid <id>', 'which package'),
    ),
    unload: declareCommand(
      'take the package out of an engine',
      'model unload --engine 1 --device Hall',
      (command) => addEngineOptions(command).option('--mpid <id>', 'only where it holds this package'),
    ),
    reset: declareCommand('reset an engine', 'model reset --engine 1 --device Hall', (command) =>
      addEngineOptions(command).option('--mpid <id>', 'only where it holds this package'),
    ),
    remove: declareCommand(
      'delete a package from a device',
      'model remove --mpid people-1 --device Hall',
      (command) =>
        addDeviceOptions(command).option('--yes', YES).requiredOption('--mpid <id>', 'which package'),
    ),
    doctor: declareCommand(
      'find what would keep devices from fetching a file from this computer',
      'model doctor --file people.mpk --device Hall',
      (command) => addDeviceOptions(command).option('--file <file>', 'the package'),
    ),
  }),
};
