import type { Translate } from '#renderer/common/labels/translate.ts';

/** The editor's own words, and what they are called among ours. */
const PHRASES = {
  'Go to line': 'goToLine',
  Find: 'find',
  Replace: 'replace',
  next: 'next',
  previous: 'previous',
  all: 'all',
  'match case': 'matchCase',
  regexp: 'regexp',
  'by word': 'byWord',
  replace: 'replaceOne',
  'replace all': 'replaceAll',
  close: 'close',
  Completions: 'completions',
  Diagnostics: 'diagnostics',
  'No diagnostics': 'noDiagnostics',
  'Fold line': 'fold',
  'Unfold line': 'unfold',
  go: 'go',
  'current match': 'currentMatch',
  'replaced $ matches': 'replacedMatches',
  'replaced match on line $': 'replacedMatch',
  'on line': 'onLine',
  'folded code': 'foldedCode',
  unfold: 'unfold',
} as const;

export function buildEditorPhrases(t: Translate): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(PHRASES).map(([phrase, key]) => [phrase, t(`templates.phrase.${key}`)]),
  );
}
