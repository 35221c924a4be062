/** `fingerprints import|copy|remove|export|results`: templates pass through, and are printed by `export` alone. */
import type { Action } from '../declarations/all.ts';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import type { CopyPrints } from '#engine/api.ts';
import type { Engine } from '#engine/index.ts';
import { say, type Detail } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import { isGoodPrint } from '#shared/people/fingerprints.ts';
import type { SendingOptions } from '../declarations/fingerprints.ts';
import { EXIT } from '../exit-codes.ts';
import { selectDevices, selectNamed } from '../input/devices.ts';
import { openStream } from '../input/files.ts';
import { askToGoOn, requireConfirmation } from '../input/prompt.ts';
import type { Invocation } from '../invocation.ts';
import { openOutput } from '../output/output-file.ts';
import { cleanLine } from '../output/clean.ts';
import { toWhenBack } from './apply/carry-out.ts';
import { followPrints, printResults, formatFingerprintResult, toScriptResult } from './prints-results.ts';

const UNCONFIRMED = say('cli.prints-unconfirmed');

export const importFingerprints: Action<'fingerprints import'> = async (invocation, file, options) => {
  const { io, out, interrupts } = invocation;
  const { checkPerson, verify } = options;
  const settings = {
    readers: unique(options.reader),
    checkPerson,
    verify,
    ...toCipher(options),
    ...toWhenBack(options),
  };
  // Standard input is read while it is sent: there is no terminal to ask on.
  const isLive = file === '-';
  if (!isLive) await mustBeReadable(file);
  requireConfirmation(invocation, options, UNCONFIRMED, !isLive);
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  const { jobId } = engine.prints.prepare({ deviceIds: devices.map(({ id }) => id), ...settings });
  const { signal } = interrupts;
  const fill = () =>
    engine.prints.fill(jobId, isLive ? io.stdin : addAbortSignal(signal, openStream(file)), signal);
  if (isLive) {
    noteCipher(invocation, settings);
    engine.prints.begin({ jobId });
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
    await confirm(invocation, options, question);
    engine.prints.begin({ jobId });
    const code = await followPrints(invocation, engine, jobId, options);
    return ready.prints === 0 ? EXIT.usage : code;
  } catch (thrown) {
    await engine.prints.discard({ jobId });
    throw thrown;
  }
};

export const copyFingerprints: Action<'fingerprints copy'> = async (invocation, options) => {
  const { checkPerson, verify, reader, finger } = options;
  const settings = {
    readers: unique(reader),
    fingers: unique(finger),
    checkPerson,
    verify,
    ...toCipher(options),
    ...toWhenBack(options),
  } satisfies Partial<CopyPrints>;
  requireConfirmation(invocation, options, UNCONFIRMED);
  const engine = await invocation.open();
  const from = await selectNamed(invocation, engine, options, options.from);
  const devices = await selectDevices(invocation, engine, options, options.to);
  const people = await findPeople(invocation, engine, [from], options.employee);
  noteCipher(invocation, settings);
  const question = invocation.out.say('prints-ask-copy', { from: from.name, devices: devices.length });
  await confirm(invocation, options, question);
  const { jobId } = engine.prints.copy({
    from: from.id,
    deviceIds: devices.map(({ id }) => id),
    ...settings,
    people,
  });
  return followPrints(invocation, engine, jobId, options);
};

export const removeFingerprints: Action<'fingerprints remove'> = async (invocation, options) => {
  requireConfirmation(invocation, options, UNCONFIRMED);
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  const people = (await findPeople(invocation, engine, devices, options.employee)) ?? [];
  const question = invocation.out.say('prints-ask-remove', {
    people: people.length,
    devices: devices.length,
  });
  await confirm(invocation, options, question);
  const { jobId } = engine.prints.remove({
    deviceIds: devices.map(({ id }) => id),
    people,
    ...toWhenBack(options),
    readers: unique(options.reader),
    fingers: unique(options.finger),
  });
  return followPrints(invocation, engine, jobId, options);
};

/** Waits for a finger at the terminal; Ctrl-C ends the wait, and the terminal is put back to what it was. */
export const enrolFingerprints: Action<'fingerprints enrol'> = async (invocation, options) => {
  const { out, interrupts } = invocation;
  const { employee: given, finger: fingerPrintID, atReader: reader, wait: waitSeconds } = options;
  const readers = unique(options.reader) ?? [1];
  requireConfirmation(invocation, options, UNCONFIRMED);
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  const terminal =
    options.at === undefined ? devices[0] : await selectNamed(invocation, engine, options, options.at);
  if (terminal === undefined) return EXIT.usage;
  const [employeeNo = given] = (await findPeople(invocation, engine, [terminal], [given])) ?? [];
  const question = out.say('prints-ask-enrol', {
    employeeNo,
    finger: fingerPrintID,
    device: terminal.name,
    devices: devices.length,
  });
  await confirm(invocation, options, question);
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
};

/** Writes biometric data in the clear: says so first, and the file can be read by its owner alone. */
export const exportFingerprints: Action<'fingerprints export'> = async (invocation, options) => {
  const { io, out, interrupts } = invocation;
  const { out: file } = options;
  requireConfirmation(invocation, options, UNCONFIRMED);
  const target = await openOutput(invocation, file);
  const engine = await invocation.open();
  const from = await selectNamed(invocation, engine, options, options.from);
  const question = out.say('prints-ask-export', { from: from.name, file });
  await confirm(invocation, options, question);
  const people = await findPeople(invocation, engine, [from], options.employee);
  let count = 0;
  const missing: Detail[] = [];
  await target.writeThrough(async (write) => {
    const request = { deviceId: from.id, missing: (why: Detail) => missing.push(why) };
    const prints = engine.prints.read({ ...request, people }, interrupts.signal);
    for await (const print of prints) {
      count += 1;
      await write(`${JSON.stringify(print)}\n`);
    }
  });
  for (const why of missing) out.note(out.sentence(why));
  const exported = out.say('prints-exported', { count, file });
  const code = missing.length > 0 ? EXIT.failed : EXIT.done;
  if (file === '-') {
    out.note(exported);
    return code;
  }
  return {
    json: { file, count, ...(missing.length > 0 && { notes: missing }) },
    ...(io.stdout.isTTY === true ? { text: exported } : { note: exported }),
    code,
  };
};

export const forgetFingerprints: Action<'fingerprints forget'> = async ({ open, out }, jobId) => {
  const { wiped } = await (await open()).prints.forget({ jobId });
  return { json: { wiped }, text: out.say(wiped ? 'prints-forgotten' : 'prints-nothing-kept') };
};

export const listFingerprintResults: Action<'fingerprints results'> = async (invocation, jobId) => {
  const counted = await printResults(invocation, await invocation.open(), jobId, { all: true });
  return counted.bad > 0 ? EXIT.failed : EXIT.done;
};

async function confirm(
  invocation: Invocation,
  { yes }: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  const { out } = invocation;
  if (!out.asJson) out.note(question);
  if (yes !== true) await askToGoOn(invocation, out.say('prints-ask-go-on'), UNCONFIRMED);
}

async function mustBeReadable(file: string): Promise<void> {
  let handle: FileHandle;
  try {
    // The other end of a pipe would take this for the end of the reading.
    if ((await stat(file)).isFIFO()) return;
    handle = await open(file, 'r');
    if ((await handle.stat()).isDirectory()) throw new Error('a folder');
  } catch (cause) {
    throw userError('unreadable-file', say('cli.unreadable'), { file, cause });
  }
  await handle.close();
}

function unique<Value>(values: readonly Value[] | undefined): readonly Value[] | undefined {
  return values && [...new Set(values)];
}

/** Returns the employee numbers as the devices have them, and says which marks were taken off. */
async function findPeople(
  { out, interrupts }: Invocation,
  engine: Engine,
  devices: readonly { readonly id: string }[],
  employeeNos: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (employeeNos === undefined) return undefined;
  const deviceIds = devices.map(({ id }) => id);
  const found = await engine.people.named({ deviceIds, employeeNos }, interrupts.signal);
  for (const note of found.notes) out.note(out.sentence(note));
  return found.employeeNos;
}

/** Says before anything is sent that the cipher is our own reading. */
function noteCipher({ out }: Invocation, { cipher }: Pick<CopyPrints, 'cipher'>): void {
  if (cipher !== undefined) out.note(out.say('prints-cipher-ours'));
}

function toCipher({ encrypt, iterations, fill }: SendingOptions): Pick<CopyPrints, 'cipher'> {
  if (encrypt === undefined) return {};
  return {
    cipher: {
      keyLen: encrypt.keyLen,
      encryptAlgorithmMode: encrypt.mode,
      encryptAlgorithmFill: fill ? 'yes' : 'no',
      iterationTimes: iterations,
    },
  };
}
