/** Querying and setting up fingerprints (part 2, 2.7). */
import { answer, refuse, type Handlers } from '#simulator/handler.ts';
import { formatJsonBody } from '#simulator/status.ts';
import { FINGERPRINTS, hashOf, RECEIVED, type Fingerprint } from './fingerprint-readers.ts';
import { PEOPLE } from './people.ts';
import { refuseContent } from '../stored.ts';

export const fingerprintHandlers: Handlers = {
  'accessControl.fingerprints.query': (call, device) => {
    const { searchID, employeeNo, cardReaderNo, fingerPrintID } = call.body?.json ?? {};
    const readers = device.part(FINGERPRINTS);
    const asked = [String(employeeNo), optionalNumber(cardReaderNo), optionalNumber(fingerPrintID)] as const;
    readers.somebodyComes(...asked);
    const search = JSON.stringify([searchID, ...asked]);
    const found = readers.shown(search, readers.find(...asked));
    return answer(
      formatJsonBody({
        FingerPrintInfo: {
          searchID,
          status: found.length > 0 ? 'OK' : 'NoFP',
          ...(found.length > 0
            ? { FingerPrintList: found.map(({ employeeNo: _owner, ...print }) => print) }
            : {}),
        },
      }),
    );
  },

  /** StatusList only where something was sent to readers, status only where nothing was. */
  'accessControl.fingerprints.setUp': async (call, device) => {
    const body = call.body?.json ?? {};
    const readers = device.part(FINGERPRINTS);
    const targets = [...new Set(body['enableCardReader'] as readonly number[])];
    if (targets.length === 0) return refuseContent(call, 'enableCardReader is empty.');
    const employeeNo = String(body['employeeNo']);
    const fingerPrintID = Number(body['fingerPrintID']);
    const whose = { employeeNo, fingerPrintID, readers: targets };
    await readers.busy(targets);
    const fingerType = String(body['fingerType']);
    const leaderFP = body['leaderFP'] as readonly number[] | undefined;
    const rest = { fingerType, ...(leaderFP ? { leaderFP } : {}) };

    if (body['deleteFingerPrint'] === true) {
      const there = readers.hasOn(targets, employeeNo, fingerPrintID);
      return answer(
        overall(there),
        there ? () => readers.remove(targets, employeeNo, fingerPrintID) : undefined,
        { ...whose, deleted: there },
      );
    }
    if (body['checkEmployeeNo'] === true && !device.part(PEOPLE).has(employeeNo))
      return refuse('unknownPerson');

    const fingerData = body['fingerData'];
    if (typeof fingerData !== 'string' || fingerData === '') {
      const there = readers.hasOn(targets, employeeNo, fingerPrintID);
      return answer(
        overall(there),
        there ? () => readers.change(targets, employeeNo, fingerPrintID, rest) : undefined,
        { ...whose, changed: there },
      );
    }
    const print: Fingerprint = { employeeNo, fingerPrintID, fingerData, ...rest };
    const results = targets.map((id) => readers.judge(id, print));
    const taken = results.filter((result) => result.cardReaderRecvStatus === RECEIVED.success);
    return answer(
      formatJsonBody({ FingerPrintStatus: { StatusList: results } }),
      taken.length > 0
        ? () => {
            for (const result of taken) readers.put(result.id, print);
          }
        : undefined,
      {
        ...whose,
        sha256: hashOf(fingerData),
        codes: results.map(({ cardReaderRecvStatus }) => cardReaderRecvStatus),
      },
    );
  },
};

function overall(success: boolean): string {
  return formatJsonBody({ FingerPrintStatus: { status: success ? 'success' : 'failed' } });
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
