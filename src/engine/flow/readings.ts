/** Reads documents of one device; a busy device is asked again. */
import { collectConstraints, createStatusError, type WireDocument } from '#protocol/index.ts';
import type { Params } from '#shared/model.ts';
import type { ReadAnswer } from '../device/client-types.ts';
import { readPatiently, type PatientRead } from '../device/transport/patient-read.ts';
import { getSpecifiedOperation, getSpecifiedResponse } from '../operations/specified.ts';
import type { StepContext } from './flow.ts';

interface Reading {
  readonly answer: ReadAnswer;
  readonly document: WireDocument;
}

/** Returns the readers of a step. Both throw the error that the device answered. `device`: its address, for errors. */
export function createReaders(device: string, patience: PatientRead): Pick<StepContext, 'read' | 'limits'> {
  async function readingOf(operation: string, params: Params): Promise<Reading> {
    const answer = await readPatiently(getSpecifiedOperation(operation), params, patience);
    const { document, status } = answer;
    if (document === undefined)
      throw createStatusError(status, { operation, device, exchange: answer.exchange() });
    return { answer, document };
  }
  return {
    async read<T>(operation: string, params: Params = {}): Promise<T> {
      const { answer } = await readingOf(operation, params);
      return answer.shown(answer.value) as T;
    },
    async limits(operation, params = {}) {
      const { document } = await readingOf(operation, params);
      return collectConstraints(getSpecifiedResponse(getSpecifiedOperation(operation)), document);
    },
  };
}
