/** Generated from the folders beside it: npx node build/tasks/derived.mjs */
import { flattenWords } from '#shared/details/flatten-words.ts';
import type { SentenceId } from './names.ts';
import alarm from './en/alarm.json' with { type: 'json' };
import app from './en/app.json' with { type: 'json' };
import cliHints from './en/cli-hints.json' with { type: 'json' };
import cliOutput from './en/cli-output.json' with { type: 'json' };
import cliRefusals from './en/cli-refusals.json' with { type: 'json' };
import cli from './en/cli.json' with { type: 'json' };
import device from './en/device.json' with { type: 'json' };
import discovery from './en/discovery.json' with { type: 'json' };
import documents from './en/documents.json' with { type: 'json' };
import files from './en/files.json' with { type: 'json' };
import flowGate from './en/flow-gate.json' with { type: 'json' };
import flowThermal from './en/flow-thermal.json' with { type: 'json' };
import flow from './en/flow.json' with { type: 'json' };
import inventory from './en/inventory.json' with { type: 'json' };
import jobs from './en/jobs.json' with { type: 'json' };
import model from './en/model.json' with { type: 'json' };
import people from './en/people.json' with { type: 'json' };
import plans from './en/plans.json' with { type: 'json' };
import prints from './en/prints.json' with { type: 'json' };
import replacement from './en/replacement.json' with { type: 'json' };
import report from './en/report.json' with { type: 'json' };
import reports from './en/reports.json' with { type: 'json' };
import requests from './en/requests.json' with { type: 'json' };
import siteFile from './en/site-file.json' with { type: 'json' };
import status from './en/status.json' with { type: 'json' };
import templates from './en/templates.json' with { type: 'json' };
import transferServe from './en/transfer-serve.json' with { type: 'json' };
import values from './en/values.json' with { type: 'json' };
import yaml from './en/yaml.json' with { type: 'json' };

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
) as Readonly<Record<SentenceId, string>>;

export const language = 'en';
export const bundledTemplates = {};
export const fields = {};
export const help = {};
export const params = {};
export { default as terms } from './en/terms.json' with { type: 'json' };
