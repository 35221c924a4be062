/** The editor in the colours of the app: custom properties, so that light and dark need no second theme. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--tone-good-text)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--tone-info-text)' },
]);

const view = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  // An outline would lie below the gutter.
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '250',
    border: '2px solid var(--focus)',
    borderRadius: 'inherit',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--raised)',
    color: 'var(--muted)',
    border: 'none',
    borderRight: '1px solid var(--line)',
  },
  '.cm-variable': { color: 'var(--tone-info-text)' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent-soft) 45%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--tone-info-fill)',
    outline: '1px solid var(--tone-info-line)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul > li': { minHeight: '28px', padding: '4px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '16em',
    maxWidth: 'min(560px, 92vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', fontFamily: 'var(--font)', color: 'var(--muted)' },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--on-accent)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeftWidth: '4px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnosticAction': {
    minHeight: '28px',
    padding: '2px 10px',
    borderRadius: '6px',
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker-error': { content: '"●"', color: 'var(--danger)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    borderColor: 'var(--control)',
    color: 'var(--text)',
    minHeight: '30px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    borderColor: 'var(--control)',
    color: 'var(--text)',
    minHeight: '30px',
  },
  '.cm-section-here': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 55%, transparent)' },
  '.template-hover': {
    maxWidth: '460px',
    padding: '8px 12px',
    fontFamily: 'var(--font)',
    overflowWrap: 'anywhere',
  },
  '.template-hover dl': {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    gap: '2px 12px',
    marginTop: '4px',
  },
  '.template-hover dt': { color: 'var(--muted)' },
  '.cm-changedText': { background: 'none', textDecoration: 'underline 2px', textUnderlineOffset: '3px' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--tone-good-fill)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk, .cm-deletedLine': {
    backgroundColor: 'var(--tone-bad-fill)',
  },
  '.cm-collapsedLines': { background: 'var(--raised)', color: 'var(--muted)', padding: '4px 8px' },
  // The package's own sign is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
});

export const templateTheme = [view, syntaxHighlighting(highlight)];
