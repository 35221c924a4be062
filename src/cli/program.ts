/** Every command with its options, as the command line's contract lists them. */
import { Command } from 'commander';
import { FieldwrightError } from '../shared/errors.ts';
import type { GlobalOptions, Invocation } from './invocation.ts';
import { collect, withConnection, withDevices, withGlobals } from './options.ts';

/** Runs a command's function; gives its exit code to whoever built the program. */
export type Runner = (globals: GlobalOptions, run: (invocation: Invocation) => Promise<number> | number) => Promise<void>;

/** Commands of the contract that this version does not have yet. */
const LATER = ['report', 'model', 'users', 'fingerprints', 'flow'];

export function buildProgram(version: string, runner: Runner): Command {
  const program = new Command('fieldwright')
    .description('Configure networked devices on site: plan, apply, read back.')
    .version(version);
  addSiteCommands(program, runner);
  addDeviceCommands(program, runner);
  addInterfaceCommands(program, runner);
  addTemplateCommands(program, runner);
  addJobCommands(program, runner);
  for (const name of LATER) later(program, name, runner);
  return program;
}

/** Modules are loaded by the command that needs them: `operations` should not wait for SQLite. */
function addSiteCommands(program: Command, run: Runner): void {
  withGlobals(program.command('simulate').description('start a virtual site'))
    .option('--devices <n>', 'how many devices; default: one of each kind')
    .option('--kinds <list>', 'gate, thermal, ai, counter, recorder; handed out in turn; default: all')
    .option('--port <p>', 'first port; 0 takes free ones', '0')
    .option('--seed <s>', 'seed of everything random')
    .option('--prefix <path>', 'first segment of the device interface')
    .option('--namespace <uri>', 'XML namespace of the devices')
    .option('--auth <scheme>', 'digest, digest-sha256, basic or none')
    .option('--tls', 'HTTPS with a certificate made for this run')
    .option('--mdns', 'announce the devices on the network')
    .option('--latency <ms>', 'delay of every answer')
    .option('--fault <kind[:rate]>', 'a misbehaviour; may be repeated', collect)
    .action((options) => run(options, async (invocation) => (await import('./commands/simulate.ts')).simulate(invocation, options)));
  withGlobals(program.command('serve').description('the app in a browser'))
    .option('--port <p>', 'port; 0 takes a free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--open', 'open it in the browser')
    .action((options) => run(options, async (invocation) => (await import('./commands/serve.ts')).serve(invocation, options)));
}

function addDeviceCommands(program: Command, run: Runner): void {
  withGlobals(program.command('discover').description('devices of the network, as they are seen'))
    .option('--seconds <s>', 'how long to listen; a sweep is finished all the same; default: 6')
    .option('--interface <name>', 'only on this interface; may be repeated', collect)
    .option('--sweep <cidr>', 'ask every address of a network of this computer, at most a /20')
    .option('--ports <list>', 'ports of the sweep; default: 80,443,8080,8443')
    .option('--force', 'sweep a network this computer is not connected to')
    .option('--prefix <path>', 'first segment of the device interface, for instance /API')
    .option('--doctor', 'say what was tried and what may keep devices invisible')
    .action((options) => run(options, async (invocation) => (await import('./commands/discover.ts')).discover(invocation, options)));
  const device = program.command('device').description('the inventory');
  const load = () => import('./commands/device.ts');
  withConnection(withGlobals(device.command('add <address>').description('add a device')))
    .option('--name <name>', 'name in the inventory')
    .option('--tag <tag>', 'a tag; may be repeated', collect)
    .action((address, options) => run(options, async (invocation) => (await load()).deviceAdd(invocation, address, options)));
  withGlobals(device.command('list').description('all devices'))
    .option('--tag <tag>', 'only with this tag; may be repeated', collect)
    .action((options) => run(options, async (invocation) => (await load()).deviceList(invocation, options)));
  withGlobals(device.command('remove <devices...>').description('remove by address, name or id'))
    .action((references, options) => run(options, async (invocation) => (await load()).deviceRemove(invocation, references)));
  withConnection(withGlobals(device.command('import <csv>').description('add the devices of a file')))
    .option('--tag <tag>', 'a tag for all of them; may be repeated', collect)
    .option('--failed <file>', 'write rows that failed here, with the reason, to mend and import again')
    .action((file, options) => run(options, async (invocation) => (await import('./commands/device-import.ts')).deviceImport(invocation, file, options)));
  withDevices(withGlobals(device.command('test [devices...]').description('sign in once and say what happened')))
    .option('--all', 'all devices of the inventory')
    .action((references, options) => run(options, async (invocation) => (await load()).deviceTest(invocation, references, options)));
}

function addInterfaceCommands(program: Command, run: Runner): void {
  withGlobals(program.command('operations').description('all operations of the device interface'))
    .action((options) => run(options, async (invocation) => (await import('./commands/operations.ts')).operations(invocation)));
  withDevices(withGlobals(program.command('call <operation>').description('one operation on a device')))
    .option('--param <k=v>', 'a variable of path or query; may be repeated', collect)
    .option('--body <file>', 'JSON in the shape of the definition; - is standard input')
    .option('--raw', 'send and print bytes as they are')
    .action((operation, options) => run(options, async (invocation) => (await import('./commands/call.ts')).call(invocation, operation, options)));
  withDevices(withGlobals(program.command('request <method> <path>').description('a raw request')))
    .option('--body <file>', 'bytes to send; - is standard input')
    .option('--type <type>', 'content type of the body')
    .action((method, path, options) => run(options, async (invocation) => (await import('./commands/call.ts')).request(invocation, method, path, options)));
  withDevices(withGlobals(program.command('caps').description('capabilities of a device')))
    .option('--probe', 'add what harmless reads really answer')
    .action((options) => run(options, async (invocation) => (await import('./commands/caps.ts')).caps(invocation, options)));
}

function withPlanning(command: Command): Command {
  return withDevices(withGlobals(command))
    .option('--template <file>', 'a template file, or the id of one the app holds')
    .option('--values <csv|k=v...>', 'values of variables, or a file with one row a device')
    .option('--concurrency <n>', 'devices at a time');
}

function addTemplateCommands(program: Command, run: Runner): void {
  const template = program.command('template').description('configuration templates');
  const load = () => import('./commands/template.ts');
  withGlobals(template.command('check <file>').description('check against the specification, without a device'))
    .option('--capabilities <file>', 'also against what devices reported (saved with caps --json); may be repeated', collect)
    .action((file, options) => run(options, async (invocation) => (await load()).templateCheck(invocation, file, options)));
  withGlobals(template.command('show <file>').description('sections and variables of a template'))
    .action((file, options) => run(options, async (invocation) => (await load()).templateShow(invocation, file)));
  withGlobals(template.command('list').description('templates that the app holds'))
    .action((options) => run(options, async (invocation) => (await load()).templateList(invocation)));
  for (const name of ['new', 'capture']) later(template, name, run);
  withPlanning(program.command('plan').description('what would change; writes to no device'))
    .option('--out <plan>', 'write the plan to a file for review')
    .action((options) => run(options, async (invocation) => (await import('./commands/plan.ts')).plan(invocation, options)));
  withPlanning(program.command('apply').description('write, read back, journal'))
    .option('--plan <file>', 'a reviewed plan')
    .option('--canary <n>', 'devices of the first wave; when one fails, the rest is left alone')
    .option('--wave <n>', 'devices of each further wave')
    .option('--stop-after <failures>', 'start no more devices after so many failed')
    .option('--yes', 'do not ask')
    .option('--progress', 'tell what happens as it happens')
    .action((options) => run(options, async (invocation) => (await import('./commands/apply.ts')).apply(invocation, options)));
}

function addJobCommands(program: Command, run: Runner): void {
  const jobs = program.command('jobs').description('the journal');
  const load = () => import('./commands/jobs.ts');
  withGlobals(jobs.command('list').description('all jobs, newest first'))
    .action((options) => run(options, async (invocation) => (await load()).jobsList(invocation)));
  withGlobals(jobs.command('show <id>').description('what became of one job'))
    .action((id, options) => run(options, async (invocation) => (await load()).jobsShow(invocation, id)));
  withContinuing(jobs.command('resume <id>').description('finish what is unfinished'))
    .option('--yes', 'also where a device has changed meanwhile, and where a write cannot be checked by reading')
    .action((id, options) => run(options, async (invocation) => (await import('./commands/jobs-resume.ts')).jobsResume(invocation, id, options)));
  withContinuing(jobs.command('undo <id>').description('put back what the job found, as a job of its own'))
    .option('--device <url|name|id>', 'only this device; may be repeated', collect)
    .option('--yes', 'do not ask; also overwrite what others have set since on the same fields')
    .action((id, options) => run(options, async (invocation) => (await import('./commands/jobs-undo.ts')).jobsUndo(invocation, id, options)));
}

/** The journal knows addresses and profiles, never sign-ins. */
function withContinuing(command: Command): Command {
  return withConnection(withGlobals(command))
    .option('--insecure-plain-fields', 'send passwords inside a document also over unencrypted HTTP')
    .option('--concurrency <n>', 'devices at a time')
    .option('--progress', 'tell what happens as it happens');
}

function later(parent: Command, name: string, run: Runner): void {
  withGlobals(parent.command(name, { hidden: true })).argument('[words...]').allowUnknownOption().helpOption(false)
    .action((_words, options) => run(options, () => {
      const full = parent.parent ? `${parent.name()} ${name}` : name;
      throw new FieldwrightError({ code: 'not-available', source: 'user', message: `"${full}" is not in this version of Fieldwright yet.`, hint: 'fieldwright --help lists what is.' });
    }));
}
