/** `model list|engines|storage|load|unload|reset|remove|doctor`: what is on devices, and one change of it. */
import type { Action } from '../declarations/all.ts';
import { resolve } from 'node:path';
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Engine } from '#engine/api.ts';
import type { Device } from '#shared/model.ts';
import { ENGINE_STATES, type ModelBoard, type ModelChanged } from '#shared/ai-models/ai-models.ts';
import type { ModelChangeOptions } from '../declarations/model.ts';
import { askEach, toDeviceError } from '../each-device.ts';
import { EXIT, exitCodeOfAll } from '../exit-codes.ts';
import { selectDevices } from '../input/devices.ts';
import { askToGoOn } from '../input/prompt.ts';
import type { Invocation } from '../invocation.ts';
import { isDeviceNamed, type DeviceOptions } from '../declarations/options.ts';
import type { Outcome } from '../outcome.ts';
import { noteError } from '../output/errors.ts';
import { printFindings } from '../output/model-findings.ts';
import type { Output } from '../output/output.ts';
import type { Paint } from '../output/paint.ts';
import { createUsageError } from '../usage.ts';

type Shown = 'list' | 'engines' | 'storage';
type Change = 'load' | 'unload' | 'reset' | 'remove';

/** Returns the action of `model list`, `model engines` or `model storage`. */
export function createModelView(what: Shown) {
  return (invocation: Invocation, options: DeviceOptions): Promise<Outcome> =>
    askEach<ModelBoard>(invocation, options, {
      ask: (engine, { id }, signal) => engine.models.board({ deviceId: id }, signal),
      failure: ({ problems }) => problems.find(({ operation }) => operation === NEEDS[what]),
      script: (board) => toDocument(board, what),
      print: (board) => printBoard(invocation.out, board, what),
    });
}

const NEEDS: Readonly<Record<Shown, string>> = {
  list: 'aiPlatform.models.list',
  engines: 'aiPlatform.engines.list',
  storage: 'aiPlatform.modelStorage.get',
};

function toDocument({ packages, engines, storage, platform, problems }: ModelBoard, what: Shown): object {
  const problem = problems.find(({ operation }) => operation === NEEDS[what]);
  const shown = what === 'list' ? { packages } : what === 'engines' ? { engines, platform } : { ...storage };
  return { ...shown, error: problem };
}

function printBoard(out: Output, { packages, engines, storage, problems }: ModelBoard, what: Shown): void {
  const problem = problems.find(({ operation }) => operation === NEEDS[what]);
  if (problem !== undefined) {
    noteError(out, problem);
    return;
  }
  if (what === 'storage') {
    if (storage === undefined) return out.note(out.say('model.storage-unknown'));
    const { total, free, packages: count = packages.length } = storage;
    out.line(out.say('model.cli.storage', { total, free, used: total - free, count }));
    return;
  }
  const STATE = {
    value: ({ status }: { readonly status: number }) => formatState(out, status),
    paint: ({ status }: { readonly status: number }) => getStatePaint(status),
  };
  const NAME = { value: ({ MPName }: { readonly MPName?: string }) => MPName || '—', flexible: true };
  const PACKAGE = { value: ({ MPID }: { readonly MPID?: string }) => MPID || '—', flexible: true };
  if (what === 'list')
    out.table(packages, {
      PACKAGE,
      NAME,
      ENGINES: ({ engines: on }) => on.join(', ') || '—',
      STATE,
    });
  else
    out.table(engines, {
      ENGINE: 'engine',
      STATE,
      PACKAGE,
      NAME,
      TASKS: {
        value: ({ tasks }) => (tasks === undefined ? '' : tasks.join(', ') || '—'),
        flexible: true,
      },
    });
}

/** Returns the state of an engine in words (part 1, 3), or its number if the specification does not know it. */
function formatState(out: Output, status: number): string {
  const known = Object.values(ENGINE_STATES).find((state) => state === status);
  return known === undefined ? String(status) : out.say(`model.engine-state.${known}`);
}

function getStatePaint(status: number): keyof Paint {
  if (status === ENGINE_STATES.running) return 'good';
  return status === ENGINE_STATES.empty || status === ENGINE_STATES.initializing ? 'dim' : 'bad';
}

/** Returns the action of `model load`, `unload`, `reset` or `remove`: it says first what will be lost, and asks. */
export function createModelChange(what: Change) {
  return async (invocation: Invocation, options: ModelChangeOptions): Promise<Outcome> => {
    const { out } = invocation;
    const { engine: number = -1, mpid = '' } = options;
    if ((what === 'load' || what === 'remove') && mpid === '')
      throw createUsageError(say('model.cli.needs-mpid'), { path: '--mpid' });
    const wanted = { engine: number, mpid };
    const engine = await invocation.open();
    const devices = await selectDevices(invocation, engine, options);
    const { signal } = invocation.interrupts;
    if (options.yes !== true) await confirm(invocation, engine, { what, devices, wanted, signal });
    const results: ChangeResult[] = [];
    for (const device of devices) {
      try {
        results.push({ device, changed: await change(engine, { what, device, wanted, signal }) });
      } catch (thrown) {
        results.push({ device, error: toDeviceError(thrown, device) });
      }
    }
    const [first] = results;
    return {
      json:
        results.length === 1 && first !== undefined
          ? (first.error ?? first.changed)
          : results.map(({ device: { url, name }, changed, error }) => ({
              device: url,
              name,
              ...changed,
              error,
            })),
      text: () => printChanges(out, results),
      code: exitCodeOfAll(results.map(({ error, changed }) => error ?? toError(changed))),
    };
  };
}

interface ChangeResult {
  readonly device: Device;
  readonly changed?: ModelChanged;
  readonly error?: ErrorShape;
}

interface Wanted {
  readonly engine: number;
  readonly mpid: string;
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

/** Names what will be lost, and asks. @throws `confirmation-needed` if there is no terminal to ask on */
async function confirm(
  invocation: Invocation,
  engine: Engine,
  { what, devices, wanted, signal }: Omit<ChangeRequest, 'device'> & { readonly devices: readonly Device[] },
): Promise<void> {
  const { out } = invocation;
  if (!out.asJson)
    for (const { id, name } of devices) {
      const board = await engine.models.board({ deviceId: id }, signal).catch(() => undefined);
      const holds = board?.engines.filter(({ engine: at }) => at === wanted.engine) ?? [];
      const held = holds.map(({ MPID }) => MPID).filter(Boolean);
      const package_ = what === 'remove' ? wanted.mpid : held.join(', ') || '—';
      out.note(
        `${name}: ${out.say(`model.cli.${what}-loses`, { engine: wanted.engine, mpid: what === 'load' ? wanted.mpid : package_, tasks: holds[0]?.tasks?.join(', ') || 'none' })}`,
      );
    }
  await askToGoOn(invocation, out.say('model.cli.go-on'), say('model.cli.confirm-yes'));
}

/** Returns an error if the device does not show the change, or it is unknown whether it took it. */
function toError(changed: ModelChanged | undefined): ErrorShape | undefined {
  return changed?.outcome === 'ignored' || changed?.outcome === 'unknown'
    ? { code: 'refused', source: 'app', message: '' }
    : undefined;
}

function printChanges(out: Output, results: readonly ChangeResult[]): void {
  for (const { device, changed, error } of results) {
    if (error !== undefined) noteError(out, error);
    if (changed === undefined) continue;
    const state = changed.status === undefined ? '' : `, ${formatState(out, changed.status)}`;
    out.line(`${device.name}: ${out.status('outcome', changed.outcome)}${state}`);
  }
}

/** Prints what keeps devices from fetching; exit 1 if something does. */
export const checkModelFetching: Action<'model doctor'> = async (invocation, options) => {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const devices = isDeviceNamed(options) ? await selectDevices(invocation, engine, options) : [];
  const fileId =
    options.file === undefined ? undefined : (await engine.models.choose(resolve(options.file))).id;
  const findings = await engine.models.doctor(
    { deviceIds: devices.map(({ id }) => id), fileId },
    interrupts.signal,
  );
  const ok = findings.every(({ tone }) => tone !== 'danger');
  return {
    json: { ok, findings },
    text: () => printFindings(out, findings),
    note: findings.length === 0 ? out.say('model.cli.doctor-well') : undefined,
    code: ok ? EXIT.done : EXIT.failed,
  };
};
