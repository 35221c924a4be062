/** Describes a place for the editor, in the language of the screen. */
import {
  formatCondition,
  getFieldLabel,
  formatLimits,
  getOptionLabel,
  formatUnit,
} from '#renderer/common/forms/model/form-labels.ts';
import { getFieldLimits } from '#renderer/common/forms/model/limits.ts';
import { findResource } from '#protocol/catalogue.ts';
import { resolveUnit } from '#protocol/units.ts';
import { translateHelp, type FieldLabels } from '#renderer/common/labels/field-labels.ts';
import type { KeyBelow, Translate } from '#renderer/common/labels/translate.ts';
import type { Possible } from './definitions.ts';

export interface Speaker {
  readonly words: FieldLabels;
  readonly t: Translate;
}
/** A line of the hover: what it is about, and the text. */
export interface HoverContent {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly text: string }[];
}

const MOST_OPTIONS = 24;

export function describe(
  possible: Possible,
  set: string | undefined,
  { words, t }: Speaker,
): HoverContent | undefined {
  const { field, param, member, fieldPath } = possible;
  if (param !== undefined) {
    const range = [param.min, param.max].some((limit) => limit !== undefined)
      ? [{ label: t('templates.hover.range'), text: `${param.min ?? 0} – ${param.max ?? '…'}` }]
      : [];
    return {
      title: param.label,
      lines: [
        {
          label: t('templates.hover.type'),
          text: t(param.type === 'int' ? 'templates.type.integer' : 'templates.type.string'),
        },
        ...range,
      ],
    };
  }
  const payload = set === undefined ? undefined : findResource(set)?.put.request;
  if (field === undefined || payload === undefined || fieldPath === undefined)
    return member === undefined ? undefined : { title: t(`templates.member.${member}`), lines: [] };
  const root = payload.root ?? `${set}.put`;
  const lines: { label: string; text: string }[] = [];
  const add = (key: KeyBelow<'templates.hover'>, text: string | undefined): void => {
    if (text !== undefined && text !== '') lines.push({ label: t(`templates.hover.${key}`), text });
  };
  add('type', t(`templates.kind.${field.kind}`) + (field.unit === undefined ? '' : ` (${field.unit})`));
  add(
    'range',
    [
      formatLimits(getFieldLimits(resolveUnit(field, {}, 'patch'), fieldPath, undefined), t),
      formatUnit(field, { payload, root, words, t }),
    ]
      .filter(Boolean)
      .join(' · '),
  );
  if (field.kind === 'choice') {
    const shown = field.options.slice(0, MOST_OPTIONS).map((option) => {
      const word = getOptionLabel(words, root, fieldPath, option);
      return word === String(option.value) ? word : `${option.value} (${word})`;
    });
    add('options', shown.join(', ') + (field.options.length > MOST_OPTIONS ? ', …' : ''));
  }
  if ('default' in field && field.default !== undefined) add('default', String(field.default));
  for (const condition of field.when ?? [])
    add('condition', formatCondition(condition, fieldPath, { payload, root, words, t }));
  if (field.sensitive === true) add('secret', t('templates.hover.secretText'));
  add('help', field.help === undefined ? undefined : translateHelp(field.help));
  add(
    'spec',
    t('templates.hover.specText', {
      part: payload.spec.split(':')[0] ?? '',
      section: payload.spec.split(':')[1] ?? '',
    }),
  );
  return { title: getFieldLabel(words, root, fieldPath, field), lines };
}
