/** Documents that a job of kind `model` keeps. */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import { formatDetail, type Detail } from '#shared/details.ts';
import type { UnitResult } from '#shared/model.ts';
import type { ModelStep, ModelUnit } from '#shared/ai-models/ai-models.ts';
import type { NewUnit } from '../jobs/types.ts';
import { createToken } from './serve/place.ts';

const body = () =>
  z.object({
    mpid: z.string(),
    mpName: z.string().optional(),
    engines: z.array(z.number()).readonly(),
    mode: z.enum(['url', 'push']),
    update: z.boolean(),
    /** Address to serve at, if a person named one. */
    address: z.string().optional(),
    /** Packages that were unloaded for this one are deleted once it runs. */
    removePrevious: z.boolean(),
    /** How long a device has for its restart within its turn; 0: it is followed up later. */
    waitSeconds: z.number(),
    file: z.object({ path: z.string(), name: z.string(), size: z.number(), sha256: z.string() }),
  });

export const modelSchemas = computeOnce(() => ({
  body: body(),
  device: z.object({}),
  // A newer version may show more of a unit; all of it is kept.
  detail: z.looseObject({
    step: z.string(),
    stage: z.string(),
  }) as unknown as z.ZodType<ModelUnit>,
  /** Opens the address at which the device fetches the file. */
  unit: z.object({ token: z.string() }),
}));
export interface ModelDocuments {
  readonly body: z.infer<ReturnType<typeof body>>;
  readonly device: object;
  readonly detail: ModelUnit;
  readonly unit: z.infer<ReturnType<typeof modelSchemas>['unit']>;
}
export type ModelBody = ModelDocuments['body'];
export type ModelResult = UnitResult & ModelUnit;

/** The units of a device, in the order in which they are worked on. */
export function createModelUnits({ engines, removePrevious, file }: ModelBody): readonly NewUnit[] {
  const units: readonly Named[] = [
    named('check', { id: 'model.step.check' }),
    {
      ...named('transfer', { id: 'model.step.transfer' }),
      progress: { done: 0, total: file.size },
      transfer: { served: 0, total: file.size, rate: 0, asked: 0 },
    },
    named('restart', { id: 'model.step.restart' }),
    ...engines.map((engine) => ({
      ...named('engine', { id: 'model.step.engine', values: { engine } }),
      engine,
    })),
    named('proof', { id: 'model.step.proof' }),
    ...(removePrevious && engines.length > 0 ? [named('previous', { id: 'model.step.previous' })] : []),
  ];
  return units.map((unit, index) => ({
    result: { ...unit, index, stage: 'waiting', outcome: 'pending' } satisfies ModelResult,
    ...(unit.step === 'transfer'
      ? { document: { token: createToken() } satisfies ModelDocuments['unit'], sensitive: true }
      : {}),
  }));
}

type Named = Omit<ModelResult, 'index' | 'outcome' | 'stage'>;

function named(step: ModelStep, title: Detail): Named {
  return { step, title, label: formatDetail(title) };
}

/** Returns the summary of a job's package for display. */
export function getPackageSummary({ mpid, mpName, file, update, engines }: ModelBody) {
  return {
    model: {
      mpid,
      file: file.name,
      size: file.size,
      sha256: file.sha256,
      engines,
      mpName,
      update: update || undefined,
    },
  };
}
