/** Calls operations through the engine, keeps the evidence, and knows which operation was left out. */
import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '#engine/index.ts';
import { buildPath, findOperation, operations, type Area, type Operation } from '#protocol/index.ts';
import { toErrorShape, type ErrorCode } from '#shared/errors.ts';
import { DEVICE_KINDS, type CallAnswer, type DeviceKind, type Params } from '#shared/model.ts';
import type { VirtualDevice } from '#simulator/index.ts';

/** Input of a request in a flow. */
export interface Sent {
  readonly params?: Params;
  readonly body?: unknown;
  /** The body goes out as it is, past the engine's own checks. */
  readonly raw?: boolean;
  readonly allowPlainFields?: boolean;
}

/** Input of the first request; `bytes` is the body of a raw request. */
type First = Sent & { readonly bytes?: string };

/** One line of the result. */
export interface Row {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Kind that carried it out, and how often it was called there. */
  readonly kind: DeviceKind | '-';
  readonly calls: number;
  /** `ok`, and what proves that it did what it says. */
  readonly outcome: string;
  /** Kind that lacks the operation and refused it. */
  readonly refusedBy: DeviceKind | '-';
  /** Unexpected results; empty if there were none. */
  readonly problems: readonly string[];
}

interface Account {
  kind?: DeviceKind;
  calls: number;
  first?: First;
  ended?: string;
  readonly proofs: string[];
  readonly problems: string[];
  refusedBy?: DeviceKind;
}

/** Areas of each kind, from the description of the virtual site; every kind has system and token. */
const HAS: Readonly<Record<DeviceKind, readonly Area[]>> = {
  gate: ['accessControl', 'gate'],
  thermal: ['thermal', 'storage'],
  ai: ['aiPlatform', 'humanRecognition', 'storage'],
  counter: ['peopleCounting', 'storage'],
  recorder: ['passback', 'storage'],
};

function lacks(kind: DeviceKind, operation: Operation): boolean {
  if (operation.area === 'events')
    return (
      kind !==
      (operation.id.startsWith('events.the') || operation.id.startsWith('events.temp')
        ? 'thermal'
        : 'recorder')
    );
  return !['system', 'token', ...HAS[kind]].includes(operation.area);
}

export interface TrialOptions {
  readonly engine: Engine;
  readonly ids: Readonly<Record<DeviceKind, string>>;
  readonly devices: Readonly<Record<DeviceKind, VirtualDevice>>;
  readonly signal: AbortSignal;
}

export class Trial {
  readonly #options: TrialOptions;
  readonly #accounts = new Map(
    operations.map((operation): [string, Account] => [operation.id, { calls: 0, proofs: [], problems: [] }]),
  );

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  device(kind: DeviceKind): VirtualDevice {
    return this.#options.devices[kind];
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** The operation on a device of that kind, which must carry it out; the decoded value, if there is one. */
  async call(kind: DeviceKind, id: string, sent: Sent = {}): Promise<unknown> {
    const account = this.#begin(kind, id, sent);
    const answer = await this.#ask(kind, id, sent);
    account.ended ??= answer.outcome;
    if (answer.outcome !== 'ok') account.problems.push(`${answer.outcome}: ${answer.error?.message ?? ''}`);
    const missing = findOperation(id)?.response !== undefined && answer.value === undefined;
    if (missing) account.problems.push('no value came');
    return answer.value;
  }

  /** The same, and the value must be this one. */
  async expect(kind: DeviceKind, id: string, sent: Sent, value: unknown): Promise<void> {
    this.same(id, await this.call(kind, id, sent), value);
  }

  /** The device must refuse it, with this code. */
  async refused(kind: DeviceKind, id: string, sent: Sent, code: ErrorCode): Promise<void> {
    const answer = await this.#ask(kind, id, sent);
    this.check(
      id,
      answer.outcome === 'refused' && answer.error?.code === code,
      `expected a refusal as ${code}, it was ${answer.error?.code ?? answer.outcome}`,
    );
  }

  /**
   * Calls an operation whose body the specification does not have: `call` must not guess one, the raw request
   * must reach the device and end with this code, or as `ok`.
   */
  async raw(
    kind: DeviceKind,
    id: string,
    params: Params,
    body: string,
    ends: ErrorCode | 'ok',
  ): Promise<void> {
    const account = this.#begin(kind, id, { params, bytes: body });
    const guess = await this.#ask(kind, id, { params, body: {} }).then(
      () => 'sent',
      (thrown: unknown) => (thrown instanceof StepFailed ? toErrorShape(thrown.cause).code : String(thrown)),
    );
    this.check(id, guess === 'not-allowed', `a body that nobody knows was not refused beforehand: ${guess}`);
    const answer = await this.#request(kind, id, params, body);
    const came = answer.error?.code ?? answer.outcome;
    account.ended = `raw request: ${came}; its body is not specified`;
    this.check(id, came === ends, `expected ${ends}, it was ${came}`);
    this.check(id, answer.status.http > 0 && (answer.raw ?? '') !== '', 'the device did not answer');
  }

  /** Read-back: what is there must be what was written. */
  same(id: string, actual: unknown, expected: unknown, proof = 'read back'): void {
    this.proved(id, proof, isDeepStrictEqual(actual, expected), 'it reads back otherwise');
  }

  /** Says what shows that the operation did what it should. */
  proved(id: string, proof: string, holds = true, otherwise = `not ${proof}`): void {
    const { proofs } = this.#account(id);
    if (!proofs.includes(proof)) proofs.push(proof);
    this.check(id, holds, otherwise);
  }

  check(id: string, holds: boolean, otherwise: string): void {
    if (!holds) this.#account(id).problems.push(otherwise);
  }

  /** A step that could not be carried out at all. */
  failed(id: string, thrown: unknown): void {
    const { code, message } = toErrorShape(thrown);
    this.#account(id).problems.push(`${code}: ${code === 'internal' ? String(thrown) : message}`);
  }

  /** Sends each operation as it was sent first to a device of a kind that lacks it: that must refuse and stay as it was. */
  async refusals(): Promise<void> {
    for (const operation of operations) {
      const account = this.#account(operation.id);
      const kind = DEVICE_KINDS.find((candidate) => lacks(candidate, operation));
      if (kind === undefined || account.first === undefined) continue;
      const before = this.device(kind).state();
      try {
        const { bytes, ...sent } = account.first;
        const answer =
          bytes === undefined
            ? await this.#ask(kind, operation.id, sent)
            : await this.#request(kind, operation.id, sent.params ?? {}, bytes);
        account.refusedBy = kind;
        this.check(
          operation.id,
          answer.error?.code === 'not-supported',
          `a ${kind} device answers ${answer.error?.code ?? answer.outcome}`,
        );
      } catch (thrown) {
        this.failed(operation.id, thrown instanceof StepFailed ? thrown.cause : thrown);
      }
      this.check(
        operation.id,
        isDeepStrictEqual(withoutTime(this.device(kind).state()), withoutTime(before)),
        `it changed a ${kind} device`,
      );
    }
  }

  rows(): readonly Row[] {
    return operations.map((operation): Row => {
      const { kind, calls, ended, proofs, problems, refusedBy } = this.#account(operation.id);
      const gaps =
        calls === 0
          ? ['it was not called']
          : operation.method !== 'GET' && operation.specified && proofs.length === 0
            ? ['nothing shows its effect']
            : [];
      return {
        id: operation.id,
        method: operation.method,
        path: operation.path,
        kind: kind ?? '-',
        calls,
        outcome: [ended ?? 'none', ...proofs].join(', '),
        refusedBy: refusedBy ?? '-',
        problems: [...problems, ...gaps],
      };
    });
  }

  #account(id: string): Account {
    const account = this.#accounts.get(id);
    if (account === undefined) throw new Error(`There is no operation ${id}.`);
    return account;
  }

  #begin(kind: DeviceKind, id: string, sent: First): Account {
    const account = this.#account(id);
    account.kind ??= kind;
    account.first ??= sent;
    account.calls += 1;
    return account;
  }

  async #ask(kind: DeviceKind, id: string, sent: Sent): Promise<CallAnswer> {
    return step(id, () =>
      this.#options.engine.operations.call(
        { deviceId: this.#options.ids[kind], operation: id, confirmed: true, ...sent },
        this.signal,
      ),
    );
  }

  async #request(kind: DeviceKind, id: string, params: Params, body: string): Promise<CallAnswer> {
    const operation = findOperation(id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const path = buildPath(operation, params, '/API');
    return step(id, () =>
      this.#options.engine.operations.request(
        { deviceId: this.#options.ids[kind], method: operation.method, path, body, confirmed: true },
        this.signal,
      ),
    );
  }
}

/** Failure with the operation that a flow stopped at. */
export class StepFailed extends Error {
  readonly operation: string;

  constructor(operation: string, cause: unknown) {
    super(`${operation} failed`, { cause });
    this.operation = operation;
  }
}

async function step<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new StepFailed(operation, thrown);
  }
}

/** Gates and counters count with the clock: that is no change by a request. */
function withoutTime(state: ReturnType<VirtualDevice['state']>): unknown {
  const { gate: _gate, counting: _counting, ...parts } = state.parts;
  return { ...state, parts };
}

/** The member of a decoded value at this path. */
export function pick(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null
        ? (at as Readonly<Record<string | number, unknown>>)[name]
        : undefined,
    value,
  );
}
