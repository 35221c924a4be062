import { shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { useProblem, useStream } from '#renderer/common/errors/attempt.ts';

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
  const kept = useProblem();
  const { problem, attempt } = kept;
  const { follow, stop } = useStream(kept);
  const busy = shallowRef(false);

  function search(deviceId: string, text: string): void {
    busy.value = true;
    const found: FoundPerson[] = [];
    follow(
      getApi().people.read,
      { deviceId, ...(text === '' ? {} : { text }) },
      (event) => {
        if (event.type === 'people')
          for (const { employeeNo, name = '' } of event.people)
            if (employeeNo !== '') found.push({ employeeNo, name });
        if (event.type !== 'end' && found.length <= MOST) return;
        stop();
        people.value = found.slice(0, MOST);
        more.value = found.length > MOST;
        busy.value = false;
      },
      () => {
        busy.value = false;
      },
    );
  }

  /** Returns the fingers of a person; undefined if the terminal does not report them. */
  async function fingersOf(deviceId: string, employeeNo: string): Promise<ReadonlySet<number> | undefined> {
    return attempt(async () => {
      const held = await getApi().prints.held({ deviceId, employeeNo });
      return new Set(held.map(({ fingerPrintID }) => fingerPrintID));
    });
  }

  return { people, more, problem, busy, search, fingersOf };
}
