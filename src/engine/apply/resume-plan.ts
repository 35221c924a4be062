/** Plans the rest of a job whose process ended, that was cancelled, or that not every device could follow. */
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { PlanSection } from '#shared/model.ts';
import { requireConsent } from '../operations/plain-fields.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import type { ResolvedSection, TemplateDocument } from '../template/document.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { combineErrors } from '../template/check/problems.ts';
import { resolveTemplate, type Resolved } from '../template/values/resolve.ts';
import type { DeviceTask } from './apply-device.ts';
import { listRemainingUnits } from '../jobs/job-state.ts';
import { locate, type Finder } from '../jobs/locate-device.ts';
import { prepareAll } from './prepare-job.ts';
import { holdsSecrets } from '../write/holds-secrets.ts';
import type { EarlierWrite } from './settle.ts';
import type { SettingsDevice, SettingsJob, SettingsUnit } from './settings-documents.ts';

/** Returns a write that may have been sent and whose result is unknown. */
export function findEarlierWrite({
  outcome,
  detail: { changes, warnings },
  error,
}: SettingsUnit): EarlierWrite | undefined {
  return outcome === 'unknown' ? { changes, error, warnings } : undefined;
}

/** A device that could not be planned when the job was made: it is planned in its turn, and needs a confirmation. */
export interface UnplannedTask {
  readonly position: number;
  readonly deviceId: string;
  readonly url: string;
  readonly secrets: readonly string[];
  readonly resolved: Extract<Resolved, { ok: true }>;
  readonly document: TemplateDocument;
}

type ResumeTask =
  | { readonly kind: 'planned'; readonly task: DeviceTask }
  | { readonly kind: 'unplanned'; readonly task: UnplannedTask }
  | { readonly kind: 'impossible'; readonly position: number; readonly error: ErrorShape };

interface ResumeInput {
  readonly job: SettingsJob;
  readonly devices: readonly SettingsDevice[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly finder: Finder;
  readonly allowPlainFields: boolean | undefined;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
}

/** Throws one error with everything that is wrong with template, values or secrets; nothing is sent then. */
export function planResume(input: ResumeInput): readonly ResumeTask[] {
  const { document, errors } = parseTemplate(input.job.body.templateText);
  if (document === undefined) throw combineErrors(errors);
  return prepareAll(input.devices, (device): ResumeTask => {
    const located = locate(device, input.finder);
    return located.ok
      ? resumeDevice(device, { deviceId: located.device.id, url: located.device.url }, document, input)
      : { kind: 'impossible', position: device.position, error: located.error };
  });
}

function resumeDevice(
  device: SettingsDevice,
  place: { readonly deviceId: string; readonly url: string },
  document: TemplateDocument,
  input: ResumeInput,
): ResumeTask {
  const left = listRemainingUnits(device);
  const unplanned = device.units.length === 0;
  const resolved = resolveTemplate(document, {
    values: device.document.values,
    secrets: input.secrets,
    needSecrets: needsSecrets(device, document),
    device: device.url,
  });
  if (!resolved.ok) throw combineErrors(resolved.errors);

  const sections = unplanned
    ? resolved.sections
    : left.map((section) => sameSection(section, resolved.sections));
  for (const section of sections)
    requireConsent({
      operation: section.resource.put,
      value: section.value,
      url: place.url,
      allowed: input.allowPlainFields,
    });
  if (sections.some(({ resource }) => holdsSecrets(resource))) input.canSeal();
  const head = { position: device.position, ...place, secrets: Object.values(input.secrets) };
  if (unplanned) return { kind: 'unplanned', task: { ...head, resolved, document } };
  const earlier = new Map(
    left.flatMap((section) => {
      const write = findEarlierWrite(section);
      return write === undefined ? [] : [[section.key.index, write] as const];
    }),
  );
  return {
    kind: 'planned',
    task: {
      ...head,
      sections,
      planned: left.map((section, at) => confirmedPlan(section, sections[at])),
      earlier,
    },
  };
}

/** Returns true if a section that is still to be written holds a secret. */
export function needsSecrets(device: SettingsDevice, document: TemplateDocument): boolean {
  const indexes =
    device.units.length === 0
      ? document.sections.map(({ index }) => index)
      : listRemainingUnits(device)
          .filter((unit) => {
            const state = unit.document()?.confirmed?.state;
            return state !== 'blocked' && state !== 'unsupported';
          })
          .map(({ key }) => key.index);
  return indexes.some((index) => {
    const resource = document.sections[index]?.resource;
    return resource !== undefined && holdsSecrets(resource);
  });
}

function sameSection(stored: SettingsUnit, sections: readonly ResolvedSection[]): ResolvedSection {
  const section = sections.find(({ index }) => index === stored.key.index);
  if (
    section !== undefined &&
    section.set === stored.detail.set &&
    encodeCanonicalJson(section.params) === encodeCanonicalJson(stored.detail.params)
  )
    return section;
  throw combineErrors([
    {
      code: 'storage-damaged',
      source: 'app',
      ...say('journal-misfit'),
    },
  ]);
}

/** Returns the section as it was confirmed when the job started. An older journal holds the changes alone. */
function confirmedPlan(stored: SettingsUnit, section: ResolvedSection | undefined): PlanSection {
  const { planned = [], confirmed: known } = stored.document() ?? {};
  const confirmed = known ?? {
    state: planned.length > 0 ? 'changes' : 'unchanged',
    optional: section?.optional ?? false,
    adjustments: [],
    problems: [],
  };
  const { set, params } = stored.detail;
  return { index: stored.key.index, set, label: stored.label, params, changes: planned, ...confirmed };
}
