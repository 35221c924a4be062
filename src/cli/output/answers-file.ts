/** A file with answers to a guided flow, ready to be filled in: fields, choices, units, and what is taken unasked. */
import type { RehearsedStep } from '#engine/api.ts';
import type { FlowField, FlowInfo } from '#shared/flows.ts';
import { suggestSecretName } from '../input/secrets.ts';
import type { Invocation } from '../invocation.ts';
import { translateError } from './errors.ts';

/** Returns the file as YAML. Only what must be answered is no comment. */
export function formatAnswersFile(
  out: Invocation['out'],
  { name, title, steps }: FlowInfo,
  {
    rehearsed,
    device,
  }: { readonly rehearsed: readonly RehearsedStep[]; readonly device: string | undefined },
): string {
  const lines = rehearsed.flatMap(({ step, fields, watches, error }) => {
    const shown = steps.find(({ id }) => id === step)?.title ?? step;
    const waits = Object.entries(watches).map(([key, seconds]) => `${key}: ${seconds}`);
    return [
      '',
      `${step}: # ${oneLine(out.words(shown))}`,
      ...fields.flatMap((each) => formatField(out, step, each)),
      ...(waits.length === 0 ? [] : [`  # watch: { ${waits.join(', ')} } # ${out.say('cli.answers-watch')}`]),
      ...(error === undefined ? [] : [`  # ${oneLine(translateError(error, out).message)}`]),
    ];
  });
  const head = [
    out.say('cli.answers-head', { title: out.words(title), flow: name, skip: 'skip' }),
    device === undefined ? out.say('cli.answers-example') : out.say('cli.answers-device', { device }),
  ].join('\n');
  return `${[...head.split('\n').map((line) => `# ${line}`), ...lines].join('\n')}\n`;
}

function formatField(
  out: Invocation['out'],
  step: string,
  { field, isOccasional }: RehearsedStep['fields'][number],
): readonly string[] {
  const { name, kind, required, value, label, unit, options = [] } = field;
  const what = [
    `${oneLine(out.words(label))}${unit === undefined ? '' : ` (${unit})`}`,
    ...(kind === 'choice' ? [] : [out.say(`cli.answers-kind.${kind}`)]),
    ...boundsOf(out, field),
    ...(isOccasional ? [out.say('cli.answers-occasional')] : []),
  ].join('; ');
  const choices = options.map(
    (option) => `  #   ${toYaml(option.value)} = ${oneLine(out.words(option.label))}`,
  );
  if (kind === 'secret')
    return [`  # ${toYaml(name)}: ${what}: ${suggestSecretName(`${step}_${name}`)}`, ...choices];
  const isOpen = required === true && !isOccasional && value === undefined;
  const line = `${toYaml(name)}: ${value === undefined ? '' : toYaml(value)}`.trimEnd();
  return [`  ${isOpen ? '' : '# '}${line} # ${what}`, ...choices];
}

function boundsOf(
  out: Invocation['out'],
  { min, max, minLength, maxLength, kind }: FlowField,
): readonly string[] {
  const range = (from: number | undefined, to: number | undefined): string | undefined => {
    if (from === undefined) return to === undefined ? undefined : `≤ ${to}`;
    return to === undefined ? `≥ ${from}` : `${from} … ${to}`;
  };
  const [values, length] = [range(min, max), range(minLength, maxLength)];
  return [
    ...(values === undefined ? [] : [values]),
    ...(length === undefined
      ? []
      : [out.say(kind === 'numbers' ? 'cli.answers-count' : 'cli.answers-length', { range: length })]),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** JSON is YAML; plain words need no quotes. */
function toYaml(value: unknown): string {
  return typeof value === 'string' &&
    /^[A-Za-z][\w-]*$/.test(value) &&
    !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value)
    ? value
    : JSON.stringify(value);
}
