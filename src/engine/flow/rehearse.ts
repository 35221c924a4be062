/**
 * Rehearses a flow: goes through its steps with made-up answers, sends nothing, and lists what it asks. With a device its
 * documents are read, so that choices and limits are its own; without one they are made up from the specification.
 */
import type { Field } from '#protocol/definition.ts';
import type { Device } from '#shared/model.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { FlowField, Question, Values } from '#shared/flows.ts';
import { isForbidden } from '../files/policy.ts';
import { getSpecifiedOperation, getSpecifiedResponse } from '../operations/specified.ts';
import type { Flow, FlowStep, StepContext, Watched, Written } from './flow.ts';

/** Questions of one step, in the order in which they are asked. */
export interface RehearsedStep {
  readonly step: string;
  /** Fields of all questions. `isOccasional`: asked only in some cases, such as a doubtful value. */
  readonly fields: readonly { readonly field: FlowField; readonly isOccasional: boolean }[];
  /** Longest duration of each watch in seconds, by its key. */
  readonly watches: Readonly<Record<string, number>>;
  /** Error of the device because of which later questions of the step are missing. */
  readonly error?: ErrorShape;
}

interface Rehearsing {
  readonly device: StepContext['device'] & Pick<Device, 'url'>;
  /** Readers of the device; undefined without one. */
  readonly readers?: Pick<StepContext, 'read' | 'limits'>;
}

export async function listQuestions(flow: Flow, options: Rehearsing): Promise<readonly RehearsedStep[]> {
  const memory = new Map<string, unknown>();
  const steps: RehearsedStep[] = [];
  for (const step of flow.steps) steps.push(await listStepQuestions(step, options, memory));
  return steps;
}

/** More questions than this are a loop that made-up answers do not end. */
const MOST_QUESTIONS = 100;

async function listStepQuestions(
  { id, run }: FlowStep,
  { device, readers = SPECIFIED }: Rehearsing,
  memory: Map<string, unknown>,
): Promise<RehearsedStep> {
  const fields: RehearsedStep['fields'][number][] = [];
  const watches: Record<string, number> = {};
  let questions = 0;
  const keep = <T>(key: string, value: T): T => {
    memory.set(`${id} ${key}`, value);
    return value;
  };
  const written: Written = { outcome: 'effective', proof: 'read-back', changes: [], root: '' };
  const context: StepContext = {
    isRehearsal: true,
    device,
    jobId: '',
    user: '',
    now: () => new Date(),
    once: async (key, make) =>
      memory.has(`${id} ${key}`) ? (memory.get(`${id} ${key}`) as never) : keep(key, await make()),
    save: keep,
    saved: (key) => memory.get(`${id} ${key}`) as never,
    earlier: (step, key) => memory.get(`${step} ${key}`) as never,
    ofDeviceBefore: () => undefined,
    ask: (key, question) => {
      questions += 1;
      if (questions > MOST_QUESTIONS) throw new Error('endless');
      const { fields: asked = [], isOccasional = false } = question;
      fields.push(...asked.map((field) => ({ field, isOccasional })));
      return Promise.resolve(keep(key, makeUpAnswer(question)));
    },
    ...readers,
    mayWrite: (set) => !isForbidden(set),
    write: (key) => Promise.resolve(keep(key, { written }).written),
    call: (key) => Promise.resolve(keep(key, written)),
    watch: <Seen>(key: string, { seconds }: { readonly seconds: number }) => {
      watches[key] = Math.ceil(seconds);
      return Promise.resolve<Watched<Seen>>({ met: true });
    },
    pause: () => Promise.resolve(),
    record: () => undefined,
    secrets: {
      keep: () => undefined,
      drop: () => undefined,
      prove: () => undefined,
      reveal: () => undefined,
    },
  };
  try {
    await run(context);
  } catch (thrown) {
    const error = toErrorShape(thrown);
    if (error.source === 'device') return { step: id, fields, watches, error };
  }
  return { step: id, fields, watches };
}

/** Count of made-up readings: as many as every profile wants. */
const READINGS = 10;

function makeUpAnswer({ fields = [] }: Question): Values {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = field.value ?? makeUpValue(field);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

function makeUpValue({ kind, required, options, min, max, minLength = 1 }: FlowField): unknown {
  const number = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, 1));
  if (kind === 'flag') return required === true;
  if (kind === 'choice') return options?.[0]?.value;
  if (required !== true) return undefined;
  switch (kind) {
    case 'number':
      return number;
    case 'numbers':
      return Array.from({ length: READINGS }, () => number);
    case 'date':
      return '2099-12-31';
    default:
      return 'x'.repeat(minLength);
  }
}

/** Answers of a device that has everything, made up from the specification. */
const SPECIFIED: Pick<StepContext, 'read' | 'limits'> = {
  read: (operation) => {
    const { fields } = getSpecifiedResponse(getSpecifiedOperation(operation));
    return Promise.resolve(makeUpDocument(fields) as never);
  },
  limits: () => Promise.resolve(new Map()),
};

function makeUpDocument(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map((field) => [field.name, makeUpContent(field)]));
}

function makeUpContent(field: Field): unknown {
  switch (field.kind) {
    case 'object':
      return makeUpDocument(field.fields);
    case 'list':
      return [];
    case 'choice':
      return field.options[0]?.value;
    case 'bool':
      return true;
    case 'int':
    case 'float':
      return field.min ?? 0;
    default:
      return '';
  }
}
