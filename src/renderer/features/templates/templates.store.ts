import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { CapturedSection } from '#shared/template/authoring.ts';
import type { TemplateCheck, TemplateEntry } from '#shared/model.ts';
import { describeTemplate, formatTemplateName } from '#renderer/common/labels/template-labels.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

/** A text that has no place of its own yet: new, imported, captured or a copy. */
export interface Beginning {
  readonly text: string;
  readonly file?: string;
  /** Result of each section of a capture, and the values of that device. */
  readonly captured?: { readonly device: string; readonly sections: readonly CapturedSection[] };
}

/** Store of the templates, and of the one that is about to be created. */
export const useTemplates = defineStore('templates', () => {
  const entries = shallowRef<readonly TemplateEntry[]>();
  const summaries = shallowRef<ReadonlyMap<string, TemplateCheck>>(new Map());
  const search = ref('');
  const { problem, attempt } = useProblem();
  const beginning = shallowRef<Beginning>();

  const shown = computed(() => {
    const wanted = search.value
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    return (entries.value ?? []).filter((entry) => {
      const text = `${formatTemplateName(entry)} ${describeTemplate(entry)} ${entry.text}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
  });

  async function load(): Promise<void> {
    await attempt(async () => {
      entries.value = await getApi().templates.list();
      void describeAll();
    });
  }
  /** Kinds, sections and variables of each, one after another: they are few and the list does not wait for them. */
  async function describeAll(): Promise<void> {
    const known = new Map<string, TemplateCheck>();
    for (const entry of entries.value ?? []) {
      try {
        known.set(entry.id, await getApi().templates.check({ text: entry.text }));
      } catch {
        return;
      }
      summaries.value = new Map(known);
    }
  }
  async function remove(id: string): Promise<boolean> {
    const result = await attempt(async () => {
      await getApi().templates.remove({ id });
      await load();
      return true;
    });
    return result === true;
  }

  return { entries, summaries, search, shown, problem, beginning, load, remove };
});
