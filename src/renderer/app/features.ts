import type { RouteRecordRaw } from 'vue-router';
import { applyPages } from '../features/apply/apply.feature.ts';
import { consolePages } from '../features/console/console.feature.ts';
import { devicePages } from '../features/device/device.feature.ts';
import { enrolPages } from '../features/people/enrol/enrol.feature.ts';
import { historyPages } from '../features/history/history.feature.ts';
import { reportsPages } from '../features/reports/reports.feature.ts';
import { setupPages } from '../features/setup/setup.feature.ts';
import { modelsPages } from '../features/ai-models/models.feature.ts';
import { peoplePages } from '../features/people/people.feature.ts';
import { settingsPages } from '../features/settings/settings.feature.ts';
import { sitePages } from '../features/site/site.feature.ts';
import { replacementPages } from '../features/replacement/replacement.feature.ts';
import { templatesPages } from '../features/templates/templates.feature.ts';

/** Pages of every feature. */
export const pages: readonly RouteRecordRaw[] = [
  ...sitePages,
  ...devicePages,
  ...templatesPages,
  ...applyPages,
  ...setupPages,
  ...modelsPages,
  ...peoplePages,
  ...enrolPages,
  ...reportsPages,
  ...historyPages,
  ...replacementPages,
  ...consolePages,
  ...settingsPages,
];
