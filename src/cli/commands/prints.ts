/** `fingerprints import|copy|remove|export|results`: templates pass through, and are printed by `export` alone. */
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { CopyPrints } from '#engine/api.ts';
import type { Engine } from '#engine/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say, type Detail } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import { isGoodPrint, MOST_FINGERS, MOST_READERS } from '#shared/people/fingerprints.ts';
import { EXIT } from '../exit-codes.ts';
import { isInteractive } from '../io.ts';
import { selectDevices, selectOne } from '../input/devices.ts';
import { askYes, createUnconfirmedError } from '../input/prompt.ts';
import { runWithEngine, type Invocation } from '../invocation.ts';
import { openOutputFile } from '../output/output-file.ts';
import type { DeviceOptions } from '../options.ts';
import { cleanLine } from '../output/clean.ts';
import { createUsageError, parseWholeNumber } from '../usage.ts';
import {
  FLUSH_EACH,
  followPrints,
  printResults,
  formatFingerprintResult,
  toScriptResult,
} from './prints-results.ts';

interface PrintOptions extends DeviceOptions {
  readonly reader?: readonly string[];
  readonly employee?: readonly string[];
  readonly finger?: readonly string[];
  readonly from?: string;
  readonly to?: readonly string[];
  readonly out?: string;
  readonly at?: string;
  readonly atReader?: string;
  readonly anew?: boolean;
  readonly asItIs?: boolean;
  readonly wait?: string;
  readonly checkPerson?: boolean;
  readonly verify?: boolean;
  readonly encrypt?: string;
  readonly iterations?: string;
  readonly fill?: boolean;
  readonly yes?: boolean;
  readonly progress?: boolean;
}

export async function importFingerprints(
  invocation: Invocation,
  file: string,
  options: PrintOptions,
): Promise<number> {
  const { io, out, interrupts } = invocation;
  const settings = { ...readersOf(options), ...cipherOf(options), ...checks(options) };
  // Standard input is read while it is sent: there is nobody left to ask.
  const isLive = file === '-';
  if (!isLive) await mustBeReadable(file);
  mustBeAsked(invocation, options, isLive);
  const input = isLive ? io.stdin : createReadStream(file);
  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const { jobId } = engine.prints.prepare({ deviceIds: devices.map(({ id }) => id), ...settings });
    const fill = () => engine.prints.fill(jobId, input, interrupts.signal);
    if (isLive) {
      noteCipher(invocation, settings);
      engine.prints.begin(jobId);
      const filling = fill().catch((thrown: unknown) => {
        engine.jobs.cancel({ id: jobId });
        if (!interrupts.happened) throw thrown;
        return undefined;
      });
      const code = await followPrints(invocation, engine, jobId, options);
      for (const note of (await filling)?.notes ?? []) out.note(out.sentence(note));
      return code;
    }
    try {
      const ready = await fill();
      for (const note of ready.notes) out.note(out.sentence(note));
      noteCipher(invocation, settings);
      if (ready.prints + ready.bad === 0)
        throw new FieldwrightError({ code: 'usage', source: 'user', message: out.say('prints-none'), file });
      const question = out.say('prints-ask-import', {
        prints: ready.prints,
        people: ready.people,
        devices: devices.length,
        readers: settings.readers?.join(', ') ?? '1',
        bad: ready.bad,
      });
      if (!(await agreed(invocation, options, question))) {
        await engine.prints.discard(jobId);
        return EXIT.usage;
      }
      engine.prints.begin(jobId);
      const code = await followPrints(invocation, engine, jobId, options);
      return ready.prints === 0 ? EXIT.usage : code;
    } catch (thrown) {
      await engine.prints.discard(jobId);
      throw thrown;
    }
  });
}

export async function copyFingerprints(invocation: Invocation, options: PrintOptions): Promise<number> {
  if (options.from === undefined)
    throw createUsageError(
      say('cli.needs-option', { command: 'fingerprints copy', option: '--from DEVICE' }),
      {
        path: '--from',
      },
    );
  const settings = {
    ...readersOf(options),
    ...cipherOf(options),
    ...checks(options),
    ...removeUndefined({ fingers: fingersOf(options) }),
  } satisfies Partial<CopyPrints>;
  mustBeAsked(invocation, options);
  return runWithEngine(invocation, async (engine) => {
    const from = await selectOne(invocation, engine, only(options, options.from ?? ''));
    const devices = await selectDevices(invocation, engine, options, options.to);
    const people = await peopleOf(invocation, engine, [from], options);
    noteCipher(invocation, settings);
    const question = invocation.out.say('prints-ask-copy', { from: from.name, devices: devices.length });
    if (!(await agreed(invocation, options, question))) return EXIT.usage;
    const { jobId } = engine.prints.copy({
      from: from.id,
      deviceIds: devices.map(({ id }) => id),
      ...settings,
      ...removeUndefined({ people }),
    });
    return followPrints(invocation, engine, jobId, options);
  });
}

export async function removeFingerprints(invocation: Invocation, options: PrintOptions): Promise<number> {
  if ((options.employee ?? []).length === 0)
    throw createUsageError(
      say('cli.needs-option', { command: 'fingerprints remove', option: '--employee NUMBER' }),
      { path: '--employee' },
    );
  const settings = { ...readersOf(options), ...removeUndefined({ fingers: fingersOf(options) }) };
  mustBeAsked(invocation, options);
  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const people = (await peopleOf(invocation, engine, devices, options)) ?? [];
    const question = invocation.out.say('prints-ask-remove', {
      people: people.length,
      devices: devices.length,
    });
    if (!(await agreed(invocation, options, question))) return EXIT.usage;
    const { jobId } = engine.prints.remove({
      deviceIds: devices.map(({ id }) => id),
      people,
      ...settings,
    });
    return followPrints(invocation, engine, jobId, options);
  });
}

/** The person is at the terminal; Ctrl-C ends the wait, and the terminal is put back to what it was. */
export async function enrolFingerprints(invocation: Invocation, options: PrintOptions): Promise<number> {
  const { out, interrupts } = invocation;
  const [given, ...others] = options.employee ?? [];
  const [fingerPrintID, ...fingers] = fingersOf(options) ?? [];
  if (given === undefined || others.length > 0)
    throw createUsageError(
      say('cli.takes-one', { command: 'fingerprints enrol', option: '--employee NUMBER' }),
      {
        path: '--employee',
      },
    );
  if (fingerPrintID === undefined || fingers.length > 0)
    throw createUsageError(
      say('cli.takes-one', { command: 'fingerprints enrol', option: '--finger NUMBER' }),
      {
        path: '--finger',
      },
    );
  const reader = parseWholeNumber(options.atReader ?? '1', '--at-reader', { min: 1, max: MOST_READERS });
  const waitSeconds = parseWholeNumber(options.wait ?? '60', '--wait', { min: 1, max: 600 });
  const { readers = [1] } = readersOf(options);
  mustBeAsked(invocation, options);
  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const terminal =
      options.at === undefined ? devices[0] : await selectOne(invocation, engine, only(options, options.at));
    if (terminal === undefined) return EXIT.usage;
    const [employeeNo = given] = (await peopleOf(invocation, engine, [terminal], options)) ?? [];
    const question = out.say('prints-ask-enrol', {
      employeeNo,
      finger: fingerPrintID,
      device: terminal.name,
      devices: devices.length,
    });
    if (!(await agreed(invocation, options, question))) return EXIT.usage;
    const left = new AbortController();
    interrupts.takeOver(() => left.abort());
    let bad = 0;
    try {
      const events = engine.prints.enrol(
        {
          employeeNo,
          fingerPrintID,
          at: { deviceId: terminal.id, reader },
          targets: devices.map(({ id }) => ({ deviceId: id, readers })),
          waitSeconds,
          ...(options.anew === true ? { anew: true } : options.asItIs === true ? { anew: false } : {}),
        },
        left.signal,
      );
      for await (const event of events) {
        if (event.type === 'there') {
          out.note(out.say('prints-there', { device: terminal.name }));
          return EXIT.usage;
        }
        if (event.type === 'waiting') {
          bad = 0;
          out.note(out.say('prints-put-on', { device: terminal.name, reader, seconds: waitSeconds }));
        }
        if (event.type === 'left' && !event.isBack)
          out.note(out.say('prints-not-put-back', { device: terminal.name }));
        if (event.type === 'sending') invocation.started.id = event.jobId;
        if (event.type !== 'result') continue;
        if (!isGoodPrint(event.result.status)) bad += 1;
        if (out.asJson) out.jsonLine(toScriptResult(event.result));
        else out.line(cleanLine(formatFingerprintResult(event.result, out)));
      }
    } catch (thrown) {
      if (interrupts.happened) return EXIT.interrupted;
      throw thrown;
    }
    return bad > 0 ? EXIT.failed : EXIT.done;
  });
}

/** Biometric data in the clear: whoever asks for it is told so, and the file is theirs alone. */
export async function exportFingerprints(invocation: Invocation, options: PrintOptions): Promise<number> {
  const { io, out, interrupts } = invocation;
  const file = options.out;
  if (options.from === undefined)
    throw createUsageError(
      say('cli.needs-option', { command: 'fingerprints export', option: '--from DEVICE' }),
      {
        path: '--from',
      },
    );
  if (file === undefined)
    throw createUsageError(
      say('cli.needs-option', { command: 'fingerprints export', option: '--out FILE' }),
      {
        path: '--out',
      },
    );
  mustBeAsked(invocation, options);
  const target = file === '-' ? undefined : await openOutputFile(invocation, file);
  return runWithEngine(invocation, async (engine) => {
    const from = await selectOne(invocation, engine, only(options, options.from ?? ''));
    const question = out.say('prints-ask-export', { from: from.name, file });
    if (!(await agreed(invocation, options, question))) return EXIT.usage;
    const people = await peopleOf(invocation, engine, [from], options);
    let count = 0;
    const missing: Detail[] = [];
    const write = async (put: (line: string) => Promise<void>): Promise<void> => {
      const prints = engine.prints.read(
        {
          deviceId: from.id,
          missing: (why) => missing.push(why),
          ...removeUndefined({ people }),
        },
        interrupts.signal,
      );
      for await (const print of prints) {
        count += 1;
        await put(`${JSON.stringify(print)}\n`);
      }
    };
    if (target !== undefined) await target.writeThrough(write);
    else
      await write(async (line) => {
        out.raw(line);
        if (count % FLUSH_EACH === 0) await out.flush();
      });
    for (const why of missing) out.note(out.sentence(why));
    const exported = out.say('prints-exported', { count, file });
    if (out.asJson && file !== '-')
      out.json({ file, count, ...(missing.length > 0 ? { notes: missing } : {}) });
    else if (file === '-' || io.stdout.isTTY !== true) out.note(exported);
    else out.line(exported);
    return missing.length > 0 ? EXIT.failed : EXIT.done;
  });
}

export async function forgetFingerprints(invocation: Invocation, jobId: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const { out } = invocation;
    const { wiped } = await engine.prints.forget({ jobId });
    if (out.asJson) out.json({ wiped });
    else out.line(out.say(wiped ? 'prints-forgotten' : 'prints-nothing-kept'));
    return EXIT.done;
  });
}

export async function listFingerprintResults(invocation: Invocation, jobId: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const counted = await printResults(invocation, engine, jobId, { all: true });
    return counted.bad > 0 ? EXIT.failed : EXIT.done;
  });
}

/** Nothing is read or sent where nobody can say yes. */
function mustBeAsked({ io, out }: Invocation, { yes }: PrintOptions, isLive = false): void {
  if (yes === true || (!out.asJson && !isLive && isInteractive(io))) return;
  throw createUnconfirmedError(say('cli.prints-unconfirmed'));
}

async function agreed(invocation: Invocation, { yes }: PrintOptions, question: string): Promise<boolean> {
  const { out } = invocation;
  if (!out.asJson) out.note(question);
  return yes === true || (await askYes(invocation, out.say('prints-ask-go-on'))) === true;
}

async function mustBeReadable(file: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
    if ((await handle.stat()).isDirectory()) throw new Error('a folder');
  } catch (cause) {
    throw userError('unreadable-file', say('cli.unreadable'), { file, cause });
  }
  await handle.close();
}

function numbers(
  given: readonly string[] | undefined,
  option: string,
  max: number,
): readonly number[] | undefined {
  return given && [...new Set(given.map((text) => parseWholeNumber(text, option, { min: 1, max })))];
}

/** Returns the numbers of `--employee` as people on the devices have them, and says which marks were taken off. */
async function peopleOf(
  { out, interrupts }: Invocation,
  engine: Engine,
  devices: readonly { readonly id: string }[],
  { employee }: PrintOptions,
): Promise<readonly string[] | undefined> {
  if (employee === undefined) return undefined;
  const deviceIds = devices.map(({ id }) => id);
  const { employeeNos, notes } = await engine.people.named(
    { deviceIds, employeeNos: employee },
    interrupts.signal,
  );
  for (const note of notes) out.note(out.sentence(note));
  return employeeNos;
}

function readersOf({ reader }: PrintOptions) {
  return removeUndefined({ readers: numbers(reader, '--reader', MOST_READERS) });
}

function fingersOf({ finger }: PrintOptions): readonly number[] | undefined {
  return numbers(finger, '--finger', MOST_FINGERS);
}

function checks({ checkPerson, verify }: PrintOptions) {
  return removeUndefined({ checkPerson, verify });
}

/** `aes-256-cbc` and its like. */
/** Says before anything is sent that the cipher is our own reading. */
function noteCipher({ out }: Invocation, { cipher }: Pick<CopyPrints, 'cipher'>): void {
  if (cipher !== undefined) out.note(out.say('prints-cipher-ours'));
}

function cipherOf({ encrypt, iterations = '100000', fill }: PrintOptions): Pick<CopyPrints, 'cipher'> {
  if (encrypt === undefined) return {};
  const parts = /^aes-(128|256)-(ecb|cbc|cfb|ofb)$/i.exec(encrypt);
  const times = ([50_000, 80_000, 100_000] as const).find((each) => String(each) === iterations);
  if (parts === null)
    throw createUsageError(
      say('cli.one-of', { option: '--encrypt', allowed: 'aes-{128|256}-{ecb|cbc|cfb|ofb}', text: encrypt }),
      { path: '--encrypt' },
    );
  if (times === undefined)
    throw createUsageError(
      say('cli.one-of', { option: '--iterations', allowed: '50000, 80000, 100000', text: iterations }),
      { path: '--iterations' },
    );
  return {
    cipher: {
      keyLen: parts[1] === '128' ? 128 : 256,
      encryptAlgorithmMode: (parts[2] ?? 'cbc').toUpperCase() as 'CBC',
      encryptAlgorithmFill: fill === false ? 'no' : 'yes',
      iterationTimes: times,
    },
  };
}

/** The options of the connection, for this device alone. */
function only(
  { devices: _devices, tag: _tag, site: _site, ...options }: PrintOptions,
  device: string,
): DeviceOptions {
  return { ...options, device: [device] };
}
