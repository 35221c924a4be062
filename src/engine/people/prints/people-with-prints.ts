/** The people of a device that have fingerprints, page by page (part 2, 2.6). */
import { randomUUID } from 'node:crypto';
import { encode, findOperation, isPlain, statusError } from '../../../protocol/index.ts';
import { say } from '../../../shared/details.ts';
import { FieldwrightError } from '../../../shared/errors.ts';
import type { DeviceClient } from '../../device/client-types.ts';
import { payloadOf } from '../../device/payload.ts';

const SEARCH = 'accessControl.users.search';
/** Devices reduce it silently to what they give. */
const PAGE = 50;
/** No device holds more people than this; one that never ends is not read for ever. */
const MOST_PAGES = 100_000;

/**
 * Employee numbers, each once a page. One search, advanced by what came; it ends at OK, at NO MATCH, or where nothing new
 * comes. Throws what the device answers otherwise.
 */
export async function* peopleWithPrints(
  client: Pick<DeviceClient, 'write'>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const operation = findOperation(SEARCH);
  if (operation?.request === undefined) throw new Error(`no request of ${SEARCH}`);
  const searchID = randomUUID().replaceAll('-', '');
  let position = 0;
  let before = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const body = encode(operation.request, {
      searchID,
      searchResultPosition: position,
      maxResults: PAGE,
    });
    const answer = await client.write(operation, {}, body, { signal });
    if (answer.status.kind !== 'ok' && answer.status.kind !== 'none')
      throw statusError(answer.status, { operation: operation.id, exchange: answer.exchange() });
    const value = payloadOf(operation, answer)?.value;
    if (!isPlain(value))
      throw new FieldwrightError({
        code: 'malformed-answer',
        source: 'device',
        operation: operation.id,
        ...say('prints-source-lost'),
      });
    const list: readonly unknown[] = Array.isArray(value['UserInfo']) ? value['UserInfo'] : [];
    const people = list.filter(isPlain);
    const numbers = people.flatMap(({ employeeNo }) => (typeof employeeNo === 'string' ? [employeeNo] : []));
    // A device that repeats a page gets no further by being asked again.
    const now = numbers.join('\n');
    if (people.length === 0 || now === before) return;
    before = now;
    for (const { employeeNo, numOfFP } of people)
      // Absent means not supported: then it is asked for.
      if (typeof employeeNo === 'string' && numOfFP !== 0) yield employeeNo;
    if (value['responseStatusStrg'] !== 'MORE') return;
    position += people.length;
  }
}
