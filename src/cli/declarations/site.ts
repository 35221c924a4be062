/** The virtual site, and the browser-hosted app. */
import { DEVICE_KINDS } from '#shared/model.ts';
import { MODELS } from '#simulator/kinds/models.ts';
import { declareCommand } from './declaration.ts';
import { integer, oneOf, repeated, separated } from './parsers.ts';

const port = integer(0, 65_535);

export const SITE = {
  simulate: declareCommand(
    'start a virtual site',
    'simulate --devices 2 --kinds thermal,gate --port 40001',
    (command) =>
      command
        .option('--devices <n>', 'how many devices; default: one of each kind', integer(1, 2000))
        .option(
          '--kinds <list>',
          `${DEVICE_KINDS.join(', ')}; handed out in turn; default: all`,
          separated(oneOf(DEVICE_KINDS)),
        )
        .option(
          '--twin <file>',
          'a device made of a file of snapshot show --out, instead of the kinds; may be repeated',
          repeated(),
        )
        .option('--port <p>', 'first port; 0 takes free ones', port, 0)
        .option('--seed <s>', 'seed of everything random', integer(0, 0xffff_ffff))
        .option('--prefix <path>', 'first segment of the device interface')
        .option('--namespace <uri>', 'XML namespace of the devices')
        .option(
          '--strict',
          'refuse every request that the specification does not allow, and name it on a line',
        )
        .option(
          '--auth <scheme>',
          'digest, digest-sha256, basic or none',
          oneOf(['digest', 'digest-sha256', 'basic', 'none']),
        )
        .option('--tls', 'HTTPS with a certificate made for this run')
        .option('--mdns', 'announce the devices on the network')
        .option('--mdns-local', 'announce the devices on this computer alone')
        .option(
          '--models <list>',
          'standard, compact, dual; handed out in turn beside the kinds; default: standard',
          separated(oneOf(MODELS)),
        )
        .option(
          '--restart-after <seconds>',
          'a device restarts by itself this much after a write that needs it, or after a model package came',
          integer(0, 86_400),
        )
        .option(
          '--finger-after <seconds>',
          'a finger is put on the reader that is asked for after this long',
          integer(0, 600),
        )
        .option('--users <n>', 'people enrolled on each gate; default: 12', integer(0, 200_000))
        .option('--model-storage <mb>', 'room for model packages; default: 4096', integer(0, 1_000_000))
        .option('--models-per-engine <n>', 'model packages that one engine takes', integer(1, 16), 1)
        .option(
          '--download-rate <kb>',
          'kilobytes a second at which a model package is taken in',
          integer(1, 10_000_000),
        )
        .option('--push-models', 'devices also take the file of a model package itself')
        .option('--latency <ms>', 'delay of every answer', integer(0, 600_000))
        .option(
          '--fault <kind[:rate][,name=value]>',
          'a misbehaviour, narrowed by name=value; may be repeated',
          repeated(),
        )
        .option(
          '--scenario <file>',
          'what people do there, a JSON object a line (walk, cover, fire, power, unplug …); - takes lines from standard input as they come',
        ),
  ),
  serve: declareCommand('serve the app to a browser', 'serve --open', (command) =>
    command
      .option('--port <p>', 'port; 0 takes a free one', port, 0)
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--open', 'open it in the browser'),
  ),
  version: declareCommand('show the version', 'version --check', (command) =>
    command.option('--check', 'say whether there is a newer one, where the policy of your organisation says'),
  ),
};
