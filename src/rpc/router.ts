/**
 * The contract's routes over an engine: each handler delegates and holds no logic of its own. What
 * comes in was checked against the contract's schemas before a handler sees it.
 */
import { implement } from '@orpc/server';
import { defined } from '../shared/defined.ts';
import { contract } from '../shared/contract.ts';
import { FieldwrightError } from '../shared/errors.ts';
import type { AppInfo, PlanEvent } from '../shared/model.ts';
import type { Commit, Engine, GiveSignIn } from '../engine/api.ts';
import { createConfirmer } from './confirmation.ts';
import type { HostConfirmation } from './confirmation.ts';
import { createDeliveries } from './deliveries.ts';
import { guardOperations } from './guard-operations.ts';
import { createSecretsGuard } from './guard-secrets.ts';
import { jobsInParts, plansInParts } from './in-parts.ts';
import { stream } from './stream.ts';

/** What only the face around the engine can do. */
export interface Host {
  /** Where the face differs from the one that made the engine (the command line serving a browser). */
  readonly face?: AppInfo['face'];
  readonly canSimulate: boolean;
  /** Starts `devices` virtual devices and adds them to the inventory; gives how many were added. */
  startSimulatedSite(devices: number, signal: AbortSignal): Promise<number>;
  /** Asks a person where the page cannot answer; without it, whatever needs a yes is refused. */
  readonly confirm?: HostConfirmation;
}

export type Router = ReturnType<typeof createRouter>;

/** A call whose caller cannot go away. */
const NEVER = new AbortController().signal;

export function createRouter(engine: Engine, host: Host) {
  const os = implement(contract);
  const operations = guardOperations(engine);
  const confirmer = createConfirmer(host.confirm);
  const secrets = createSecretsGuard(engine, confirmer);
  const deliveries = createDeliveries(engine);
  const info = (): AppInfo => ({
    ...engine.info(),
    ...defined({ face: host.face }),
    canSimulate: host.canSimulate,
  });

  /** What keeps a sign-in after it worked. A saved one is sent before it is kept, so that is asked for first. */
  async function commitOf(
    { signIn, ids, scope, replaces }: GiveSignIn,
    signal: AbortSignal,
  ): Promise<Commit> {
    if (signIn.kind === 'new') return (work) => secrets.change(work, signal, replaces);
    return secrets.ahead(() => {
      engine.credentials.assign(signIn.id, ids);
      if (scope !== undefined) engine.credentials.assignTo(signIn.id, scope);
    }, signal);
  }

  return os.router({
    app: {
      info: os.app.info.handler(info),
      startSimulatedSite: os.app.startSimulatedSite.handler(async ({ input, signal = NEVER }) => {
        if (!host.canSimulate)
          throw new FieldwrightError({
            code: 'not-available',
            source: 'app',
            message: 'A simulated site cannot be started from here.',
          });
        return { added: await host.startSimulatedSite(input.devices, signal) };
      }),
      questions: os.app.questions.handler(({ signal = NEVER }) =>
        stream(signal, (ended) => confirmer.watch(ended)),
      ),
      unlockVault: os.app.unlockVault.handler(async ({ input }) => {
        await engine.unlockVault(input.passphrase, { remember: input.remember === true });
        return info();
      }),
    },
    devices: {
      list: os.devices.list.handler(() => engine.devices.list()),
      watch: os.devices.watch.handler(({ signal = NEVER }) =>
        stream(signal, (ended) => engine.devices.watch(ended)),
      ),
      keepChecked: os.devices.keepChecked.handler(({ signal = NEVER }) =>
        stream(signal, (ended) => engine.devices.keepChecked(ended)),
      ),
      add: os.devices.add.handler(({ input, signal = NEVER }) =>
        secrets.change(() => engine.devices.add(input), signal),
      ),
      addMany: os.devices.addMany.handler(({ input, signal = NEVER }) =>
        secrets.change(() => engine.devices.addMany(input.devices), signal),
      ),
      update: os.devices.update.handler(({ input: { id, ...change }, signal = NEVER }) =>
        secrets.change(() => engine.devices.update(id, change), signal),
      ),
      updateMany: os.devices.updateMany.handler(({ input: { ids, ...change }, signal = NEVER }) =>
        secrets.change(() => ({ changed: engine.devices.updateMany(ids, change) }), signal),
      ),
      remove: os.devices.remove.handler(({ input }) => ({ removed: engine.devices.remove(input.ids) })),
      test: os.devices.test.handler(({ input, signal = NEVER }) => engine.devices.test(input.ids, signal)),
      signIn: os.devices.signIn.handler(async ({ input, signal = NEVER }) =>
        engine.devices.signIn(input, signal, await commitOf(input, signal)),
      ),
      importCsv: os.devices.importCsv.handler(({ input: { text, ...options }, signal = NEVER }) =>
        secrets.change(() => engine.devices.importCsv(text, options), signal),
      ),
      trust: os.devices.trust.handler(({ input, signal = NEVER }) =>
        secrets.change(() => ({ changed: engine.devices.trust(input.items) }), signal),
      ),
      distrust: os.devices.distrust.handler(({ input }) => ({ changed: engine.devices.distrust(input.ids) })),
      probe: os.devices.probe.handler(({ input, signal = NEVER }) =>
        engine.devices.probe(input.address, signal),
      ),
    },
    sites: {
      list: os.sites.list.handler(() => engine.sites.list()),
      save: os.sites.save.handler(({ input }) => engine.sites.save(input)),
      remove: os.sites.remove.handler(({ input, signal = NEVER }) =>
        secrets.change(() => ({ removed: engine.sites.remove(input.id) }), signal),
      ),
    },
    profiles: {
      list: os.profiles.list.handler(() => engine.profiles.list()),
      save: os.profiles.save.handler(({ input }) => engine.profiles.save(input)),
      remove: os.profiles.remove.handler(({ input }) => ({ removed: engine.profiles.remove(input.id) })),
    },
    discovery: {
      watch: os.discovery.watch.handler(({ input, signal = NEVER }) =>
        stream(signal, (ended) => engine.discovery.watch(input, ended)),
      ),
      networks: os.discovery.networks.handler(() => engine.discovery.networks()),
    },
    operations: {
      call: os.operations.call.handler(({ input, signal = NEVER }) => operations.call(input, signal)),
      capabilities: os.operations.capabilities.handler(
        ({ input: { deviceId, ...options }, signal = NEVER }) =>
          operations.capabilities(deviceId, options, signal),
      ),
      request: os.operations.request.handler(({ input, signal = NEVER }) =>
        operations.request(input, signal),
      ),
    },
    credentials: {
      list: os.credentials.list.handler(() => engine.credentials.list()),
      save: os.credentials.save.handler(({ input, signal = NEVER }) =>
        secrets.change(
          () => engine.credentials.save(input),
          signal,
          input.password === '' ? undefined : input.id,
        ),
      ),
      change: os.credentials.change.handler(({ input, signal = NEVER }) =>
        engine.credentials.change(input, signal),
      ),
      assign: os.credentials.assign.handler(({ input, signal = NEVER }) =>
        secrets.change(
          () => ({ changed: engine.credentials.assign(input.credentialId, input.deviceIds) }),
          signal,
        ),
      ),
      remove: os.credentials.remove.handler(({ input, signal = NEVER }) =>
        secrets.change(() => ({ removed: engine.credentials.remove(input.id) }), signal),
      ),
      assignTo: os.credentials.assignTo.handler(({ input, signal = NEVER }) =>
        secrets.change(
          () => ({ changed: engine.credentials.assignTo(input.credentialId, input.scope, input.deviceIds) }),
          signal,
        ),
      ),
    },
    secrets: {
      list: os.secrets.list.handler(() => engine.secrets.list()),
      save: os.secrets.save.handler(({ input }) => engine.secrets.save(input)),
      remove: os.secrets.remove.handler(({ input }) => ({ removed: engine.secrets.remove(input.name) })),
    },
    templates: {
      list: os.templates.list.handler(() => engine.templates.list()),
      check: os.templates.check.handler(({ input }) =>
        engine.templates.check(input.text, { capabilities: input.capabilities }),
      ),
      save: os.templates.save.handler(({ input }) => engine.templates.save(input)),
      remove: os.templates.remove.handler(({ input }) => ({ removed: engine.templates.remove(input.id) })),
      versions: os.templates.versions.handler(({ input }) => engine.templates.versions(input.id)),
      version: os.templates.version.handler(({ input }) => engine.templates.version(input.id, input.version)),
      compare: os.templates.compare.handler(({ input }) =>
        engine.templates.compare(input.before, input.after),
      ),
      capture: os.templates.capture.handler(({ input, signal = NEVER }) =>
        stream(signal, (ended) => engine.templates.capture(input, ended)),
      ),
    },
    states: {
      list: os.states.list.handler(() => engine.states.list()),
      save: os.states.save.handler(({ input, signal = NEVER }) =>
        stream(signal, (ended) => engine.states.save(input, ended)),
      ),
      remove: os.states.remove.handler(({ input }) => ({ removed: engine.states.remove(input.id) })),
      swap: os.states.swap.handler(({ input, signal = NEVER }) =>
        stream(signal, (ended) => engine.states.swap(input, ended)),
      ),
    },
    plans: {
      create: os.plans.create.handler(({ input, signal = NEVER }) =>
        stream(signal, (ended) => plansInParts(engine.plans.create(input, ended))),
      ),
      show: os.plans.show.handler(({ input, signal = NEVER }) =>
        stream(signal, () => plansInParts(kept(engine, input.planId))),
      ),
      readValues: os.plans.readValues.handler(({ input: { base64, fileName, ...request } }) =>
        engine.plans.readValues({
          ...request,
          bytes: Buffer.from(base64, 'base64'),
          ...defined({ file: fileName }),
        }),
      ),
      retry: os.plans.retry.handler(({ input, signal = NEVER }) =>
        stream(signal, (ended) => plansInParts(engine.plans.retry(input, ended))),
      ),
      retryPreview: os.plans.retryPreview.handler(({ input }) =>
        engine.plans.retryPreview(input.jobId, input.deviceIds),
      ),
      exportFile: os.plans.exportFile.handler(({ input }) => engine.plans.file(input.planId)),
      importFile: os.plans.importFile.handler(({ input }) => engine.plans.parse(input.text)),
    },
    jobs: {
      show: os.jobs.show.handler(({ input }) => engine.jobs.show(input.id)),
      start: os.jobs.start.handler(({ input: { planId, ...request }, signal = NEVER }) => {
        const plan = keptPlan(engine, planId);
        return secrets.send(
          () => deliveries.ofPlan(plan, request),
          () => engine.jobs.start({ plan, ...request }),
          signal,
        );
      }),
      watch: os.jobs.watch.handler(({ input, signal = NEVER }) =>
        stream(signal, (ended) => jobsInParts(engine.jobs.watch(input.id, ended))),
      ),
      cancel: os.jobs.cancel.handler(({ input }) => ({ cancelled: engine.jobs.cancel(input.id) })),
      resumePreview: os.jobs.resumePreview.handler(({ input }) => engine.jobs.resumePreview(input.id)),
      resume: os.jobs.resume.handler(({ input, signal = NEVER }) =>
        secrets.send(
          () => deliveries.ofResume(input),
          () => engine.jobs.resume(input),
          signal,
        ),
      ),
      undoPreview: os.jobs.undoPreview.handler(({ input }) =>
        engine.jobs.undoPreview(input.id, input.deviceIds),
      ),
      undo: os.jobs.undo.handler(({ input, signal = NEVER }) =>
        secrets.send(
          () => deliveries.ofMoved(input.id),
          () => engine.jobs.undo(input),
          signal,
        ),
      ),
      pause: os.jobs.pause.handler(({ input }) => ({ paused: engine.jobs.pause(input.id) })),
      unpause: os.jobs.unpause.handler(({ input }) => ({ paused: !engine.jobs.unpause(input.id) })),
      search: os.jobs.search.handler(({ input }) => engine.jobs.search(input)),
      export: os.jobs.export.handler(({ input }) => engine.jobs.export(input)),
      rebootPending: os.jobs.rebootPending.handler(({ input }) => engine.jobs.rebootPending(input.id)),
      followUp: os.jobs.followUp.handler(({ input }) => engine.jobs.followUp(input)),
    },
  });
}

async function* kept(engine: Engine, id: string): AsyncGenerator<PlanEvent> {
  yield { type: 'plan', plan: keptPlan(engine, id) };
}

function keptPlan(engine: Engine, id: string) {
  const plan = engine.plans.get(id);
  if (plan === undefined) {
    throw new FieldwrightError({
      code: 'plan-outdated',
      source: 'user',
      path: 'planId',
      message: 'This plan is no longer kept.',
      hint: 'Make the plan again, look at it, then apply it.',
    });
  }
  return plan;
}
