/** `flow verify|compare`: records as files or as they are kept, without any device. */
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import { formatEnglish } from '#engine/index.ts';
import { formatDetail, say } from '#shared/details.ts';
import type { ChainFault, Line, SealedDocument } from '#shared/report-document.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { readBytes } from '#cli/input/files.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { formatDocumentValue } from '#cli/output/document-value.ts';
import { tabulate } from '#cli/output/table.ts';
import { createUsageError } from '#cli/usage.ts';

/**
 * Checks whether each file is what was exported, of several also whether they follow on each other; without a file
 * the kept records. Exit 1 if something is not as it was made.
 */
export const verifyFlowRecords: Action<'flow verify'> = async (invocation, files) => {
  const { io, out } = invocation;
  const engine = await invocation.open();
  if (files.length === 0) return verifyKept(out, engine);
  const checked: (FileCheck & { readonly sealed: SealedDocument | undefined })[] = [];
  for (const file of files) checked.push(await checkFile(engine, file, await readBytes(io, file)));
  const isGood = checked.every(({ state }) => state === 'intact');
  const faults =
    files.length === 1 ? [] : engine.flows.chainOf(checked.flatMap(({ sealed }) => sealed ?? []));
  const records = checked.map(({ sealed: _sealed, findings, ...record }) => ({
    ...record,
    said: findings.map(formatDetail),
  }));
  const { file: _file, ...first } = records[0] ?? {};
  return {
    json: files.length === 1 ? first : { records, chain: toChainDocument(faults) },
    text: [
      ...checked.flatMap(({ file, state, findings }) => [
        `${file}: ${out.say(`cli.verdict.${state}`)}`,
        ...findings.map((finding) => out.sentence(finding)),
      ]),
      ...formatFaults(out, faults),
    ],
    code: isGood && faults.length === 0 ? EXIT.done : EXIT.failed,
  };
};

type RecordCheck = Awaited<ReturnType<Engine['flows']['verify']>>;

interface FileCheck {
  readonly file: string;
  readonly state: RecordCheck['state'];
  readonly findings: RecordCheck['findings'];
}

async function checkFile(
  engine: Engine,
  file: string,
  bytes: Uint8Array,
): Promise<FileCheck & { readonly sealed: SealedDocument | undefined }> {
  const { state, form, sealed, findings } = await engine.flows.verify(bytes);
  return {
    file,
    state,
    ...{ form, id: sealed?.document.id, sha256: sealed?.sha256, previous: sealed?.previous },
    findings,
    sealed,
  };
}

function verifyKept(out: Invocation['out'], { flows }: Engine): Outcome {
  const { faults } = flows.checkChain();
  const count = flows.records().length;
  return {
    json: { count, chain: toChainDocument(faults) },
    text: [out.say('report.chain.kept', { count }), ...formatFaults(out, faults)],
    code: faults.length === 0 ? EXIT.done : EXIT.failed,
  };
}

function toChainDocument(faults: readonly ChainFault[]) {
  return {
    state: faults.length === 0 ? 'intact' : 'broken',
    faults: faults.map(({ finding, ...fault }) => ({ ...fault, said: formatDetail(finding) })),
  };
}

function formatFaults(out: Invocation['out'], faults: readonly ChainFault[]): readonly string[] {
  return faults.map(({ finding }) => out.sentence(finding));
}

export const compareFlowRecords: Action<'flow compare'> = async (invocation, before, after) => {
  const { out } = invocation;
  const engine = await invocation.open();
  const { same, differences } = engine.flows.compare(
    await readRecord(invocation, engine, before),
    await readRecord(invocation, engine, after),
  );
  return {
    json: {
      same,
      differences: differences.map(({ where, what, field, ...lines }) => ({
        where: formatEnglish(where),
        what: formatEnglish(what),
        ...(field !== undefined && { field: formatEnglish(field) }),
        ...lines,
      })),
    },
    text: same
      ? out.say('report.compare.same')
      : tabulate(differences, {
          PART: { value: ({ where }) => out.words(where), flexible: true },
          WHAT: {
            value: ({ what, field }) =>
              `${out.words(what)}${field === undefined ? '' : `, ${out.words(field)}`}`,
            flexible: true,
          },
          BEFORE: { value: (line) => formatRecordLine(out, line.before), flexible: true },
          AFTER: { value: (line) => formatRecordLine(out, line.after), flexible: true },
        }),
  };
};

/** Reads a kept record by its id or the beginning of it, else a file that is still what was exported. */
async function readRecord(invocation: Invocation, engine: Engine, named: string): Promise<SealedDocument> {
  const kept = engine.flows.records().filter(({ id }) => id.startsWith(named));
  if (kept.length === 1 && kept[0] !== undefined) return engine.flows.record({ id: kept[0].id });
  const { sealed } = await engine.flows.verify(await readBytes(invocation.io, named));
  if (sealed !== undefined) return sealed;
  throw createUsageError(say('cli.no-record', { named }));
}

function formatRecordLine(out: Invocation['out'], line: Line | undefined): string {
  if (line === undefined) return out.say('report.compare.none');
  const { value, proof } = line;
  const shown = formatDocumentValue(out, value);
  return proof === undefined ? shown : `${shown} (${out.say(`report.proof.${proof}`)})`;
}
