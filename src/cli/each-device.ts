/** One question to one or many devices, a few at a time; one device's failure never stops another's. */
import PQueue from 'p-queue';
import type { Engine } from '#engine/api.ts';
import { say } from '#shared/details.ts';
import type { Device } from '#shared/model.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { EXIT, exitCodeOfAll } from './exit-codes.ts';
import { runWithEngine, type Invocation } from './invocation.ts';
import { selectDevices } from './input/devices.ts';
import { askToGoOn, askYes } from './input/prompt.ts';
import type { DeviceOptions } from './options.ts';
import { cleanLine } from './output/clean.ts';
import { formatError } from './output/errors.ts';

const AT_A_TIME = 16;

interface DeviceQuestion<Answer extends object> {
  /** What goes to the devices, where it may change them: whoever sits at the terminal is asked first; a script has said what it wants. */
  readonly sends?: string;
  /** Says whether it takes something away from a device for good: then a script has to say that it means it. */
  readonly destroys?: (device: Device) => boolean;
  /** `confirmed`: a person, or the script, agreed to what is taken away. */
  readonly ask: (engine: Engine, device: Device, signal: AbortSignal, confirmed: boolean) => Promise<Answer>;
  /** The answer as scripts read it, where that differs. */
  readonly script?: (answer: Answer) => object;
  /** What counts as a failure although there is an answer. */
  readonly failure?: (answer: Answer) => ErrorShape | undefined;
  readonly print: (answer: Answer, device: Device) => void;
}

type Outcome<Answer> =
  | { readonly device: Device; readonly answer: Answer }
  | { readonly device: Device; readonly error: ErrorShape };

/** For one device the answer (or error) is the document; for many, an array with `device` in each. */
export async function askEach<Answer extends object>(
  invocation: Invocation,
  options: DeviceOptions & { readonly yes?: boolean },
  question: DeviceQuestion<Answer>,
): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const destroys = devices.some((device) => question.destroys?.(device) === true);
    if (question.sends !== undefined && options.yes !== true) {
      if (!(await agreed(invocation, { name: question.sends, destroys, devices }))) {
        invocation.out.note(invocation.out.say('cli.nothing-sent'));
        return EXIT.usage;
      }
    }
    const confirmed = destroys || options.yes === true;
    const queue = new PQueue({ concurrency: AT_A_TIME });
    const outcomes = await Promise.all(
      devices.map((device) =>
        queue.add(async (): Promise<Outcome<Answer>> => {
          try {
            return {
              device,
              answer: await question.ask(engine, device, invocation.interrupts.signal, confirmed),
            };
          } catch (thrown) {
            return { device, error: withDevice(toErrorShape(thrown), device) };
          }
        }),
      ),
    );
    if (invocation.out.asJson) printJson(invocation, outcomes, question);
    else for (const outcome of outcomes) printForPeople(invocation, outcome, question, outcomes.length > 1);
    return exitCodeOfAll(
      outcomes.map((outcome) => ('error' in outcome ? outcome.error : question.failure?.(outcome.answer))),
    );
  });
}

/** @throws `confirmation-needed` if the request destroys something and there is no terminal to ask on. */
async function agreed(
  invocation: Invocation,
  {
    name,
    destroys,
    devices,
  }: { readonly name: string; readonly destroys: boolean; readonly devices: readonly Device[] },
): Promise<boolean> {
  const { out } = invocation;
  const what = { name, devices: out.devices(devices.length) };
  if (!destroys) return out.asJson || (await askYes(invocation, out.say('cli.ask-call', what))) !== false;
  if (!out.asJson) for (const { name: device, url } of devices) out.note(`  ${cleanLine(device)}  ${url}`);
  return askToGoOn(invocation, out.say('cli.ask-destroy', what), say('call-destroys'));
}

function withDevice(error: ErrorShape, device: Device): ErrorShape {
  return { ...error, device: error.device ?? device.url };
}

function printJson<Answer extends object>(
  { out }: Invocation,
  outcomes: readonly Outcome<Answer>[],
  { script = (answer) => answer }: Pick<DeviceQuestion<Answer>, 'script'>,
): void {
  const [first] = outcomes;
  if (first && outcomes.length === 1) out.json('error' in first ? first.error : script(first.answer));
  else
    out.json(
      outcomes.map((outcome) => ({
        device: outcome.device.url,
        name: outcome.device.name,
        ...('error' in outcome ? { error: outcome.error } : script(outcome.answer)),
      })),
    );
}

function printForPeople<Answer extends object>(
  { out }: Invocation,
  outcome: Outcome<Answer>,
  question: DeviceQuestion<Answer>,
  titled: boolean,
): void {
  if (titled) out.line(out.paint.strong(`${outcome.device.name}  ${outcome.device.url}`));
  if ('error' in outcome) for (const line of formatError(outcome.error, out)) out.note(line);
  else question.print(outcome.answer, outcome.device);
}
