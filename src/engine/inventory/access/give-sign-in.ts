/**
 * Giving devices a sign-in as one transaction: it is tried on them first, one device before all others,
 * and only what let somebody in is kept. Until then the devices go on with what they had. Whoever stops it keeps what
 * worked by then.
 */
import { refusesCredentials } from '../../../shared/error-meaning.ts';
import { defined } from '../../../shared/defined.ts';
import { FieldwrightError } from '../../../shared/errors.ts';
import type { Credential, Device, DeviceTest, GivenSignIn, SignInEvent } from '../../../shared/model.ts';
import type { Asker, Commit, CredentialsApi, GiveSignIn } from '../../api/routes.ts';
import type { Credentials } from '../../device/sign-in/proofs.ts';
import type { Credentials as SavedCredentials } from './credentials.ts';
import type { Inventory } from '../devices.ts';
import { replacedCredential } from './replaced-credential.ts';

interface SignInGiverOptions {
  readonly inventory: Pick<Inventory, 'find' | 'directory' | 'use' | 'updateMany'>;
  readonly credentials: SavedCredentials;
  /** Name and password of a saved sign-in. Throws `not-found`, `vault-locked`. */
  readonly reveal: (credentialId: string) => Credentials;
  /** Tests devices with these instead of their own; results as they come, none of who was not asked to the end. */
  readonly tryOut: (
    given: Credentials,
    ids: readonly string[],
    signal: AbortSignal,
  ) => AsyncIterable<DeviceTest>;
}

/** Saved sign-ins that a typed one may stand in for. */
interface Before {
  /** The same name and password. */
  readonly same?: string | undefined;
  readonly replaced?: Credential | undefined;
}

/** The command line is the person. */
const NOBODY_ASKED: Asker = { change: (work) => work(), ahead: () => Promise.resolve((work) => work()) };
/** So many devices that cannot be asked leave a changed password untried. */
const MOST_ASKED = 4;

/** Returns true if this device, or another one before it, checked the name and password and refused them. */
function isRefused({ error }: Pick<DeviceTest, 'error'>): boolean {
  return error !== undefined && refusesCredentials(error);
}

export class SignInGiver {
  readonly #options: SignInGiverOptions;
  /** What a stopped try left: whoever goes on with the same name and password has one saved sign-in, not two. */
  #left: string | undefined;

  constructor(options: SignInGiverOptions) {
    this.#options = options;
  }

  /** As in DevicesApi. */
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
          : replacedCredential(ids.map(inventory.find), scope, credentials.list()),
    };
    const commit = await this.#commitOf(request, asker, before);
    const asked = [...new Set(ids)];
    const results = new Map<string, DeviceTest>();
    const kept = async (): Promise<GivenSignIn> => {
      const tests = asked.flatMap((id) => results.get(id) ?? []);
      if (!tests.some(({ ok }) => ok)) return { tests, changed: 0 };
      const { result: id, changed } = await commit(() =>
        inventory.use.during(
          () => this.#keep(request, tests, before),
          scope === undefined && before.replaced === undefined ? { deviceIds: ids } : undefined,
        ),
      );
      for (const { deviceId } of tests.filter(({ ok }) => ok))
        inventory.directory.observe(deviceId, { type: 'sign-in', state: 'ok' });
      this.#left = results.size < asked.length ? id : undefined;
      return { tests, changed: changed.length, credential: credentials.get(id) };
    };
    let given: GivenSignIn | undefined;
    try {
      for await (const test of tryOut(signIn.kind === 'saved' ? reveal(signIn.id) : signIn, asked, signal)) {
        results.set(test.deviceId, test);
        yield { type: 'device', test, done: results.size, total: asked.length };
      }
    } finally {
      // Also for a reader that goes away between two results.
      given = await kept();
    }
    yield { type: 'given', given };
  }

  /** As in CredentialsApi. */
  readonly change: CredentialsApi['change'] = async ({ id, label, userName, password }, signal) => {
    const { credentials, reveal, tryOut } = this.#options;
    const before = credentials.get(id);
    const isOther = password !== '' || userName !== before.userName;
    const tests: DeviceTest[] = [];
    for (const device of isOther ? this.#usersOf(id) : []) {
      const given = { userName, password: password === '' ? reveal(id).password : password };
      const tried: DeviceTest[] = [];
      for await (const test of tryOut(given, [device.id], signal)) tried.push(test);
      tests.push(...tried);
      const refusal = tried.find(isRefused)?.error;
      if (refusal !== undefined) throw new FieldwrightError(refusal).with({ device: device.url });
      if (tried.some(isProof)) break;
    }
    signal.throwIfAborted();
    return { credential: credentials.save({ id, label, userName, password }), tests };
  };

  /** Who could not be asked gets it too where it had none. */
  #takersOf(tests: readonly DeviceTest[]): string[] {
    return tests
      .filter(
        ({ ok, error, deviceId }) =>
          ok || (!isRefused({ error }) && this.#options.inventory.find(deviceId).signInFrom === undefined),
      )
      .map(({ deviceId }) => deviceId);
  }

  /** Whether the sign-in to be replaced may go: the new one worked, and nobody who uses the old one refused it. */
  #mayReplace(id: string, tests: readonly DeviceTest[]): boolean {
    const users = new Set(this.#options.inventory.use.usersOf(id).map((device) => device.id));
    return tests.some(isProof) && !tests.some((test) => isRefused(test) && users.has(test.deviceId));
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

  /** `replaced`: the one whose place a new one takes, unless a device that uses that one refused the new. */
  #keep({ signIn, scope }: GiveSignIn, tests: readonly DeviceTest[], { same, replaced }: Before): string {
    const { credentials } = this.#options;
    const takers = this.#takersOf(tests);
    const former = replaced !== undefined && this.#mayReplace(replaced.id, tests) ? replaced : undefined;
    const id =
      signIn.kind === 'saved'
        ? signIn.id
        : (same ??
          credentials.save({
            label: signIn.label ?? former?.label ?? signIn.userName,
            userName: signIn.userName,
            password: signIn.password,
            ...defined({ id: former?.id }),
          }).id);
    const given = { credentialId: id, deviceIds: takers };
    if (scope === undefined) credentials.assign(given);
    else credentials.assignTo({ ...given, scope });
    return id;
  }

  /** What a person agreed to counts before anything is asked about the sign-in, or sent. */
  #agree({ allowBasic = [], acceptWeaker = [] }: GiveSignIn): void {
    const { inventory } = this.#options;
    if (allowBasic.length > 0) inventory.updateMany({ ids: allowBasic, profile: { auth: 'basic' } });
    if (acceptWeaker.length > 0) inventory.updateMany({ ids: acceptWeaker, acceptWeaker: true });
  }

  /** What keeps a sign-in after it worked. A saved one is sent before it is kept, so that is asked for first. */
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
      if (scope !== undefined) credentials.assignTo({ ...given, scope });
    });
  }

  #usersOf(credentialId: string): readonly Device[] {
    const rank = ({ signIn, reach }: Device): number =>
      signIn === 'ok' ? 0 : reach === 'unreachable' ? 2 : 1;
    return this.#options.inventory.use
      .usersOf(credentialId)
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, MOST_ASKED);
  }
}

/** It let us in because of them. */
function isProof({ ok, scheme }: DeviceTest): boolean {
  return ok && scheme !== 'none';
}
