/** Results of commands, and the one place where they are printed. */
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Output } from './output/output.ts';
import { tabulate, type Columns, type Table } from './output/table.ts';

export interface Result {
  /** Document that `--json` prints. */
  readonly json: unknown;
  /** Lines and tables on standard output, or a function that prints a longer view. */
  readonly text?: string | Table | (() => void) | readonly (string | Table)[] | undefined;
  /** Line on standard error, for people alone. */
  readonly note?: string | undefined;
  /** Exit code; 0 if absent. */
  readonly code?: ExitCode;
  /** True prints the document as the last line of a stream. */
  readonly asLine?: boolean | undefined;
}

/** A result to print, or the exit code of a command that has written everything itself. */
export type Outcome = Result | ExitCode;

/** A "no" at the terminal: ends the command with its message as a note, and exit code 2. */
export class Declined extends Error {}

/** Returns rows as a document and as a table; `none` is the note to people if there are no rows. */
export function listRows<Row extends object>(
  rows: readonly Row[],
  columns: Columns<Row>,
  none?: string,
): Result {
  return none !== undefined && rows.length === 0
    ? { json: rows, note: none }
    : { json: rows, text: tabulate(rows, columns) };
}

/** Prints a result for scripts or for people, and returns the exit code. */
export function printOutcome(out: Output, outcome: Outcome): ExitCode {
  if (typeof outcome === 'number') return outcome;
  const { json, text = [], note, code = EXIT.done, asLine } = outcome;
  if (out.asJson) {
    out.result(json, { asLine });
    return code;
  }
  if (typeof text === 'function') text();
  else for (const part of [text].flat()) out.print(part);
  if (note !== undefined) out.note(note);
  return code;
}
