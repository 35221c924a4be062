/** The Chinese sentences by id, and the words among their values; loaded where somebody reads Chinese. */
import app from '../../../resources/locales/zh-CN.details/app.json' with { type: 'json' };
import cli from '../../../resources/locales/zh-CN.details/cli.json' with { type: 'json' };
import cliRefusals from '../../../resources/locales/zh-CN.details/cli-refusals.json' with { type: 'json' };
import cliOutput from '../../../resources/locales/zh-CN.details/cli-output.json' with { type: 'json' };
import device from '../../../resources/locales/zh-CN.details/device.json' with { type: 'json' };
import discovery from '../../../resources/locales/zh-CN.details/discovery.json' with { type: 'json' };
import documents from '../../../resources/locales/zh-CN.details/documents.json' with { type: 'json' };
import files from '../../../resources/locales/zh-CN.details/files.json' with { type: 'json' };
import flow from '../../../resources/locales/zh-CN.details/flow.json' with { type: 'json' };
import flowThermal from '../../../resources/locales/zh-CN.details/flow-thermal.json' with { type: 'json' };
import flowGate from '../../../resources/locales/zh-CN.details/flow-gate.json' with { type: 'json' };
import inventory from '../../../resources/locales/zh-CN.details/inventory.json' with { type: 'json' };
import jobs from '../../../resources/locales/zh-CN.details/jobs.json' with { type: 'json' };
import people from '../../../resources/locales/zh-CN.details/people.json' with { type: 'json' };
import model from '../../../resources/locales/zh-CN.details/model.json' with { type: 'json' };
import plans from '../../../resources/locales/zh-CN.details/plans.json' with { type: 'json' };
import prints from '../../../resources/locales/zh-CN.details/prints.json' with { type: 'json' };
import report from '../../../resources/locales/zh-CN.details/report.json' with { type: 'json' };
import reports from '../../../resources/locales/zh-CN.details/reports.json' with { type: 'json' };
import requests from '../../../resources/locales/zh-CN.details/requests.json' with { type: 'json' };
import templates from '../../../resources/locales/zh-CN.details/templates.json' with { type: 'json' };
import terms from '../../../resources/locales/zh-CN.details/terms.json' with { type: 'json' };
import transferServe from '../../../resources/locales/zh-CN.details/transfer-serve.json' with { type: 'json' };
import values from '../../../resources/locales/zh-CN.details/values.json' with { type: 'json' };
import yaml from '../../../resources/locales/zh-CN.details/yaml.json' with { type: 'json' };
import { STATUS, buildStatusSentences } from './status.ts';

export interface Translation {
  readonly details: Readonly<Record<string, string>>;
  readonly terms: Readonly<Record<string, string>>;
}

export const CHINESE: Translation = {
  details: {
    ...app,
    ...cli,
    ...cliRefusals,
    ...cliOutput,
    ...device,
    ...discovery,
    ...documents,
    ...files,
    ...flow,
    ...flowThermal,
    ...flowGate,
    ...inventory,
    ...jobs,
    ...people,
    ...model,
    ...plans,
    ...prints,
    ...report,
    ...reports,
    ...requests,
    ...templates,
    ...transferServe,
    ...values,
    ...yaml,
    ...buildStatusSentences(STATUS['zh-CN']),
  },
  terms,
};
