import { formatDetail, type Detail } from '#shared/details.ts';
import type { AllowedValues, ErrorCode } from '#shared/errors.ts';

/** Complaint about one value of a payload. */
export interface Issue {
  readonly code: ErrorCode;
  readonly path: string;
  readonly message: string;
  readonly nearest?: string;
  readonly allowed?: AllowedValues;
  /** Message as data, for other languages, if code and limits do not suffice. */
  readonly detail?: Detail;
}

/** Returns an issue whose message is the sentence of `detail`. */
export function issueOf(code: ErrorCode, path: string, detail: Detail): Issue {
  return { code, path, message: formatDetail(detail), detail };
}
