/**
 * The two status families of the specification (part 1, 2.4; part 2, 7), written as devices write
 * them. A refusal is named by its `subStatusCode`; its status code and HTTP status follow from it.
 */
import { buildXmlDocument, formatElements } from './device-documents/xml.ts';

/** `json`: part 1, 2.4. `json-text`: part 2, 7 for AcsCfg and EventOptimizationCfg. `xml`: ResponseStatus. */
export type StatusFamily = 'xml' | 'json' | 'json-text';

interface Kind {
  readonly statusCode: 2 | 3 | 4 | 5 | 6;
  readonly http: number;
  readonly message: string;
}

/** Every refusal the site knows. */
export const REFUSALS = {
  deviceBusy: { statusCode: 2, http: 503, message: 'The device is busy, try again later.' },
  downloadFailed: { statusCode: 3, http: 500, message: 'The file could not be downloaded.' },
  internalError: { statusCode: 3, http: 500, message: 'The device failed.' },
  notSupport: { statusCode: 4, http: 403, message: 'This device does not support the function.' },
  methodNotAllowed: { statusCode: 4, http: 405, message: 'The method is not allowed for this address.' },
  notExist: { statusCode: 4, http: 404, message: 'There is nothing at this address.' },
  invalidOperation: {
    statusCode: 4,
    http: 403,
    message: 'The operation is not possible in the present state.',
  },
  notAuthenticated: { statusCode: 4, http: 401, message: 'Sign in with a user name and password.' },
  lowPrivilege: { statusCode: 4, http: 401, message: 'The account has no right to this.' },
  notActivated: { statusCode: 4, http: 403, message: 'The device has no password yet.' },
  accountLocked: {
    statusCode: 4,
    http: 401,
    message: 'The account is locked after too many wrong passwords.',
  },
  badRequestLine: {
    statusCode: 4,
    http: 400,
    message: 'The address or a header of the request cannot be read.',
  },
  badXmlFormat: { statusCode: 5, http: 400, message: 'The document is not well-formed XML.' },
  badJsonFormat: { statusCode: 5, http: 400, message: 'The document is not JSON.' },
  badXmlContent: { statusCode: 6, http: 400, message: 'The content is not accepted.' },
  badJsonContent: { statusCode: 6, http: 400, message: 'The content is not accepted.' },
  badParameters: { statusCode: 6, http: 400, message: 'A parameter is not accepted.' },
  // These refusals come from a strict device alone.
  contentType: { statusCode: 5, http: 400, message: 'The content type is not the one of the address.' },
  unexpectedBody: { statusCode: 6, http: 400, message: 'The request has no body.' },
  namespaceMismatch: { statusCode: 6, http: 400, message: 'The namespace is another.' },
  versionMismatch: { statusCode: 6, http: 400, message: 'The version is another.' },
  elementOrder: { statusCode: 6, http: 400, message: 'The elements are out of order.' },
  unknownElement: { statusCode: 6, http: 400, message: 'The specification does not list a name.' },
  unknownAttribute: { statusCode: 6, http: 400, message: 'The specification does not list an attribute.' },
  duplicateElement: { statusCode: 6, http: 400, message: 'An element stands there twice.' },
  readOnlyElement: { statusCode: 6, http: 400, message: 'An element is returned and never written.' },
  bodyTooLarge: { statusCode: 6, http: 413, message: 'The body is larger than the device accepts.' },
  wrongPassword: { statusCode: 6, http: 400, message: 'The password is not right.' },
  alreadyExist: { statusCode: 6, http: 400, message: 'It exists already.' },
  unknownPerson: { statusCode: 6, http: 400, message: 'No person has this number.' },
  storageFull: { statusCode: 6, http: 400, message: 'There is no room for it.' },
} as const satisfies Record<string, Kind>;
export type RefusalName = keyof typeof REFUSALS;

export interface Refusal {
  readonly name: RefusalName;
  /** Exact description of the error; never a value that was sent. */
  readonly detail?: string;
}

const STATUS_STRINGS: Readonly<Record<number, string>> = {
  1: 'OK',
  2: 'Device Busy',
  3: 'Device Error',
  4: 'Invalid Operation',
  5: 'Invalid XML Format',
  6: 'Invalid XML Content',
  7: 'Reboot',
};

/** `errorCode` of a reason that is not in the table. */
const FOREIGN_ERROR = 6999;

/** Returns the site's own error number: status code times thousand plus the position in the table above. */
function errorNumber(name: RefusalName): number {
  return REFUSALS[name].statusCode * 1000 + Object.keys(REFUSALS).indexOf(name) + 1;
}

export interface StatusAnswer {
  readonly http: number;
  readonly contentType: string;
  readonly body: string;
}

/** Request that the status answers. */
export interface StatusPlace {
  readonly family: StatusFamily;
  readonly requestUrl: string;
  /** Namespace of XML; empty: none. */
  readonly namespace: string;
}

/** Answers 1: done, or 7: taken, effective after a restart (part 2, 7). */
export function answerAccepted(place: StatusPlace, statusCode: 1 | 7 = 1): StatusAnswer {
  const sub = statusCode === 1 ? 'ok' : 'rebootRequired';
  return render(place, 200, { statusCode, sub });
}

export function answerRefused(place: StatusPlace, refusal: Refusal): StatusAnswer {
  const kind = REFUSALS[refusal.name];
  const message = refusal.detail === undefined ? kind.message : `${kind.message} ${refusal.detail}`;
  return render(place, kind.http, {
    statusCode: kind.statusCode,
    sub: refusal.name,
    error: { number: errorNumber(refusal.name), message },
  });
}

/** Refuses for a reason of any name; one that the site does not know itself is one of the content (6). */
export function answerRefusedFor(place: StatusPlace, sub: string, how?: string): StatusAnswer {
  const known = Object.hasOwn(REFUSALS, sub) ? REFUSALS[sub as RefusalName] : undefined;
  const { statusCode = 6, http = 400 } = known ?? {};
  const error = { number: known ? errorNumber(sub as RefusalName) : FOREIGN_ERROR, message: sub };
  if (how !== 'error-only' || place.family === 'xml') return render(place, http, { statusCode, sub, error });
  return {
    http,
    contentType: JSON_TYPE,
    body: formatJsonBody({ errorCode: error.number, errorMsg: error.message }),
  };
}

interface Facts {
  readonly statusCode: number;
  readonly sub: string;
  readonly error?: { readonly number: number; readonly message: string };
  readonly extra?: readonly (readonly [name: string, value: string | number])[];
}

function render(place: StatusPlace, http: number, facts: Facts): StatusAnswer {
  if (place.family === 'xml') return { http, contentType: XML_TYPE, body: xmlStatus(place, facts) };
  return {
    http,
    contentType: JSON_TYPE,
    body: formatJsonBody(place.family === 'json' ? numericStatus(place, facts) : textStatus(place, facts)),
  };
}

export const XML_TYPE = 'application/xml; charset="UTF-8"';
export const JSON_TYPE = 'application/json';

/** Answers a sign-in that failed: ResponseStatus with the additions of field devices about the lock. */
export function signInStatus(
  place: Omit<StatusPlace, 'family'>,
  lock: { readonly attemptsLeft: number; readonly lockedForSeconds: number },
): StatusAnswer {
  const locked = lock.lockedForSeconds > 0;
  const name: RefusalName = locked ? 'accountLocked' : 'notAuthenticated';
  return {
    http: 401,
    contentType: XML_TYPE,
    body: xmlStatus(place, {
      statusCode: 4,
      sub: name,
      extra: [
        ['lockStatus', locked ? 'lock' : 'unlock'],
        ...(locked ? [['unlockTime', lock.lockedForSeconds] as const] : []),
        ['retryLoginTime', lock.attemptsLeft],
      ],
    }),
  };
}

/** Answers 401 in the form of devices that send no ResponseStatus there. */
export function answerUserCheck(
  facts: Readonly<Record<string, string | number | boolean>> = {},
): StatusAnswer {
  const content = formatElements({ statusValue: 401, statusString: 'Unauthorized', ...facts });
  return {
    http: 401,
    contentType: XML_TYPE,
    body: buildXmlDocument({ namespace: '' }, 'userCheck', content),
  };
}

/**
 * Builds a ResponseStatus, which has four elements in the specification; like devices in the field, a refusal
 * adds its reason behind them.
 */
function xmlStatus({ requestUrl, namespace }: Omit<StatusPlace, 'family'>, facts: Facts): string {
  return buildXmlDocument(
    { namespace },
    'ResponseStatus',
    formatElements({
      requestURL: requestUrl,
      statusCode: facts.statusCode,
      statusString: STATUS_STRINGS[facts.statusCode] ?? 'Device Error',
      subStatusCode: facts.sub,
      ...(facts.error && { errorCode: facts.error.number, errorMsg: facts.error.message }),
      ...Object.fromEntries(facts.extra ?? []),
    }),
  );
}

/** Builds the form of part 1, 2.4: numbers; the reason only if the status is not 1. */
function numericStatus({ requestUrl }: StatusPlace, facts: Facts): object {
  return {
    requestURL: requestUrl,
    statusCode: facts.statusCode,
    statusString: facts.statusCode === 1 ? 'ok' : STATUS_STRINGS[facts.statusCode],
    subStatusCode: facts.sub,
    ...(facts.statusCode === 1 ? {} : reason(facts)),
  };
}

/** Builds the form of part 2, 7: the status code is a text, and errorCode and errorMsg are always there. */
function textStatus({ requestUrl }: StatusPlace, facts: Facts): object {
  return {
    requestURL: requestUrl,
    statusCode: String(facts.statusCode),
    statusString: STATUS_STRINGS[facts.statusCode],
    subStatusCode: facts.sub,
    ...reason(facts),
  };
}

function reason(facts: Facts): { errorCode: number; errorMsg: string } {
  return { errorCode: facts.error?.number ?? facts.statusCode, errorMsg: facts.error?.message ?? facts.sub };
}

/** Formats JSON as devices indent it: tabs, CRLF, a CRLF at the end. */
export function formatJsonBody(value: unknown): string {
  return `${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\r\n`;
}
