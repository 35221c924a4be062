import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { FlowInfo, RecordSummary } from '#shared/flows.ts';
import type { JobSummary } from '#shared/model.ts';
import type { ChainFault } from '#shared/report-document.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

/** Store of all flows, those that can be resumed, and kept records. */
export const useSetup = defineStore('setup', () => {
  const flows = shallowRef<readonly FlowInfo[]>();
  /** Begun and not through; newest first. */
  const open = shallowRef<readonly JobSummary[]>([]);
  const records = shallowRef<readonly RecordSummary[]>();
  /** Faults in the chain of the kept records; undefined if it was not checked yet. */
  const faults = shallowRef<readonly ChainFault[]>();
  const { problem, attempt } = useProblem();

  async function load(): Promise<void> {
    await attempt(async () => {
      const [all, found, kept] = await Promise.all([
        getApi().flows.list(),
        getApi().jobs.search({ kind: 'flow', limit: 100 }),
        getApi().flows.records(),
      ]);
      flows.value = all;
      open.value = found.jobs.filter(({ resumable, endedAt }) => resumable || endedAt === undefined);
      records.value = kept;
      faults.value = (await getApi().flows.checkChain()).faults;
    });
  }

  async function begin(flow: string, deviceIds: readonly string[]): Promise<string | undefined> {
    const begun = await attempt(() => getApi().flows.begin({ flow, deviceIds: [...deviceIds] }));
    return begun?.jobId;
  }

  return { flows, open, records, faults, problem, load, begin };
});
