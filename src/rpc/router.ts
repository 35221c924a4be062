/**
 * The contract's routes over an engine: one loop, which finds what the engine has for a route and puts its guard
 * before it. What comes in was checked against the contract's schemas before.
 */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { getEventIteratorSchemaDetails } from '@orpc/contract';
import { implement } from '@orpc/server';
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { contract, type Contract, type Paths } from '#shared/contract.ts';
import type { Guarded, RouteFunctions, Routes, Streaming } from '#shared/contract/route.ts';
import { appError } from '#shared/errors.ts';
import type { DesktopEvent } from '#shared/desktop-events.ts';
import type { AppInfo, JobPart, PlanPart } from '#shared/model.ts';
import type { Engine } from '#engine/api.ts';
import { checkForUpdate } from '#engine/files/updates.ts';
import { createConfirmer, type HostConfirmation } from './confirmation.ts';
import type { Sentence } from '#shared/details/languages.ts';
import { createKeysExport } from './export-keys.ts';
import { createSiteFiles } from './site-files.ts';
import { createGuards, type GuardedCall } from './guards.ts';
import { splitJobEvents, splitPlanEvents } from './in-parts.ts';
import { openStream } from './stream.ts';

/** Abilities that only the face around the engine has. */
export interface Host {
  /**
   * Face of this host, if it differs from the one that made the engine (the command line serving a browser).
   */
  readonly face?: AppInfo['face'];
  readonly canSimulate: boolean;
  /** Starts `devices` virtual devices and adds them to the inventory; gives how many were added. */
  startSimulatedSite(devices: number, signal: AbortSignal): Promise<number>;
  /** Asks a person where the page cannot answer; without it, a request that needs a yes is refused. */
  readonly confirm?: HostConfirmation;
  /** Lets the person pick a file where the page cannot name one; without it pages hand files over as bytes. */
  readonly pickFile?: () => Promise<string | undefined>;
  /** Yields what the desktop around the page brings to it. */
  readonly desktopEvents?: (signal: AbortSignal) => AsyncIterable<DesktopEvent>;
  /** Shows a saved file in its folder. */
  readonly showSaved?: (id: number) => boolean;
  /** Takes over the language that the page shows, for menus and dialogs of the system. */
  readonly showLanguage?: (tag: string) => void;
  /** Lets the person choose where a file goes; without it `confirm` asks about a place in the person's own folder. */
  readonly chooseTarget?: (fileName: string) => Promise<string | undefined>;
  /** Returns the language that `confirm` asks in; English without it. */
  readonly sentences?: () => Promise<Sentence>;
}

/** The function of every route. */
type Served = { readonly [Area in keyof Contract]: RouteFunctions<Contract[Area]> };

export type Router = ReturnType<typeof createRouter>;

type EngineFunction = (...given: readonly unknown[]) => unknown;
type Handler = (called: { readonly input: unknown; readonly signal?: AbortSignal | undefined }) => unknown;
interface Implementer {
  handler(handler: Handler): unknown;
}

/** A call whose caller cannot go away. */
const NEVER = new AbortController().signal;

type InParts = {
  readonly [Path in Paths<Streaming<PlanPart>>]: typeof splitPlanEvents;
} & { readonly [Path in Paths<Streaming<JobPart>>]: typeof splitJobEvents };
/** Streams of what may be large. */
const IN_PARTS: InParts = {
  'plans.create': splitPlanEvents,
  'plans.show': splitPlanEvents,
  'plans.retry': splitPlanEvents,
  'jobs.watch': splitJobEvents,
};

export function createRouter(engine: Engine, host: Host) {
  const os = implement(contract);
  const confirmer = createConfirmer(host.confirm, host.sentences);
  const guards = createGuards(engine, confirmer);
  const info = (): AppInfo => ({
    ...engine.info(),
    ...removeUndefined({ face: host.face }),
    canSimulate: host.canSimulate,
  });
  const served: Served = {
    ...engine,
    keys: { list: () => engine.keys.list(), export: createKeysExport(engine, host, confirmer) },
    siteFiles: createSiteFiles(engine, host, confirmer),
    app: {
      info,
      questions: (signal) => confirmer.watch(signal),
      async pickPackage() {
        if (host.pickFile === undefined) throw appError('not-available', say('model.no-dialog'));
        const path = await host.pickFile();
        return path === undefined ? {} : { file: await engine.models.choose(path) };
      },
      async pickFingerprints({ jobId }, signal) {
        if (host.pickFile === undefined) throw appError('not-available', say('model.no-dialog'));
        const path = await host.pickFile();
        return path === undefined
          ? {}
          : {
              read: await engine.prints.fill(jobId, createReadStream(path), signal),
              name: basename(path),
            };
      },
      async startSimulatedSite({ devices }, signal) {
        if (!host.canSimulate) throw appError('not-available', say('no-simulated-site'));
        return { added: await host.startSimulatedSite(devices, signal) };
      },
      desktopEvents: (signal) => host.desktopEvents?.(signal) ?? nothing(),
      showSaved: ({ id }) => ({ shown: host.showSaved?.(id) ?? false }),
      showLanguage({ language }) {
        host.showLanguage?.(language);
        return { shown: true };
      },
      checkForUpdate: (signal) => checkForUpdate(engine.info().version, signal),
      reportFault({ name, message, stack }) {
        const error = Object.assign(new Error(message), { name, stack });
        engine.recordFault({ place: 'page', event: 'page-error', error });
        return { kept: true };
      },
      async unlockVault({ passphrase, remember = false }) {
        await engine.unlockVault(passphrase, { remember });
        return info();
      },
    },
  };

  function handlerOf(path: string, declared: Guarded, call: EngineFunction): Handler {
    const { inputSchema, outputSchema, meta } = declared['~orpc'];
    const given = (input: unknown): unknown[] => (inputSchema === undefined ? [] : [input]);
    const guard = guards[meta.guard] as (call: GuardedCall) => unknown;
    const guarded = (input: unknown, signal: AbortSignal, takesSignal: boolean): unknown =>
      guard({
        path,
        input,
        signal,
        run: (...more) => call(...given(input), ...(takesSignal ? [signal] : []), ...more),
      } as GuardedCall);
    if (getEventIteratorSchemaDetails(outputSchema) === undefined)
      return ({ input, signal = NEVER }) => guarded(input, signal, meta.waits);
    if (meta.guard !== 'none' && meta.guard !== 'ahead')
      throw new Error(`${path}: nothing stands before a stream that does not ask by itself`);
    const inParts = (Object.hasOwn(IN_PARTS, path) ? IN_PARTS[path as keyof InParts] : whole) as typeof whole;
    return ({ input, signal = NEVER }) =>
      openStream(signal, (ended) => inParts(guarded(input, ended, true) as AsyncIterable<unknown>));
  }

  // The types of `served` and of the guards say what the loop cannot: every route has its function, every guard its input.
  const areas = Object.entries<Routes>(contract).map(([area, routes]) => {
    const functions = served[area as keyof Served] as unknown as Readonly<Record<string, EngineFunction>>;
    const implementers = os[area as keyof Served] as unknown as Readonly<Record<string, Implementer>>;
    const named = Object.entries(routes).map(([name, declared]) => {
      const implementer = implementers[name];
      if (functions[name] === undefined || implementer === undefined)
        throw new Error(`Nothing serves ${area}.${name}`);
      // The function is looked up at each call, as in direct calls of the engine.
      const call: EngineFunction = (...given) => functions[name]?.(...given);
      return [name, implementer.handler(handlerOf(`${area}.${name}`, declared, call))];
    });
    return [area, Object.fromEntries(named)];
  });
  return os.router(Object.fromEntries(areas) as Parameters<typeof os.router>[0]);
}

async function* nothing(): AsyncGenerator<never> {}

async function* whole(events: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  yield* events;
}
