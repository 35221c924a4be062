import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { JobSummary } from '#shared/model.ts';
import type { ModelBoard } from '#shared/ai-models/ai-models.ts';

/** Last reading of a device; an old one stays beside the reason why there is no newer one. */
interface BoardState {
  readonly board?: ModelBoard;
  readonly error?: ErrorShape;
  readonly reading: boolean;
}

const AT_ONCE = 6;

/** Boards of devices, and jobs that are not through. */
export const useBoards = defineStore('model-boards', () => {
  const boards = shallowRef<ReadonlyMap<string, BoardState>>(new Map());
  const open = shallowRef<readonly JobSummary[]>([]);

  function put(id: string, state: BoardState): void {
    boards.value = new Map(boards.value).set(id, state);
  }

  async function read(deviceId: string): Promise<void> {
    const before = boards.value.get(deviceId);
    if (before?.reading === true) return;
    const known = before?.board === undefined ? {} : { board: before.board };
    put(deviceId, { ...known, reading: true });
    try {
      put(deviceId, { board: await getApi().models.board({ deviceId }), reading: false });
    } catch (thrown) {
      put(deviceId, { ...known, error: extractErrorShape(thrown), reading: false });
    }
  }

  /** A few at a time. */
  async function readAll(deviceIds: readonly string[]): Promise<void> {
    const left = [...deviceIds];
    const work = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) await read(id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async function readJobs(): Promise<void> {
    const { jobs } = await getApi().jobs.search({ kind: 'model', limit: 50 });
    open.value = jobs.filter(
      ({ resumable, endedAt, rebootPending = 0 }) => resumable || endedAt === undefined || rebootPending > 0,
    );
  }

  return { boards, open, read, readAll, readJobs };
});
