/** `flow list|show|records`: guided flows there are, and the records that they end with. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { formatEnglish } from '#engine/index.ts';
import { userError } from '#shared/errors.ts';
import type { FlowInfo } from '#shared/flows.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { formatKinds } from '#cli/output/names.ts';

export async function listFlows(invocation: Invocation): Promise<number> {
  return runWithEngine(invocation, (engine) => {
    const { out } = invocation;
    const flows = engine.flows.list();
    if (out.asJson)
      out.json(
        flows.map(({ name, title, about, kinds }) => ({
          name,
          title: formatEnglish(title),
          about: formatEnglish(about),
          kinds,
        })),
      );
    else
      out.table(
        [
          { title: 'FLOW', cell: ({ name }) => name },
          {
            title: 'FOR',
            cell: ({ kinds }) => (kinds === undefined ? out.say('cli.any-device') : formatKinds(out, kinds)),
          },
          { title: 'DOES', cell: ({ about }) => out.words(about), flexible: true },
        ],
        flows,
      );
    return Promise.resolve(EXIT.done);
  });
}

/** Throws `not-found`. */
export function findFlow(engine: Engine, name: string): FlowInfo {
  const flow = engine.flows.list().find((each) => each.name === name);
  if (flow === undefined) throw userError('not-found', say('cli.no-flow', { name }));
  return flow;
}

export async function showFlow(invocation: Invocation, name: string): Promise<number> {
  return runWithEngine(invocation, (engine) => {
    const { out } = invocation;
    const flow = findFlow(engine, name);
    if (out.asJson)
      out.json({
        ...flow,
        title: formatEnglish(flow.title),
        about: formatEnglish(flow.about),
        steps: flow.steps.map(({ id, title }) => ({ id, title: formatEnglish(title) })),
      });
    else {
      out.line(`${out.words(flow.title)}: ${out.words(flow.about)}`);
      out.table(
        [
          { title: 'STEP', cell: ({ id }) => id },
          { title: 'TITLE', cell: ({ title }) => out.words(title), flexible: true },
        ],
        flow.steps,
      );
    }
    return Promise.resolve(EXIT.done);
  });
}

export async function listFlowRecords(invocation: Invocation): Promise<number> {
  return runWithEngine(invocation, (engine) => {
    const { out } = invocation;
    const records = engine.flows.records();
    if (out.asJson) out.json(records);
    else if (records.length === 0) out.note(out.say('cli.no-records'));
    else {
      const when = createDateFormat(invocation.globals.lang);
      out.table(
        [
          { title: 'RECORD', cell: ({ id }) => id.slice(0, 8) },
          { title: 'MADE', cell: ({ at }) => when(at) },
          { title: 'FLOW', cell: ({ flow }) => flow },
          { title: 'DEVICE', cell: ({ deviceId }) => deviceId, flexible: true },
          { title: 'SHA-256', cell: ({ sha256 }) => sha256.slice(0, 16) },
        ],
        records,
      );
    }
    return Promise.resolve(EXIT.done);
  });
}
