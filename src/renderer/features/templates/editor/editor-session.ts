/**
 * One template being edited. The text in the editor is the only truth; the forms read it and change
 * it through `edit`, so one history undoes what either side did.
 */
import { Transaction, EditorSelection, EditorState, type Extension } from '@codemirror/state';
import { isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import { computed, inject, onScopeDispose, provide, ref, shallowRef, watch, type InjectionKey } from 'vue';
import { showSection } from '../code/setup.ts';
import type { Fix } from '../check/findings.ts';
import type { YamlProblem } from '#template/read-yaml.ts';
import { DocReader, type TemplateDoc } from '../yaml/template-doc.ts';
import { createCheck } from './session-check.ts';
import { createFindings, type SessionText } from './session-findings.ts';

const READ_PAUSE_MS = 80;

export function createSession(
  extensions: (hooks: {
    onChange(): void;
    onCursor(offset: number): void;
    variables(): readonly { name: string; type: string }[];
  }) => Extension,
  words: SessionText,
) {
  const text = shallowRef('');
  const doc = shallowRef<TemplateDoc>();
  const syntax = shallowRef<readonly YamlProblem[]>([]);
  const canUndo = ref(false);
  const canRedo = ref(false);
  const cursor = ref(0);
  /** The section whose fields are open, by its key. */
  const open = ref<number>();
  const target = shallowRef<{ readonly section: number; readonly field: string }>();
  /** The last form edit could not be put into this text. */
  const refused = ref(false);
  const reader = new DocReader();
  let readTimer: ReturnType<typeof setTimeout> | undefined;
  let fromForm = false;

  const isStale = computed(() => syntax.value.length > 0);
  const { check, checking, problem, runCheck, outdate, stop } = createCheck(() => text.value);
  const { findings, warnings, bySection, diagnostics } = createFindings(text, syntax, check);

  const setup = [
    extensions({
      onChange: changed,
      onCursor: (offset) => {
        cursor.value = offset;
      },
      variables: () => doc.value?.variables.map(({ name, type }) => ({ name, type })) ?? [],
    }),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: '', extensions: setup }) });

  // After the update that found them: an editor is not changed while it changes.
  watch(
    [findings, warnings],
    () => {
      const { state } = view;
      const known = isStale.value ? undefined : doc.value;
      view.dispatch(setDiagnostics(state, diagnostics(state.doc.length, known, words, applyFix)));
    },
    { flush: 'post' },
  );

  function changed(): void {
    text.value = view.state.doc.toString();
    canUndo.value = undoDepth(view.state) > 0;
    canRedo.value = redoDepth(view.state) > 0;
    outdate();
    clearTimeout(readTimer);
    if (fromForm) readNow();
    else readTimer = setTimeout(readNow, READ_PAUSE_MS);
  }
  function readNow(): void {
    clearTimeout(readTimer);
    const result = reader.read(text.value);
    syntax.value = result.ok ? [] : result.problems;
    if (result.ok) doc.value = result.doc;
  }
  /** Begins anew with a text: nothing of it can be undone. */
  function load(next: string): void {
    view.setState(EditorState.create({ doc: next, extensions: setup }));
    changed();
    readNow();
    open.value = doc.value?.sections[0]?.key;
  }

  /** Takes over what a form made of the text. `group` joins what is typed into one field to one step of undo. */
  function edit(edited: { readonly text: string } | undefined, group = false): boolean {
    refused.value = edited === undefined;
    if (edited === undefined) return false;
    if (edited.text === text.value) return true;
    asForm(() =>
      view.dispatch({
        changes: changeBetween(text.value, edited.text),
        // Form input is not marked as typed text, as the editor would then offer suggestions.
        annotations: group ? [] : [Transaction.userEvent.of('input.form'), isolateHistory.of('full')],
      }),
    );
    return true;
  }
  /** A change that the forms show at once. */
  function asForm(change: () => void): void {
    fromForm = true;
    try {
      change();
    } finally {
      fromForm = false;
    }
  }
  function applyFix(fix: Fix): void {
    edit(fix);
  }
  /** Moves the cursor to a place in the text; the caller makes the text visible. */
  function goTo(from: number, to = from, focus = true): void {
    const { length } = view.state.doc;
    view.dispatch({
      selection: EditorSelection.single(Math.min(from, length), Math.min(to, length)),
      effects: EditorView.scrollIntoView(Math.min(from, length), { y: 'center' }),
    });
    if (focus) view.focus();
  }
  function markSection(key: number | undefined): void {
    const index = doc.value?.sections.find((candidate) => candidate.key === key)?.index;
    view.dispatch({ effects: showSection.of(index === undefined ? undefined : doc.value?.places[index]) });
  }

  onScopeDispose(() => {
    stop();
    clearTimeout(readTimer);
    view.destroy();
  });

  return {
    view,
    text,
    doc,
    syntax,
    check,
    checking,
    problem,
    canUndo,
    canRedo,
    cursor,
    open,
    target,
    refused,
    isStale,
    findings,
    warnings,
    bySection,
    load,
    edit,
    undo: () => asForm(() => undo(view)),
    redo: () => asForm(() => redo(view)),
    applyFix,
    goTo,
    markSection,
    readNow,
    runCheck,
  };
}
/** Returns the one replacement that leads from a text to another. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  const shorter = Math.min(before.length, after.length);
  while (from < shorter && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}
export type Session = ReturnType<typeof createSession>;

const KEY: InjectionKey<Session> = Symbol('template session');
export function provideSession(session: Session): void {
  provide(KEY, session);
}
export function useSession(): Session {
  const session = inject(KEY);
  if (session === undefined) throw new Error('No template is being edited here.');
  return session;
}
