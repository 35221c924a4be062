/** What a job would take from the vault or the journal to which address. */
import { createDetail, type Detail } from '#shared/details.ts';
import type { InputAt, Paths } from '#shared/contract.ts';
import type { Guarded } from '#shared/contract/route.ts';
import type { TemplateVariable } from '#shared/model.ts';
import type { Engine } from '#engine/api.ts';

/** Something kept, and an address that it would go to. */
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

/** By the routes that send something kept. */
type Deliveries = {
  readonly [Path in Paths<Guarded<'send'>>]: (input: InputAt<Path>) => readonly Delivery[];
};

export function createDeliveries(
  engine: Pick<Engine, 'devices' | 'jobs' | 'plans' | 'templates'>,
): Deliveries {
  /** Where it is now; the engine finds it in the same way. */
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
   * What a job keeps of its devices (documents before and after, values that were given) is for the addresses it
   * was begun with: a device may have got another one since, without a credential and so without a question.
   */
  function ofMoved(jobId: string): Delivery[] {
    const { id, results } = engine.jobs.show({ id: jobId });
    return results.flatMap((result) => {
      const place = now(result);
      return place.url === result.url ? [] : [{ what: createDetail('ask.kept', { id }), ...place }];
    });
  }

  return {
    /** Saved secrets that the plan's template takes, to all of its devices that get something. */
    'jobs.start'({ planId, deviceIds, secrets }) {
      const plan = engine.plans.get(planId);
      const targets = plan.devices.filter(
        ({ deviceId, state }) =>
          state !== 'failed' && (deviceIds === undefined || deviceIds.includes(deviceId)),
      );
      return toAll(
        engine.templates.check({ text: plan.template.text }).summary?.variables ?? [],
        secrets,
        targets,
      );
    },
    'jobs.resume'({ id, secrets }) {
      const { secrets: variables, devices } = engine.jobs.resumePreview({ id });
      return [...toAll(variables, secrets, devices), ...ofMoved(id)];
    },
    'jobs.undo': ({ id }) => ofMoved(id),
  };
}
