/** Records of flows: made when the last step of a device is through, kept with their hash, never changed. */
import { randomUUID } from 'node:crypto';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Clock } from '../api/host.ts';
import type { RecordSummary } from '#shared/flows.ts';
import {
  REPORT_FORMAT,
  type Block,
  type Check,
  type ReportDocument,
  type SealedDocument,
  type Section,
} from '#shared/report-document.ts';
import { formatLocalTime, getZoneName } from '../host/local-time.ts';
import { linkOf, type ChainLink } from '../report-files/chain.ts';
import { sealDocument } from '../report-files/seal.ts';
import type { Store } from '../store/index.ts';
import type { Effects } from './effects.ts';
import type { Flow, StepContext, Values } from './flow.ts';
import { ENDED, type EndedStep } from './ended.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { listStepChecks, buildOutcomeBlocks, type EndedSteps } from './record-summary.ts';

export interface RecordsOptions {
  readonly store: Store;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly user: string;
  readonly version: string;
  /** Returns the site of a device: its records are a chain. */
  readonly siteOf: (deviceId: string) => { readonly id: string; readonly name: string } | undefined;
}

interface Place {
  readonly jobId: string;
  readonly position: number;
}
interface Row {
  readonly sealed: string;
}

const SUMMARY = 'SELECT id, job_id AS jobId, device_id AS deviceId, kind AS flow, at, sha256 FROM records';

export class Records {
  readonly #options: RecordsOptions;

  constructor(options: RecordsOptions) {
    this.#options = options;
  }

  /** Makes the record, once for each device of a job, and again if a step has become something else since. */
  make(flow: Flow, place: Place, device: StepContext['device']): SealedDocument {
    const { store } = this.#options;
    return store.transaction(() => {
      const known = this.ofDevice(place);
      if (known !== undefined && !this.isOutdated(flow, place)) return known;
      const site = this.#options.siteOf(device.id);
      const previous = store.get<Row>(
        'SELECT sealed FROM records WHERE site_id IS ? ORDER BY rowid DESC LIMIT 1',
        site?.id ?? null,
      );
      const sealed = sealDocument(
        this.#document(flow, place, device),
        previous === undefined ? undefined : (readOwnJson(previous.sealed) as SealedDocument),
      );
      const text = JSON.stringify(sealed);
      store.requireRoom(text.length, 'record');
      store.insert('records', {
        id: sealed.document.id,
        site_id: site?.id,
        job_id: place.jobId,
        position: place.position,
        device_id: device.id,
        kind: flow.name,
        at: sealed.document.at,
        sha256: sealed.sha256,
        sealed: text,
      });
      return sealed;
    });
  }

  /** Returns whether a record was made, and a step has become something else since. */
  isOutdated(flow: Flow, place: Place): boolean {
    const known = this.ofDevice(place);
    if (known === undefined) return false;
    const block = known.document.sections[0]?.blocks.find((each) => each.block === 'checklist');
    const outcomes = (checks: readonly Check[]): string =>
      JSON.stringify(checks.map(({ result, reason }) => [result, reason]));
    return (
      block === undefined || outcomes(block.items) !== outcomes(listStepChecks(flow, this.#ended(place)))
    );
  }

  list(): readonly RecordSummary[] {
    return this.#options.store
      .all<RecordSummary & { readonly first: string }>(
        `${SUMMARY.replace(' FROM', `, json_extract(sealed, '$.document.sections[0].blocks[0]') AS first FROM`)} ORDER BY rowid DESC`,
      )
      .map(({ first, ...summary }) => {
        const block = readOwnJson(first) as Block;
        return { ...summary, ...(block.block === 'paragraph' && { verdict: block }) };
      });
  }

  /** Yields the links of the chain, oldest first. A row that does not fit its document has been changed. */
  *links(): Generator<ChainLink> {
    const { store } = this.#options;
    for (const { id } of store.all<{ readonly id: string }>('SELECT id FROM records ORDER BY rowid')) {
      const row = store.get<
        Row & { readonly sha256: string; readonly site: string | null; readonly brought: string | null }
      >('SELECT sealed, sha256, site_id AS site, brought FROM records WHERE id = ?', id);
      if (row === undefined) continue;
      const link = linkOf(readOwnJson(row.sealed) as SealedDocument);
      yield {
        ...link,
        id,
        site: row.site ?? undefined,
        isIntact: link.isIntact && link.id === id && link.sha256 === row.sha256,
        isBrought: row.brought !== null,
      };
    }
  }

  /** Returns a record by its id, or by a unique prefix of it. @throws `not-found` */
  get(id: string): SealedDocument {
    const rows = this.#options.store.all<Row>(
      'SELECT sealed FROM records WHERE substr(id, 1, length(?)) = ? LIMIT 2',
      id,
      id,
    );
    const [row] = rows;
    if (row !== undefined && rows.length === 1) return readOwnJson(row.sealed) as SealedDocument;
    throw userError('not-found', say('flow-no-record', { id }));
  }

  /**
   * Returns the record of a flow that is still running; steps to come are open. It has no place in the chain.
   */
  unfinished(flow: Flow, place: Place, device: StepContext['device']): SealedDocument {
    return sealDocument(this.#document(flow, place, device));
  }

  #ended(place: Place): EndedSteps {
    return new Map(
      this.#options.effects
        .of(place)
        .filter(({ key }) => key === ENDED)
        .map(({ step, value, at }) => [step, { ...(value as EndedStep), at }]),
    );
  }

  #document(flow: Flow, place: Place, device: StepContext['device']): ReportDocument {
    const { clock, effects, user, version } = this.#options;
    const at = clock.now();
    const ended = this.#ended(place);
    const site = this.#options.siteOf(device.id);
    return {
      format: REPORT_FORMAT,
      kind: `commissioning.${flow.name}`,
      id: randomUUID(),
      title: flow.title,
      at: formatLocalTime(at),
      zone: getZoneName(),
      by: [{ name: user }],
      preparedWith: { name: 'Fieldwright', version },
      devices: [
        { id: device.id, name: device.name, address: device.url, ...identityOf(flow, place, effects) },
      ],
      ...(site !== undefined && { site: { id: site.id, name: site.name } }),
      sections: [
        {
          title: { id: 'flow-steps' },
          blocks: [
            ...buildOutcomeBlocks(flow, ended),
            {
              block: 'checklist',
              items: listStepChecks(flow, ended),
            },
          ],
        },
        ...flow.steps.flatMap(({ id, title }): Section[] => {
          const blocks = ended.get(id)?.blocks ?? [];
          return blocks.length === 0 ? [] : [{ title, blocks }];
        }),
      ],
    };
  }

  /** Returns the latest record of a device of a job, if it is finished. */
  ofDevice({ jobId, position }: Place): SealedDocument | undefined {
    const row = this.#options.store.get<Row>(
      'SELECT sealed FROM records WHERE job_id = ? AND position = ? ORDER BY rowid DESC LIMIT 1',
      jobId,
      position,
    );
    return row === undefined ? undefined : (readOwnJson(row.sealed) as SealedDocument);
  }
}

/** Returns the identity that a person read off the device. */
function identityOf(
  { identity }: Flow,
  place: Place,
  effects: Effects,
): Partial<Record<(typeof IDENTITY)[number], string>> {
  const answer = identity && effects.find({ ...place, step: identity.step }, `ask:${identity.key}`)?.value;
  return Object.fromEntries(
    IDENTITY.flatMap((name) => {
      const value = (answer as Values | undefined)?.[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

const IDENTITY = ['model', 'serial', 'firmware'] as const;
