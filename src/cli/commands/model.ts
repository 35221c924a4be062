/** `model list|engines|storage|load|unload|reset|remove|doctor`: what is on devices, and one change of it. */
import { resolve } from 'node:path';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Engine } from '#engine/api.ts';
import type { Device } from '#shared/model.ts';
import {
  ENGINE_STATES,
  type EngineView,
  type ModelBoard,
  type ModelChanged,
  type PackageView,
} from '#shared/ai-models/ai-models.ts';
import { askEach } from '../each-device.ts';
import { EXIT, exitCodeOfAll } from '../exit-codes.ts';
import { selectDevices } from '../input/devices.ts';
import { askToGoOn } from '../input/prompt.ts';
import { runWithEngine, type Invocation } from '../invocation.ts';
import type { DeviceOptions } from '../options.ts';
import { formatError } from '../output/errors.ts';
import { printFindings } from '../output/model-findings.ts';
import type { Output } from '../output/output.ts';
import type { Paint } from '../output/paint.ts';
import { createUsageError, parseWholeNumber } from '../usage.ts';

type Shown = 'list' | 'engines' | 'storage';
type Change = 'load' | 'unload' | 'reset' | 'remove';

export function showModels(what: Shown, invocation: Invocation, options: DeviceOptions): Promise<number> {
  return askEach<ModelBoard>(invocation, options, {
    ask: (engine, { id }, signal) => engine.models.board({ deviceId: id }, signal),
    failure: ({ problems }) => problems.find(({ operation }) => operation === NEEDS[what]),
    script: (board) => forScripts(board, what),
    print: (board) => printBoard(invocation.out, board, what),
  });
}

const NEEDS: Readonly<Record<Shown, string>> = {
  list: 'aiPlatform.models.list',
  engines: 'aiPlatform.engines.list',
  storage: 'aiPlatform.modelStorage.get',
};

function forScripts({ packages, engines, storage, platform, problems }: ModelBoard, what: Shown): object {
  const problem = problems.find(({ operation }) => operation === NEEDS[what]);
  const shown = what === 'list' ? { packages } : what === 'engines' ? { engines, platform } : { ...storage };
  return { ...shown, ...removeUndefined({ error: problem }) };
}

function printBoard(out: Output, { packages, engines, storage, problems }: ModelBoard, what: Shown): void {
  const problem = problems.find(({ operation }) => operation === NEEDS[what]);
  if (problem !== undefined) {
    for (const line of formatError(problem, out)) out.note(line);
    return;
  }
  if (what === 'storage') {
    if (storage === undefined) return out.note(out.say('model.storage-unknown'));
    const { total, free, packages: count = packages.length } = storage;
    out.line(out.say('model.cli.storage', { total, free, used: total - free, count }));
  } else if (what === 'list')
    out.table<PackageView>(
      [
        { title: 'PACKAGE', cell: ({ MPID }) => MPID, flexible: true },
        { title: 'NAME', cell: ({ MPName }) => MPName || '—', flexible: true },
        { title: 'ENGINES', cell: ({ engines: on }) => on.join(', ') || '—' },
        {
          title: 'STATE',
          cell: ({ status }) => stateWord(out, status),
          paint: ({ status }) => statePaint(status),
        },
      ],
      packages,
    );
  else
    out.table<EngineView>(
      [
        { title: 'ENGINE', cell: ({ engine }) => String(engine) },
        {
          title: 'STATE',
          cell: ({ status }) => stateWord(out, status),
          paint: ({ status }) => statePaint(status),
        },
        { title: 'PACKAGE', cell: ({ MPID }) => MPID || '—', flexible: true },
        { title: 'NAME', cell: ({ MPName }) => MPName || '—', flexible: true },
        {
          title: 'TASKS',
          cell: ({ tasks }) => (tasks === undefined ? '' : tasks.join(', ') || '—'),
          flexible: true,
        },
      ],
      engines,
    );
}

/** States of an engine in words (part 1, 3); one that the specification does not know as its number. */
function stateWord(out: Output, status: number): string {
  const known = Object.values(ENGINE_STATES).find((state) => state === status);
  return known === undefined ? String(status) : out.say(`model.engine-state.${known}`);
}

function statePaint(status: number): keyof Paint {
  if (status === ENGINE_STATES.running) return 'good';
  return status === ENGINE_STATES.empty || status === ENGINE_STATES.initializing ? 'dim' : 'bad';
}

interface ModelChangeOptions extends DeviceOptions {
  readonly engine?: string;
  readonly mpid?: string;
  readonly yes?: boolean;
}

/** Says first what will be lost, and asks. */
export async function changeModels(
  what: Change,
  invocation: Invocation,
  options: ModelChangeOptions,
): Promise<number> {
  const wanted = changeOf(what, options);
  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const signal = invocation.interrupts.signal;
    if (options.yes !== true && !(await agreed(invocation, engine, { what, devices, wanted, signal }))) {
      invocation.out.note(invocation.out.say('model.cli.nothing-sent'));
      return EXIT.usage;
    }
    const results: {
      readonly device: Device;
      readonly changed?: ModelChanged;
      readonly error?: ErrorShape;
    }[] = [];
    for (const device of devices) {
      try {
        results.push({ device, changed: await change(engine, { what, device, wanted, signal }) });
      } catch (thrown) {
        const error = toErrorShape(thrown);
        results.push({ device, error: { ...error, device: error.device ?? device.url } });
      }
    }
    print(invocation, results);
    return exitCodeOfAll(results.map(({ error, changed }) => error ?? notTaken(changed)));
  });
}

interface Wanted {
  readonly engine: number;
  readonly mpid: string;
}

function changeOf(what: Change, { engine, mpid }: ModelChangeOptions): Wanted {
  if (what !== 'remove' && engine === undefined)
    throw createUsageError(say('model.cli.needs-engine'), { path: '--engine' });
  if ((what === 'load' || what === 'remove') && (mpid === undefined || mpid === ''))
    throw createUsageError(say('model.cli.needs-mpid'), { path: '--mpid' });
  return {
    engine: engine === undefined ? -1 : parseWholeNumber(engine, '--engine', { min: 0, max: 9999 }),
    mpid: mpid ?? '',
  };
}

interface ChangeRequest {
  readonly what: Change;
  readonly device: Device;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
}

async function change(
  { models }: Engine,
  { what, device: { id: deviceId, url }, wanted: { engine, mpid }, signal }: ChangeRequest,
): Promise<ModelChanged> {
  if (what === 'load') return models.load({ deviceId, engine, mpid }, signal);
  if (what === 'remove') return models.remove({ deviceId, mpid, confirmed: true }, signal);
  if (mpid !== '') {
    const board = await models.board({ deviceId }, signal);
    if (!board.engines.some((view) => view.engine === engine && view.MPID === mpid))
      throw createUsageError(say('model.cli.not-held', { engine, mpid }), { path: '--mpid' }).with({
        device: url,
      });
  }
  return what === 'unload'
    ? models.unload({ deviceId, engine, confirmed: true }, signal)
    : models.reset({ deviceId, engine, confirmed: true }, signal);
}

/** True when the writes may start. Throws `confirmation-needed` where nobody can be asked. */
async function agreed(
  invocation: Invocation,
  engine: Engine,
  { what, devices, wanted, signal }: Omit<ChangeRequest, 'device'> & { readonly devices: readonly Device[] },
): Promise<boolean> {
  const { out } = invocation;
  if (!out.asJson)
    for (const { id, name } of devices) {
      const board = await engine.models.board({ deviceId: id }, signal).catch(() => undefined);
      const holds = board?.engines.filter(({ engine: at }) => at === wanted.engine) ?? [];
      const held = holds.map(({ MPID }) => MPID).filter(Boolean);
      const package_ = what === 'remove' ? wanted.mpid : held.join(', ') || '—';
      out.note(
        `${name}: ${out.say(`model.cli.${what}-loses`, { engine: wanted.engine, mpid: what === 'load' ? wanted.mpid : package_, tasks: holds[0]?.tasks?.join(', ') || '—' })}`,
      );
    }
  return askToGoOn(invocation, out.say('model.cli.go-on'), say('model.cli.confirm-yes'));
}

/** Returns an error where the device does not show the change, or it is unknown whether it took it. */
function notTaken(changed: ModelChanged | undefined): ErrorShape | undefined {
  return changed?.outcome === 'ignored' || changed?.outcome === 'unknown'
    ? { code: 'refused', source: 'app', message: '' }
    : undefined;
}

function print(
  { out }: Invocation,
  results: readonly {
    readonly device: Device;
    readonly changed?: ModelChanged;
    readonly error?: ErrorShape;
  }[],
): void {
  if (out.asJson) {
    const [first] = results;
    if (results.length === 1 && first !== undefined) out.json(first.error ?? first.changed);
    else
      out.json(
        results.map(({ device: { url, name }, changed, error }) => ({
          device: url,
          name,
          ...changed,
          ...removeUndefined({ error }),
        })),
      );
    return;
  }
  for (const { device, changed, error } of results) {
    if (error !== undefined) for (const line of formatError(error, out)) out.note(line);
    if (changed === undefined) continue;
    const state = changed.status === undefined ? '' : `, ${stateWord(out, changed.status)}`;
    out.line(`${device.name}: ${out.status('outcome', changed.outcome)}${state}`);
  }
}

interface ModelDoctorOptions extends DeviceOptions {
  readonly file?: string;
}

/** Exit 1 where something keeps devices from fetching. */
export async function checkModelFetching(
  invocation: Invocation,
  options: ModelDoctorOptions,
): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const { out, interrupts } = invocation;
    const isNamed = [options.device, options.devices, options.tag, options.site].some(
      (given) => given !== undefined,
    );
    const devices = isNamed ? await selectDevices(invocation, engine, options) : [];
    const fileId =
      options.file === undefined ? undefined : (await engine.models.choose(resolve(options.file))).id;
    const findings = await engine.models.doctor(
      { deviceIds: devices.map(({ id }) => id), ...removeUndefined({ fileId }) },
      interrupts.signal,
    );
    const ok = findings.every(({ tone }) => tone !== 'danger');
    if (out.asJson) out.json({ ok, findings });
    else {
      printFindings(out, findings);
      if (findings.length === 0) out.note(out.say('model.cli.doctor-well'));
    }
    return ok ? EXIT.done : EXIT.failed;
  });
}
