/**
 * Masks the answers of devices for a page, which must not hold secrets. The command line runs in a person's own terminal:
 * it calls the engine without this guard and gets the values unmasked.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError, type ErrorShape, type StatusReport } from '#shared/errors.ts';
import type { CallAnswer } from '#shared/model.ts';
import { redact } from '#engine/device/redact.ts';
import { turnFor } from '#engine/device/turns.ts';
import { removeSecretDefault } from '#engine/operations/capability-limits.ts';
import { mapDetailValues } from '#shared/details.ts';
import type { InputAt, Paths } from '#shared/contract.ts';
import type { Guarded } from '#shared/contract/route.ts';
import type { OperationsApi } from '#engine/api.ts';
import {
  findOperation,
  redactBody,
  redactPlain,
  redactUnlisted,
  redactValue,
  listSecrets,
  maskPlainSecrets,
} from '#protocol/index.ts';

/** Replacements of the engine's functions for the routes whose answers are masked. */
export type Masked = {
  readonly [Path in Paths<Guarded<'mask'>>]: (input: InputAt<Path>, signal: AbortSignal) => Promise<unknown>;
};

export function guardOperations(operations: OperationsApi): Masked {
  return {
    async 'operations.call'(request, signal) {
      const operation = findOperation(request.operation);
      const secrets = operation?.request === undefined ? [] : listSecrets(operation.request, request.body);
      return guarded(
        () => operations.call(request, signal),
        secrets,
        ({ value, unlisted, limits }) => ({
          value: redactValue(operation?.response, value),
          ...removeUndefined({
            unlisted:
              unlisted === undefined
                ? undefined
                : unlisted.map((member) => redactUnlisted(operation?.response, member)),
            limits: limits?.map(removeSecretDefault),
          }),
        }),
      );
    },
    async 'operations.request'(request, signal) {
      const secrets = new Set<string>();
      if (request.body !== undefined) redactBody(request.body, { found: secrets });
      return guarded(
        () => operations.request(request, signal),
        [...secrets],
        () => ({ value: undefined }),
      );
    },
    async 'operations.capabilities'(request, signal) {
      const found = await operations.capabilities(request, signal);
      return { ...found, limits: found.limits.map(removeSecretDefault) };
    },
  };
}

type Shown = Pick<CallAnswer, 'value' | 'unlisted' | 'limits'>;

async function guarded(
  run: () => Promise<CallAnswer>,
  secrets: readonly string[],
  shown: (answer: CallAnswer) => Shown,
): Promise<CallAnswer> {
  // Free text only: an outcome or a code that happens to hold the letters of a secret stays what it is.
  const scrub: Scrub = (value) => redact(value, secrets);
  try {
    const answer = await run();
    await turnFor(answer.raw?.length ?? 0);
    return {
      ...answer,
      status: shownStatus(answer.status, scrub),
      notes: answer.notes.map((note) => mapDetailValues(note, (text) => scrub(maskPlainSecrets(text)))),
      ...scrub(shown(answer)),
      ...removeUndefined({
        raw: answer.raw === undefined ? undefined : scrub(redactBody(answer.raw)),
        error: answer.error === undefined ? undefined : shownError(answer.error, scrub),
      }),
    };
  } catch (error) {
    throw error instanceof FieldwrightError
      ? new FieldwrightError(shownError(error.shape, scrub), { cause: error.cause })
      : error;
  }
}

type Scrub = <T>(value: T) => T;

/** Masks secrets in an error, because the device's own words may be anything. */
function shownError(error: ErrorShape, scrub: Scrub): ErrorShape {
  return {
    ...error,
    message: scrub(redactPlain(error.message)),
    ...removeUndefined({
      detail: error.detail && mapDetailValues(error.detail, (text) => scrub(redactPlain(text))),
      status: error.status === undefined ? undefined : shownStatus(error.status, scrub),
      others: error.others === undefined ? undefined : error.others.map((other) => shownError(other, scrub)),
    }),
  };
}

function shownStatus(status: StatusReport, scrub: Scrub): StatusReport {
  const shown = Object.entries(status).map(([name, held]: [string, unknown]) => [
    name,
    typeof held === 'string' ? scrub(redactPlain(held)) : held,
  ]);
  return { ...status, ...(Object.fromEntries(shown) as Partial<StatusReport>) };
}
