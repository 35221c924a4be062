/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import { flattenWords } from '#shared/details/flatten-words.ts';
import type { SentenceId } from './names.ts';
import alarm from './zh-CN/alarm.json' with { type: 'json' };
import app from './zh-CN/app.json' with { type: 'json' };
import cliHints from './zh-CN/cli-hints.json' with { type: 'json' };
import cliOutput from './zh-CN/cli-output.json' with { type: 'json' };
import cliRefusals from './zh-CN/cli-refusals.json' with { type: 'json' };
import cli from './zh-CN/cli.json' with { type: 'json' };
import device from './zh-CN/device.json' with { type: 'json' };
import discovery from './zh-CN/discovery.json' with { type: 'json' };
import documents from './zh-CN/documents.json' with { type: 'json' };
import files from './zh-CN/files.json' with { type: 'json' };
import flowGate from './zh-CN/flow-gate.json' with { type: 'json' };
import flowThermal from './zh-CN/flow-thermal.json' with { type: 'json' };
import flow from './zh-CN/flow.json' with { type: 'json' };
import inventory from './zh-CN/inventory.json' with { type: 'json' };
import jobs from './zh-CN/jobs.json' with { type: 'json' };
import model from './zh-CN/model.json' with { type: 'json' };
import people from './zh-CN/people.json' with { type: 'json' };
import plans from './zh-CN/plans.json' with { type: 'json' };
import prints from './zh-CN/prints.json' with { type: 'json' };
import replacement from './zh-CN/replacement.json' with { type: 'json' };
import report from './zh-CN/report.json' with { type: 'json' };
import reports from './zh-CN/reports.json' with { type: 'json' };
import requests from './zh-CN/requests.json' with { type: 'json' };
import siteFile from './zh-CN/site-file.json' with { type: 'json' };
import status from './zh-CN/status.json' with { type: 'json' };
import templates from './zh-CN/templates.json' with { type: 'json' };
import transferServe from './zh-CN/transfer-serve.json' with { type: 'json' };
import values from './zh-CN/values.json' with { type: 'json' };
import yaml from './zh-CN/yaml.json' with { type: 'json' };

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

export const language = 'zh-CN';
export { default as bundledTemplates } from './zh-CN/bundled-templates.json' with { type: 'json' };
export { default as fields } from './zh-CN/fields.json' with { type: 'json' };
export { default as help } from './zh-CN/help.json' with { type: 'json' };
export { default as params } from './zh-CN/params.json' with { type: 'json' };
export { default as terms } from './zh-CN/terms.json' with { type: 'json' };
