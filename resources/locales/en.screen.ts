/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import { flattenWords } from '#shared/details/flatten-words.ts';
import type { ScreenId } from './names.ts';
import screenAccess from './en/screen-access.json' with { type: 'json' };
import screenAiModels from './en/screen-ai-models.json' with { type: 'json' };
import screenApp from './en/screen-app.json' with { type: 'json' };
import screenApply from './en/screen-apply.json' with { type: 'json' };
import screenChanges from './en/screen-changes.json' with { type: 'json' };
import screenCommand from './en/screen-command.json' with { type: 'json' };
import screenConsole from './en/screen-console.json' with { type: 'json' };
import screenDeviceKeys from './en/screen-device-keys.json' with { type: 'json' };
import screenDevice from './en/screen-device.json' with { type: 'json' };
import screenDevices from './en/screen-devices.json' with { type: 'json' };
import screenDiff from './en/screen-diff.json' with { type: 'json' };
import screenEnrol from './en/screen-enrol.json' with { type: 'json' };
import screenErrors from './en/screen-errors.json' with { type: 'json' };
import screenFirstRun from './en/screen-first-run.json' with { type: 'json' };
import screenForms from './en/screen-forms.json' with { type: 'json' };
import screenHistory from './en/screen-history.json' with { type: 'json' };
import screenJobs from './en/screen-jobs.json' with { type: 'json' };
import screenLimits from './en/screen-limits.json' with { type: 'json' };
import screenList from './en/screen-list.json' with { type: 'json' };
import screenParts from './en/screen-parts.json' with { type: 'json' };
import screenPeople from './en/screen-people.json' with { type: 'json' };
import screenPrints from './en/screen-prints.json' with { type: 'json' };
import screenReplacement from './en/screen-replacement.json' with { type: 'json' };
import screenReports from './en/screen-reports.json' with { type: 'json' };
import screenSettings from './en/screen-settings.json' with { type: 'json' };
import screenSetup from './en/screen-setup.json' with { type: 'json' };
import screenSiteFile from './en/screen-site-file.json' with { type: 'json' };
import screenSite from './en/screen-site.json' with { type: 'json' };
import screenTemplates from './en/screen-templates.json' with { type: 'json' };

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
) as Readonly<Record<ScreenId, string>>;
