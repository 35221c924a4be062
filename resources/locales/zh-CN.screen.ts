/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import { flattenWords } from '#shared/details/flatten-words.ts';
import type { ScreenId } from './names.ts';
import screenAccess from './zh-CN/screen-access.json' with { type: 'json' };
import screenAiModels from './zh-CN/screen-ai-models.json' with { type: 'json' };
import screenApp from './zh-CN/screen-app.json' with { type: 'json' };
import screenApply from './zh-CN/screen-apply.json' with { type: 'json' };
import screenChanges from './zh-CN/screen-changes.json' with { type: 'json' };
import screenCommand from './zh-CN/screen-command.json' with { type: 'json' };
import screenConsole from './zh-CN/screen-console.json' with { type: 'json' };
import screenDeviceKeys from './zh-CN/screen-device-keys.json' with { type: 'json' };
import screenDevice from './zh-CN/screen-device.json' with { type: 'json' };
import screenDevices from './zh-CN/screen-devices.json' with { type: 'json' };
import screenDiff from './zh-CN/screen-diff.json' with { type: 'json' };
import screenEnrol from './zh-CN/screen-enrol.json' with { type: 'json' };
import screenErrors from './zh-CN/screen-errors.json' with { type: 'json' };
import screenFirstRun from './zh-CN/screen-first-run.json' with { type: 'json' };
import screenForms from './zh-CN/screen-forms.json' with { type: 'json' };
import screenHistory from './zh-CN/screen-history.json' with { type: 'json' };
import screenJobs from './zh-CN/screen-jobs.json' with { type: 'json' };
import screenLimits from './zh-CN/screen-limits.json' with { type: 'json' };
import screenList from './zh-CN/screen-list.json' with { type: 'json' };
import screenParts from './zh-CN/screen-parts.json' with { type: 'json' };
import screenPeople from './zh-CN/screen-people.json' with { type: 'json' };
import screenPrints from './zh-CN/screen-prints.json' with { type: 'json' };
import screenReplacement from './zh-CN/screen-replacement.json' with { type: 'json' };
import screenReports from './zh-CN/screen-reports.json' with { type: 'json' };
import screenSettings from './zh-CN/screen-settings.json' with { type: 'json' };
import screenSetup from './zh-CN/screen-setup.json' with { type: 'json' };
import screenSiteFile from './zh-CN/screen-site-file.json' with { type: 'json' };
import screenSite from './zh-CN/screen-site.json' with { type: 'json' };
import screenTemplates from './zh-CN/screen-templates.json' with { type: 'json' };

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
