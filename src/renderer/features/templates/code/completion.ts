/** Completes names, sections, values and variables at the cursor. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from '@codemirror/autocomplete';
import { findResource } from '#protocol/catalogue.ts';
import { getFieldLabel, getOptionLabel } from '#renderer/common/forms/model/form-labels.ts';
import { getSectionLabel } from '#renderer/common/labels/field-labels.ts';
import { listPossibleAt, type Candidate, type Possible } from './definitions.ts';
import { placeAt, findSectionSet, type Place } from './place.ts';
import type { Speaker } from './describe.ts';

export interface CompletionSources {
  speaker(): Speaker;
  variables(): readonly { readonly name: string; readonly type: string }[];
}

export function completeTemplate(
  sources: CompletionSources,
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const text = context.state.doc.toString();
    const place = placeAt(text, context.pos);
    if (place === undefined) return null;
    const before = text.slice(Math.max(0, context.pos - 66), context.pos);
    const opened = /\$\{\s*\w*$/.exec(before);
    if (opened !== null && place.kind === 'value') return variableResult(context, opened[0], sources);
    if (!context.explicit && place.kind === 'name' && place.word === '') return null;
    const set = findSectionSet(text, context.pos);
    const possible = listPossibleAt(place.path, set);
    const options =
      place.kind === 'name'
        ? nameOptions(place, possible, set, sources)
        : valueOptions(possible, set, sources);
    if (options.length === 0) return null;
    // The list may narrow by itself only while a word is typed; a dot is part of section names.
    return { from: place.from, to: Math.max(place.to, context.pos), options, validFor: /^["'\w./-]*$/ };
  };
}

function variableResult(
  context: CompletionContext,
  opened: string,
  { variables }: CompletionSources,
): CompletionResult {
  const closing = context.state.sliceDoc(context.pos, context.pos + 1) === '}' ? '' : '}';
  return {
    from: context.pos - opened.length,
    validFor: /^\$\{\s*\w*$/,
    options: variables().map(({ name, type }) => ({
      label: `\${${name}`,
      displayLabel: `\${${name}}`,
      detail: type,
      type: 'variable',
      apply: `\${${name}${closing}`,
    })),
  };
}

function nameOptions(
  place: Place,
  possible: Possible,
  set: string | undefined,
  { speaker }: CompletionSources,
): readonly Completion[] {
  const { words, t } = speaker();
  const root = rootOf(set);
  const quote = place.word.startsWith('"') ? '"' : '';
  return possible.names
    .filter(({ text }) => !place.siblings.includes(text))
    .map((candidate, index) => {
      const detail =
        candidate.field !== undefined && possible.fieldPath !== undefined
          ? getFieldLabel(
              words,
              root,
              possible.fieldPath === '' ? candidate.text : `${possible.fieldPath}.${candidate.text}`,
              candidate.field,
            )
          : (candidate.label ??
            (candidate.member === undefined ? '' : t(`templates.member.${candidate.member}`)));
      return {
        label: `${quote}${candidate.text}${quote}`,
        detail,
        type: 'property',
        boost: -index / 100,
        apply: nameApply(candidate, place, quote),
      };
    });
}

/** The name with its colon, and the beginning of what belongs below it. */
function nameApply(candidate: Candidate, place: Place, quote: string): Completion['apply'] {
  const name = `${quote}${candidate.text}${quote}`;
  if (place.inFlow)
    return candidate.opens === 'map'
      ? snippet(`${name}: { \${} }`)
      : candidate.opens === 'list'
        ? snippet(`${name}: [\${}]`)
        : `${name}: `;
  if (candidate.opens === 'map') return snippet(`${name}:\n\t\${}`);
  return candidate.opens === 'list' ? snippet(`${name}:\n\t- \${}`) : `${name}: `;
}

function valueOptions(
  possible: Possible,
  set: string | undefined,
  { speaker, variables }: CompletionSources,
): readonly Completion[] {
  const { words, t } = speaker();
  const root = rootOf(set);
  const values: Completion[] = possible.values.map((candidate, index) => ({
    label: candidate.text,
    type: candidate.text === 'null' ? 'keyword' : 'enum',
    boost: candidate.text === 'null' ? -2 : -index / 100,
    detail: detailOf(candidate),
  }));
  function detailOf(candidate: Candidate): string {
    if (candidate.member !== undefined) return t(`templates.member.${candidate.member}`);
    const { field } = possible;
    const option =
      field?.kind === 'choice'
        ? field.options.find((known) => String(known.value) === candidate.text.replace(/^"|"$/g, ''))
        : undefined;
    if (option !== undefined && possible.fieldPath !== undefined) {
      const word = getOptionLabel(words, root, possible.fieldPath, option);
      return word === String(option.value) ? '' : word;
    }
    if (possible.member === 'section.set')
      return getSectionLabel(words, candidate.text, candidate.label ?? '');
    return candidate.label ?? '';
  }
  if (!possible.takesVariable) return values;
  return [
    ...values,
    ...variables().map(({ name, type }) => ({
      label: `\${${name}}`,
      detail: type,
      type: 'variable',
      boost: -1,
    })),
  ];
}

function rootOf(set: string | undefined): string {
  const payload = set === undefined ? undefined : findResource(set)?.put.request;
  return payload?.root ?? `${set ?? ''}.put`;
}
