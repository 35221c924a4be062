/** Site files of the engine. The code that reads and writes them is loaded with the first one. */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { SiteFilesApi } from '../api/routes.ts';
import type { SiteFiles, SiteFilesOptions } from './site-files.ts';

export function createLazySiteFiles(options: SiteFilesOptions): SiteFilesApi {
  let loaded: SiteFiles | undefined;
  const load = async (): Promise<SiteFiles> => {
    const { SiteFiles: Loaded } = await import('./site-files.ts');
    return (loaded ??= new Loaded(options));
  };
  return {
    pack: async (request, through, signal) => (await load()).pack(request, through, signal),
    read: async (file, signal) => (await load()).read(file, signal),
    merge(request) {
      if (loaded === undefined) throw userError('not-found', say('site-file.gone'));
      return loaded.merge(request);
    },
  };
}
