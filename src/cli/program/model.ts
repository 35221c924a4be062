/** Model packages of AI devices. */
import type { Command } from 'commander';
import { addCommand, collect, addDeviceOptions } from '../options.ts';
import { PROGRESS, YES } from './jobs.ts';
import type { Runner } from './runner.ts';

export function addModelCommands(program: Command, run: Runner): void {
  const model = program.command('model').description('model packages of AI devices');
  const load = () => import('../commands/model.ts');
  const loadSend = () => import('../commands/model-send.ts');
  const command = (name: string, about: string): Command => addDeviceOptions(addCommand(model, name, about));

  withSending(
    command(
      'send',
      'a package to many devices: fetched, restarted, loaded, proved; a job that can be resumed',
    ),
  )
    .option(
      '--engine <n>',
      'load it into this engine; may be repeated; without any it is only stored',
      collect,
    )
    .option(
      '--remove-previous',
      'delete packages from the device that had to leave the engine, once the new one runs',
    )
    .option('--keep-previous', 'keep them on the device (the default)')
    .action(run(async () => ({ run: (await loadSend()).sendModel.bind(null, false) }), 'run'));
  withSending(command('update', 'another content for a package that is on the devices')).action(
    run(async () => ({ run: (await loadSend()).sendModel.bind(null, true) }), 'run'),
  );
  for (const [name, about] of [
    ['list', 'packages on a device'],
    ['engines', 'engines of a device and what they hold'],
    ['storage', 'how much room a device has for packages'],
  ] as const)
    command(name, about).action(
      run(async () => ({ run: (await load()).showModels.bind(null, name) }), 'run'),
    );
  for (const [name, about] of [
    ['load', 'load a package into an engine, and wait until it runs'],
    ['unload', 'take the package out of an engine'],
    ['reset', 'reset an engine'],
    ['remove', 'delete a package from a device'],
  ] as const) {
    const change = command(name, about).option('--yes', YES);
    if (name !== 'remove') change.option('--engine <n>', 'which engine');
    if (name === 'load' || name === 'remove') change.option('--mpid <id>', 'which package');
    else change.option('--mpid <id>', 'only where it holds this package');
    change.action(run(async () => ({ run: (await load()).changeModels.bind(null, name) }), 'run'));
  }
  command('doctor', 'what would keep devices from fetching a file from this computer')
    .option('--file <file>', 'the package')
    .action(run(load, 'checkModelFetching'));
}

function withSending(command: Command): Command {
  return command
    .option('--file <file>', 'the package')
    .option('--mpid <id>', 'the id it gets on the devices, up to 64 characters')
    .option('--name <name>', 'its name on the devices, up to 128 characters')
    .option('--mode <url|push>', 'the device fetches it (as specified), or it is sent in a request', 'url')
    .option('--address <ip>', 'the own address that devices fetch from')
    .option('--canary <n>', 'devices of the first wave; when one fails, the rest is left alone')
    .option('--wave <n>', 'devices of each further wave')
    .option('--concurrency <n>', 'devices at a time')
    .option('--stop-after <failures>', 'start no more devices after so many failed')
    .option('--wait <seconds>', 'how long the restart of each device is waited for within its turn', '0')
    .option('--dry-run', 'say what would happen on each device, and send nothing')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}
