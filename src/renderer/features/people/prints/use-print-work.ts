import { onScopeDispose, shallowRef } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import type { InputAt } from '#shared/contract.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { PrintsRead } from '#shared/people/fingerprints.ts';
import { PRINTS_PATH } from '#shared/transport.ts';

type Taken =
  { readonly ok: true; readonly value: PrintsRead } | { readonly ok: false; readonly error: ErrorShape };

/** Fingerprints of a file: read by the face past this page, which never holds a template; then begun, or forgotten. */
export function usePrintWork() {
  const busy = shallowRef(false);
  const { problem, attempt: tryTo } = useProblem();
  /** Count of what was read from the file, for the job that waits for its start. */
  const ready = shallowRef<PrintsRead & { readonly jobId: string; readonly file: string }>();

  async function attempt<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    busy.value = true;
    const result = await tryTo(work);
    busy.value = false;
    return result;
  }

  /** `file` absent: the dialog of the desktop lets the person pick one. */
  function read(request: InputAt<'prints.prepare'>, file: File | undefined): Promise<void> {
    return attempt(async () => {
      await forget();
      const { jobId } = await getApi().prints.prepare(request);
      try {
        const { read: taken, name = '' } =
          file === undefined
            ? await getApi().app.pickFingerprints({ jobId })
            : { read: await send(`${PRINTS_PATH}${jobId}`, file), name: file.name };
        if (taken !== undefined) ready.value = { ...taken, jobId, file: name };
      } finally {
        if (ready.value?.jobId !== jobId) await getApi().prints.discard({ jobId });
      }
    }).then(() => undefined);
  }

  async function forget(): Promise<void> {
    const { jobId } = ready.value ?? {};
    ready.value = undefined;
    if (jobId !== undefined)
      await getApi()
        .prints.discard({ jobId })
        .catch(() => undefined);
  }

  /** Id of the job; undefined if it could not start. */
  function begin(): Promise<string | undefined> {
    return attempt(async () => {
      const { jobId } = await getApi().prints.begin({ jobId: ready.value?.jobId ?? '' });
      ready.value = undefined;
      return jobId;
    });
  }

  onScopeDispose(() => void forget());
  return { busy, problem, ready, attempt, read, forget, begin };
}

async function send(path: string, file: File): Promise<PrintsRead> {
  const taken = (await useClient().sendFile?.(path, file)) as Taken | undefined;
  if (taken?.ok === true) return taken.value;
  throw new FieldwrightError(taken?.error ?? { code: 'internal', source: 'app', message: '' });
}
