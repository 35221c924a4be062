/** `device replace`: what becomes of a device on another one is shown first, then done in one job. */
import type { Engine } from '#engine/api.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { DEVICE } from '#cli/declarations/device.ts';
import { readProfileOptions } from '#cli/declarations/options.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { followToEnd } from '#cli/follow-job.ts';
import { selectOne } from '#cli/input/devices.ts';
import { getUserToSave, requirePassword } from '#cli/input/passwords.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { translateError } from '#cli/output/errors.ts';
import { formatSectionName, formatSettingName, formatSettingValue, placeName } from '#cli/output/names.ts';
import type { Output } from '#cli/output/output.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { SwapItem } from '#shared/history.ts';
import type { Device } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ReplacementPlan } from '#shared/replacement.ts';

type Options = OptionsOf<(typeof DEVICE)['device']['commands']['replace']>;

export async function replaceDevice(
  invocation: Invocation,
  reference: string,
  options: Options,
): Promise<Outcome> {
  const { out } = invocation;
  const engine = await invocation.open();
  const old = engine.devices.find(reference);
  const by = await findNew(invocation, engine, old, options);
  const plan = await makePlan(invocation, engine, { old, by, options });
  const isDry = options.dryRun === true || (out.asJson && options.yes !== true);
  if (isDry && out.asJson) return { json: toScriptPlan(plan) };
  if (!out.asJson) printReplacement(invocation, plan);
  if (isDry) return EXIT.done;
  if (options.yes !== true)
    await askToGoOn(invocation, out.say('cli.ask-replace', { old: old.name }), say('model.cli.confirm-how'));
  const { jobId } = await engine.replacements.begin({ planId: plan.id }, invocation.interrupts.signal);
  const { code } = await followToEnd(invocation, engine, jobId, {
    progress: options.progress,
    doing: 'apply',
    announce: true,
  });
  return code;
}

/** Returns the new device; one of no inventory is added for good where it is to take the place, with what reaches the old one. */
async function findNew(
  invocation: Invocation,
  engine: Engine,
  old: Device,
  options: Options,
): Promise<Device> {
  const { by: reference } = options;
  const known = engine.devices.known(reference);
  const isNew = known === undefined || known.id.startsWith('t-');
  if (isNew && options.dryRun !== true && !(invocation.out.asJson && options.yes !== true)) {
    const user =
      options.user ?? (old.signInFrom === undefined ? getUserToSave(invocation, options) : undefined);
    const password = user === undefined ? undefined : await requirePassword(invocation, user);
    const added = engine.devices.add({
      address: reference,
      profile: { ...old.profile, ...readProfileOptions(options) },
      tags: old.tags,
      ...removeUndefined({ siteId: old.siteId, certificate: options.certificate }),
      ...(user === undefined || password === undefined
        ? removeUndefined({ credentialId: old.credentialId })
        : { signIn: { userName: user, password } }),
    });
    await engine.devices.test({ ids: [added.id] }, invocation.interrupts.signal);
    return engine.devices.find(added.id);
  }
  const found = await selectOne(invocation, engine, { ...options, device: [reference] });
  if (found.kinds.length === 0)
    await engine.devices.test({ ids: [found.id], learnsKinds: true }, invocation.interrupts.signal);
  return engine.devices.find(found.id);
}

async function makePlan(
  { out, interrupts }: Invocation,
  engine: Engine,
  { old, by, options }: { readonly old: Device; readonly by: Device; readonly options: Options },
): Promise<ReplacementPlan> {
  const peopleFrom =
    options.people === false ? [] : options.peopleFrom?.map((each) => engine.devices.find(each).id);
  const request = { oldId: old.id, newId: by.id, ...removeUndefined({ peopleFrom }) };
  try {
    for await (const event of engine.replacements.plan(request, interrupts.signal))
      if (event.type === 'replacement') return event.plan;
  } finally {
    out.endProgress();
  }
  throw userError('cancelled', say('cli.cancelled-plan'));
}

function toScriptPlan({ id: _id, ...plan }: ReplacementPlan): object {
  return { ...plan, people: plan.people.map(({ job: _job, ...each }) => each) };
}

function printReplacement({ out, globals }: Invocation, plan: ReplacementPlan): void {
  const { old, by, seenAt, kept, converted, lost, people, byHand, openWork } = plan;
  const names = { old: old.name, by: by.name };
  out.line(
    seenAt === undefined
      ? out.say('cli.replace-head-unseen', names)
      : out.say('cli.replace-head', { ...names, at: createDateFormat(globals.lang)(seenAt) }),
  );
  out.line(out.say('cli.swap-counts', { kept: kept.length, converted: converted.length, lost: lost.length }));
  for (const item of converted)
    out.line(
      `  ${out.paint.warn(out.say('cli.swap.converted'))} ${formatPlace(item, out)}: ${formatItem(item, item.from, out)} → ${formatItem(item, item.to, out)} (${formatReason(item, out)})`,
    );
  for (const item of lost)
    out.line(
      `  ${out.paint.bad(out.say('cli.swap.lost'))} ${formatPlace(item, out)}${item.from === undefined ? '' : `: ${formatItem(item, item.from, out)}`} (${formatReason(item, out)})`,
    );
  for (const { name, added, fingerprints } of people)
    out.line(out.say('cli.replace-people', { people: added, prints: fingerprints, device: name }));
  if (openWork > 0) out.line(out.say('cli.replace-open', { n: openWork }));
  for (const { text } of byHand)
    out.line(`  ${out.paint.warn(out.say('cli.replace-by-hand'))} ${out.sentence(text)}`);
  out.line();
}

function formatReason({ reason = '', details, error }: SwapItem, out: Output): string {
  if (out.isEnglish || (details === undefined && error === undefined)) return cleanLine(reason);
  return cleanLine(
    details?.map((detail) => out.sentence(detail)).join(' ') ??
      (error === undefined ? reason : translateError(error, out).message),
  );
}

function formatItem({ set, path = '' }: SwapItem, value: unknown, out: Output): string {
  return formatSettingValue(out, set, path, value);
}

function formatPlace({ set, label, params, path, items }: SwapItem, out: Output): string {
  const name =
    path === undefined
      ? formatSectionName(out, { set, label })
      : formatSettingName(out, set, { path, label, ...removeUndefined({ items }) });
  return `${cleanLine(set)}${placeName(out, params)} ${name}${path === undefined ? '' : cleanLine(` [${path}]`)}`;
}
