/** Templates that ship with the app, and the person's own. */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { TemplateEntry } from '#shared/model.ts';
import { changeSection } from '#template/change-section.ts';
import type { TemplatesApi } from '../api/routes.ts';
import { headOf, readBundled } from './bundled.ts';
import { checkTemplate } from './check/check-template.ts';
import { compareTemplates } from './compare.ts';
import { parseTemplate } from './parse-template.ts';
import { combineErrors } from './check/problems.ts';
import { createVersions, hashTemplate, type OwnTemplate, type VersionsOptions } from './versions.ts';

interface TemplatesOptions extends VersionsOptions {
  /** Holds `templates/*.yaml`. */
  readonly resourcesDir: string;
}

/** Template functions that only the engine uses, beside those of the API. */
export interface Templates extends Omit<TemplatesApi, 'capture'> {
  /** The saved version whose text has this fingerprint (`hashTemplate`), the latest where there are several; else the template that ships with the app. */
  findVersionByHash(hash: string): Pick<TemplateEntry, 'id' | 'version'> | undefined;
}

/** The templates of one data folder. */
export function createTemplates(options: TemplatesOptions): Templates {
  const versions = createVersions(options);
  let read: readonly TemplateEntry[] | undefined;
  const bundled = (): readonly TemplateEntry[] => (read ??= readBundled(options.resourcesDir));

  function save(entry: Parameters<TemplatesApi['save']>[0]): TemplateEntry {
    const { document, errors } = parseTemplate(entry.text);
    if (document === undefined) throw combineErrors(errors);
    return toEntry(versions.save({ ...entry, name: document.name }));
  }

  return {
    list: () => [...bundled(), ...versions.list().map(toEntry)],
    check: ({ text, ...given }) => checkTemplate(text, given),
    save,
    remove: versions.remove,
    versions: versions.versions,
    version: versions.version,
    changeSection({ text, ...change }) {
      const changed = changeSection(text, change);
      if (changed === undefined) throw userError('invalid-template', say('change-by-hand'));
      return { text: changed };
    },
    compare: ({ before, after }) => compareTemplates(before, after),
    findVersionByHash(hash) {
      const shipped = bundled().find(({ text }) => hashTemplate(text) === hash);
      return versions.findByHash(hash) ?? (shipped === undefined ? undefined : { id: shipped.id });
    },
  };
}

function toEntry({ id, text, version, savedAt }: OwnTemplate): TemplateEntry {
  return { id, source: 'own', ...headOf(text, id), text, version, savedAt };
}
