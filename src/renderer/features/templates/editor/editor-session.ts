/**
 * One template being edited. The text in the editor is the only truth; the forms read it and change
 * it through `edit`, so one history undoes what either side did.
 */
import { Transaction, EditorSelection, EditorState, type Extension } from '@codemirror/state';
import { isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import { computed, inject, onScopeDispose, provide, ref, shallowRef, watch, type InjectionKey } from 'vue';
import { api } from '../../../client/use-client.ts';
import type { ErrorShape } from '../../../../shared/errors.ts';
import type { TemplateCheck } from '../../../../shared/model.ts';
import { errorOf } from '../../../common/errors/error-of.ts';
import { showSection } from '../code/setup.ts';
import { findingsOf, fixOf, type Finding, type Fix } from '../check/findings.ts';
import { wholeEdit, type Edit } from '../yaml/patch.ts';
import type { SyntaxProblem } from '../yaml/parse.ts';
import { DocReader, type TemplateDoc } from '../yaml/template-doc.ts';

/** Long enough to type on, short enough to feel live. */
const CHECK_PAUSE_MS = 300;
const READ_PAUSE_MS = 80;
const NONE: readonly Finding[] = [];
const NONE_WRONG: readonly ErrorShape[] = [];

interface SessionText {
  problem(finding: Finding): string;
  fix(fix: Fix): string;
}

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
  const syntax = shallowRef<readonly SyntaxProblem[]>([]);
  const check = shallowRef<TemplateCheck>();
  const checking = ref(false);
  const problem = shallowRef<ErrorShape>();
  const canUndo = ref(false);
  const canRedo = ref(false);
  const cursor = ref(0);
  /** The section whose fields are open, by its key. */
  const open = ref<number>();
  /** A field that a link leads to. */
  const target = shallowRef<{ readonly section: number; readonly field: string }>();
  /** The last form edit could not be put into this text. */
  const refused = ref(false);
  const reader = new DocReader();
  let controller: AbortController | undefined;
  let checkTimer: ReturnType<typeof setTimeout> | undefined;
  let readTimer: ReturnType<typeof setTimeout> | undefined;
  let fromForm = false;

  const isStale = computed(() => syntax.value.length > 0);
  /** While a check is awaited the findings of the last one stay: a list that comes and goes with every key helps nobody. */
  const findings = computed<readonly Finding[]>((before) =>
    check.value === undefined && syntax.value.length === 0
      ? (before ?? NONE)
      : findingsOf(text.value, syntax.value, check.value?.errors ?? NONE_WRONG),
  );
  /** What is unusual and stands against nothing. */
  const warnings = computed<readonly Finding[]>((before) =>
    check.value === undefined ? (before ?? NONE) : findingsOf(text.value, [], check.value.warnings),
  );
  const bySection = computed(() => {
    const map = new Map<number, Finding[]>();
    for (const finding of findings.value)
      if (finding.section !== undefined)
        map.set(finding.section, [...(map.get(finding.section) ?? []), finding]);
    return map;
  });

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

  function diagnostics(): readonly Diagnostic[] {
    const { length } = view.state.doc;
    const place = ({ from, to }: Finding): Pick<Diagnostic, 'from' | 'to'> => ({
      from: Math.min(from, length),
      to: Math.min(to, length),
    });
    const unusual = warnings.value.map((finding): Diagnostic => ({
      ...place(finding),
      severity: 'warning',
      message: words.problem(finding),
    }));
    return [
      ...unusual,
      ...findings.value.map((finding): Diagnostic => {
        const fix = fixOf(finding, isStale.value ? undefined : doc.value);
        return {
          ...place(finding),
          severity: 'error',
          message: words.problem(finding),
          ...(fix !== undefined && { actions: [{ name: words.fix(fix), apply: () => applyFix(fix) }] }),
        };
      }),
    ];
  }

  // After the update that found them: an editor is not changed while it changes.
  watch([findings, warnings], () => view.dispatch(setDiagnostics(view.state, [...diagnostics()])), {
    flush: 'post',
  });

  function changed(): void {
    text.value = view.state.doc.toString();
    canUndo.value = undoDepth(view.state) > 0;
    canRedo.value = redoDepth(view.state) > 0;
    controller?.abort();
    check.value = undefined;
    clearTimeout(checkTimer);
    clearTimeout(readTimer);
    if (fromForm) readNow();
    else readTimer = setTimeout(readNow, READ_PAUSE_MS);
    checkTimer = setTimeout(() => void runCheck(), CHECK_PAUSE_MS);
  }
  function readNow(): void {
    clearTimeout(readTimer);
    const result = reader.read(text.value);
    syntax.value = result.ok ? [] : result.problems;
    if (result.ok) doc.value = result.doc;
  }
  async function runCheck(): Promise<void> {
    const mine = (controller = new AbortController());
    checking.value = true;
    try {
      const answer = await api().templates.check({ text: text.value }, { signal: mine.signal });
      if (mine.signal.aborted) return;
      check.value = answer;
      problem.value = undefined;
    } catch (thrown) {
      if (!mine.signal.aborted) problem.value = errorOf(thrown);
    } finally {
      if (mine === controller) checking.value = false;
    }
  }

  /** Begins anew with a text: nothing of it can be undone. */
  function load(next: string): void {
    view.setState(EditorState.create({ doc: next, extensions: setup }));
    changed();
    readNow();
    open.value = doc.value?.sections[0]?.key;
  }

  /** Edits of a form. `group` joins what is typed into one field to one step of undo. */
  function edit(
    edits: Edit | readonly Edit[] | { readonly text: string } | undefined,
    group = false,
  ): boolean {
    refused.value = edits === undefined;
    if (edits === undefined) return false;
    const list = Array.isArray(edits)
      ? (edits as readonly Edit[])
      : 'text' in (edits as object)
        ? [wholeEdit(text.value, (edits as { text: string }).text)]
        : [edits as Edit];
    if (list.every(({ from, to, insert }) => from === to && insert === '')) return true;
    fromForm = true;
    try {
      view.dispatch({
        changes: [...list],
        // What is typed into a form is not typed into the text: called so, it would make the editor offer suggestions.
        annotations: group ? [] : [Transaction.userEvent.of('input.form'), isolateHistory.of('full')],
      });
    } finally {
      fromForm = false;
    }
    return true;
  }
  function back(): void {
    fromForm = true;
    try {
      undo(view);
    } finally {
      fromForm = false;
    }
  }
  function again(): void {
    fromForm = true;
    try {
      redo(view);
    } finally {
      fromForm = false;
    }
  }
  function applyFix(fix: Fix): void {
    edit(fix.edits);
  }
  /** To a place in the text; the caller makes the text visible. */
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
    controller?.abort();
    clearTimeout(checkTimer);
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
    undo: back,
    redo: again,
    applyFix,
    goTo,
    markSection,
    readNow,
    runCheck,
  };
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
