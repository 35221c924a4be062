/** Guided flows for the faces: which there are, beginning one, its question of this moment, answers, records. */
import type { flowsRoutes } from '../../shared/contract/flows.ts';
import type { RouteFunctions } from '../../shared/contract/route.ts';
import { defined } from '../../shared/defined.ts';
import { say } from '../../shared/details.ts';
import { userError } from '../../shared/errors.ts';
import type { Language } from '../../shared/details/languages.ts';
import type { FlowInfo, FlowTemplate, FlowView } from '../../shared/flows.ts';
import type { Clock, DevicesApi, OperationsApi } from '../api.ts';
import { newJobId, type Jobs } from '../jobs/jobs.ts';
import type { ChainFault, RecordComparison, SealedDocument } from '../../shared/report.ts';
import { chainFaults, linkOf } from '../report/chain.ts';
import { compareDocuments } from '../report/compare.ts';
import { renderedParts } from '../report/files.ts';
import type { Verdict } from '../report/verify.ts';
import type { Effects } from './effects.ts';
import { flowTemplate } from './flow-template.ts';
import { textOf, type FlowKind } from './flow-kind.ts';
import type { Flow } from './flow.ts';
import { readWith } from './read-with.ts';
import type { Records } from './records.ts';

export interface FlowsApi extends RouteFunctions<typeof flowsRoutes> {
  /** The record of each device of a job; of one that is not through as far as it has come. */
  recordsOf(request: { readonly jobId: string }): readonly SealedDocument[];
  /** A record as a file, kept or not. */
  render(sealed: SealedDocument, format: RecordFormat, language: Language): Promise<Uint8Array>;
  /** What differs between two records of the same flow. Throws `not-allowed`. */
  compare(before: SealedDocument, after: SealedDocument): RecordComparison;
  /** Whether these records follow on each other as they were made; kept ones between them are not missed. */
  chainOf(records: readonly SealedDocument[]): readonly ChainFault[];
  /** Whether a file is still what was exported; never throws for what it holds. */
  verify(bytes: Uint8Array): Promise<Verdict>;
}
type RecordFormat = 'json' | 'html' | 'pdf';

interface FlowsOptions {
  readonly flows: readonly Flow[];
  readonly kind: FlowKind;
  readonly records: Records;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly operations: Pick<OperationsApi, 'call'>;
  readonly resourcesDir: string;
  readonly version: string;
}

export function createFlows(options: FlowsOptions): FlowsApi {
  const { flows, kind, records, effects, clock, jobs, devices } = options;
  const infos = flows.map(infoOf);

  function view(jobId: string): FlowView {
    const { results, ...job } = jobs.show({ id: jobId });
    const flow = kind.flowOf(flowNameOf(jobId));
    return {
      jobId: job.id,
      flow: infoOf(flow),
      devices: results.map(({ deviceId, name, units }, position) => ({
        deviceId,
        name,
        outcomes: units.map(({ outcome }) => outcome),
        ...defined({
          record: records.ofDevice({ jobId: job.id, position })?.document.id,
          hasTemplate: job.endedAt === undefined ? undefined : hasTemplate(job.id, position),
        }),
      })),
      ended: job.endedAt !== undefined,
      ...defined({ asked: kind.dialogueOf(job.id)?.asked }),
    };
  }

  function template(jobId: string, position: number): FlowTemplate {
    const { id, results } = jobs.show({ id: jobId });
    const flow = kind.flowOf(flowNameOf(id));
    const device = results[position];
    if (device === undefined) throw userError('not-found', say('flow-no-device'));
    const { name, url } = device;
    return flowTemplate(effects.of({ jobId: id, position }), {
      name: `${textOf(flow.title)}: ${name}`,
      device: name,
      url,
      // For every device that has these settings.
      kinds: [],
      at: clock.now().toISOString(),
    });
  }

  /** Told of a job that has ended alone: it is looked for with every view. */
  function hasTemplate(jobId: string, position: number): boolean {
    try {
      return template(jobId, position).text !== '';
    } catch {
      return false;
    }
  }

  async function render(
    sealed: SealedDocument,
    format: RecordFormat,
    language: Language,
  ): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const part of renderedParts(sealed, format, language, options.resourcesDir)) parts.push(part);
    return Buffer.concat(parts);
  }

  function flowNameOf(jobId: string): string {
    const { about } = jobs.show({ id: jobId });
    if (about.flow === undefined) throw userError('not-found', say('flow-no-job', { id: jobId }));
    return about.flow.name;
  }

  return {
    list: () => infos,
    begin({ flow: name, deviceIds }) {
      const flow = kind.flowOf(name);
      const chosen = [...new Set(deviceIds)].map((id) => devices.find(id));
      if (chosen.length === 0) throw userError('usage', say('flow-no-device'));
      return jobs.begin({
        id: newJobId(),
        kind: 'flow',
        title: textOf(flow.title),
        about: { flow: { name, title: flow.title } },
        subject: `flow:${name}`,
        body: { flow: name },
        // One person goes from device to device.
        options: { concurrency: 1 },
        devices: chosen.map((device, position) => kind.newDevice(flow, device, position)),
      });
    },
    async *watch({ jobId }, signal) {
      const id = view(jobId).jobId;
      // Whatever changes while a view is on its way leads to another one.
      let changed = Promise.withResolvers<void>();
      const wake = (): void => changed.resolve();
      const followed = new AbortController();
      const stop = (): void => {
        followed.abort();
        wake();
      };
      signal.addEventListener('abort', stop, { once: true });
      const job = (async () => {
        for await (const _event of jobs.watch({ id }, followed.signal)) wake();
        wake();
      })();
      let off: (() => void) | undefined;
      try {
        for (;;) {
          if (signal.aborted) return;
          off ??= kind.dialogueOf(id)?.onChange(wake);
          const now = view(id);
          yield now;
          if (now.ended) return;
          await changed.promise;
          changed = Promise.withResolvers<void>();
        }
      } finally {
        signal.removeEventListener('abort', stop);
        followed.abort();
        off?.();
        await job.catch(() => undefined);
      }
    },
    answer({ jobId, token, answer }) {
      const dialogue = kind.dialogueOf(jobs.show({ id: jobId }).id);
      if (dialogue === undefined) throw userError('not-available', say('flow-not-running'));
      dialogue.answer(token, answer);
      return { answered: true };
    },
    template: ({ jobId, position }) => template(jobId, position),
    records: () => records.list(),
    record: ({ id }) => records.get(id),
    compareRecords: ({ before, after }) =>
      compareDocuments(records.get(before).document, records.get(after).document),
    checkChain: () => ({ faults: chainFaults([...records.links()], { isWhole: true }) }),
    compare: (before, after) => compareDocuments(before.document, after.document),
    chainOf: (shown) =>
      chainFaults([...new Map(shown.map((sealed) => [sealed.document.id, linkOf(sealed)])).values()], {
        known: new Map(records.list().map(({ id, sha256 }) => [id, sha256])),
      }),
    async exportRecord({ id, format, language }) {
      const sealed = records.get(id);
      const { document } = sealed;
      const bytes = await render(sealed, format, language);
      const device = document.devices?.[0]?.name ?? '';
      return {
        fileName: `${document.kind} ${device} ${document.at.slice(0, 10)}.${format}`,
        base64: Buffer.from(bytes).toString('base64'),
      };
    },
    async picture({ deviceId }, signal) {
      const device = devices.find(deviceId);
      const flow = flows.find(
        ({ kinds, picture }) => picture !== undefined && kinds?.some((kind) => device.kinds.includes(kind)),
      );
      const read = readWith(options.operations, device.id, signal);
      return defined({ picture: await flow?.picture?.({ read }) });
    },
    render,
    async verify(bytes) {
      const { verifyFile } = await import('../report/verify.ts');
      const { readReportFont } = await import('../report/pdf.ts');
      return verifyFile(bytes, {
        version: options.version,
        font: await readReportFont(options.resourcesDir),
        kept: new Map(records.list().map(({ id, sha256 }) => [id, sha256])),
      });
    },
    recordsOf({ jobId }) {
      const { id, results } = jobs.show({ id: jobId });
      const flow = kind.flowOf(flowNameOf(id));
      return results.map(({ deviceId, name, url }, position) => {
        const place = { jobId: id, position };
        const device = { id: deviceId, name, url, kinds: [] };
        return records.ofDevice(place) ?? records.unfinished(flow, place, device);
      });
    },
  };
}

function infoOf({ name, title, about, kinds, steps }: Flow): FlowInfo {
  return {
    name,
    title,
    about,
    steps: steps.map(({ id, title: words }) => ({ id, title: words })),
    ...defined({ kinds }),
  };
}
