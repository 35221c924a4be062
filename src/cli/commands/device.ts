/** `device add|list|remove|test`: the inventory. */
import type { Device, DeviceTest } from '../../shared/model.ts';
import { EXIT, exitCodeOfAll } from '../exit-codes.ts';
import { withEngine, type Invocation } from '../invocation.ts';
import { profileOf, type DeviceOptions } from '../options.ts';
import { selectDevices } from '../input/devices.ts';
import { askSecret } from '../input/prompt.ts';
import { errorLines } from '../output/errors.ts';
import { usageError } from '../usage.ts';

export interface AddOptions extends DeviceOptions { readonly name?: string }

/** The password to save with `--user`. Throws `usage` where none can be had. */
export async function passwordFor(invocation: Invocation, user: string): Promise<string> {
  const password = invocation.io.env['FIELDWRIGHT_PASSWORD'] ?? await askSecret(invocation, `Password of ${user}: `);
  if (password === undefined) throw usageError(`The password of ${user} is missing.`, { path: '--user', hint: 'Set FIELDWRIGHT_PASSWORD, or run this at a terminal to be asked.' });
  return password;
}

/** The password is asked for before anything is added, so that a missing one leaves nothing half done. */
export async function deviceAdd(invocation: Invocation, address: string, options: AddOptions): Promise<number> {
  const url = URL.parse(address);
  if (url && (url.username !== '' || url.password !== '')) throw usageError('An address must not hold a user name or password.', { hint: 'Give the name with --user and the password in FIELDWRIGHT_PASSWORD.' });
  const user = options.user ?? (invocation.io.env['FIELDWRIGHT_PASSWORD'] === undefined ? undefined : 'admin');
  const password = user === undefined ? undefined : await passwordFor(invocation, user);
  return withEngine(invocation, async (engine) => {
    const profile = profileOf(options);
    const added = engine.devices.add({
      address,
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.tag === undefined ? {} : { tags: options.tag }),
      ...(profile === undefined ? {} : { profile }),
      ...(options.certificate === undefined ? {} : { certificate: options.certificate }),
    });
    if (user !== undefined && password !== undefined) engine.credentials.save({ label: `${user} @ ${added.name}`, userName: user, password, deviceIds: [added.id] });
    const device = engine.devices.find(added.id);
    if (invocation.out.asJson) invocation.out.json(device);
    else invocation.out.line(`Added ${device.name} (${device.url}) as ${device.id}.`);
    return EXIT.done;
  });
}

export async function deviceList(invocation: Invocation, options: { readonly tag?: readonly string[] }): Promise<number> {
  return withEngine(invocation, async (engine) => {
    const wanted = options.tag;
    const devices = engine.devices.list().filter(({ tags }) => wanted === undefined || wanted.some((tag) => tags.includes(tag)));
    if (invocation.out.asJson) invocation.out.json(devices);
    else printDevices(invocation, devices);
    return EXIT.done;
  });
}

function printDevices(invocation: Invocation, devices: readonly Device[]): void {
  if (devices.length === 0) {
    invocation.out.note('The inventory is empty. Add a device with: fieldwright device add http://ADDRESS');
    return;
  }
  invocation.out.table<Device>([
    { title: 'NAME', cell: ({ name }) => name, flexible: true },
    { title: 'ADDRESS', cell: ({ url }) => url },
    { title: 'KIND', cell: ({ kinds }) => kinds.join(', ') || '—' },
    { title: 'TAGS', cell: ({ tags }) => tags.join(', '), flexible: true },
    { title: 'REACH', cell: ({ reach }) => reach, paint: ({ reach }) => (reach === 'reachable' ? 'good' : reach === 'unreachable' ? 'bad' : 'dim') },
    { title: 'SIGN-IN', cell: ({ signIn }) => signIn, paint: ({ signIn }) => (signIn === 'ok' ? 'good' : signIn === 'unknown' ? 'dim' : 'bad') },
    { title: 'ID', cell: ({ id }) => id },
  ], devices);
}

export async function deviceRemove(invocation: Invocation, references: readonly string[]): Promise<number> {
  return withEngine(invocation, async (engine) => {
    // All must be known before the first is removed.
    const ids = [...new Set(references.map((reference) => engine.devices.find(reference).id))];
    const removed = engine.devices.remove(ids);
    if (invocation.out.asJson) invocation.out.json({ removed });
    else invocation.out.line(`Removed ${removed} of ${ids.length}.`);
    return EXIT.done;
  });
}

export interface TestOptions extends DeviceOptions { readonly all?: boolean }

export async function deviceTest(invocation: Invocation, references: readonly string[], options: TestOptions): Promise<number> {
  return withEngine(invocation, async (engine) => {
    const devices = options.all ? engine.devices.list() : await selectDevices(invocation, engine, options, references);
    const results = await engine.devices.test(devices.map(({ id }) => id), invocation.interrupts.signal);
    if (invocation.out.asJson) invocation.out.json(results);
    else printTests(invocation, results);
    return exitCodeOfAll(results.map(({ error }) => error));
  });
}

function printTests(invocation: Invocation, results: readonly DeviceTest[]): void {
  invocation.out.table<DeviceTest>([
    { title: 'NAME', cell: ({ name }) => name, flexible: true },
    { title: 'ADDRESS', cell: ({ url }) => url },
    { title: 'SIGN-IN', cell: ({ ok, error }) => (ok ? 'ok' : error?.code ?? 'failed'), paint: ({ ok }) => (ok ? 'good' : 'bad') },
    { title: 'SCHEME', cell: ({ scheme }) => scheme ?? '—' },
    { title: 'KIND', cell: ({ kinds }) => kinds.join(', ') || '—' },
    { title: 'REQUESTS', align: 'right', cell: ({ requests }) => String(requests) },
  ], results);
  for (const { name, error } of results) if (error) for (const line of errorLines({ ...error, device: error.device ?? name })) invocation.out.note(line);
}
