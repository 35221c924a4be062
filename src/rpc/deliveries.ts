/** Saved data that a job would send from the vault or the journal, and the addresses it would go to. */
import { createDetail, type Detail } from '#shared/details.ts';
import type { InputAt, Paths } from '#shared/contract.ts';
import type { Guarded } from '#shared/contract/route.ts';
import type { TemplateVariable } from '#shared/model.ts';
import type { Engine } from '#engine/api.ts';

/** Saved data, and an address that it would go to. */
export interface Delivery {
  readonly what: Detail;
  readonly device: string;
  readonly url: string;
}

type Given = Readonly<Record<string, string>>;
interface Target {
  readonly deviceId: string;
  readonly url: string;
}

/** Deliveries of each route that sends saved data. */
type Deliveries = {
  readonly [Path in Paths<Guarded<'send'>>]: (input: InputAt<Path>) => readonly Delivery[];
};

export function createDeliveries(
  engine: Pick<Engine, 'devices' | 'jobs' | 'plans' | 'templates'>,
): Deliveries {
  /** Returns the current address; the engine finds it in the same way. */
  function now({ deviceId, url }: Target): { readonly device: string; readonly url: string } {
    const found = engine.devices.known(deviceId);
    return { device: found?.name ?? url, url: found?.url ?? url };
  }

  function toAll(
    variables: readonly TemplateVariable[],
    given: Given = {},
    targets: readonly Target[],
  ): Delivery[] {
    const saved = variables.filter(
      ({ name, type, saved: isSaved }) =>
        type === 'secret' && isSaved === true && !Object.hasOwn(given, name),
    );
    return saved.length === 0
      ? []
      : targets.flatMap((target) =>
          saved.map(({ name }) => ({ what: createDetail('ask.secret', { name }), ...now(target) })),
        );
  }

  /**
   * Returns deliveries to devices that have moved. A job's data about its devices (documents before and
   * after, given values) is for the addresses at its start: a device may have another address since, without
   * a credential and so without a question.
   */
  function ofMoved(jobId: string): Delivery[] {
    const { id, results } = engine.jobs.show({ id: jobId });
    return results.flatMap((result) => {
      const place = now(result);
      return place.url === result.url ? [] : [{ what: createDetail('ask.kept', { id }), ...place }];
    });
  }

  function ofResumed(id: string, secrets?: Given): Delivery[] {
    const { secrets: variables, devices } = engine.jobs.resumePreview({ id });
    return [...toAll(variables, secrets, devices), ...ofMoved(id)];
  }

  return {
    /** Saved secrets that the plan's template takes, to all of its devices that get something. */
    'jobs.start'({ planId, deviceIds, secrets, options }) {
      const plan = engine.plans.get(planId);
      const targets = plan.devices.filter(
        ({ deviceId, state }) =>
          // One that could not be read gets them when it is back.
          (state !== 'failed' || options?.whenBack !== undefined) &&
          (deviceIds === undefined || deviceIds.includes(deviceId)),
      );
      return toAll(
        engine.templates.check({ text: plan.template.text }).summary?.variables ?? [],
        secrets,
        targets,
      );
    },
    'jobs.resume': ({ id, secrets }) => ofResumed(id, secrets),
    'openWork.doNow': ({ ids }) =>
      [...new Set(ids.map((id) => id.split('.')[0] ?? id))].flatMap((id) => ofResumed(id)),
    'jobs.undo': ({ id }) => ofMoved(id),
  };
}
