/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import { flattenWords } from '#shared/details/flatten-words.ts';
import type { ScreenId } from './names.ts';
import screenAccess from './de/screen-access.json' with { type: 'json' };
import screenAiModels from './de/screen-ai-models.json' with { type: 'json' };
import screenApp from './de/screen-app.json' with { type: 'json' };
import screenApply from './de/screen-apply.json' with { type: 'json' };
import screenChanges from './de/screen-changes.json' with { type: 'json' };
import screenCommand from './de/screen-command.json' with { type: 'json' };
import screenConsole from './de/screen-console.json' with { type: 'json' };
import screenDeviceKeys from './de/screen-device-keys.json' with { type: 'json' };
import screenDevice from './de/screen-device.json' with { type: 'json' };
import screenDevices from './de/screen-devices.json' with { type: 'json' };
import screenDiff from './de/screen-diff.json' with { type: 'json' };
import screenEnrol from './de/screen-enrol.json' with { type: 'json' };
import screenErrors from './de/screen-errors.json' with { type: 'json' };
import screenFirstRun from './de/screen-first-run.json' with { type: 'json' };
import screenForms from './de/screen-forms.json' with { type: 'json' };
import screenHistory from './de/screen-history.json' with { type: 'json' };
import screenJobs from './de/screen-jobs.json' with { type: 'json' };
import screenLimits from './de/screen-limits.json' with { type: 'json' };
import screenList from './de/screen-list.json' with { type: 'json' };
import screenParts from './de/screen-parts.json' with { type: 'json' };
import screenPeople from './de/screen-people.json' with { type: 'json' };
import screenPrints from './de/screen-prints.json' with { type: 'json' };
import screenReplacement from './de/screen-replacement.json' with { type: 'json' };
import screenReports from './de/screen-reports.json' with { type: 'json' };
import screenSettings from './de/screen-settings.json' with { type: 'json' };
import screenSetup from './de/screen-setup.json' with { type: 'json' };
import screenSiteFile from './de/screen-site-file.json' with { type: 'json' };
import screenSite from './de/screen-site.json' with { type: 'json' };
import screenTemplates from './de/screen-templates.json' with { type: 'json' };

export const screen = flattenWords(
  screenAccess,
  screenAiModels,
  screenApp,
  screenApply,
  screenChanges,
  screenCommand,
  screenConsole,
  screenDeviceKeys,
  screenDevice,
  screenDevices,
  screenDiff,
  screenEnrol,
  screenErrors,
  screenFirstRun,
  screenForms,
  screenHistory,
  screenJobs,
  screenLimits,
  screenList,
  screenParts,
  screenPeople,
  screenPrints,
  screenReplacement,
  screenReports,
  screenSettings,
  screenSetup,
  screenSiteFile,
  screenSite,
  screenTemplates,
) as Readonly<Partial<Record<ScreenId, string>>>;
