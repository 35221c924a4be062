import type { Feature } from '../features/feature.ts';
import { applyFeature } from '../features/apply/apply.feature.ts';
import { consoleFeature } from '../features/console/console.feature.ts';
import { deviceFeature } from '../features/device/device.feature.ts';
import { enrolFeature } from '../features/people/enrol/enrol.feature.ts';
import { historyFeature } from '../features/history/history.feature.ts';
import { reportsFeature } from '../features/reports/reports.feature.ts';
import { setupFeature } from '../features/setup/setup.feature.ts';
import { modelsFeature } from '../features/ai-models/models.feature.ts';
import { peopleFeature } from '../features/people/people.feature.ts';
import { settingsFeature } from '../features/settings/settings.feature.ts';
import { siteFeature } from '../features/site/site.feature.ts';
import { replacementFeature } from '../features/replacement/replacement.feature.ts';
import { templatesFeature } from '../features/templates/templates.feature.ts';

export const features: readonly Feature[] = [
  siteFeature,
  deviceFeature,
  templatesFeature,
  applyFeature,
  setupFeature,
  modelsFeature,
  peopleFeature,
  enrolFeature,
  reportsFeature,
  historyFeature,
  replacementFeature,
  consoleFeature,
  settingsFeature,
];
