import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { PlanFix, TemplateCheck, TemplateEntry } from '#shared/model.ts';
import type { ApplyDraft } from '../apply-draft.ts';
import { createValuesFile } from './values-file.ts';
import { buildInitialValues, readValues, type RawValues } from './variables.ts';
import { useProblem, useReading } from '#renderer/common/errors/attempt.ts';

/** Store of the template to apply and its values. Templates are written on the Templates screen. */
export const useTemplateChoice = defineStore('template-choice', () => {
  const templates = shallowRef<readonly TemplateEntry[]>();
  const templateId = ref<string>();
  /** Name of the file, if the text came from one. */
  const fileName = ref<string>();
  const text = ref('');
  const check = shallowRef<TemplateCheck>();
  const raw = shallowRef<RawValues>({});
  const kept = useProblem();
  const { problem, attempt } = kept;
  const { read: runOne } = useReading(kept);
  let checked = Promise.resolve();

  const template = computed(() => templates.value?.find((entry) => entry.id === templateId.value));
  const variables = computed(() => check.value?.summary?.variables ?? []);
  const {
    file: valuesFile,
    isWrong,
    filled: fromFile,
    byDevice: valuesByDevice,
  } = createValuesFile(() => variables.value);
  const read = computed(() => readValues(variables.value, raw.value, fromFile.value));
  const isReady = computed(
    () => check.value?.ok === true && Object.keys(read.value.complaints).length === 0 && !isWrong.value,
  );

  async function load(): Promise<void> {
    await attempt(async () => {
      templates.value = await getApi().templates.list();
      // A version that was saved meanwhile is the one that is applied.
      const now = template.value;
      if (now !== undefined && now.text !== text.value) setText(now.text);
      else if (variables.value.some(({ type }) => type === 'secret')) await seeSaved();
    });
  }

  function choose(entry: TemplateEntry): void {
    templateId.value = entry.id;
    fileName.value = undefined;
    setText(entry.text);
  }

  /** Takes a text from a file. Resolves when it was checked. */
  function takeFile(name: string, content: string): Promise<void> {
    templateId.value = undefined;
    fileName.value = name;
    setText(content);
    return checked;
  }

  function setText(newText: string): void {
    text.value = newText;
    check.value = undefined;
    valuesFile.value = undefined;
    checked = runCheck();
  }

  /** Changes the text inside one section; it is then a text of its own, the saved template stays. Values stay. */
  async function changeSection(
    change: Pick<PlanFix, 'path' | 'value'> & { readonly index: number },
  ): Promise<void> {
    const { text: amended } = await getApi().templates.changeSection({ text: text.value, ...change });
    fileName.value ??= template.value?.name;
    templateId.value = undefined;
    text.value = amended;
    await (checked = runCheck());
  }

  /**
   * Returns the choice that survives a reload of the window. Which values are secrets is unknown before the
   * check, so it holds no values then.
   */
  function draft(): Pick<ApplyDraft, 'templateId' | 'file' | 'raw' | 'valuesFile'> {
    const open = variables.value
      .filter(({ type }) => type !== 'secret')
      .flatMap(({ name }) =>
        Object.hasOwn(raw.value, name) ? [[name, raw.value[name] ?? ''] as const] : [],
      );
    return {
      templateId: templateId.value,
      raw: Object.fromEntries(open),
      valuesFile: valuesFile.value,
      ...removeUndefined({
        file: fileName.value === undefined ? undefined : { name: fileName.value, text: text.value },
      }),
    };
  }

  async function restore({
    templateId: id,
    file,
    raw: typed,
    valuesFile: table,
  }: Pick<ApplyDraft, 'templateId' | 'file' | 'raw' | 'valuesFile'>): Promise<void> {
    await load();
    const entry = templates.value?.find((each) => each.id === id);
    raw.value = typed;
    if (file !== undefined) void takeFile(file.name, file.text);
    else if (entry !== undefined) choose(entry);
    await checked;
    valuesFile.value = table;
  }

  async function runCheck(): Promise<void> {
    const answer = await runOne((signal) => getApi().templates.check({ text: text.value }, { signal }));
    if (answer === undefined) return;
    check.value = answer;
    raw.value = buildInitialValues(answer.summary?.variables ?? [], raw.value);
  }

  /** Checks again, as the vault may have changed; typed values and a plan made from them stay. */
  async function seeSaved(): Promise<void> {
    const seen = text.value;
    const answer = await getApi().templates.check({ text: seen }, { signal: AbortSignal.timeout(15_000) });
    if (seen === text.value) check.value = answer;
  }

  /** Reads a CSV; what is wrong with it is in `valuesFile`, and nothing can be planned until it is mended or taken away. */
  async function takeValues(file: { readonly name: string; readonly base64: string }): Promise<void> {
    await attempt(async () => {
      const table = await getApi().plans.readValues({
        templateText: text.value,
        base64: file.base64,
        fileName: file.name.slice(0, 200),
        given: Object.keys(read.value.values),
      });
      valuesFile.value = { ...table, name: file.name };
    });
  }

  function dropValues(): void {
    valuesFile.value = undefined;
  }

  return {
    templates,
    templateId,
    template,
    fileName,
    text,
    check,
    variables,
    raw,
    read,
    isReady,
    valuesFile,
    fromFile,
    valuesByDevice,
    problem,
    load,
    draft,
    restore,
    seeSaved,
    choose,
    takeFile,
    changeSection,
    takeValues,
    dropValues,
  };
});
