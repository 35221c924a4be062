/** Rules that propose a template for devices, and what they propose today. Nothing is written here. */
import { randomBytes } from 'node:crypto';
import type { proposalsRoutes } from '#shared/contract/proposals.ts';
import type { RouteFunctions } from '#shared/contract/route.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Device, DeviceKind, TemplateEntry } from '#shared/model.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Proposal, ProposalRule, ProposalScope } from '#shared/proposals.ts';
import { readAgreed } from '../agreement/agreed-sections.ts';
import type { Clock } from '../api/host.ts';
import type { AgreementsApi, DevicesApi } from '../api/routes.ts';
import { requireSite } from '../inventory/sites.ts';
import { getSectionKey } from '../template/document.ts';
import type { Store } from '../store/index.ts';

export type ProposalsApi = RouteFunctions<typeof proposalsRoutes>;

interface ProposalsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Operating system user. */
  readonly user: string;
  readonly devices: Pick<DevicesApi, 'list'>;
  readonly templates: () => readonly TemplateEntry[];
  readonly agreements: () => Pick<AgreementsApi, 'status'>;
}

interface RuleRow {
  readonly id: string;
  readonly template_id: string;
  readonly kind: DeviceKind | null;
  readonly site_id: string | null;
  readonly tag: string | null;
  readonly template_values: string;
  readonly at: string;
  readonly by_user: string;
}

type Cause = Pick<Proposal, 'reason' | 'since'>;

/** A device that shows fewer other values may have been changed by a person. */
const LEAST_OF_RESET = 3;

export class Proposals implements ProposalsApi {
  readonly #options: ProposalsOptions;

  constructor(options: ProposalsOptions) {
    this.#options = options;
  }

  readonly rules: ProposalsApi['rules'] = () => {
    const { store, devices, templates } = this.#options;
    const [all, entries] = [devices.list(), templates()];
    return store.all<RuleRow>('SELECT * FROM proposal_rules ORDER BY at, rowid').map((row) => {
      const scope = removeUndefined({
        kind: row.kind ?? undefined,
        siteId: row.site_id ?? undefined,
        tag: row.tag ?? undefined,
      });
      return {
        ...scope,
        id: row.id,
        templateId: row.template_id,
        ...removeUndefined({ template: entries.find(({ id }) => id === row.template_id)?.name }),
        values: readOwnJson(row.template_values) as ProposalRule['values'],
        at: row.at,
        by: row.by_user,
        fits: all.filter((device) => isInScope(device, scope)).length,
      };
    });
  };

  readonly addRule: ProposalsApi['addRule'] = ({ templateId, kind, siteId, tag, values = {} }) => {
    const { store, clock, user, templates } = this.#options;
    if (kind === undefined && siteId === undefined && tag === undefined)
      throw userError('usage', say('proposal-for-all'));
    if (!templates().some(({ id }) => id === templateId))
      throw userError('not-found', say('proposal-no-template', { id: templateId }));
    if (siteId !== undefined) requireSite(store, siteId);
    const id = `p-${randomBytes(6).toString('hex')}`;
    store.insert('proposal_rules', {
      id,
      template_id: templateId,
      kind,
      site_id: siteId,
      tag,
      template_values: JSON.stringify(values),
      at: clock.now().toISOString(),
      by_user: user,
    });
    return this.#rule(id);
  };

  readonly removeRule: ProposalsApi['removeRule'] = ({ id }) => ({
    removed: this.#options.store.remove('proposal_rules', { id }).changes > 0,
  });

  readonly list: ProposalsApi['list'] = () => {
    const { store, devices } = this.#options;
    const rules = this.rules().filter(({ template }) => template !== undefined);
    if (rules.length === 0) return [];
    const all = devices.list();
    const replaced = this.#readReplaced();
    const reset = this.#findReset(all);
    const answers = new Map(
      store
        .all<{ readonly key: string; readonly since: string }>(
          "SELECT rule_id || ' ' || device_id AS key, since FROM proposal_answers",
        )
        .map(({ key, since }) => [key, since]),
    );
    return rules.flatMap((rule) => {
      const done = this.#readApplied(rule);
      return all
        .filter((device) => isInScope(device, rule))
        .flatMap((device): readonly Proposal[] => {
          const cause = findCause(device, rule, { replaced, reset });
          if (cause === undefined) return [];
          const answered = answers.get(`${rule.id} ${device.id}`) ?? '';
          if (cause.since <= answered || cause.since <= (done.get(device.id) ?? '')) return [];
          return [{ ruleId: rule.id, deviceId: device.id, ...cause }];
        });
    });
  };

  readonly template: ProposalsApi['template'] = ({ ruleId, deviceIds }) => {
    const { templateId, values } = this.#rule(ruleId);
    const valuesByDevice = Object.fromEntries(deviceIds.map((id) => [id, values]));
    const entry = this.#options.templates().find(({ id }) => id === templateId);
    if (entry === undefined) throw userError('not-found', say('proposal-no-template', { id: templateId }));
    return { templateText: entry.text, deviceIds, valuesByDevice };
  };

  readonly dismiss: ProposalsApi['dismiss'] = ({ ruleId, deviceIds }) => {
    const { store, clock, user } = this.#options;
    const own = this.list().filter((one) => one.ruleId === ruleId && deviceIds.includes(one.deviceId));
    store.transaction(() => {
      for (const { deviceId, since } of own)
        store.insert(
          'proposal_answers',
          { rule_id: ruleId, device_id: deviceId, since, at: clock.now().toISOString(), by_user: user },
          'replace',
        );
    });
    return { dismissed: own.length };
  };

  #rule(id: string): ProposalRule {
    const found = this.rules().find((rule) => rule.id === id);
    if (found === undefined) throw userError('not-found', say('proposal-no-rule', { id }));
    return found;
  }

  /** Reads when each device took the place of another one. */
  #readReplaced(): ReadonlyMap<string, string> {
    const rows = this.#options.store.all<{ readonly id: string; readonly at: string }>(
      'SELECT replaced_by AS id, max(at) AS at FROM archived_devices GROUP BY replaced_by',
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  /** Reads when the template of a rule was last applied to each device. */
  #readApplied({ templateId, template = '' }: ProposalRule): ReadonlyMap<string, string> {
    const rows = this.#options.store.all<{ readonly id: string; readonly at: string }>(
      `SELECT d.device_id AS id, max(coalesce(j.ended_at, j.created_at)) AS at
       FROM jobs AS j JOIN job_devices AS d ON d.job_id = j.id
       WHERE j.kind = 'apply' AND d.state = 'done'
         AND (json_extract(j.about, '$.template.id') = ? OR json_extract(j.about, '$.template.name') = ?)
       GROUP BY d.device_id`,
      templateId,
      template,
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  /** Finds devices of which no agreed section is as it was, and since when. */
  #findReset(all: readonly Device[]): ReadonlyMap<string, string> {
    const { store, agreements } = this.#options;
    const suspects = all.filter(
      ({ agreement }) => agreement?.state === 'drifted' && agreement.differs >= LEAST_OF_RESET,
    );
    const ids = suspects.map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const agreed = readAgreed(store, ids);
    return new Map(
      agreements()
        .status({ deviceIds: ids })
        .flatMap(({ deviceId, differences }) => {
          const other = new Set(differences.map(({ set, params }) => getSectionKey(set, params)));
          const isReset = agreed
            .get(deviceId)
            ?.every(({ set, params }) => other.has(getSectionKey(set, params)));
          const [since] = differences.map((one) => one.since).sort();
          return isReset === true && since !== undefined ? [[deviceId, since] as const] : [];
        }),
    );
  }
}

function isInScope({ kinds, siteId, tags }: Device, scope: ProposalScope): boolean {
  return (
    (scope.kind === undefined || kinds.includes(scope.kind)) &&
    (scope.siteId === undefined || scope.siteId === siteId) &&
    (scope.tag === undefined || tags.includes(scope.tag))
  );
}

/** Returns the latest event for which a rule proposes its template. */
function findCause(
  { id, addedAt }: Device,
  rule: ProposalRule,
  {
    replaced,
    reset,
  }: { readonly replaced: ReadonlyMap<string, string>; readonly reset: ReadonlyMap<string, string> },
): Cause | undefined {
  const causes: readonly { readonly reason: Cause['reason']; readonly since: string | undefined }[] = [
    { reason: 'new', since: addedAt },
    { reason: 'replaced', since: replaced.get(id) },
    { reason: 'reset', since: reset.get(id) },
  ];
  return causes
    .flatMap(({ reason, since }) => (since === undefined || since < rule.at ? [] : [{ reason, since }]))
    .sort((a, b) => (a.since < b.since ? 1 : -1))[0];
}
