/** Guided flows, their records, and the secrets that they made. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { declareCommand, declareGroup, type NoOptions, type OptionsOf } from './declaration.ts';
import { PROGRESS, addDeviceOptions, YES } from './options.ts';

function addAnswerOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addDeviceOptions(command)
    .option('--answers <file>', 'answers by step and field, YAML or JSON; "skip: reason" leaves a step out')
    .option('--record <file>', 'write the record, also of a flow that is not through')
    .option('--template <file>', 'write what the flow set on the device as a template')
    .option('--yes', YES)
    .option('--progress', PROGRESS);
}

function addShowOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return addDeviceOptions(command).option(
    '--answers',
    'print a file of answers to fill in, with fields, choices and units; with a device also its limits',
  );
}

export type FlowShowOptions = OptionsOf<typeof addShowOptions<[], NoOptions>>;
export type FlowRunOptions = OptionsOf<typeof addAnswerOptions<[], NoOptions>>;

export const FLOW = {
  flow: declareGroup('guided setup without a screen, answered from a file', {
    list: declareCommand('list guided flows', 'flow list'),
    show: declareCommand(
      'list the steps of a flow, or print a file for its answers',
      'flow show gate --answers --device Lobby',
      (command) => addShowOptions(command.arguments('<name>')),
    ),
    run: declareCommand(
      'go through a flow; one device after the other',
      'flow run gate --device Lobby --answers gate.yaml --record lobby.pdf --yes',
      (command) => addAnswerOptions(command.arguments('<name>')),
    ),
    resume: declareCommand(
      'go on with a flow where it was left',
      'flow resume j-75bbff2a5e8f --answers gate.yaml',
      (command) => addAnswerOptions(command.arguments('<id>')),
    ),
    records: declareCommand('list kept commissioning records, newest first', 'flow records'),
    verify: declareCommand(
      'check that records are what was exported: hash, contents and the chain of their sites; without a file the kept ones; needs no device',
      'flow verify lobby.pdf',
      (command) => command.arguments('[files...]'),
    ),
    compare: declareCommand(
      'compare two records of the same flow; each is a file, or kept by its id',
      'flow compare lobby.json lobby-today.json',
      (command) => command.arguments('<before> <after>'),
    ),
  }),
  keys: declareGroup('secrets of devices that guided flows made, in the vault', {
    list: declareCommand('list which device has which secret, without the secrets', 'keys list'),
    export: declareCommand(
      'write them to a file that a passphrase opens, with openssl too',
      'keys export --out keys.bin',
      (command) =>
        addDeviceOptions(command).requiredOption('--out <file>', 'where to; it must not be there yet'),
    ),
  }),
};
