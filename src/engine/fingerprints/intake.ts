/** Fingerprints that are read for a job before it begins, and while it runs: line by line, each sealed as it is kept. */
import { createDetail, say, formatSomeNames } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { PrintsRead } from '#shared/people/fingerprints.ts';
import { createJobId } from '../jobs/jobs.ts';
import { describeRemovedMarks } from '../people/file/marks.ts';
import type { CipherSettings } from './field-cipher.ts';
import { splitLines } from './lines.ts';
import { createFingerprintItem, type BadLine, type PrintRows } from './print-rows.ts';
import { readPrint, type Print } from './read-print.ts';
import { collectBatches } from './streams.ts';

export interface Targets {
  readonly deviceIds: readonly string[];
  /** Default: reader 1; of a copy those that a fingerprint has at its source. */
  readonly readers?: readonly number[];
  /** The device refuses people it does not know; of a copy by default. */
  readonly checkPerson?: boolean;
  /** Each fingerprint is asked for afterwards; of a copy by default. */
  readonly verify?: boolean;
  /** Cipher that encrypts what is sent, with each device's own token key. */
  readonly cipher?: CipherSettings;
  /** Devices that cannot be worked on now become open work. */
  readonly whenBack?: { readonly until?: string };
}

const MOST_UNKNOWN = 20;

export class PrintIntake {
  readonly #rows: PrintRows;
  /** Jobs whose input has not ended. */
  readonly #filling: Set<string>;
  /** Those that are not begun, and what was asked for. */
  readonly #prepared = new Map<string, Targets>();

  constructor(rows: PrintRows, filling: Set<string>) {
    this.#rows = rows;
    this.#filling = filling;
  }

  open(request: Targets): { readonly jobId: string } {
    const jobId = createJobId();
    this.#rows.open(jobId, { sealed: true });
    this.#prepared.set(jobId, request);
    this.#filling.add(jobId);
    return { jobId };
  }

  request(jobId: string): Targets | undefined {
    return this.#prepared.get(jobId);
  }

  begun(jobId: string): void {
    this.#prepared.delete(jobId);
  }

  async discard(jobId: string): Promise<boolean> {
    if (!this.#prepared.delete(jobId)) return false;
    await this.#rows.wipe(jobId);
    this.#rows.drop(jobId);
    return true;
  }

  async fill(
    jobId: string,
    input: AsyncIterable<Uint8Array | string>,
    signal: AbortSignal,
  ): Promise<PrintsRead> {
    // Pages name the job by themselves.
    if (!this.#filling.has(jobId)) throw userError('not-found', say('prints-no-job', { id: jobId }));
    const rows = this.#rows;
    const unknown = new Set<string>();
    let marks: { count: number; readonly from: string; readonly to: string } | undefined;
    try {
      for await (const some of collectBatches(splitLines(input))) {
        signal.throwIfAborted();
        const good: { print: Print; line: number }[] = [];
        const bad: BadLine[] = [];
        for (const line of some) {
          const read = readPrint(line);
          if (read.ok) {
            good.push({ print: read.print, line: line.number });
            const { marked } = read;
            if (marks !== undefined && marked !== undefined) marks.count += 1;
            else if (marked !== undefined) marks = { count: 1, from: marked, to: read.print.employeeNo };
            for (const name of read.unknown) if (unknown.size < MOST_UNKNOWN) unknown.add(name.slice(0, 60));
          } else bad.push(read);
        }
        bad.push(...this.#add(jobId, good));
        rows.addBad(jobId, bad);
      }
    } finally {
      this.#filling.delete(jobId);
    }
    rows.closeInput(jobId);
    const { items: prints, keys: people, bad } = rows.counts(jobId);
    return {
      ...{ prints, people, bad },
      notes: [
        ...(marks === undefined ? [] : [describeRemovedMarks(marks.count, marks.from, marks.to)]),
        ...(unknown.size === 0
          ? []
          : [createDetail('prints-lines-unknown', { names: formatSomeNames([...unknown]) })]),
      ],
    };
  }

  /** Adds fingerprints; returns those that came before. */
  #add(
    jobId: string,
    batch: readonly { readonly print: Print; readonly line: number }[],
  ): readonly BadLine[] {
    if (batch.length === 0) return [];
    const items = batch.map(({ print, line }) => createFingerprintItem(print, { line, sealed: true }));
    return this.#rows.add(jobId, items).flatMap(({ twice }, at): readonly BadLine[] => {
      const { print, line } = batch[at] as { readonly print: Print; readonly line: number };
      if (twice === undefined) return [];
      return [
        {
          whose: { employeeNo: print.employeeNo, fingerPrintID: print.fingerPrintID },
          error: {
            code: 'not-allowed',
            source: 'user',
            line,
            ...say('prints-line-twice', { line: twice ?? 0 }),
          },
        },
      ];
    });
  }
}
