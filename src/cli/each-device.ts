/** One question to one or many devices, a few at a time; one device's failure never stops another's. */
import PQueue from 'p-queue';
import type { Engine } from '#engine/api.ts';
import { say } from '#shared/details.ts';
import type { Device } from '#shared/model.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { exitCodeOfAll } from './exit-codes.ts';
import type { Invocation } from './invocation.ts';
import { Declined, type Outcome } from './outcome.ts';
import { selectDevices } from './input/devices.ts';
import { askToGoOn, askYes } from './input/prompt.ts';
import type { DeviceOptions } from './declarations/options.ts';
import { cleanLine } from './output/clean.ts';
import { noteError } from './output/errors.ts';

const AT_A_TIME = 16;

interface DeviceQuestion<Answer extends object> {
  /** Name of what is sent, if it may change devices: at a terminal it is asked first; a script has said what it wants. */
  readonly sends?: string;
  /** Returns whether it takes something away from a device for good: then a script needs `--yes`. */
  readonly destroys?: (device: Device) => boolean;
  /** Asks one device; `confirmed`: a person, or the script, agreed to what is taken away. */
  readonly ask: (engine: Engine, device: Device, signal: AbortSignal, confirmed: boolean) => Promise<Answer>;
  /** Returns the answer as scripts read it; the answer itself if absent. */
  readonly script?: (answer: Answer) => object;
  /** Returns the error of an answer that counts as a failure. */
  readonly failure?: (answer: Answer) => ErrorShape | undefined;
  readonly print: (answer: Answer, device: Device) => void;
}

type DeviceAnswer<Answer> =
  | { readonly device: Device; readonly answer: Answer }
  | { readonly device: Device; readonly error: ErrorShape };

/** Asks devices. Of one the answer (or error) is the document, of many an array with `device` in each. */
export async function askEach<Answer extends object>(
  invocation: Invocation,
  options: DeviceOptions & { readonly yes?: boolean },
  question: DeviceQuestion<Answer>,
): Promise<Outcome> {
  const { interrupts } = invocation;
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  const destroys = devices.some((device) => question.destroys?.(device) === true);
  if (question.sends !== undefined && options.yes !== true)
    await confirm(invocation, { name: question.sends, destroys, devices });
  const confirmed = destroys || options.yes === true;
  const queue = new PQueue({ concurrency: AT_A_TIME });
  const answers = await Promise.all(
    devices.map((device) =>
      queue.add(async (): Promise<DeviceAnswer<Answer>> => {
        try {
          return { device, answer: await question.ask(engine, device, interrupts.signal, confirmed) };
        } catch (thrown) {
          return { device, error: toDeviceError(thrown, device) };
        }
      }),
    ),
  );
  return {
    json: toDocument(answers, question),
    text: () => {
      for (const answer of answers) printForPeople(invocation, answer, question, answers.length > 1);
    },
    code: exitCodeOfAll(
      answers.map((each) => ('error' in each ? each.error : question.failure?.(each.answer))),
    ),
  };
}

/** Asks for a yes. @throws `confirmation-needed` if the request destroys something and there is no terminal to ask on */
async function confirm(
  invocation: Invocation,
  {
    name,
    destroys,
    devices,
  }: { readonly name: string; readonly destroys: boolean; readonly devices: readonly Device[] },
): Promise<void> {
  const { out } = invocation;
  const what = { name, devices: out.devices(devices.length) };
  if (destroys) {
    if (!out.asJson) for (const { name: device, url } of devices) out.note(`  ${cleanLine(device)}  ${url}`);
    await askToGoOn(invocation, out.say('cli.ask-destroy', what), say('call-destroys'));
  } else if (!out.asJson && (await askYes(invocation, out.say('cli.ask-call', what))) === false)
    throw new Declined(out.say('cli.nothing-sent'));
}

/** Returns what was thrown as an error of that device. */
export function toDeviceError(thrown: unknown, device: Pick<Device, 'url'>): ErrorShape {
  const error = toErrorShape(thrown);
  return { ...error, device: error.device ?? device.url };
}

function toDocument<Answer extends object>(
  answers: readonly DeviceAnswer<Answer>[],
  { script = (answer) => answer }: Pick<DeviceQuestion<Answer>, 'script'>,
): unknown {
  const [first] = answers;
  if (first !== undefined && answers.length === 1)
    return 'error' in first ? first.error : script(first.answer);
  return answers.map((each) => ({
    device: each.device.url,
    name: each.device.name,
    ...('error' in each ? { error: each.error } : script(each.answer)),
  }));
}

function printForPeople<Answer extends object>(
  { out }: Invocation,
  answer: DeviceAnswer<Answer>,
  question: DeviceQuestion<Answer>,
  titled: boolean,
): void {
  if (titled) out.line(out.paint.strong(`${answer.device.name}  ${answer.device.url}`));
  if ('error' in answer) noteError(out, answer.error);
  else question.print(answer.answer, answer.device);
}
