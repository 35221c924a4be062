/** What stands before a route, by the guard that the contract names for it. */
import type { InputAt, Paths } from '../shared/contract.ts';
import type { Guard, Guarded } from '../shared/contract/route.ts';
import type { Commit, Engine } from '../engine/api.ts';
import type { Confirmer } from './confirmation.ts';
import { createDeliveries } from './deliveries.ts';
import type { Delivery } from './deliveries.ts';
import { createSecretsGuard } from './guard-secrets.ts';
import { guardOperations } from './guard-operations.ts';

/** A call of the page, checked against its schema. */
export interface GuardedCall<G extends Guard = Guard> {
  readonly path: Paths<Guarded<G>>;
  readonly input: InputAt<Paths<Guarded<G>>>;
  readonly signal: AbortSignal;
  /** What the engine does for it. */
  readonly run: (commit?: Commit) => unknown;
}
/** What a table has for the path that the input came with. */
type Of<Input, Answer> = (input: Input, signal: AbortSignal) => Answer;
export type Guards = { readonly [G in Guard]: (call: GuardedCall<G>) => unknown };

export function createGuards(engine: Engine, confirmer: Pick<Confirmer, 'agree'>): Guards {
  const secrets = createSecretsGuard(engine, confirmer);
  const deliveries = createDeliveries(engine);
  const masked = guardOperations(engine.operations);

  return {
    none: ({ run }) => run(),
    change: ({ run, signal }) => secrets.change(run, signal),
    typed: ({ run, signal, input: { id, password } }) =>
      secrets.change(run, signal, password === '' ? undefined : id),
    async ahead({ run, signal, input: { signIn, ids, scope, replaces } }) {
      if (signIn.kind === 'new') return run((work) => secrets.change(work, signal, replaces));
      const { credentials } = engine;
      const commit = await secrets.ahead(() => {
        credentials.assign({ credentialId: signIn.id, deviceIds: ids });
        if (scope !== undefined) credentials.assignTo({ credentialId: signIn.id, scope });
      }, signal);
      return run(commit);
    },
    send: ({ run, signal, path, input }) =>
      secrets.send(
        () => (deliveries[path] as Of<typeof input, readonly Delivery[]>)(input, signal),
        run,
        signal,
      ),
    mask: ({ signal, path, input }) => (masked[path] as Of<typeof input, unknown>)(input, signal),
  };
}
