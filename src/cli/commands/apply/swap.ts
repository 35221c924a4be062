/** `swap`: a saved state onto another device; what it becomes there is shown first. */
import { translateError } from '#cli/output/errors.ts';
import { placeName, formatSectionName, formatSettingName, formatSettingValue } from '#cli/output/names.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { SwapItem, SwapReport } from '#shared/history.ts';
import type { Plan } from '#shared/model.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { STATE } from '#cli/declarations/state.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { selectOne } from '#cli/input/devices.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { cleanLine } from '#cli/output/clean.ts';
import type { Output } from '#cli/output/output.ts';
import { carryOut, toApplyOptions } from './carry-out.ts';

/** Puts a state onto a device; with `--json` and without `--yes` it only shows `{ plan, report }`. */
export async function swap(invocation: Invocation, options: OptionsOf<typeof STATE.swap>): Promise<Outcome> {
  const { out } = invocation;
  const engine = await invocation.open();
  const { id: stateId } = engine.states.show(options.state);
  const device = await selectOne(invocation, engine, options);
  const { plan, report } = await convert(invocation, engine, { stateId, deviceId: device.id });
  if (out.asJson && options.yes !== true) {
    const code = plan === undefined ? EXIT.failed : EXIT.done;
    return { json: { report, ...removeUndefined({ plan }) }, code };
  }
  if (!out.asJson) printReport(out, report);
  if (plan === undefined) {
    out.note(out.say('cli.swap-nothing'));
    return EXIT.failed;
  }
  const engineOptions = toApplyOptions(options, { reviewed: false });
  return carryOut(invocation, engine, { plan, secrets: {} }, options, engineOptions);
}

async function convert(
  invocation: Invocation,
  engine: Engine,
  request: { readonly stateId: string; readonly deviceId: string },
): Promise<{ readonly plan?: Plan; readonly report: SwapReport }> {
  let plan: Plan | undefined;
  let report: SwapReport = { ...request, kept: [], converted: [], lost: [] };
  for await (const event of engine.states.swap(request, invocation.interrupts.signal)) {
    if (event.type === 'plan') plan = event.plan;
    if (event.type === 'swap') report = event.report;
  }
  return { report, ...removeUndefined({ plan }) };
}

function printReport(out: Output, { kept, converted, lost }: SwapReport): void {
  out.line(out.say('cli.swap-counts', { kept: kept.length, converted: converted.length, lost: lost.length }));
  for (const item of converted)
    out.line(
      `  ${out.paint.warn(out.say('cli.swap.converted'))} ${place(item, out)}: ${shown(item, item.from, out)} → ${shown(item, item.to, out)} (${reasonOf(item, out)})`,
    );
  for (const item of lost)
    out.line(
      `  ${out.paint.bad(out.say('cli.swap.lost'))} ${place(item, out)}${item.from === undefined ? '' : `: ${shown(item, item.from, out)}`} (${reasonOf(item, out)})`,
    );
  out.line();
}

function reasonOf({ reason = '', details, error }: SwapItem, out: Output): string {
  if (out.isEnglish || (details === undefined && error === undefined)) return cleanLine(reason);
  return cleanLine(
    details?.map((detail) => out.sentence(detail)).join(' ') ??
      (error === undefined ? reason : translateError(error, out).message),
  );
}

function shown({ set, path = '' }: SwapItem, value: unknown, out: Output): string {
  return formatSettingValue(out, set, path, value);
}

function place({ set, label, params, path, items }: SwapItem, out: Output): string {
  const name =
    path === undefined
      ? formatSectionName(out, { set, label })
      : formatSettingName(out, set, { path, label, ...removeUndefined({ items }) });
  return `${cleanLine(set)}${placeName(out, params)} ${name}${path === undefined ? '' : cleanLine(` [${path}]`)}`;
}
