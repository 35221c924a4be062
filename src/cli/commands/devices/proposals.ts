/** `proposals`: templates that rules propose for devices. */
import type { Engine } from '#engine/api.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { PROPOSALS } from '#cli/declarations/proposals.ts';
import { isDeviceNamed, type DeviceOptions } from '#cli/declarations/options.ts';
import { EXIT, type ExitCode } from '#cli/exit-codes.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { findSite } from '#cli/input/named.ts';
import { isNamed } from '#cli/input/template.ts';
import type { Invocation } from '#cli/invocation.ts';
import { listRows, type Outcome } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Proposal, ProposalRule } from '#shared/proposals.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { applyTemplate } from './agreements.ts';

type Commands = (typeof PROPOSALS)['proposals']['commands'];

export async function listProposals({ open, out, globals }: Invocation): Promise<Outcome> {
  const engine = await open();
  const rules = new Map(engine.proposals.rules().map((rule) => [rule.id, rule]));
  const when = createDateFormat(globals.lang);
  return listRows(
    engine.proposals
      .list()
      .map((one) => ({ ...one, name: engine.devices.find(one.deviceId).name, template: nameOf(rules, one) })),
    {
      DEVICE: { value: 'name', flexible: true },
      TEMPLATE: { value: 'template', flexible: true },
      WHY: ({ reason }) => out.say(`cli.proposal.${reason}`),
      SINCE: ({ since }) => when(since),
      RULE: 'ruleId',
    },
    out.say('cli.proposals-none'),
  );
}

function nameOf(rules: ReadonlyMap<string, ProposalRule>, { ruleId }: Proposal): string {
  return rules.get(ruleId)?.template ?? '';
}

export async function listRules({ open, out }: Invocation): Promise<Outcome> {
  const engine = await open();
  const sites = new Map(engine.sites.list().map(({ id, name }) => [id, name]));
  return listRows(
    engine.proposals.rules(),
    {
      RULE: 'id',
      TEMPLATE: { value: ({ template, templateId }) => template ?? templateId, flexible: true },
      KIND: ({ kind }) => kind ?? '',
      SITE: { value: ({ siteId = '' }) => sites.get(siteId) ?? '', flexible: true },
      TAG: { value: ({ tag = '' }) => tag, flexible: true },
      FITS: { value: 'fits', align: 'right' },
    },
    out.say('cli.rules-none'),
  );
}

export async function addRule(
  { open, out }: Invocation,
  { template: reference, site, value = {}, ...scope }: OptionsOf<Commands['add']>,
): Promise<Outcome> {
  const engine = await open();
  const entry = engine.templates.list().find((each) => isNamed(each, reference));
  if (entry === undefined) throw userError('not-found', say('proposal-no-template', { id: reference }));
  const rule = engine.proposals.addRule({
    templateId: entry.id,
    ...removeUndefined({
      kind: scope.kind,
      tag: scope.tag,
      siteId: site === undefined ? undefined : findSite(engine, site).id,
    }),
    values: value,
  });
  return { json: rule, text: out.say('cli.rule-added', { id: rule.id, name: entry.name, n: rule.fits }) };
}

export async function removeRule({ open, out }: Invocation, id: string): Promise<Outcome> {
  const engine = await open();
  return { json: engine.proposals.removeRule({ id }), note: out.say('cli.forgotten', { name: id }) };
}

/** Applies what each rule proposes, one plan and one job a rule. */
export async function applyProposals(
  invocation: Invocation,
  options: OptionsOf<Commands['apply']>,
): Promise<Outcome> {
  const engine = await invocation.open();
  let worst: ExitCode = EXIT.done;
  for (const [ruleId, deviceIds] of await choose(invocation, engine, options)) {
    const template = engine.proposals.template({ ruleId, deviceIds });
    const code = await applyTemplate(invocation, engine, template, options);
    if (code !== EXIT.done) worst = code;
  }
  return worst;
}

export async function dropProposals(
  invocation: Invocation,
  options: OptionsOf<Commands['dismiss']>,
): Promise<Outcome> {
  const engine = await invocation.open();
  let dismissed = 0;
  for (const [ruleId, deviceIds] of await choose(invocation, engine, options))
    dismissed += engine.proposals.dismiss({ ruleId, deviceIds }).dismissed;
  return { json: { dismissed }, text: invocation.out.say('cli.dismissed', { n: dismissed }) };
}

/** Returns the devices of each rule that proposes something for those named; for all without names. */
async function choose(
  invocation: Invocation,
  engine: Engine,
  options: DeviceOptions & { readonly rule?: string },
): Promise<readonly (readonly [string, readonly string[]])[]> {
  const named = isDeviceNamed(options)
    ? new Set((await selectDevices(invocation, engine, options)).map(({ id }) => id))
    : undefined;
  const proposed = engine.proposals
    .list()
    .filter(
      ({ ruleId, deviceId }) =>
        (options.rule === undefined || options.rule === ruleId) && named?.has(deviceId) !== false,
    );
  return [...Map.groupBy(proposed, ({ ruleId }) => ruleId)].map(([ruleId, own]) => [
    ruleId,
    own.map(({ deviceId }) => deviceId),
  ]);
}
