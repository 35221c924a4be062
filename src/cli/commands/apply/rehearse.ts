/** `rehearse`: carries a template out on virtual devices made of the last snapshots; real devices get no request. */
import type { Action } from '#cli/declarations/all.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '#engine/api.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { TEMPLATE } from '#cli/declarations/template.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { followJob } from '#cli/follow-job.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { readTemplate, type TemplateSource } from '#cli/input/template.ts';
import type { Invocation } from '#cli/invocation.ts';
import { openEngine } from '#cli/open-engine.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { tabulate } from '#cli/output/table.ts';
import { translateError } from '#cli/output/errors.ts';
import { makePlan } from '#cli/planning.ts';
import type { DeviceResult } from '#shared/model.ts';
import { getDeviceOutcome, getShownOutcome, needsSomebody } from '#shared/outcomes.ts';
import { startSite } from '#simulator/index.ts';
import type { Twin } from '#simulator/options.ts';
import { createTwin } from '#simulator/twin.ts';

type RehearseOptions = OptionsOf<typeof TEMPLATE.rehearse>;

/** Shows what each device would be after an apply, as its twin is after one. Exit 1 where that is not what was planned. */
export const rehearse: Action<'rehearse'> = async (invocation, options) => {
  const { out, globals } = invocation;
  const engine = await invocation.open();
  const template = await readTemplate(invocation, engine, options.template);
  const devices = await selectDevices(invocation, engine, options);
  const originals = devices.map(({ id, url, name, kinds }) => ({
    url,
    at: engine.snapshots.list({ deviceId: id })[0]?.at,
    twin: createTwin({ name, kinds, documents: engine.snapshots.show({ deviceId: id }) }),
  }));
  const results = await carryOutOnTwins(
    { ...invocation, started: {} },
    { ...options, template },
    originals.map(({ twin }) => twin),
  );
  const rows = results.map(({ error, ...result }, nth) => ({
    device: originals[nth]?.url ?? '',
    name: result.name,
    snapshotAt: originals[nth]?.at,
    error,
    state: needsSomebody(getDeviceOutcome({ ...result, error })) ? 'different' : 'as-predicted',
    sections: result.units,
  }));
  const when = createDateFormat(globals.lang);
  return {
    json: rows,
    code: rows.some(({ state }) => state === 'different') ? EXIT.failed : EXIT.done,
    text: tabulate(rows, {
      DEVICE: 'name',
      SNAPSHOT: ({ snapshotAt }) => (snapshotAt === undefined ? '—' : when(snapshotAt)),
      RESULT: {
        value: ({ error, sections }) =>
          error === undefined
            ? [...new Set(sections.map((unit) => out.status('outcome', getShownOutcome(unit))))].join(', ')
            : translateError(error, out).message,
        flexible: true,
      },
    }),
    note: out.say('cli.rehearsed', { devices: out.devices(rows.length) }),
  };
};

/** Applies the template to a site of these twins, with a data folder that is gone afterwards. */
async function carryOutOnTwins(
  invocation: Invocation,
  { template, values }: Pick<RehearseOptions, 'values'> & { readonly template: TemplateSource },
  twins: readonly Twin[],
): Promise<readonly DeviceResult[]> {
  const site = await startSite({ auth: 'none', twins });
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-rehearsal-'));
  let engine: Engine | undefined;
  try {
    engine = await openEngine({ ...invocation, globals: { ...invocation.globals, dataDir } });
    const ids = site.devices.map(({ url, name }) => engine?.devices.add({ address: url, name }).id ?? '');
    await engine.devices.test({ ids, learnsKinds: true }, invocation.interrupts.signal);
    const { plan, secrets } = await makePlan(invocation, engine, {
      values,
      device: ids,
      template,
    });
    const { jobId } = engine.jobs.start({ plan, secrets });
    return (await followJob(invocation, engine, jobId, { progress: undefined, doing: 'apply' })).results;
  } finally {
    await engine?.close();
    await site.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
