/** One reading as a section of the template, or the reason why it is none. Pure. */
import type { CapturedSection } from '#shared/template/authoring.ts';
import { MASK } from '#shared/exchange.ts';
import {
  buildPath,
  findField,
  listFieldsAlong,
  isPlain,
  appendIndex,
  joinPath,
  mapLeaves,
  getValueAt,
  type Payload,
  type Resource,
} from '#protocol/index.ts';
import type { VariableDeclaration } from '../document.ts';
import { createVariableDeclaration, makeVariableName } from '../write/declare.ts';
import { escapePlaceholders, formatFlowValue } from '../write/yaml-text.ts';
import type { Reading } from './read-resource.ts';
import { extractSettable, type Left } from './settable.ts';

export interface SectionCapture {
  readonly resource: Resource;
  readonly section: CapturedSection;
  /** Placeholders in place of what belongs to the device; undefined where there is no section. */
  readonly value: unknown;
  readonly variables: readonly { readonly declaration: VariableDeclaration; readonly value: unknown }[];
}

export function captureSection(resource: Resource, reading: Reading): SectionCapture {
  const head = {
    set: resource.name,
    label: resource.get.label,
    params: reading.params,
    variables: [],
    left: [],
  };
  const payload = resource.put.request;
  if (reading.kind !== 'value') {
    const state =
      reading.kind === 'more' ? 'empty' : reading.kind === 'unsupported' ? 'unsupported' : 'failed';
    return {
      resource,
      section: { ...head, state, ...('error' in reading && { error: reading.error }) },
      value: undefined,
      variables: [],
    };
  }
  const hidden: string[] = [];
  const found = extractSettable(payload, withoutHidden(reading.value, '', hidden), {
    params: reading.params,
    segments: segmentsOf(resource, reading),
  });
  const left: readonly Left[] = [
    ...found.left,
    ...hidden.map((path): Left => ({ path, reason: 'secret' })),
    ...reading.unlisted.map(({ path }): Left => ({ path, reason: 'not-described' })),
  ];
  const variables = found.perDevice.flatMap(
    (path) => variableOf(resource, payload, reading, path, getValueAt(found.value, path)) ?? [],
  );
  const state = found.needsSecret ? 'secret' : found.value === undefined ? 'empty' : 'captured';
  return {
    resource,
    section: {
      ...head,
      state,
      left,
      variables: variables.map(({ path, declaration }) => ({ path, name: declaration.name })),
    },
    value: written(found.value, new Map(variables.map(({ path, declaration }) => [path, declaration.name]))),
    variables,
  };
}

/** Removes values that show the device's own sign-in: they are no settings to hand on. */
function withoutHidden(value: unknown, path: string, hidden: string[]): unknown {
  if (typeof value === 'string' && value.includes(MASK)) {
    hidden.push(path);
    return undefined;
  }
  if (Array.isArray(value))
    return value
      .map((item: unknown, index) => withoutHidden(item, appendIndex(path, index), hidden))
      .filter((item) => item !== undefined);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, withoutHidden(item, joinPath(path, key), hidden)] as const)
      .filter(([, item]) => item !== undefined),
  );
}

function segmentsOf(resource: Resource, { params }: Reading): readonly string[] {
  return buildPath(resource.get, params, '').split('/').map(decodeURIComponent);
}

function variableOf(resource: Resource, payload: Payload, { params }: Reading, path: string, value: unknown) {
  const field = findField(payload, path);
  if (field === undefined || !['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  const labels = listFieldsAlong(payload, path).map(({ field: { label } }) => label);
  const place = Object.entries(params)
    .map(([name, given]) => `${name} ${given}`)
    .join(', ');
  const description = `${labels.join(' › ')} (${resource.get.label}${place === '' ? '' : `, ${place}`})`;
  return {
    path,
    declaration: createVariableDeclaration(makeVariableName(resource.name, params, path), field, description),
    value,
  };
}

/** Returns the value as written in the text: placeholders for variables, literal `${` escaped. */
function written(value: unknown, names: ReadonlyMap<string, string>): unknown {
  return mapLeaves(value, (leaf, path) => {
    const name = names.get(path);
    if (name !== undefined) return `\${${name}}`;
    return typeof leaf === 'string' ? escapePlaceholders(leaf) : leaf;
  });
}

/** Describes settings that a template omits from a section, by reason, for comments. */
export function describeOmitted(left: readonly Left[]): readonly string[] {
  const reasons = {
    secret: 'secret',
    'read-only': 'told by the device',
    invalid: 'outside of the specification',
    inactive: 'without effect here',
    'not-described': 'not described',
  } as const;
  return Object.entries(reasons).flatMap(([reason, words]) => {
    const paths = left
      .filter((one) => one.reason === reason)
      .map(
        ({ path, value }) =>
          `${path || 'everything'}${value === undefined ? '' : `: ${formatFlowValue(value)}`}`,
      );
    if (paths.length === 0) return [];
    const shown = paths.slice(0, MOST_PATHS).join(', ');
    return [
      `left out (${words}): ${shown}${paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} others` : ''}`,
    ];
  });
}

const MOST_PATHS = 10;
