/** What is left of a job whose process ended, that was cancelled, or that not every device could follow. */
import { defined } from '../../shared/defined.ts';
import { toErrorShape } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type { PlanSection } from '../../shared/model.ts';
import { requireConsent } from '../plain-fields.ts';
import { canonicalJson } from '../template/canonical-json.ts';
import type { ResolvedSection, TemplateDocument } from '../template/document.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { asError } from '../template/problems.ts';
import { resolveTemplate } from '../template/resolve.ts';
import type { Resolved } from '../template/resolve.ts';
import type { DeviceTask } from './apply-device.ts';
import { isWaiting } from '../jobs/job-state.ts';
import { locate } from '../jobs/locate-device.ts';
import type { Finder } from '../jobs/locate-device.ts';
import { withoutRepeats } from './prepare-job.ts';
import { holdsSecrets } from './secrets.ts';
import type { EarlierWrite } from './settle.ts';
import type { StoredDevice, StoredJob, StoredSection } from '../jobs/stored-job.ts';

/** True where a turn is still to come, or a write's fate is open. */
export function isUnfinished(device: StoredDevice): boolean {
  return (
    isWaiting(device) || device.sections.some(({ outcome }) => outcome === 'pending' || outcome === 'unknown')
  );
}

/** Sections that are to have their turn: what is finished, well or not, is never repeated. */
export function sectionsLeft(device: StoredDevice): readonly StoredSection[] {
  // Where the device's turn ended early, "failed" means that nothing was sent.
  return device.sections.filter(
    ({ outcome }) =>
      outcome === 'pending' || outcome === 'unknown' || (outcome === 'failed' && isWaiting(device)),
  );
}

/** A write that may have been sent and whose result nobody saw. */
export function earlierWrite({ outcome, changes, error }: StoredSection): EarlierWrite | undefined {
  return outcome === 'unknown' ? { changes, ...defined({ error }) } : undefined;
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

export type ResumeTask =
  | { readonly kind: 'planned'; readonly task: DeviceTask }
  | { readonly kind: 'unplanned'; readonly task: UnplannedTask }
  | { readonly kind: 'impossible'; readonly position: number; readonly error: ErrorShape };

export interface ResumeInput {
  readonly job: StoredJob;
  readonly devices: readonly StoredDevice[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly finder: Finder;
  readonly allowPlainFields: boolean;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
}

/** Throws one error with everything that is wrong with template, values or secrets; nothing is sent then. */
export function planResume(input: ResumeInput): readonly ResumeTask[] {
  const { document, errors } = parseTemplate(input.job.template.text);
  if (document === undefined) throw asError(errors);
  const problems: ErrorShape[] = [];
  const tasks = input.devices.flatMap((device): readonly ResumeTask[] => {
    const located = locate(device, input.finder);
    if (!located.ok) return [{ kind: 'impossible', position: device.position, error: located.error }];
    try {
      return [
        resumeDevice(device, { deviceId: located.device.id, url: located.device.url }, document, input),
      ];
    } catch (thrown) {
      const shape = toErrorShape(thrown);
      problems.push(shape, ...(shape.others ?? []));
      return [];
    }
  });
  if (problems.length > 0) throw asError(withoutRepeats(problems));
  return tasks;
}

function resumeDevice(
  device: StoredDevice,
  place: { readonly deviceId: string; readonly url: string },
  document: TemplateDocument,
  input: ResumeInput,
): ResumeTask {
  const left = sectionsLeft(device);
  const unplanned = device.sections.length === 0;
  const resolved = resolveTemplate(document, {
    values: device.values,
    secrets: input.secrets,
    needSecrets: asksForSecrets(device, document),
    device: device.url,
  });
  if (!resolved.ok) throw asError(resolved.errors);

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
      const write = earlierWrite(section);
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

/** Only where a section that is still to be written holds a secret. */
export function asksForSecrets(device: StoredDevice, document: TemplateDocument): boolean {
  const indexes =
    device.sections.length === 0
      ? document.sections.map(({ index }) => index)
      : sectionsLeft(device)
          .filter(({ confirmed }) => confirmed?.state !== 'blocked' && confirmed?.state !== 'unsupported')
          .map(({ key }) => key.index);
  return indexes.some((index) => {
    const resource = document.sections[index]?.resource;
    return resource !== undefined && holdsSecrets(resource);
  });
}

function sameSection(stored: StoredSection, sections: readonly ResolvedSection[]): ResolvedSection {
  const section = sections.find(({ index }) => index === stored.key.index);
  if (
    section !== undefined &&
    section.set === stored.set &&
    canonicalJson(section.params) === canonicalJson(stored.params)
  )
    return section;
  throw asError([
    {
      code: 'storage-damaged',
      source: 'app',
      message: 'The journal of this job does not fit its own template; nothing was sent.',
    },
  ]);
}

/** What was confirmed when the job was started. An older journal holds the changes alone. */
function confirmedPlan(stored: StoredSection, section: ResolvedSection | undefined): PlanSection {
  const confirmed = stored.confirmed ?? {
    state: stored.planned.length > 0 ? 'changes' : 'unchanged',
    optional: section?.optional ?? false,
    adjustments: [],
    problems: [],
  };
  return {
    index: stored.key.index,
    set: stored.set,
    label: stored.label,
    params: stored.params,
    changes: stored.planned,
    ...confirmed,
  };
}
