/** Commands of the virtual site and of the browser-hosted app. */
import type { Command } from 'commander';
import { DEVICE_KINDS } from '#shared/model.ts';
import { addCommand, collect } from '../options.ts';
import type { Runner } from './runner.ts';

export function addSiteCommands(program: Command, run: Runner): void {
  addCommand(program, 'simulate', 'start a virtual site')
    .option('--devices <n>', 'how many devices; default: one of each kind')
    .option('--kinds <list>', `${DEVICE_KINDS.join(', ')}; handed out in turn; default: all`)
    .option('--port <p>', 'first port; 0 takes free ones', '0')
    .option('--seed <s>', 'seed of everything random')
    .option('--prefix <path>', 'first segment of the device interface')
    .option('--namespace <uri>', 'XML namespace of the devices')
    .option('--strict', 'refuse every request that the specification does not allow, and name it on a line')
    .option('--auth <scheme>', 'digest, digest-sha256, basic or none')
    .option('--tls', 'HTTPS with a certificate made for this run')
    .option('--mdns', 'announce the devices on the network')
    .option('--mdns-local', 'announce the devices on this computer alone')
    .option(
      '--models <list>',
      'standard, compact, dual; handed out in turn beside the kinds; default: standard',
    )
    .option(
      '--restart-after <seconds>',
      'a device restarts by itself this much after a write that needs it, or after a model package came',
    )
    .option('--finger-after <seconds>', 'somebody puts the finger on the reader that is asked for')
    .option('--users <n>', 'people enrolled on each gate; default: 12')
    .option('--model-storage <mb>', 'room for model packages; default: 4096')
    .option('--models-per-engine <n>', 'model packages that one engine takes; default: 1')
    .option('--download-rate <kb>', 'kilobytes a second at which a model package is taken in')
    .option('--push-models', 'devices also take the file of a model package itself')
    .option('--latency <ms>', 'delay of every answer')
    .option(
      '--fault <kind[:rate][,name=value]>',
      'a misbehaviour, narrowed by name=value; may be repeated',
      collect,
    )
    .option(
      '--scenario <file>',
      'what people do there, a JSON object a line (walk, cover, fire, power, unplug …); - takes lines from standard input as they come',
    )
    .action(run(() => import('../commands/simulate.ts'), 'simulate'));
  addCommand(program, 'serve', 'the app in a browser')
    .option('--port <p>', 'port; 0 takes a free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--open', 'open it in the browser')
    .action(run(() => import('../commands/serve.ts'), 'serve'));
}
