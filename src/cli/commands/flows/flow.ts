/** `flow list|show|records`: guided flows there are, and the records that they end with. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { textOf } from '#engine/index.ts';
import { userError } from '#shared/errors.ts';
import type { FlowInfo } from '#shared/flows.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { withEngine, type Invocation } from '#cli/invocation.ts';
import { dateFormat } from '#cli/output/date-format.ts';
import { kindNames } from '#cli/output/names.ts';

export async function flowList(invocation: Invocation): Promise<number> {
  return withEngine(invocation, (engine) => {
    const { out } = invocation;
    const flows = engine.flows.list();
    if (out.asJson)
      out.json(
        flows.map(({ name, title, about, kinds }) => ({
          name,
          title: textOf(title),
          about: textOf(about),
          kinds,
        })),
      );
    else
      out.table(
        [
          { title: 'FLOW', cell: ({ name }) => name },
          {
            title: 'FOR',
            cell: ({ kinds }) => (kinds === undefined ? out.say('cli.any-device') : kindNames(out, kinds)),
          },
          { title: 'DOES', cell: ({ about }) => out.words(about), flexible: true },
        ],
        flows,
      );
    return Promise.resolve(EXIT.done);
  });
}

/** Throws `not-found`. */
export function flowNamed(engine: Engine, name: string): FlowInfo {
  const flow = engine.flows.list().find((each) => each.name === name);
  if (flow === undefined) throw userError('not-found', say('cli.no-flow', { name }));
  return flow;
}

export async function flowShow(invocation: Invocation, name: string): Promise<number> {
  return withEngine(invocation, (engine) => {
    const { out } = invocation;
    const flow = flowNamed(engine, name);
    if (out.asJson)
      out.json({
        ...flow,
        title: textOf(flow.title),
        about: textOf(flow.about),
        steps: flow.steps.map(({ id, title }) => ({ id, title: textOf(title) })),
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

export async function flowRecords(invocation: Invocation): Promise<number> {
  return withEngine(invocation, (engine) => {
    const { out } = invocation;
    const records = engine.flows.records();
    if (out.asJson) out.json(records);
    else if (records.length === 0) out.note(out.say('cli.no-records'));
    else {
      const when = dateFormat(invocation.globals.lang);
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
