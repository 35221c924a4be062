/**
 * Reads from the journal what was applied to devices: which template, which version, what of it was seen in
 * force.
 */
import type { Params, SectionResult, UnitOutcome } from '#shared/model.ts';
import { OUTCOMES } from '#shared/outcomes.ts';
import type { DocumentText, Fact } from '#shared/report-document.ts';
import { findOperation } from '#protocol/index.ts';
import type { JobsApi } from '../api/routes.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { listChangeFacts } from '../report-files/facts.ts';

export interface AppliedJob {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  /** Name in every language: its template, or the operation of a single call. */
  readonly name: DocumentText;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly template?: { readonly name: string; readonly version?: number; readonly hash: string };
  /** Outcomes of what it was to write there. */
  readonly outcomes: readonly UnitOutcome[];
}

/** A value that was sent to the device, and by which job last. */
export interface Written {
  /** The read that would show it. */
  readonly operation: string;
  readonly params: Params;
  readonly path: string;
  /** Its name, and the value as it was sent. */
  readonly fact: Fact;
  readonly outcome: UnitOutcome;
  readonly job: AppliedJob;
}

export interface Configuration {
  /** Newest first. */
  readonly jobs: readonly AppliedJob[];
  /** The latest that wrote each value, in the order of the jobs. */
  readonly written: readonly Written[];
  /** Jobs of which something did not come into force, and no later job made up for it. */
  readonly unsettled: readonly AppliedJob[];
  writer(operation: string, params: Params, path: string): Written | undefined;
}

/** Jobs that are looked through of one device. */
const MOST_JOBS = 100;

/**
 * Creates a reader of single devices, each read when it is asked for; a job that wrote to many is read once.
 */
export function createConfigurationReader(
  jobs: Pick<JobsApi, 'search' | 'show'>,
): (deviceId: string) => Configuration {
  const shown = new Map<string, ReadonlyMap<string, readonly SectionResult[]>>();
  const sectionsOf = (id: string, deviceId: string): readonly SectionResult[] => {
    let byDevice = shown.get(id);
    if (byDevice === undefined) {
      byDevice = new Map(
        jobs.show({ id }).results.map((result) => [result.deviceId, result.units.filter(isSection)]),
      );
      shown.set(id, byDevice);
    }
    return byDevice.get(deviceId) ?? [];
  };
  return (deviceId) => {
    const written = new Map<string, Written>();
    const settled = new Set<string>();
    const applied: AppliedJob[] = [];
    const unsettled: AppliedJob[] = [];
    for (const { id, kind, title, by, createdAt, about } of jobs.search({ deviceId, limit: MOST_JOBS })
      .jobs) {
      const sections = sectionsOf(id, deviceId);
      if (sections.length === 0) continue;
      const job: AppliedJob = {
        id,
        kind,
        title,
        name:
          about.template?.name ??
          (about.call === undefined ? title : { root: about.call.operation, label: title }),
        by,
        at: createdAt,
        outcomes: sections.map(({ outcome }) => outcome),
        template: about.template,
      };
      applied.push(job);
      for (const { set, params, changes, outcome } of sections) {
        const operation = `${set}.get`;
        const place = keyOf(operation, params, '');
        // The latest job decides: a section that failed twice is one open point.
        if (!settled.has(place) && !OUTCOMES[outcome].good && !unsettled.includes(job)) unsettled.push(job);
        settled.add(place);
        if (!OUTCOMES[outcome].written) continue;
        const get = findOperation(operation);
        for (const { path, fact } of get === undefined
          ? []
          : changes.flatMap((change) => listChangeFacts(get, change))) {
          const key = keyOf(operation, params, path);
          if (!written.has(key)) written.set(key, { operation, params, path, fact, outcome, job });
        }
      }
    }
    return {
      jobs: applied,
      written: [...written.values()],
      unsettled,
      writer: (operation, params, path) => written.get(keyOf(operation, params, path)),
    };
  };
}

function isSection(unit: object): unit is SectionResult {
  return 'set' in unit && 'changes' in unit && 'params' in unit;
}

function keyOf(operation: string, params: Params, path: string): string {
  const named = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return `${operation}\n${encodeCanonicalJson(named)}\n${path}`;
}
