import { onMounted, ref, shallowRef } from 'vue';
import { useRouter } from 'vue-router';
import type { ApplyOptions, JobSummary } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { useAttempt } from '#renderer/common/errors/attempt.ts';
import { buildHistoryPath } from '#renderer/common/jobs/job-labels.ts';

/** Previews what work on the devices of a job would do, and starts it with what the person agrees to. */
export function usePreview<
  Preview extends { readonly job: JobSummary; readonly devices: readonly unknown[] },
>(load: () => Promise<Preview>, start: (options: ApplyOptions) => Promise<{ readonly jobId: string }>) {
  const router = useRouter();
  const preview = shallowRef<Preview>();
  const acceptDrift = ref(false);
  const allowPlain = ref(false);
  const whenBack = shallowRef<ApplyOptions['whenBack']>();
  const { busy, problem, attempt } = useAttempt();
  onMounted(() =>
    attempt(async () => {
      preview.value = await load();
    }),
  );

  function begin(wait: boolean): Promise<boolean> {
    return attempt(async () => {
      const { jobId } = await start({
        ...(wait && { wait }),
        ...(acceptDrift.value && { acceptDrift: true }),
        ...(allowPlain.value && { allowPlainFields: true }),
        ...removeUndefined({ whenBack: whenBack.value }),
      });
      await router.replace(buildHistoryPath(jobId));
    });
  }
  return { preview, acceptDrift, allowPlain, whenBack, busy, problem, begin };
}
