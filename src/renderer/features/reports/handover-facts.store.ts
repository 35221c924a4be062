import { defineStore } from 'pinia';
import { reactive, ref } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import { saveFile } from '#renderer/common/files/save-file.ts';
import type { KeptSiteDetails, ReportRequest } from '#shared/contract/reports.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toDetails, toDraft, type HandoverDraft } from './handover-draft.ts';

interface CoverDraft {
  company: string;
  logo: string | undefined;
}

/** Facts of a site for its hand-over document, which the engine keeps with the site. */
export const useHandoverFacts = defineStore('handover-facts', () => {
  const { problem, attempt } = useProblem();
  /** Facts of the site of the chosen devices, which are kept with it. */
  const facts = ref<HandoverDraft>(toDraft({}));
  const cover = reactive<CoverDraft>({ company: '', logo: undefined });
  /** The site whose facts are shown; empty for devices without one. */
  const siteOf = ref<string>();

  async function load(siteId: string | undefined): Promise<void> {
    siteOf.value = undefined;
    const kept = await attempt(() => getApi().reports.siteDetails({ siteId }));
    if (kept !== undefined) show(kept, siteId);
  }

  function show({ details, branding }: KeptSiteDetails, siteId: string | undefined): void {
    facts.value = toDraft(details);
    cover.company = branding.company ?? '';
    cover.logo = branding.logo;
    siteOf.value = siteId ?? '';
  }

  /** Keeps the facts with their site; nothing while they are not loaded. */
  async function save(): Promise<void> {
    if (siteOf.value === undefined) return;
    const siteId = siteOf.value === '' ? undefined : siteOf.value;
    const company = cover.company.trim();
    const branding = removeUndefined({ company: company === '' ? undefined : company, logo: cover.logo });
    await attempt(() =>
      getApi().reports.saveSiteDetails({ siteId, details: toDetails(facts.value), branding }),
    );
  }

  async function readFile(text: string): Promise<void> {
    const details = await attempt(() => getApi().reports.details({ text }));
    if (details === undefined) return;
    facts.value = toDraft(details);
    await save();
  }

  /** Saves the facts as a file; of a site without any an example to be filled in. */
  async function saveAsFile(language: ReportRequest['language']): Promise<void> {
    const details = toDetails(facts.value);
    if (Object.keys(details).length > 0) {
      const text = `${JSON.stringify(details, undefined, 2)}\n`;
      saveFile({ name: 'handover-details.json', text, type: 'application/json' });
      return;
    }
    const example = await attempt(() => getApi().reports.exampleDetails({ language }));
    if (example !== undefined)
      saveFile({ name: example.fileName, text: example.text, type: 'application/yaml' });
  }

  return { problem, facts, cover, load, save, readFile, saveAsFile };
});
