/** Formats the reason that a device gives for its answer, for sentences, files and exports. */
import type { StatusReport } from './errors.ts';

/** Status codes of the specification, and the general words that repeat them (part 2, 7): they explain nothing. */
const KNOWN_CODES = new Set(['0', '1', '2', '3', '4', '5', '6', '7']);
const GENERAL_WORDS =
  /^(?:device(?:busy|error)|invalid(?:operation|(?:xml|json)?(?:format|content))|reboot(?:required)?)$/;

/**
 * Returns the most exact reason that the device gave, in its own words: `errorMsg` together with `subStatusCode`, or
 * with the number of the error where there is no sub status. A `statusString` that only repeats its code ("Invalid
 * Content") is used if the device says nothing better. Undefined if it gave no reason.
 */
export function formatDeviceReason(status: StatusReport | undefined): string | undefined {
  if (status === undefined) return undefined;
  const [message, sub, general] = [status.errorMsg, status.subStatusCode, status.statusString].map(reasonIn);
  const code = sub ?? numberText(status);
  const isGeneral = general !== undefined && GENERAL_WORDS.test(letters(general));
  const words = message ?? (isGeneral && sub !== undefined ? undefined : general);
  if (words === undefined || code === undefined) return words ?? code;
  return words.toLowerCase().includes(code.toLowerCase()) ? words : `${words} (${code})`;
}

/** Returns the text, or undefined if it is empty or only reports success. */
function reasonIn(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' || letters(text) === 'ok' ? undefined : text;
}

function numberText({ errorCode, statusCode }: StatusReport): string | undefined {
  // 0 and 1 mean success.
  if (errorCode !== undefined && errorCode > 1) return `errorCode ${errorCode}`;
  const code = String(statusCode ?? '');
  return code === '' || KNOWN_CODES.has(code) ? undefined : `statusCode ${code}`;
}

/** General words in the spellings of devices: `Invalid XML Content`, `invalidXmlContent`. */
function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
