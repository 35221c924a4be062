import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { findOperation } from '#protocol/catalogue.ts';
import { redactBody } from '#protocol/redact/index.ts';
import { maskPlainSecrets } from '#protocol/redact/plain.ts';
import type { InputAt } from '#shared/contract.ts';
import type { Device, Params } from '#shared/model.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { addEntry, type HistoryEntry, type Result, type Sent } from './history.ts';
import { FREE_REQUEST } from './operation-list.ts';
import { removeSecretsAndMasks } from './secrets.ts';

interface OperationDraft {
  readonly operation: string;
  readonly params: Params;
  readonly body?: unknown;
  readonly allowPlainFields?: boolean;
  /** The person agreed to what it takes away. */
  readonly confirmed?: boolean;
}

/** Store of the request under way, its result, and the earlier requests of this session. */
export const useConsole = defineStore('console', () => {
  const history = shallowRef<readonly HistoryEntry[]>([]);
  const shown = shallowRef<HistoryEntry>();
  /** An entry to be filled in again; the request forms take it and clear it. */
  const refill = shallowRef<Sent>();
  const busy = ref(false);
  const userNames = shallowRef<ReadonlyMap<string, string>>(new Map());
  const newest = computed(() => history.value[0]?.id ?? 0);
  let sending: AbortController | undefined;

  async function perform(sent: Sent, send: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const own = new AbortController();
    sending = own;
    busy.value = true;
    shown.value = undefined;
    let result: Result;
    try {
      result = await send(own.signal);
    } catch (thrown) {
      result = { error: extractErrorShape(thrown) };
    } finally {
      busy.value = false;
    }
    const entry: HistoryEntry = { id: newest.value + 1, at: new Date().toISOString(), sent, result };
    history.value = addEntry(history.value, entry);
    shown.value = entry;
    return result;
  }

  function call(device: Device, draft: OperationDraft): Promise<Result> {
    const operation = findOperation(draft.operation);
    const body =
      operation?.request === undefined || draft.body === undefined
        ? undefined
        : removeSecretsAndMasks(operation.request, draft.body);
    const sent: Sent = {
      ...about(device),
      operation: draft.operation,
      method: operation?.method ?? '',
      path: operation?.path ?? '',
      params: draft.params,
      ...removeUndefined({ body }),
    };
    return perform(sent, async (signal) => ({
      answer: await getApi().operations.call({ deviceId: device.id, ...draft, trace: true }, { signal }),
    }));
  }

  /** `operation` where the path is one of the interface whose body is not shown. */
  function request(
    device: Device,
    wanted: Omit<InputAt<'operations.request'>, 'deviceId'>,
    operation = FREE_REQUEST,
    params: Params = {},
  ): Promise<Result> {
    const sent: Sent = {
      ...about(device),
      operation,
      method: wanted.method,
      path: maskPlainSecrets(wanted.path),
      params,
      ...removeUndefined({ body: wanted.body === undefined ? undefined : redactBody(wanted.body) }),
    };
    return perform(sent, async (signal) => ({
      answer: await getApi().operations.request({ deviceId: device.id, ...wanted, trace: true }, { signal }),
    }));
  }

  /** Names to sign in with, for the command line that can be copied; without them it says `USER`. */
  async function loadUserNames(): Promise<void> {
    try {
      userNames.value = new Map(
        (await getApi().credentials.list()).map(({ id, userName }) => [id, userName]),
      );
    } catch {
      userNames.value = new Map();
    }
  }

  return {
    history,
    shown,
    refill,
    busy,
    userNames,
    call,
    request,
    loadUserNames,
    cancel: () => sending?.abort(),
    show: (entry: HistoryEntry | undefined) => {
      shown.value = entry;
    },
    fill: (sent: Sent | undefined) => {
      refill.value = sent;
    },
    clear: () => {
      history.value = [];
      shown.value = undefined;
    },
  };
});

function about({ id, name, url }: Device): Pick<Sent, 'deviceId' | 'deviceName' | 'deviceUrl'> {
  return { deviceId: id, deviceName: name, deviceUrl: url };
}
