/** `credential list|save|assign|unassign|remove`: sign-ins of devices, tags and sites. */
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import type { ScopeOptions } from '#cli/declarations/access.ts';
import { EXIT, exitCodeOfAll } from '#cli/exit-codes.ts';
import { findCredential, findSite } from '#cli/input/named.ts';
import { requirePassword, readEnvPassword } from '#cli/input/passwords.ts';
import { askSecret } from '#cli/input/prompt.ts';
import type { Invocation } from '#cli/invocation.ts';
import { listRows, type Outcome } from '#cli/outcome.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { printTests } from '#cli/output/device-tests.ts';
import { createUsageError } from '#cli/usage.ts';
import type { CredentialScope } from '#shared/access.ts';
import { say, formatSomeNames } from '#shared/details.ts';
import type { Credential, GivenSignIn } from '#shared/model.ts';

export const listCredentials: Action<'credential list'> = async ({ open, out }) => {
  const engine = await open();
  const sites = new Map(engine.sites.list().map(({ id, name }) => [id, name]));
  const formatScope = (scope: CredentialScope): string =>
    scope.kind === 'tag'
      ? out.say('cli.tag', { tag: scope.tag })
      : out.say('cli.site', { site: sites.get(scope.siteId) ?? scope.siteId });
  return listRows(
    engine.credentials.list(),
    {
      LABEL: { value: 'label', flexible: true },
      USER: 'userName',
      DEVICES: 'devices',
      'GIVEN TO': { value: ({ scopes = [] }) => scopes.map(formatScope).join(', ') || '—', flexible: true },
      ID: 'id',
    },
    out.say('cli.no-credentials'),
  );
};

/** Saves a sign-in; with `--id` what is not given stays as it is, the password too. */
export const saveCredential: Action<'credential save'> = async (invocation, { user, label, id }) => {
  const { out, open } = invocation;
  if (id === undefined && user === undefined)
    throw createUsageError(say('cli.user-needed'), { path: '--user' });
  const password =
    id === undefined
      ? await requirePassword(invocation, user ?? '')
      : (readEnvPassword(invocation.io) ?? (await askSecret(invocation, out.say('cli.new-password'))) ?? '');
  if (password === '' && (id === undefined || (user === undefined && label === undefined)))
    throw createUsageError(id === undefined ? say('cli.password-empty') : say('cli.no-change-password'));
  const engine = await open();
  const before = id === undefined ? undefined : findCredential(engine, id);
  const names = { label: label ?? before?.label ?? '', userName: user ?? before?.userName ?? '', password };
  if (before === undefined) {
    const saved = engine.credentials.save(names);
    return { json: saved, text: out.say('cli.credential-saved', { label: saved.label, id: saved.id }) };
  }
  const changed = await change(invocation, engine, { ...names, id: before.id });
  const words = { label: changed.label, devices: out.devices(changed.devices) };
  return { json: changed, text: out.say('cli.credential-changed', words) };
};

/** Changes a sign-in once one device that uses it lets the new one in; a refusal ends the command. */
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

export const assignCredential: Action<'credential assign'> = async (invocation, reference, options) => {
  return options.test === true
    ? assignTested(invocation, reference, options)
    : assign(invocation, options, (engine) => findCredential(engine, reference));
};

export const unassignCredential: Action<'credential unassign'> = async (invocation, options) => {
  return assign(invocation, options, () => undefined);
};

async function assign(
  { open, out }: Invocation,
  options: ScopeOptions,
  findGiven: (engine: Engine) => Credential | undefined,
): Promise<Outcome> {
  requireTarget(options);
  const engine = await open();
  // All must be known before the first is changed.
  const credentialId = findGiven(engine)?.id ?? null;
  const { ids, scopes } = findTargets(engine, options);
  const changed = scopes.reduce(
    (sum, scope) => sum + engine.credentials.assignTo({ credentialId, scope }).changed,
    ids.length === 0 ? 0 : engine.credentials.assign({ credentialId, deviceIds: ids }).changed,
  );
  noteConflicts(out, engine, options);
  return { json: { changed }, text: out.say('cli.sign-ins-given', { devices: out.devices(changed) }) };
}

function requireTarget({ device = [], tag = [], site = [] }: ScopeOptions): void {
  if (device.length + tag.length + site.length === 0) throw createUsageError(say('cli.target-needed'));
}

function findTargets(
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

/** Tries the sign-in, on one device before all others, and gives it to those that let it in. */
async function assignTested(
  { open, out, interrupts: { signal } }: Invocation,
  reference: string,
  options: ScopeOptions,
): Promise<Outcome> {
  requireTarget(options);
  const engine = await open();
  const signIn = { kind: 'saved', id: findCredential(engine, reference).id } as const;
  const { ids, scopes } = findTargets(engine, options);
  const given: GivenSignIn[] = [];
  for (const request of [
    ...(ids.length === 0 ? [] : [{ ids }]),
    ...scopes.map((scope) => ({ ids: listDevicesIn(engine, scope), scope })),
  ]) {
    if (signal.aborted) break;
    for await (const event of engine.devices.signIn({ ...request, signIn }, signal)) {
      if (event.type === 'given') given.push(event.given);
      else out.progress(out.say('cli.trying', { done: event.done, total: event.total }));
    }
  }
  out.endProgress();
  const tests = given.flatMap((each) => each.tests);
  const changed = given.reduce((sum, each) => sum + each.changed, 0);
  const scopeLeft = given.some((each) => each.scopeLeft === true);
  noteConflicts(out, engine, options);
  return {
    json: { changed, tests, ...(scopeLeft && { scopeLeft }) },
    text: () => {
      printTests(out, tests);
      out.line(out.say('cli.sign-ins-given', { devices: out.devices(changed) }));
    },
    note: scopeLeft ? out.say('cli.scope-left') : undefined,
    // A device that was not asked any more is in no result.
    code: signal.aborted ? EXIT.interrupted : exitCodeOfAll(tests.map(({ error }) => error)),
  };
}

function listDevicesIn(engine: Engine, scope: CredentialScope): string[] {
  return engine.devices
    .list()
    .filter(({ tags, siteId }) => (scope.kind === 'tag' ? tags.includes(scope.tag) : siteId === scope.siteId))
    .map(({ id }) => id);
}

/** Names devices that the tags leave without a sign-in, because another tag gives another one. */
function noteConflicts(out: Invocation['out'], engine: Engine, { tag = [] }: ScopeOptions): void {
  const names = engine.devices
    .list()
    .flatMap(({ name, signInFrom: from }) =>
      from?.kind === 'conflict' && from.tags.some((each) => tag.includes(each)) ? [name] : [],
    );
  if (names.length > 0)
    out.note(out.say('cli.tags-conflict', { names: formatSomeNames(names.map(cleanLine), 5) }));
}

export const removeCredential: Action<'credential remove'> = async ({ open, out }, reference) => {
  const engine = await open();
  const { id, label, devices } = findCredential(engine, reference);
  const { removed } = engine.credentials.remove({ id });
  return {
    json: { removed },
    text: out.say('cli.credential-removed', { label, devices: out.devices(devices) }),
  };
};
