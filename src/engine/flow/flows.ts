/** Guided flows for the faces: which there are, beginning one, its question of this moment, answers, records. */
import type { flowsRoutes } from '#shared/contract/flows.ts';
import type { RouteFunctions } from '#shared/contract/route.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Language } from '#shared/details/languages.ts';
import type { FlowInfo, FlowView } from '#shared/flows.ts';
import { buildFileName } from '#shared/text/file-name.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { createJobId, type Jobs } from '../jobs/jobs.ts';
import type { ChainFault, RecordComparison, SealedDocument } from '#shared/report-document.ts';
import { findChainFaults, linkOf } from '../report-files/chain.ts';
import { findVerdict } from '#report-layout/lay-out.ts';
import { compareDocuments } from '../report-files/compare.ts';
import { renderDocument } from '../report-files/files.ts';
import type { Verdict } from '../report-files/verify.ts';
import type { Effects } from './effects.ts';
import { buildFlowTemplate } from './flow-template.ts';
import { findForbidden, formatEnglish, requireAllowedFlow, type FlowKind } from './flow-kind.ts';
import type { Flow } from './flow.ts';
import { createReaders } from './readings.ts';
import type { Records } from './records.ts';
import { listQuestions, type RehearsedStep } from './rehearse.ts';

export interface FlowsApi extends RouteFunctions<typeof flowsRoutes> {
  /** Returns the record of each device of a job; an unfinished one as far as it has come. */
  recordsOf(request: { readonly jobId: string }): readonly SealedDocument[];
  /**
   * Lists what the flow asks, without sending anything. With a device its limits are read; a reading that fails ends its
   * step with the error.
   */
  rehearse(request: {
    readonly flow: string;
    readonly deviceId?: string | undefined;
  }): Promise<readonly RehearsedStep[]>;
  /** Renders a record as a file, kept or not. */
  render(sealed: SealedDocument, format: RecordFormat, language: Language): Promise<Uint8Array>;
  /** Compares two records of the same flow. @throws `not-allowed` */
  compare(before: SealedDocument, after: SealedDocument): RecordComparison;
  /**
   * Checks whether these records follow on each other as they were made; kept ones between them are not
   * required.
   */
  chainOf(records: readonly SealedDocument[]): readonly ChainFault[];
  /** Checks whether a file still equals what was exported; never throws because of its contents. */
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
  readonly clients: DeviceClients;
  readonly resourcesDir: string;
  readonly version: string;
}

export class Flows implements FlowsApi {
  readonly #options: FlowsOptions;
  readonly #infos: readonly FlowInfo[];

  constructor(options: FlowsOptions) {
    this.#options = options;
    this.#infos = options.flows.map(infoOf);
  }

  readonly list: FlowsApi['list'] = () => this.#infos;

  readonly begin: FlowsApi['begin'] = ({ flow: name, deviceIds }) => {
    const { kind, jobs, devices } = this.#options;
    const flow = kind.flowOf(name);
    const chosen = [...new Set(deviceIds)].map((id) => devices.find(id));
    if (chosen.length === 0) throw userError('usage', say('flow-no-device'));
    requireAllowedFlow(flow);
    return jobs.begin({
      id: createJobId(),
      kind: 'flow',
      title: formatEnglish(flow.title),
      about: { flow: { name, title: flow.title } },
      subject: `flow:${name}`,
      body: { flow: name },
      // One person goes from device to device.
      options: { concurrency: 1 },
      devices: chosen.map((device, position) => kind.newDevice(flow, device, position)),
    });
  };

  async *watch(
    { jobId }: { readonly jobId: string },
    signal: AbortSignal,
  ): AsyncGenerator<FlowView, undefined> {
    const { kind, jobs } = this.#options;
    const id = this.#view(jobId).jobId;
    // A change while a view is being delivered leads to another view.
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
        const now = this.#view(id);
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
  }

  readonly answer: FlowsApi['answer'] = ({ jobId, token, answer }) => {
    const { kind, jobs } = this.#options;
    const dialogue = kind.dialogueOf(jobs.show({ id: jobId }).id);
    if (dialogue === undefined) throw userError('not-available', say('flow-not-running'));
    dialogue.answer(token, answer);
    return { answered: true };
  };

  readonly template: FlowsApi['template'] = ({ jobId, position }) => {
    const { kind, jobs, effects, clock } = this.#options;
    const { id, results } = jobs.show({ id: jobId });
    const flow = kind.flowOf(this.#flowNameOf(id));
    const device = results[position];
    if (device === undefined) throw userError('not-found', say('flow-no-device'));
    const { name, url } = device;
    return buildFlowTemplate(effects.of({ jobId: id, position }), {
      name: `${formatEnglish(flow.title)}: ${name}`,
      device: name,
      url,
      // The template is for every device that has these settings.
      kinds: [],
      at: clock.now().toISOString(),
    });
  };

  readonly rehearse: FlowsApi['rehearse'] = async ({ flow: name, deviceId }) => {
    const { kind, devices, clients, clock } = this.#options;
    const flow = kind.flowOf(name);
    if (deviceId === undefined)
      return listQuestions(flow, { device: { id: '', name: '', url: '', kinds: [] } });
    const device = devices.find(deviceId);
    const signal = new AbortController().signal;
    return listQuestions(flow, {
      device,
      readers: createReaders(device.url, { client: clients.get(device.id), clock, signal }),
    });
  };

  readonly records: FlowsApi['records'] = () => this.#options.records.list();

  readonly record: FlowsApi['record'] = ({ id }) => this.#options.records.get(id);

  readonly recordsOf: FlowsApi['recordsOf'] = ({ jobId }) => {
    const { kind, jobs, records } = this.#options;
    const { id, results } = jobs.show({ id: jobId });
    const flow = kind.flowOf(this.#flowNameOf(id));
    return results.map(({ deviceId, name, url }, position) => {
      const place = { jobId: id, position };
      const device = { id: deviceId, name, url, kinds: [] };
      return records.ofDevice(place) ?? records.unfinished(flow, place, device);
    });
  };

  readonly compareRecords: FlowsApi['compareRecords'] = ({ before, after }) =>
    this.compare(this.#options.records.get(before), this.#options.records.get(after));

  readonly compare: FlowsApi['compare'] = (before, after) =>
    compareDocuments(before.document, after.document);

  readonly checkChain: FlowsApi['checkChain'] = () => ({
    faults: findChainFaults([...this.#options.records.links()], { isWhole: true }),
  });

  readonly chainOf: FlowsApi['chainOf'] = (shown) =>
    findChainFaults([...new Map(shown.map((sealed) => [sealed.document.id, linkOf(sealed)])).values()], {
      known: this.#kept(),
    });

  readonly exportRecord: FlowsApi['exportRecord'] = async ({ id, format, language }) => {
    const sealed = this.#options.records.get(id);
    const { document } = sealed;
    const { getReader } = await import('../report-files/reader.ts');
    const bytes = await this.render(sealed, format, language);
    const device = document.devices?.[0]?.name ?? '';
    return {
      fileName: buildFileName(
        [getReader(language).words(document.title), device, document.at.slice(0, 10)],
        format,
      ),
      base64: Buffer.from(bytes).toString('base64'),
    };
  };

  readonly render: FlowsApi['render'] = async (sealed, format, language) => {
    const parts: Uint8Array[] = [];
    for await (const part of renderDocument(sealed, format, language, this.#options.resourcesDir))
      parts.push(part);
    return Buffer.concat(parts);
  };

  readonly picture: FlowsApi['picture'] = async ({ deviceId }, signal) => {
    const { flows, devices, clients, clock } = this.#options;
    const device = devices.find(deviceId);
    const flow = flows.find(
      ({ kinds, picture }) => picture !== undefined && kinds?.some((kind) => device.kinds.includes(kind)),
    );
    const { id, url } = device;
    const readings = createReaders(url, { client: clients.get(id), clock, signal });
    return (await flow?.picture?.(readings)) ?? {};
  };

  readonly verify: FlowsApi['verify'] = async (bytes) => {
    const { version, resourcesDir } = this.#options;
    const { verifyFile } = await import('../report-files/verify.ts');
    const { readReportFont } = await import('../report-files/pdf.ts');
    return verifyFile(bytes, { version, font: await readReportFont(resourcesDir), kept: this.#kept() });
  };

  /** Hashes of the records that are kept, by their ids. */
  #kept(): ReadonlyMap<string, string> {
    return new Map(this.#options.records.list().map(({ id, sha256 }) => [id, sha256]));
  }

  #view(jobId: string): FlowView {
    const { kind, jobs, records } = this.#options;
    const { results, ...job } = jobs.show({ id: jobId });
    const flow = kind.flowOf(this.#flowNameOf(jobId));
    return {
      jobId: job.id,
      flow: infoOf(flow),
      devices: results.map(({ deviceId, name, units }, position) => {
        const record = records.ofDevice({ jobId: job.id, position })?.document;
        return {
          deviceId,
          name,
          outcomes: units.slice(0, flow.steps.length).map(({ outcome }) => outcome),
          record: record?.id,
          verdict: record && findVerdict(record),
          hasTemplate: job.endedAt === undefined ? undefined : this.#hasTemplate(job.id, position),
        };
      }),
      ended: job.endedAt !== undefined,
      asked: kind.dialogueOf(job.id)?.asked,
    };
  }

  /** Returns true if the flow has a template. Called for each view of an ended job. */
  #hasTemplate(jobId: string, position: number): boolean {
    try {
      return this.template({ jobId, position }).text !== '';
    } catch {
      return false;
    }
  }

  #flowNameOf(jobId: string): string {
    const { about } = this.#options.jobs.show({ id: jobId });
    if (about.flow === undefined) throw userError('not-found', say('flow-no-job', { id: jobId }));
    return about.flow.name;
  }
}

function infoOf({ name, title, about, kinds, steps }: Flow): FlowInfo {
  return {
    name,
    title,
    about,
    steps: steps.map((step) => ({
      id: step.id,
      title: step.title,
      forbidden: findForbidden(step),
    })),
    kinds,
  };
}
