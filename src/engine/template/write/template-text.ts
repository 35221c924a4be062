/** A template as text: header, variables, sections, each with the words of the definitions. */
import type { DeviceKind } from '#shared/model.ts';
import { TEMPLATE_FORMAT } from '#template/grammar.ts';
import type { VariableDeclaration } from '../document.ts';
import { appendComment } from './value-lines.ts';
import { formatComment, formatFlowValue, formatScalar } from './yaml-text.ts';

export interface WrittenVariable {
  readonly declaration: VariableDeclaration;
  readonly comment?: string;
}

export interface WrittenSection {
  /** Lines above it. */
  readonly comments: readonly string[];
  readonly set: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly optional?: boolean;
  /** Lines of the value, indented by `VALUE_INDENT`. */
  readonly value: readonly string[];
}

interface WrittenTemplate {
  /** Lines above everything. */
  readonly comments: readonly string[];
  readonly name: string;
  readonly description?: string;
  readonly kinds: readonly DeviceKind[];
  readonly variables: readonly WrittenVariable[];
  readonly sections: readonly WrittenSection[];
  /** Lines below everything. */
  readonly remarks?: readonly string[];
}

export const VALUE_INDENT = '      ';

export function formatTemplate(template: WrittenTemplate): string {
  return [
    ...template.comments.map(commentLine),
    `fieldwright: ${TEMPLATE_FORMAT}`,
    `name: ${formatScalar(template.name)}`,
    ...(template.description === undefined ? [] : [`description: ${formatScalar(template.description)}`]),
    ...(template.kinds.length === 0 ? [] : [`appliesTo: { kinds: [${template.kinds.join(', ')}] }`]),
    ...(template.variables.length === 0 ? [] : ['', 'variables:', ...template.variables.map(variableLine)]),
    '',
    'sections:',
    ...template.sections.flatMap((section, index) => [
      ...(index === 0 ? [] : ['']),
      ...sectionLines(section),
    ]),
    ...(template.remarks === undefined || template.remarks.length === 0
      ? []
      : ['', ...template.remarks.map(commentLine)]),
    '',
  ].join('\n');
}

function commentLine(text: string): string {
  // Examples inside a comment keep their indentation.
  const indent = /^ */.exec(text)?.[0] ?? '';
  return `# ${indent}${formatComment(text)}`.trimEnd();
}

function variableLine({
  declaration: { name, required: _required, ...members },
  comment = '',
}: WrittenVariable): string {
  return appendComment(
    `  ${name}: ${formatFlowValue(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)))}`,
    comment,
  );
}

function sectionLines({ comments, set, params, optional, value }: WrittenSection): readonly string[] {
  return [
    ...comments.map((text) => `  ${commentLine(text)}`),
    `  - set: ${set}`,
    ...(Object.keys(params).length === 0 ? [] : [`    params: ${formatFlowValue(params)}`]),
    ...(optional === true ? ['    optional: true'] : []),
    ...(value.length === 1 && value[0]?.trim() === '[]' ? ['    value: []'] : ['    value:', ...value]),
  ];
}
