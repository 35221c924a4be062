/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import { flattenWords } from '#shared/details/flatten-words.ts';
import type { SentenceId } from './names.ts';
import alarm from './de/alarm.json' with { type: 'json' };
import app from './de/app.json' with { type: 'json' };
import cliHints from './de/cli-hints.json' with { type: 'json' };
import cliOutput from './de/cli-output.json' with { type: 'json' };
import cliRefusals from './de/cli-refusals.json' with { type: 'json' };
import cli from './de/cli.json' with { type: 'json' };
import device from './de/device.json' with { type: 'json' };
import discovery from './de/discovery.json' with { type: 'json' };
import documents from './de/documents.json' with { type: 'json' };
import files from './de/files.json' with { type: 'json' };
import flowGate from './de/flow-gate.json' with { type: 'json' };
import flowThermal from './de/flow-thermal.json' with { type: 'json' };
import flow from './de/flow.json' with { type: 'json' };
import inventory from './de/inventory.json' with { type: 'json' };
import jobs from './de/jobs.json' with { type: 'json' };
import model from './de/model.json' with { type: 'json' };
import people from './de/people.json' with { type: 'json' };
import plans from './de/plans.json' with { type: 'json' };
import prints from './de/prints.json' with { type: 'json' };
import replacement from './de/replacement.json' with { type: 'json' };
import report from './de/report.json' with { type: 'json' };
import reports from './de/reports.json' with { type: 'json' };
import requests from './de/requests.json' with { type: 'json' };
import siteFile from './de/site-file.json' with { type: 'json' };
import status from './de/status.json' with { type: 'json' };
import templates from './de/templates.json' with { type: 'json' };
import transferServe from './de/transfer-serve.json' with { type: 'json' };
import values from './de/values.json' with { type: 'json' };
import yaml from './de/yaml.json' with { type: 'json' };

export const sentences = flattenWords(
  alarm,
  app,
  cliHints,
  cliOutput,
  cliRefusals,
  cli,
  device,
  discovery,
  documents,
  files,
  flowGate,
  flowThermal,
  flow,
  inventory,
  jobs,
  model,
  people,
  plans,
  prints,
  replacement,
  report,
  reports,
  requests,
  siteFile,
  status,
  templates,
  transferServe,
  values,
  yaml,
) as Readonly<Partial<Record<SentenceId, string>>>;

export const language = 'de';
export { default as bundledTemplates } from './de/bundled-templates.json' with { type: 'json' };
export { default as fields } from './de/fields.json' with { type: 'json' };
export { default as help } from './de/help.json' with { type: 'json' };
export { default as params } from './de/params.json' with { type: 'json' };
export { default as terms } from './de/terms.json' with { type: 'json' };
