/** `call` and `request`: one operation, or one raw request, on one or many devices. */
import type { Action } from '../declarations/all.ts';
import { formatDetail, say } from '#shared/details.ts';
import type { CallAnswer, Device } from '#shared/model.ts';
import { toCurl } from '#shared/text/curl.ts';
import { toPowerShellCurl } from '#shared/text/curl-powershell.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { callDestroys, mayChangeDevice, requestDestroys } from '#engine/index.ts';
import { askEach } from '../each-device.ts';
import { readJsonBody } from '../input/body.ts';
import { readText } from '../input/files.ts';
import type { Invocation } from '../invocation.ts';
import { limitTable } from '../output/capability-table.ts';
import { cleanJson, cleanLine, showValue } from '../output/clean.ts';
import { formatError, noteError } from '../output/errors.ts';
import type { Output } from '../output/output.ts';
import { createUsageError } from '../usage.ts';

/** Returns why the call is not as asked: for the exit code that is a failure, although there is an answer. */
function failureOf({ outcome, error, status }: CallAnswer): ErrorShape | undefined {
  if (outcome === 'ok' || outcome === 'needs-reboot') return undefined;
  const words = say(outcome === 'unknown' ? 'cli.call-unknown' : 'cli.call-refused');
  return error ?? { code: 'refused', source: 'device', ...words, status };
}

/** Notes are sentences for scripts. */
function forScripts(answer: CallAnswer): object {
  return { ...answer, notes: answer.notes.map(formatDetail) };
}

function printAnswer({ out }: Invocation, answer: CallAnswer, raw: boolean): void {
  const failed = failureOf(answer);
  if (raw) out.raw(answer.raw ?? '');
  if (failed !== undefined && (!raw || answer.outcome !== 'refused')) noteError(out, failed);
  else if (raw) return printJob(out, answer);
  else if (answer.value === undefined) {
    out.line(answer.outcome === 'ok' ? out.say('cli.call-accepted') : out.say('cli.call-restart'));
    if (answer.raw !== undefined) out.raw(`${answer.raw}\n`);
  } else out.line(cleanJson(JSON.stringify(answer.value, null, 2)));
  printBesides(out, answer);
  for (const note of answer.notes) out.note(out.say('cli.note', { line: cleanLine(out.sentence(note)) }));
  for (const line of (answer.warnings ?? []).flatMap((warning) => formatError(warning, out)))
    out.note(out.say('cli.warning', { line }));
  printJob(out, answer);
}

function printJob(out: Output, { job }: CallAnswer): void {
  if (job !== undefined) out.note(out.say('cli.call-job', { id: job }));
}

/** Prints members of the device's own, and the limits of a capability document. */
function printBesides(out: Output, { unlisted = [], limits = [] }: CallAnswer): void {
  if (unlisted.length > 0) {
    out.line();
    out.table(unlisted, {
      'NOT IN THE SPECIFICATION': { value: 'path', flexible: true },
      VALUE: { value: ({ value }) => showValue(value), flexible: true },
    });
  }
  if (limits.length > 0) {
    out.line();
    limitTable(out, limits);
  }
}

/** Prints the request as a command of curl. Returns false if it is not asked for, or nothing was sent. */
function printCurl(
  { out }: Invocation,
  { exchange }: CallAnswer,
  { url, profile }: Device,
  { curl, user }: { readonly curl?: string | undefined; readonly user?: string | undefined },
): boolean {
  if (curl === undefined || exchange === undefined) return false;
  const options = { device: url, auth: profile.auth, user };
  out.line((curl === 'sh' ? toCurl : toPowerShellCurl)(exchange, options));
  return true;
}

export const call: Action<'call'> = async (invocation, operation, options) => {
  const { param: params = {}, raw = false, body: file } = options;
  const body =
    file === undefined
      ? undefined
      : raw
        ? await readText(invocation.io, file)
        : await readJsonBody(invocation.io, file);
  return askEach<CallAnswer>(invocation, options, {
    ...(mayChangeDevice(operation) && {
      sends: operation,
      destroys: () => callDestroys(operation, body, raw),
    }),
    ask: (engine, device, signal, confirmed) =>
      engine.operations.call(
        {
          deviceId: device.id,
          operation,
          params,
          body,
          raw,
          trace: options.curl !== undefined,
          allowPlainFields: options.insecurePlainFields === true,
          confirmed,
        },
        signal,
      ),
    failure: failureOf,
    script: forScripts,
    print(answer, device) {
      if (!printCurl(invocation, answer, device, options)) printAnswer(invocation, answer, raw);
    },
  });
};

const METHODS = ['GET', 'PUT', 'POST', 'DELETE'];

export const request: Action<'request'> = async (invocation, method, path, options) => {
  const verb = method.toUpperCase();
  if (!METHODS.includes(verb))
    throw createUsageError(say('cli.method', { methods: METHODS.join(', '), method }));
  const body = options.body === undefined ? undefined : await readText(invocation.io, options.body);
  return askEach<CallAnswer>(invocation, options, {
    ...(verb !== 'GET' && {
      sends: `${verb} ${path}`,
      destroys: ({ profile }) => requestDestroys({ method: verb, path, body }, profile.pathPrefix),
    }),
    ask: (engine, device, signal, confirmed) =>
      engine.operations.request(
        {
          deviceId: device.id,
          method: verb,
          path,
          body,
          contentType: options.type,
          trace: options.curl !== undefined,
          confirmed,
        },
        signal,
      ),
    failure: failureOf,
    script: forScripts,
    print(answer, device) {
      if (!printCurl(invocation, answer, device, options)) printAnswer(invocation, answer, true);
    },
  });
};
