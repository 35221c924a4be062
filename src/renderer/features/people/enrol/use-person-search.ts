import { shallowRef } from 'vue';
import { api } from '../../../client/use-client.ts';
import type { ErrorShape } from '../../../../shared/errors.ts';
import { errorOf } from '../../../common/errors/error-of.ts';

interface FoundPerson {
  readonly employeeNo: string;
  readonly name: string;
}

const MOST = 30;
/** Part 2, 2.7. */
export const LONGEST_NUMBER = 32;

/** People of one terminal whose number or name holds a text; and the fingers that one of them has there. */
export function usePersonSearch() {
  const people = shallowRef<readonly FoundPerson[]>();
  const more = shallowRef(false);
  const problem = shallowRef<ErrorShape>();
  const busy = shallowRef(false);
  let latest = 0;

  async function search(deviceId: string, text: string): Promise<void> {
    latest += 1;
    const mine = latest;
    busy.value = true;
    problem.value = undefined;
    try {
      const { value, error } = await api().operations.call({
        deviceId,
        operation: 'accessControl.users.search',
        body: {
          searchID: crypto.randomUUID().replaceAll('-', ''),
          searchResultPosition: 0,
          maxResults: MOST,
          ...(text === '' ? {} : { fuzzySearch: text }),
        },
      });
      if (mine !== latest) return;
      if (error !== undefined) problem.value = error;
      const found = (value ?? {}) as {
        readonly UserInfo?: readonly { readonly employeeNo?: string; readonly name?: string }[];
        readonly responseStatusStrg?: string;
      };
      people.value = (found.UserInfo ?? []).flatMap(({ employeeNo, name = '' }) =>
        employeeNo === undefined ? [] : [{ employeeNo, name }],
      );
      more.value = found.responseStatusStrg === 'MORE';
    } catch (thrown) {
      if (mine === latest) problem.value = errorOf(thrown);
    } finally {
      if (mine === latest) busy.value = false;
    }
  }

  /** Undefined where the terminal does not tell. */
  async function fingersOf(deviceId: string, employeeNo: string): Promise<ReadonlySet<number> | undefined> {
    try {
      const held = await api().prints.held({ deviceId, employeeNo });
      return new Set(held.map(({ fingerPrintID }) => fingerPrintID));
    } catch (thrown) {
      problem.value = errorOf(thrown);
      return undefined;
    }
  }

  return { people, more, problem, busy, search, fingersOf };
}
