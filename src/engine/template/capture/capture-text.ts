/** Writes captured sections as the text of a template that is known to be valid. Pure. */
import { say } from '#shared/details.ts';
import {
  resolveUnit,
  rootField,
  formatAllowedValues,
  formatValueLabel,
  formatFieldTitle,
  type Field,
} from '#protocol/index.ts';
import { appError, type ErrorShape, type FieldwrightError } from '#shared/errors.ts';
import type { CapturedSection, CaptureEvent } from '#shared/template/authoring.ts';
import type { DeviceKind } from '#shared/model.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { parseTemplate } from '../parse-template.ts';
import { combineErrors } from '../check/problems.ts';
import { formatTemplate, VALUE_INDENT, type WrittenSection } from '../write/template-text.ts';
import { formatValueLines } from '../write/value-lines.ts';
import { quoteText } from '../write/yaml-text.ts';
import { describeOmitted, type SectionCapture } from './capture-section.ts';

export interface CaptureHead {
  readonly name: string;
  readonly device: string;
  readonly url: string;
  readonly kinds: readonly DeviceKind[];
  /** ISO 8601: when it was read; absent for a text that is to stay the same where the values do. */
  readonly at?: string;
}

type Captured = Extract<CaptureEvent, { type: 'template' }>;

const NAME_LENGTH = 200;

/** Throws `not-supported` where nothing was captured. */
export function captureText(captures: readonly SectionCapture[], head: CaptureHead): Captured {
  let kept = bounded(captures);
  // Sections that `check` refuses although each part passed are omitted: a person must not get an invalid
  // text.
  for (;;) {
    const included = kept.filter(({ value }) => value !== undefined);
    if (included.length === 0) throw nothing(kept, head);
    const text = textOf(included, kept, head);
    const { document, summary, errors } = parseTemplate(text);
    if (document !== undefined && summary !== undefined) {
      return {
        type: 'template',
        text,
        summary,
        sections: kept.map(({ section }) => section),
        values: valuesOf(included),
      };
    }
    const next = withoutFailed(kept, included, errors);
    if (next === undefined) throw combineErrors(errors);
    kept = next;
  }
}

/** Header, variables and remarks take their part of a document too. */
const ROOM = 0.8;

/** Omits what exceeds the limits of a template, and notes it: a large recorder has hundreds of plans. */
function bounded(captures: readonly SectionCapture[]): readonly SectionCapture[] {
  const used = { sections: 0, variables: 0, nodes: 0, characters: 0 };
  return captures.map((capture) => {
    if (capture.value === undefined) return capture;
    used.sections += 1;
    used.variables += capture.variables.length;
    used.nodes += nodesOf(capture.value);
    used.characters += sectionOf(capture).value.reduce((sum, line) => sum + line.length + 1, 0);
    const fits =
      used.sections <= TEMPLATE_LIMITS.sections &&
      used.variables <= TEMPLATE_LIMITS.variables &&
      used.nodes <= TEMPLATE_LIMITS.nodes * ROOM &&
      used.characters <= TEMPLATE_LIMITS.characters * ROOM;
    return fits
      ? capture
      : failed(capture, {
          code: 'input-too-large',
          source: 'app',
          ...say('capture-full'),
        });
  });
}

function nodesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + nodesOf(item), 1);
}

function failed(capture: SectionCapture, error: ErrorShape): SectionCapture {
  const section: CapturedSection = { ...capture.section, state: 'failed', variables: [], error };
  return { ...capture, value: undefined, variables: [], section };
}

function withoutFailed(
  kept: readonly SectionCapture[],
  included: readonly SectionCapture[],
  errors: readonly ErrorShape[],
): readonly SectionCapture[] | undefined {
  const reasons = new Map<SectionCapture, ErrorShape>();
  for (const error of errors) {
    const capture = included[Number(/^sections\[(\d+)\]/.exec(error.path ?? '')?.[1] ?? Number.NaN)];
    if (capture !== undefined && !reasons.has(capture)) reasons.set(capture, error);
  }
  if (reasons.size === 0) return undefined;
  return kept.map((capture) => {
    const reason = reasons.get(capture);
    return reason === undefined
      ? capture
      : failed(capture, { code: reason.code, source: 'app', message: reason.message });
  });
}

function valuesOf(captures: readonly SectionCapture[]): Captured['values'] {
  return Object.fromEntries(
    captures.flatMap(({ variables }) => variables.map(({ declaration, value }) => [declaration.name, value])),
  );
}

function textOf(
  included: readonly SectionCapture[],
  all: readonly SectionCapture[],
  { name, device, url, kinds, at }: CaptureHead,
): string {
  return formatTemplate({
    comments: [
      `Captured from ${quoteText(device)} (${url})${at === undefined ? '' : ` on ${at.slice(0, 10)}`}.`,
      'Secrets, and what only the device can tell, are never captured. What is not named here stays on a device as it is.',
    ],
    name: plainName(name),
    kinds,
    variables: included.flatMap(({ variables }) =>
      variables.map(({ declaration, value }) => ({
        declaration,
        comment: `here ${typeof value === 'string' ? quoteText(value) : String(value)}`,
      })),
    ),
    sections: included.map(sectionOf),
    remarks: all.flatMap(remarksOf),
  });
}

/** Names of devices are what people typed somewhere else. */
function plainName(name: string): string {
  const plain = replaceUnseen(name, () => ' ')
    .trim()
    .slice(0, NAME_LENGTH);
  return plain === '' ? 'Captured' : plain;
}

function sectionOf({ resource, section, value }: SectionCapture): WrittenSection {
  return {
    comments: [titleOf(section), ...describeOmitted(section.left)],
    set: resource.name,
    params: section.params,
    value:
      Array.isArray(value) && value.length === 0
        ? ['[]']
        : formatValueLines(rootField(resource.put.request), value, VALUE_INDENT, (field, held) =>
            comment(resolveUnit(field, value), held),
          ),
  };
}

function titleOf({ label, params }: CapturedSection): string {
  const place = Object.entries(params)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  return place === '' ? label : `${label} (${place})`;
}

/** The label, and what a value means where it does not say so itself. */
function comment(field: Field, value: unknown): string {
  const meaning = formatValueLabel(field, value);
  const takes =
    meaning !== '' || field.kind === 'bool' || field.kind === 'choice' || field.kind === 'list'
      ? meaning
      : formatAllowedValues(field);
  return takes === '' ? formatFieldTitle(field) : `${field.label}: ${takes}`;
}

/** Settings that are not in the template although the device has them, and how to add them. */
function remarksOf({ resource, section }: SectionCapture): readonly string[] {
  if (section.state === 'failed')
    return [`${titleOf(section)} could not be captured: ${section.error?.message ?? ''}`];
  if (section.state === 'empty' && section.error?.code === 'input-too-large')
    return [`${titleOf(section)}: ${section.error.message}`];
  if (section.state !== 'secret') return [];
  const secrets = section.left.filter(({ reason }) => reason === 'secret').map(({ path }) => path);
  return [
    `${titleOf(section)} is left out: it cannot be set without ${secrets.join(', ')}, which no device shows.`,
    'Who loses such a secret may lose what it protects. To set it, declare a variable of type secret and add:',
    `  - set: ${resource.name}`,
    '    value:',
    ...resource.put.request.fields
      .filter(({ required }) => required === true)
      .map(
        (field) =>
          `      ${field.name}: ${field.sensitive === true ? `\${${field.name}}` : field.kind === 'bool' ? 'true' : '…'}`,
      ),
  ];
}

function nothing(captures: readonly SectionCapture[], { url }: CaptureHead): FieldwrightError {
  const failure = captures.find(({ section }) => section.state === 'failed')?.section.error;
  return appError('not-supported', say('capture-nothing'), {
    device: url,
    others: failure === undefined ? undefined : [failure],
  });
}
