/** Checks whether a device took a single change of an engine or a package. */
import { ENGINE_STATES } from '#shared/ai-models/ai-models.ts';
import type { LookFor, Lookout } from '../write/look-for.ts';
import { readEngine, readPackages } from './board.ts';

export interface EngineShown {
  readonly status: number;
  /** Id of the loaded package; empty if there is none. */
  readonly mpid: string;
}

const LOOK_MS = 1_000;
const SETTLED_MS = 60_000;

const LOOKS: Readonly<Record<string, LookFor>> = {
  async 'aiPlatform.engine.load'(asked) {
    const shown = await settledEngine(asked, packageOf(asked.body));
    if (shown.mpid !== packageOf(asked.body)) return { kind: 'untouched', shown };
    return { kind: shown.status === ENGINE_STATES.running ? 'taken' : 'differs', shown };
  },
  async 'aiPlatform.engine.unload'(asked) {
    const shown = await settledEngine(asked);
    return { kind: shown.mpid === '' ? 'taken' : 'untouched', shown };
  },
  // No document shows that an engine was reset.
  'aiPlatform.engine.reset': async (asked) => ({ kind: 'hidden', shown: await settledEngine(asked) }),
  async 'aiPlatform.models.delete'({ params, read }) {
    const isLeft = (await readPackages({ read })).some(({ MPID }) => MPID === params['MPID']);
    return { kind: isLeft ? 'untouched' : 'taken', shown: {} };
  },
};

/** Returns the check of a change of an engine or a package; undefined for every other operation. */
export function findEngineCheck(operation: string): LookFor | undefined {
  return Object.hasOwn(LOOKS, operation) ? LOOKS[operation] : undefined;
}

/** Reads an engine until it has finished initializing, for a minute at most. `mpid`: the package that counts, among several. */
async function settledEngine({ params, read, clock, signal }: Lookout, mpid?: unknown): Promise<EngineShown> {
  const until = clock.now().getTime() + SETTLED_MS;
  for (;;) {
    const { rows } = await readEngine({ read }, Number(params['engineID']));
    const shown = rows.find(({ MPID }) => MPID === mpid) ?? rows.find(({ MPID }) => MPID !== '') ?? rows[0];
    const { MPID = '', status = -1 } = shown ?? {};
    if (status !== ENGINE_STATES.initializing || clock.now().getTime() >= until)
      return { mpid: MPID, status };
    await clock.delay(LOOK_MS, signal);
  }
}

function packageOf(body: unknown): unknown {
  return (body as { readonly MPID?: unknown } | undefined)?.MPID;
}
