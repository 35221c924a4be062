/** Checks that run before a route, by the guard that the contract names for it. */
import type { InputAt, Paths } from '#shared/contract.ts';
import type { Guard, Guarded } from '#shared/contract/route.ts';
import type { Asker, Engine } from '#engine/api.ts';
import type { Confirmer } from './confirmation.ts';
import { createDeliveries, type Delivery } from './deliveries.ts';
import { createSecretsGuard } from './guard-secrets.ts';
import { guardOperations } from './guard-operations.ts';

/** A call of the page, checked against its schema. */
export interface GuardedCall<G extends Guard = Guard> {
  readonly path: Paths<Guarded<G>>;
  readonly input: InputAt<Paths<Guarded<G>>>;
  readonly signal: AbortSignal;
  /** Calls the engine's function; it asks the person itself before it also sends. */
  readonly run: (asker?: Asker) => unknown;
}
/** An entry of a table for the path of the input. */
type Of<Input, Answer> = (input: Input, signal: AbortSignal) => Answer;
type Guards = { readonly [G in Guard]: (call: GuardedCall<G>) => unknown };

export function createGuards(engine: Engine, confirmer: Pick<Confirmer, 'agree'>): Guards {
  const secrets = createSecretsGuard(engine, confirmer);
  const deliveries = createDeliveries(engine);
  const masked = guardOperations(engine.operations);

  return {
    none: ({ run }) => run(),
    change: ({ run, signal }) => secrets.change(run, signal),
    typed: ({ run, signal, input: { id, password } }) =>
      secrets.change(run, signal, password === '' ? undefined : id),
    ahead: ({ run, signal }) =>
      run({
        change: (work, typed) => secrets.change(work, signal, typed),
        ahead: (work) => secrets.ahead(work, signal),
      }),
    send: ({ run, signal, path, input }) =>
      secrets.send(
        () => (deliveries[path] as Of<typeof input, readonly Delivery[]>)(input, signal),
        run,
        signal,
      ),
    mask: ({ signal, path, input }) => (masked[path] as Of<typeof input, unknown>)(input, signal),
  };
}
