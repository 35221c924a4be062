/** `credential list|save|assign|unassign|remove`: sign-ins of devices, tags and sites. */
import { say, formatSomeNames } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import type { CredentialScope } from '#shared/access.ts';
import type { Credential, GivenSignIn } from '#shared/model.ts';
import { EXIT, exitCodeOfAll } from '#cli/exit-codes.ts';
import { findCredential, findSite } from '#cli/input/named.ts';
import { requirePassword, readEnvPassword } from '#cli/input/passwords.ts';
import { askSecret } from '#cli/input/prompt.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { cleanLine } from '#cli/output/clean.ts';
import type { Output } from '#cli/output/output.ts';
import { createUsageError } from '#cli/usage.ts';
import { printTests } from '../devices/device.ts';

export async function listCredentials(invocation: Invocation): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const credentials = engine.credentials.list();
    if (invocation.out.asJson) invocation.out.json(credentials);
    else if (credentials.length === 0) invocation.out.note(invocation.out.say('cli.no-credentials'));
    else {
      const sites = new Map(engine.sites.list().map(({ id, name }) => [id, name]));
      invocation.out.table<Credential>(
        [
          { title: 'LABEL', cell: ({ label }) => label, flexible: true },
          { title: 'USER', cell: ({ userName }) => userName },
          { title: 'DEVICES', align: 'right', cell: ({ devices }) => String(devices) },
          {
            title: 'GIVEN TO',
            cell: ({ scopes = [] }) =>
              scopes.map((scope) => scopeText(scope, sites, invocation.out)).join(', ') || '—',
            flexible: true,
          },
          { title: 'ID', cell: ({ id }) => id },
        ],
        credentials,
      );
    }
    return EXIT.done;
  });
}

function scopeText(scope: CredentialScope, sites: ReadonlyMap<string, string>, out: Output): string {
  return scope.kind === 'tag'
    ? out.say('cli.tag', { tag: scope.tag })
    : out.say('cli.site', { site: sites.get(scope.siteId) ?? scope.siteId });
}

interface SaveCredentialOptions {
  readonly user?: string;
  readonly label?: string;
  readonly id?: string;
}

/** With `--id` what is not given stays as it is, the password too. */
export async function saveCredential(
  invocation: Invocation,
  options: SaveCredentialOptions,
): Promise<number> {
  const { user, label, id } = options;
  if (id === undefined && user === undefined)
    throw createUsageError(say('cli.user-needed'), { path: '--user' });
  const password =
    id === undefined ? await requirePassword(invocation, user ?? '') : await newPassword(invocation);
  if (password === '' && (id === undefined || (user === undefined && label === undefined))) {
    throw createUsageError(id === undefined ? say('cli.password-empty') : say('cli.no-change-password'));
  }
  return runWithEngine(invocation, async (engine) => {
    const before = id === undefined ? undefined : findCredential(engine, id);
    const names = { label: label ?? before?.label ?? '', userName: user ?? before?.userName ?? '', password };
    const saved =
      before === undefined
        ? engine.credentials.save(names)
        : await change(invocation, engine, { ...names, id: before.id });
    if (invocation.out.asJson) invocation.out.json(saved);
    else
      invocation.out.line(
        before === undefined
          ? invocation.out.say('cli.credential-saved', { label: saved.label, id: saved.id })
          : invocation.out.say('cli.credential-changed', {
              label: saved.label,
              devices: invocation.out.devices(saved.devices),
            }),
      );
    return EXIT.done;
  });
}

/** One device that uses it has to let the new one in before it counts; a refusal ends the command. */
async function change(
  { out, interrupts }: Invocation,
  engine: Engine,
  names: Parameters<Engine['credentials']['change']>[0],
): Promise<Credential> {
  const { credential, tests } = await engine.credentials.change(names, interrupts.signal);
  if (tests.length > 0 && !tests.some(({ ok }) => ok))
    out.note(
      out.say('cli.credential-untried', { names: tests.map(({ name }) => cleanLine(name)).join(', ') }),
    );
  return credential;
}

async function newPassword(invocation: Invocation): Promise<string> {
  return (
    readEnvPassword(invocation.io) ??
    (await askSecret(invocation, invocation.out.say('cli.new-password'))) ??
    ''
  );
}

interface ScopeOptions {
  readonly device?: readonly string[];
  readonly tag?: readonly string[];
  readonly site?: readonly string[];
}

export async function assignCredential(
  invocation: Invocation,
  reference: string,
  options: ScopeOptions & { readonly test?: boolean },
): Promise<number> {
  return options.test === true
    ? assignTested(invocation, reference, options)
    : assign(invocation, options, (engine) => findCredential(engine, reference));
}

export async function unassignCredential(invocation: Invocation, options: ScopeOptions): Promise<number> {
  return assign(invocation, options, () => undefined);
}

async function assign(
  invocation: Invocation,
  options: ScopeOptions,
  credentialOf: (engine: Engine) => Credential | undefined,
): Promise<number> {
  requireTarget(options);
  return runWithEngine(invocation, async (engine) => {
    // All must be known before the first is changed.
    const credential = credentialOf(engine);
    const { ids, scopes } = targetsOf(engine, options);
    const id = credential?.id ?? null;
    const changed = scopes.reduce(
      (sum, scope) => sum + engine.credentials.assignTo({ credentialId: id, scope }).changed,
      ids.length === 0 ? 0 : engine.credentials.assign({ credentialId: id, deviceIds: ids }).changed,
    );
    if (invocation.out.asJson) invocation.out.json({ changed });
    else
      invocation.out.line(
        invocation.out.say('cli.sign-ins-given', { devices: invocation.out.devices(changed) }),
      );
    noteConflicts(invocation, engine, options.tag ?? []);
    return EXIT.done;
  });
}

function requireTarget({ device = [], tag = [], site = [] }: ScopeOptions): void {
  if (device.length + tag.length + site.length === 0) throw createUsageError(say('cli.target-needed'));
}

function targetsOf(
  engine: Engine,
  { device = [], tag = [], site = [] }: ScopeOptions,
): { readonly ids: readonly string[]; readonly scopes: readonly CredentialScope[] } {
  return {
    ids: device.map((reference) => engine.devices.find(reference).id),
    scopes: [
      ...tag.map((name): CredentialScope => ({ kind: 'tag', tag: name })),
      ...site.map((name): CredentialScope => ({ kind: 'site', siteId: findSite(engine, name).id })),
    ],
  };
}

/** Tries it first, on one device before all others, and gives it to those that let it in. */
async function assignTested(
  invocation: Invocation,
  reference: string,
  options: ScopeOptions,
): Promise<number> {
  requireTarget(options);
  return runWithEngine(invocation, async (engine) => {
    const signIn = { kind: 'saved', id: findCredential(engine, reference).id } as const;
    const { ids, scopes } = targetsOf(engine, options);
    const { signal } = invocation.interrupts;
    const given: GivenSignIn[] = [];
    for (const request of [
      ...(ids.length === 0 ? [] : [{ ids }]),
      ...scopes.map((scope) => ({ ids: devicesOf(engine, scope), scope })),
    ]) {
      if (signal.aborted) break;
      for await (const event of engine.devices.signIn({ ...request, signIn }, signal)) {
        if (event.type === 'given') given.push(event.given);
        else
          invocation.out.progress(invocation.out.say('cli.trying', { done: event.done, total: event.total }));
      }
    }
    invocation.out.endProgress();
    const tests = given.flatMap((each) => each.tests);
    const changed = given.reduce((sum, each) => sum + each.changed, 0);
    const scopeLeft = given.some((each) => each.scopeLeft === true);
    if (invocation.out.asJson) invocation.out.json({ changed, tests, ...(scopeLeft && { scopeLeft }) });
    else {
      printTests(invocation, tests);
      invocation.out.line(
        invocation.out.say('cli.sign-ins-given', { devices: invocation.out.devices(changed) }),
      );
      if (scopeLeft) invocation.out.note(invocation.out.say('cli.scope-left'));
    }
    noteConflicts(invocation, engine, options.tag ?? []);
    // Who was not asked any more is in no result.
    return signal.aborted ? EXIT.interrupted : exitCodeOfAll(tests.map(({ error }) => error));
  });
}

function devicesOf(engine: Engine, scope: CredentialScope): string[] {
  return engine.devices
    .list()
    .filter(({ tags, siteId }) => (scope.kind === 'tag' ? tags.includes(scope.tag) : siteId === scope.siteId))
    .map(({ id }) => id);
}

/** Devices that these tags leave without a sign-in, because another tag gives another one. */
function noteConflicts(invocation: Invocation, engine: Engine, tags: readonly string[]): void {
  const names = engine.devices
    .list()
    .flatMap(({ name, signInFrom: from }) =>
      from?.kind === 'conflict' && from.tags.some((tag) => tags.includes(tag)) ? [name] : [],
    );
  if (names.length > 0)
    invocation.out.note(
      invocation.out.say('cli.tags-conflict', { names: formatSomeNames(names.map(cleanLine), 5) }),
    );
}

export async function removeCredential(invocation: Invocation, reference: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const credential = findCredential(engine, reference);
    const { removed } = engine.credentials.remove({ id: credential.id });
    if (invocation.out.asJson) invocation.out.json({ removed });
    else
      invocation.out.line(
        invocation.out.say('cli.credential-removed', {
          label: credential.label,
          devices: invocation.out.devices(credential.devices),
        }),
      );
    return EXIT.done;
  });
}
