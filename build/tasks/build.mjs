/** `npm run build`: installs what is missing and builds every face into out/. */
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './support/app-build.mjs';
import { ensureBasics } from './support/modules.mjs';
import { runTask } from './support/report.mjs';

await runTask(async () => {
  const again = await ensureBasics(fileURLToPath(import.meta.url));
  if (again !== undefined) return again;
  await ensureBuild({ force: true });
  return 0;
});
