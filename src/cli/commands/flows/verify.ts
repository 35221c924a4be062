/** `flow verify|compare`: records as files or as they are kept, without any device. */
import type { Engine } from '#engine/api.ts';
import { formatEnglish } from '#engine/index.ts';
import { formatDetail, say } from '#shared/details.ts';
import type { ChainFault, Line, SealedDocument } from '#shared/report-document.ts';
import { EXIT, type ExitCode } from '#cli/exit-codes.ts';
import { readBytes } from '#cli/input/files.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { createUsageError } from '#cli/usage.ts';

/**
 * Of one file whether it is what was exported; of several also whether they follow on each other; without any the
 * kept ones. Exit 1 where something is not as it was made.
 */
export async function verifyFlowRecords(invocation: Invocation, files: readonly string[]): Promise<number> {
  const { io, out } = invocation;
  return runWithEngine(invocation, async (engine) => {
    const [only] = files;
    if (only === undefined) return verifyKept(invocation, engine);
    const looked: (FileVerdict & { readonly sealed: SealedDocument | undefined })[] = [];
    for (const file of files) looked.push(await verdictOf(engine, file, await readBytes(io, file)));
    const isGood = looked.every(({ state }) => state === 'intact');
    const faults =
      files.length === 1 ? [] : engine.flows.chainOf(looked.flatMap(({ sealed }) => sealed ?? []));
    const shown = looked.map(({ sealed: _sealed, ...verdict }) => verdict);
    if (out.asJson) {
      const records = shown.map(({ findings, ...verdict }) => ({
        ...verdict,
        said: findings.map(formatDetail),
      }));
      const { file: _file, ...first } = records[0] ?? {};
      out.json(files.length === 1 ? first : { records, chain: chainJson(faults) });
    } else {
      for (const { file, state, findings } of shown) {
        out.line(`${file}: ${out.say(`cli.verdict.${state}`)}`);
        for (const finding of findings) out.line(out.sentence(finding));
      }
      tellChain(invocation, faults);
    }
    return isGood && faults.length === 0 ? EXIT.done : EXIT.failed;
  });
}

type Verdict = Awaited<ReturnType<Engine['flows']['verify']>>;

interface FileVerdict {
  readonly file: string;
  readonly state: Verdict['state'];
  readonly findings: Verdict['findings'];
}

async function verdictOf(
  engine: Engine,
  file: string,
  bytes: Uint8Array,
): Promise<FileVerdict & { readonly sealed: SealedDocument | undefined }> {
  const { state, form, sealed, findings } = await engine.flows.verify(bytes);
  return {
    file,
    state,
    ...{ form, id: sealed?.document.id, sha256: sealed?.sha256, previous: sealed?.previous },
    findings,
    sealed,
  };
}

function verifyKept(invocation: Invocation, engine: Engine): ExitCode {
  const { out } = invocation;
  const { faults } = engine.flows.checkChain();
  const count = engine.flows.records().length;
  if (out.asJson) out.json({ count, chain: chainJson(faults) });
  else {
    out.line(out.say('report.chain.kept', { count }));
    tellChain(invocation, faults);
  }
  return faults.length === 0 ? EXIT.done : EXIT.failed;
}

function chainJson(faults: readonly ChainFault[]) {
  return {
    state: faults.length === 0 ? 'intact' : 'broken',
    faults: faults.map(({ finding, ...fault }) => ({ ...fault, said: formatDetail(finding) })),
  };
}

function tellChain({ out }: Invocation, faults: readonly ChainFault[]): void {
  for (const { finding } of faults) out.line(out.sentence(finding));
}

export async function compareFlowRecords(
  invocation: Invocation,
  before: string,
  after: string,
): Promise<number> {
  const { out } = invocation;
  return runWithEngine(invocation, async (engine) => {
    const { same, differences } = engine.flows.compare(
      await recordAt(invocation, engine, before),
      await recordAt(invocation, engine, after),
    );
    if (out.asJson)
      out.json({
        same,
        differences: differences.map(({ where, what, field, ...lines }) => ({
          where: formatEnglish(where),
          what: formatEnglish(what),
          ...(field !== undefined && { field: formatEnglish(field) }),
          ...lines,
        })),
      });
    else if (same) out.line(out.say('report.compare.same'));
    else
      out.table(
        [
          { title: 'PART', cell: ({ where }) => out.words(where), flexible: true },
          {
            title: 'WHAT',
            cell: ({ what, field }) =>
              `${out.words(what)}${field === undefined ? '' : `, ${out.words(field)}`}`,
            flexible: true,
          },
          { title: 'BEFORE', cell: ({ before: line }) => lineText(out, line), flexible: true },
          { title: 'AFTER', cell: ({ after: line }) => lineText(out, line), flexible: true },
        ],
        differences,
      );
    return EXIT.done;
  });
}

/** A kept one by its id, or the beginning of it; else a file that is still what was exported. */
async function recordAt(invocation: Invocation, engine: Engine, named: string): Promise<SealedDocument> {
  const kept = engine.flows.records().filter(({ id }) => id.startsWith(named));
  if (kept.length === 1 && kept[0] !== undefined) return engine.flows.record({ id: kept[0].id });
  const { sealed } = await engine.flows.verify(await readBytes(invocation.io, named));
  if (sealed !== undefined) return sealed;
  throw createUsageError(say('cli.no-record', { named }));
}

function lineText(out: Invocation['out'], line: Line | undefined): string {
  if (line === undefined) return out.say('report.compare.none');
  const { value, proof } = line;
  const shown =
    value === null
      ? '–'
      : typeof value === 'string' || 'id' in value || 'root' in value
        ? out.words(value)
        : 'number' in value
          ? `${value.decimals === undefined ? value.number : value.number.toFixed(value.decimals)}${value.unit === undefined ? '' : ` ${value.unit}`}`
          : 'result' in value
            ? out.say(`report.result.${value.result}`)
            : 'yes' in value
              ? out.say(value.yes ? 'report.yes' : 'report.no')
              : JSON.stringify(value);
  return proof === undefined ? shown : `${shown} (${out.say(`report.proof.${proof}`)})`;
}
