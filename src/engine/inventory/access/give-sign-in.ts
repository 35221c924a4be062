/**
 * Gives devices a sign-in as one transaction: it is tried on them first, one device before all others, and
 * only a sign-in that worked is kept. Until then the devices go on with what they had. Stopping keeps what
 * worked by then.
 */
import { type CredentialScope, isSameScope } from '#shared/access.ts';
import { say } from '#shared/details.ts';
import { isCredentialRefusal } from '#shared/error-meaning.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Credential, Device, DeviceTest, GivenSignIn, SignInEvent } from '#shared/model.ts';
import type { Asker, Commit, CredentialsApi, GiveSignIn } from '#engine/api/routes.ts';
import type { Credentials } from '#engine/device/sign-in/proofs.ts';
import { createReplacesWorkingError, type Credentials as SavedCredentials } from './credentials.ts';
import type { Inventory } from '../devices.ts';

interface SignInGiverOptions {
  readonly inventory: Pick<Inventory, 'find' | 'directory' | 'use' | 'updateMany'>;
  readonly credentials: SavedCredentials;
  /** Returns name and password of a saved sign-in. @throws `not-found`, `vault-locked` */
  readonly reveal: (credentialId: string) => Credentials;
  /** Tests devices with these instead of their own; results as they come, none of who was not asked to the end. */
  readonly tryOut: (
    given: Credentials,
    ids: readonly string[],
    signal: AbortSignal,
  ) => AsyncIterable<DeviceTest>;
}

/** Saved sign-ins that a typed one may replace. */
interface Before {
  /** The same name and password. */
  readonly same?: string | undefined;
  readonly replaced?: Credential | undefined;
}

/** Record of a sign-in that was tried. */
interface Keeping {
  readonly takers: readonly string[];
  /** The tag or site that gets it. */
  readonly scope?: CredentialScope | undefined;
  /** Saved already, with the same name and password. */
  readonly same?: string | undefined;
  /** The saved sign-in whose place it takes. */
  readonly former?: Credential | undefined;
}

/** Returns the devices that may be touched, or undefined where any of the inventory may. */
function touchedBy({
  takers,
  scope,
  former,
}: Keeping): { readonly deviceIds: readonly string[] } | undefined {
  return scope === undefined && former === undefined ? { deviceIds: takers } : undefined;
}

/** Returns a key that devices with the same saved sign-in share. */
function sourceOf({ credentialId, signInFrom }: Device): string {
  return JSON.stringify([credentialId, signInFrom]);
}

/** The command line is the person. */
const NOBODY_ASKED: Asker = { change: (work) => work(), ahead: () => Promise.resolve((work) => work()) };
const NO_PROOF = { code: 'unreachable', source: 'app' } as const;
/** Most devices that a changed password is tried on. If none of them can be reached, it is saved untried. */
const MOST_ASKED = 4;

/** Returns true if this device, or another one before it, checked the name and password and refused them. */
function isRefused({ error }: Pick<DeviceTest, 'error'>): boolean {
  return error !== undefined && isCredentialRefusal(error);
}

export class SignInGiver {
  readonly #options: SignInGiverOptions;
  /**
   * Id of the sign-in that a stopped try saved: a new try with the same name and password uses it, so that
   * there are not two.
   */
  #left: string | undefined;

  constructor(options: SignInGiverOptions) {
    this.#options = options;
  }

  /** Gives a sign-in, as in DevicesApi. */
  async *give(request: GiveSignIn, signal: AbortSignal, asker = NOBODY_ASKED): AsyncGenerator<SignInEvent> {
    const { inventory, credentials, reveal, tryOut } = this.#options;
    const { signIn, ids, scope } = request;
    if (request.allowBasic ?? request.acceptWeaker) await asker.change(() => this.#agree(request));
    const same = this.#goesOnWith(request);
    const before: Before = {
      same,
      replaced:
        signIn.kind === 'saved' || same !== undefined
          ? undefined
          : findReplacedCredential(ids.map(inventory.find), scope, credentials.list()),
    };
    const asked = [...new Set(ids)];
    const working = inventory.use.working();
    const others = this.#replacedBy(signIn, { takers: ids, scope, same, former: before.replaced }).filter(
      ({ id }) => !asked.includes(id),
    );
    if (others.length > 0 && request.replaceWorking !== true) throw createReplacesWorkingError(others.length);
    const commit = await this.#commitOf(request, asker, before);
    const sent = signIn.kind === 'saved' ? reveal(signIn.id) : signIn;
    const proved: DeviceTest[] = [];
    for (const alike of Map.groupBy(others, sourceOf).values())
      proved.push(...(await this.#proveOn(alike, sent, signal)));
    const results = new Map<string, DeviceTest>();
    const kept = async (): Promise<GivenSignIn> => {
      const tests = asked.flatMap((id) => results.get(id) ?? []);
      if (!tests.some(({ ok }) => ok)) return { tests, changed: 0 };
      const takers = this.#takersOf(tests);
      const former = this.#mayReplace(before.replaced, tests) ? before.replaced : undefined;
      const whole: Keeping = { takers, same, scope, former };
      // A device that signs in today gets it untried only where another with the same sign-in let it in.
      const proofs = new Set(
        [...proved, ...tests].filter(isProof).flatMap(({ deviceId }) => {
          const device = working.get(deviceId);
          return device === undefined ? [] : [sourceOf(device)];
        }),
      );
      const refusals = tests.filter(isRefused);
      const isWhole =
        refusals.length <= tests.filter(({ ok }) => ok).length &&
        this.#replacedBy(signIn, whole).every((device) => {
          const test = results.get(device.id);
          return (
            test?.ok === true || (proofs.has(sourceOf(device)) && (test === undefined || !isRefused(test)))
          );
        });
      const keeping = isWhole ? whole : { takers, same };
      const { result: id, changed } = await commit(() =>
        inventory.use.during(() => this.#keep(signIn, keeping), touchedBy(keeping)),
      );
      for (const { deviceId } of [...(isWhole ? proved : []), ...tests].filter(({ ok }) => ok))
        inventory.directory.observe(deviceId, { type: 'sign-in', state: 'ok' });
      // A device that refused it may have got it with its tag or site.
      const users = new Set(inventory.use.usersOf(id).map((device) => device.id));
      for (const { deviceId, error } of refusals)
        if (error !== undefined && users.has(deviceId))
          inventory.directory.observe(deviceId, {
            type: 'sign-in',
            state: error.code === 'account-locked' ? 'locked' : 'failed',
            error: new FieldwrightError(error),
          });
      this.#left = results.size < asked.length ? id : undefined;
      return {
        tests,
        changed: changed.length,
        credential: credentials.get(id),
        ...(scope !== undefined && !isWhole ? { scopeLeft: true } : {}),
      };
    };
    let given: GivenSignIn | undefined;
    try {
      for await (const test of tryOut(sent, asked, signal)) {
        results.set(test.deviceId, test);
        yield { type: 'device', test, done: results.size, total: asked.length };
      }
    } finally {
      // Also for a reader that goes away between two results.
      given = await kept();
    }
    yield { type: 'given', given };
  }

  /** Changes a credential, as in CredentialsApi. */
  readonly change: CredentialsApi['change'] = async ({ id, label, userName, password }, signal) => {
    const { credentials, inventory, reveal } = this.#options;
    const before = credentials.get(id);
    const isOther = password !== '' || userName !== before.userName;
    const given = { userName, password: isOther && password === '' ? reveal(id).password : password };
    const tests = isOther ? await this.#tryInTurn(inventory.use.usersOf(id), given, signal) : [];
    const refusal = tests.find(isRefused);
    if (refusal?.error !== undefined) throw new FieldwrightError(refusal.error).with({ device: refusal.url });
    signal.throwIfAborted();
    return { credential: credentials.save({ id, label, userName, password }), tests };
  };

  /** Returns the devices that get the sign-in: also unreachable ones that had none. */
  #takersOf(tests: readonly DeviceTest[]): string[] {
    return tests
      .filter(
        ({ ok, error, deviceId }) =>
          ok || (!isRefused({ error }) && this.#options.inventory.find(deviceId).signInFrom === undefined),
      )
      .map(({ deviceId }) => deviceId);
  }

  /** Returns whether the saved sign-in may change: the new one worked, and no device that uses the old one refused it. */
  #mayReplace(replaced: Credential | undefined, tests: readonly DeviceTest[]): boolean {
    if (replaced === undefined) return false;
    const users = new Set(this.#options.inventory.use.usersOf(replaced.id).map((device) => device.id));
    return tests.some(isProof) && !tests.some((test) => isRefused(test) && users.has(test.deviceId));
  }

  /** Returns the devices that sign in today with something else and would get this one by `keeping`. */
  #replacedBy(signIn: GiveSignIn['signIn'], keeping: Keeping): readonly Device[] {
    return touchedBy(keeping) === undefined
      ? this.#options.inventory.use.replacedBy(() => this.#keep(signIn, keeping))
      : [];
  }

  /**
   * Tries the new one on a device that signs in with the old one today.
   * @throws the refusal, or why none of them could be asked
   */
  async #proveOn(
    devices: readonly Device[],
    given: Credentials,
    signal: AbortSignal,
  ): Promise<readonly DeviceTest[]> {
    const tests = await this.#tryInTurn(devices, given, signal);
    signal.throwIfAborted();
    if (tests.some(isProof)) return tests;
    const failed = tests.find(isRefused) ?? tests[0];
    const names = { device: failed?.name ?? '', devices: devices.length };
    throw new FieldwrightError({
      ...(failed?.error ?? NO_PROOF),
      ...say(failed !== undefined && isRefused(failed) ? 'sign-in-refused-there' : 'sign-in-unproved', names),
      ...removeUndefined({ device: failed?.url }),
    });
  }

  #goesOnWith({ signIn }: GiveSignIn): string | undefined {
    const { credentials, reveal } = this.#options;
    const saved = credentials.list().find(({ id }) => id === this.#left);
    return signIn.kind === 'new' &&
      saved?.userName === signIn.userName &&
      (signIn.label ?? saved.label) === saved.label &&
      reveal(saved.id).password === signIn.password
      ? saved.id
      : undefined;
  }

  #keep(signIn: GiveSignIn['signIn'], { takers, same, former, scope }: Keeping): string {
    const { credentials } = this.#options;
    const id =
      signIn.kind === 'saved'
        ? signIn.id
        : (same ??
          credentials.save({
            label: signIn.label ?? former?.label ?? signIn.userName,
            userName: signIn.userName,
            password: signIn.password,
            id: former?.id,
          }).id);
    const given = { credentialId: id, deviceIds: takers };
    if (scope === undefined) credentials.assign(given);
    else credentials.give({ ...given, scope });
    return id;
  }

  /** Applies what a person agreed to, before anything about the sign-in is asked or sent. */
  #agree({ allowBasic = [], acceptWeaker = [] }: GiveSignIn): void {
    const { inventory } = this.#options;
    if (allowBasic.length > 0) inventory.updateMany({ ids: allowBasic, profile: { auth: 'basic' } });
    if (acceptWeaker.length > 0) inventory.updateMany({ ids: acceptWeaker, acceptWeaker: true });
  }

  /**
   * Returns the function that keeps a sign-in after it worked. A saved one is sent before it is kept, so its
   * consent is asked for first.
   */
  async #commitOf(
    { signIn, ids, scope }: GiveSignIn,
    asker: Asker,
    { same, replaced }: Before,
  ): Promise<Commit> {
    const { credentials } = this.#options;
    if (signIn.kind === 'new') return (work) => asker.change(work, same ?? replaced?.id);
    const given = { credentialId: signIn.id };
    return asker.ahead(() => {
      credentials.assign({ ...given, deviceIds: ids });
      if (scope !== undefined) credentials.give({ ...given, scope });
    });
  }

  /** Tries these on a few devices, those first that are signed in, until one lets us in because of them or refuses them. */
  async #tryInTurn(
    devices: readonly Device[],
    given: Credentials,
    signal: AbortSignal,
  ): Promise<readonly DeviceTest[]> {
    const rank = ({ signIn, reach }: Device): number =>
      reach === 'unreachable' ? 2 : signIn === 'ok' ? 0 : 1;
    const tests: DeviceTest[] = [];
    for (const { id } of devices.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_ASKED)) {
      for await (const test of this.#options.tryOut(given, [id], signal)) tests.push(test);
      if (tests.some(isRefused) || tests.some(isProof)) break;
    }
    return tests;
  }
}

/** Returns true if the device accepted the sign-in because of these credentials. */
function isProof({ ok, scheme }: DeviceTest): boolean {
  return ok && scheme !== 'none';
}

/**
 * Returns the credential that all these devices, and no others, use now; of a tag or a site the one that is
 * given to it alone. So correcting a wrong password leaves no second, wrong credential behind, and signs out
 * no other device.
 */
export function findReplacedCredential(
  devices: readonly Pick<Device, 'credentialId'>[],
  scope: CredentialScope | undefined,
  credentials: readonly Credential[],
): Credential | undefined {
  if (scope !== undefined)
    return credentials.find(
      ({ scopes = [] }) => scopes.length === 1 && scopes.every((one) => isSameScope(one, scope)),
    );
  const used = new Set(devices.map(({ credentialId }) => credentialId));
  return credentials.find(
    ({ id, devices: users, scopes = [] }) =>
      used.size === 1 && used.has(id) && users === devices.length && scopes.length === 0,
  );
}
