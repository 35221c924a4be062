import { computed, ref, shallowRef, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import { getApi } from '#renderer/client/use-client.ts';
import type { TemplateVersion } from '#shared/template/authoring.ts';
import type { TemplateEntry } from '#shared/model.ts';
import { announce } from '#renderer/composables/announcer.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import type { Session } from './editor-session.ts';
import { useDraft } from './use-draft.ts';
import { useTemplates, type Beginning } from '../templates.store.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

function normal(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

interface SavingOptions {
  readonly id: () => string;
  readonly session: Session;
  /**
   * Returns whether the person has moved to another screen: a save that ends later must not bring them back.
   */
  readonly isLeft: () => boolean;
}

/**
 * Loads and saves the text of a session: the saved template, its draft, or a newer version from elsewhere.
 */
export function useSaving({ id, session, isLeft }: SavingOptions) {
  const { t } = useI18n();
  const router = useRouter();
  const templates = useTemplates();
  const entry = shallowRef<TemplateEntry>();
  const beginning = shallowRef<Beginning>();
  const base = ref('');
  const { problem, attempt } = useProblem();
  const saving = ref(false);
  const asksNote = ref(false);
  const conflict = shallowRef<TemplateVersion & { readonly text: string }>();
  /** The line ends of the file, put back when it leaves the app. */
  let isCrlf = false;
  let lastNote = '';

  const isDirty = computed(() => session.text.value !== base.value);
  const isOwn = computed(() => entry.value?.source === 'own');
  const canSave = computed(
    () => (isDirty.value || !isOwn.value) && session.check.value?.ok === true && !saving.value,
  );
  const draft = useDraft({ id, session, entry, beginning, base });

  /** There is nothing to edit at this address. */
  const isMissing = computed(
    () => id() !== 'new' && entry.value === undefined && problem.value !== undefined,
  );

  async function begin(): Promise<void> {
    const named = () => templates.entries?.find((candidate) => candidate.id === id());
    // Another window or the command line may have made it meanwhile.
    if (templates.entries === undefined || (id() !== 'new' && named() === undefined)) await templates.load();
    problem.value = templates.problem;
    const found = named();
    entry.value = found;
    if (id() !== 'new' && found === undefined) {
      problem.value ??= { code: 'not-found', source: 'user', message: t('templates.notFound') };
      return;
    }
    if (found === undefined) beginning.value = templates.beginning;
    const text = found?.text ?? beginning.value?.text ?? '';
    isCrlf = text.includes('\r\n');
    base.value = found === undefined ? '' : normal(text);
    await draft.open(normal(text));
  }

  watch(id, (other) => {
    if (other !== entry.value?.id) void begin();
  });
  /** The text as a file: with the line ends it came with. */
  function fileText(): string {
    return isCrlf ? session.text.value.replaceAll('\n', '\r\n') : session.text.value;
  }

  async function save(note: string, as: 'version' | 'over' | 'copy' = 'version'): Promise<void> {
    lastNote = note;
    saving.value = true;
    problem.value = undefined;
    const text = session.text.value;
    const baseVersion =
      as === 'over' ? (conflict.value?.version ?? entry.value?.version) : entry.value?.version;
    try {
      const saved = await getApi().templates.save({
        text: fileText(),
        ...(note !== '' && { note }),
        ...(isOwn.value && as !== 'copy' && { id: id(), ...(baseVersion !== undefined && { baseVersion }) }),
      });
      conflict.value = undefined;
      asksNote.value = false;
      await draft.forget();
      base.value = text;
      entry.value = saved;
      templates.beginning = undefined;
      announce(t('templates.save.done'));
      await templates.load();
      if (saved.id !== id() && !isLeft())
        await router.replace(`/changes/templates/${encodeURIComponent(saved.id)}`);
    } catch (thrown) {
      const error = extractErrorShape(thrown);
      asksNote.value = false;
      if (error.code === 'changed-meanwhile') await showConflict();
      else problem.value = error;
    } finally {
      saving.value = false;
    }
  }
  async function showConflict(): Promise<void> {
    await attempt(async () => {
      const [newest] = await getApi().templates.versions({ id: id() });
      if (newest !== undefined)
        conflict.value = await getApi().templates.version({ id: id(), version: newest.version });
    });
  }
  /** The newer version comes into the editor; the own text stays one undo away. */
  function takeTheirs(): void {
    const theirs = conflict.value;
    conflict.value = undefined;
    if (theirs === undefined || entry.value === undefined) return;
    entry.value = { ...entry.value, version: theirs.version, text: theirs.text };
    base.value = normal(theirs.text);
    session.edit({ text: base.value });
  }

  return {
    entry,
    beginning,
    problem,
    isMissing,
    draft: draft.draft,
    restored: draft.restored,
    saving,
    asksNote,
    conflict,
    isDirty,
    isOwn,
    canSave,
    begin,
    save,
    takeTheirs,
    takeDraft: draft.take,
    dropDraft: draft.drop,
    forgetDraft: draft.forget,
    fileText,
    saveOver: () => save(lastNote, 'over'),
    saveCopy: () => save(lastNote, 'copy'),
  };
}
