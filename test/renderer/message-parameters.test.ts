/** Every message gets its parameters, and no use hands in what no message takes. */
import { describe, expect, it } from 'vitest';
import { createAppI18n } from '#renderer/app/i18n.ts';
import { messageUses, type MessageUse } from './message-uses.ts';
import { listPlaceholders } from '../../build/tasks/support/locales.ts';
import { messagesOf } from './messages.ts';

const english = messagesOf('en');
const sources = import.meta.glob<string>('../../src/renderer/**/*.{vue,ts}', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const uses = Object.entries(sources).flatMap(([path, source]) =>
  messageUses(path.replace('../../src/renderer/', ''), source),
);
const parametersOf = (text: string): readonly string[] => [...listPlaceholders(text).keys()];

/** Key or parameters come from a function of ours, whose own uses are here too, or the key is a state that takes none. */
const HANDED_ON = [
  "app/AppShell.vue: t(route.meta['title'])",
  'common/status/StatusBadge.vue: t(key)',
  'common/errors/use-error-text.ts: t(special)',
  'common/errors/use-error-text.ts: t(key)',
  'common/forms/PayloadForm.vue: t(key, named)',
  "common/forms/model/form-labels.ts: t('forms.onlyWhen', named)",
  "common/forms/model/form-labels.ts: t('forms.givenOnlyWhen', { ...named, given: given.field, givenValues: given.values })",
  'common/jobs/work/ActivityItem.vue: t(props.activity.title)',
  'common/jobs/results/ResultGroupCard.vue: t($setup.QUIET[each.outcome])',
  'features/apply/ConfirmStep.vue: t($setup.options.complaints[field].key, { ...$setup.options.complaints[field].named })',
  'features/apply/template/VariablesForm.vue: t(found.key, { ...found.named })',
  'features/console/JsonBody.vue: t(key, named)',
  'features/settings/VaultCard.vue: t(key)',
  'features/templates/editor/TemplateEditor.vue: t(key, named)',
];

const whole = new Set(uses.flatMap(({ keys }) => keys ?? []));

/** Returns the messages that a use may show: of a composed key those that are not used by their whole key. */
function meant(keys: readonly string[]): readonly (readonly [string, string])[] {
  return keys.flatMap((key) => {
    const pattern = new RegExp(
      `^${key
        .split('*')
        .map((part) => part.replaceAll('.', '\\.'))
        .join('[^.]+')}$`,
    );
    return [...english].filter(([known]) => known === key || (pattern.test(known) && !whole.has(known)));
  });
}

function faultsOf({ where, keys, given, isShared }: MessageUse): readonly string[] {
  if (keys === undefined || given === undefined) return [];
  const messages = meant(keys);
  const taken = new Set(messages.flatMap(([, text]) => parametersOf(text)));
  return [
    ...messages.flatMap(([key, text]) =>
      parametersOf(text)
        .filter((name) => !given.includes(name))
        .map((name) => `${where}: ${key} lacks {${name}}`),
    ),
    ...(isShared ? [] : given)
      .filter((name) => !taken.has(name))
      .map((name) => `${where}: nothing takes {${name}}`),
  ];
}

describe('messages', () => {
  // Would catch: "version ·", because a page forgot to say which.
  it('get their parameters from every use, and no others', () => {
    expect(uses.length).toBeGreaterThan(800);
    expect(uses.flatMap(faultsOf)).toEqual([]);
  });

  // Would catch: a new use that no test can follow, unnoticed.
  it('come with keys and parameters that can be read where they are used, but for those that are handed on', () => {
    const unread = uses
      .filter(({ keys, given }) => keys === undefined || given === undefined)
      .map(({ where }) => where);

    expect(new Set(unread)).toEqual(new Set(HANDED_ON));
  });

  // Would catch: a gap in a sentence that no scan of the source can see.
  it('tell of a parameter that is missing, which fails the tests of the pages', () => {
    const complaints: string[] = [];
    const { t } = createAppI18n(({ message }) => complaints.push(message)).global;

    const texts = [
      t('job.version', { name: 'A' }),
      t('job.version', { name: 'A', n: 2 }),
      t('site.count', { n: 1 }),
      t('site.count', { n: 5000 }),
    ];

    expect(complaints).toEqual(['The message job.version lacks n.']);
    expect(texts.slice(1)).toEqual(['A, version 2', '1 device', '5,000 devices']);
  });
});
