/** Guided flows for the faces: which there are, beginning one, its question of this moment, answers, records. */
import { defined } from '../../shared/defined.ts';
import { say } from '../../shared/details.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { Answer, FlowInfo, FlowView, RecordSummary } from '../../shared/flows.ts';
import type { DevicesApi } from '../api.ts';
import { newJobId } from '../jobs/jobs.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SealedDocument } from '../../shared/report.ts';
import { textOf } from './flow-kind.ts';
import type { FlowKind } from './flow-kind.ts';
import type { Flow } from './flow.ts';
import type { Records } from './records.ts';

export interface FlowsApi {
  list(): readonly FlowInfo[];
  /** The devices have their turns one after the other. Throws `not-found`, `not-available` where a device is busy. */
  begin(request: { readonly flow: string; readonly deviceIds: readonly string[] }): {
    readonly jobId: string;
  };
  /** The flow as it stands, and again with every change, until it ends. */
  watch(request: { readonly jobId: string }, signal: AbortSignal): AsyncIterable<FlowView>;
  /** Throws `changed-meanwhile` where the question is another by now; errors of fields have `step.field` as their path. */
  answer(request: { readonly jobId: string; readonly token: string; readonly answer: Answer }): void;
  records(): readonly RecordSummary[];
  /** By its id or the beginning of it. Throws `not-found`. */
  record(request: { readonly id: string }): SealedDocument;
  /** The record of each device of a job; of one that is not through as far as it has come. */
  recordsOf(request: { readonly jobId: string }): readonly SealedDocument[];
}

export interface FlowsOptions {
  readonly flows: readonly Flow[];
  readonly kind: FlowKind;
  readonly records: Records;
  readonly jobs: Jobs;
  readonly devices: Pick<DevicesApi, 'find'>;
}

export function createFlows({ flows, kind, records, jobs, devices }: FlowsOptions): FlowsApi {
  const infos = flows.map(infoOf);

  function view(jobId: string): FlowView {
    const { results, ...job } = jobs.show(jobId);
    const flow = kind.flowOf(flowNameOf(jobId));
    return {
      jobId: job.id,
      flow: infoOf(flow),
      devices: results.map(({ deviceId, name, sections }, position) => ({
        deviceId,
        name,
        outcomes: sections.map(({ outcome }) => outcome),
        ...defined({ record: records.ofDevice({ jobId: job.id, position })?.document.id }),
      })),
      ended: job.endedAt !== undefined,
      ...defined({ asked: kind.dialogueOf(job.id)?.asked }),
    };
  }

  function flowNameOf(jobId: string): string {
    const { about } = jobs.show(jobId);
    if (about.flow === undefined)
      throw new FieldwrightError({ code: 'not-found', source: 'user', ...say('flow-no-job', { id: jobId }) });
    return about.flow;
  }

  return {
    list: () => infos,
    begin({ flow: name, deviceIds }) {
      const flow = kind.flowOf(name);
      const chosen = [...new Set(deviceIds)].map((id) => devices.find(id));
      if (chosen.length === 0)
        throw new FieldwrightError({ code: 'usage', source: 'user', ...say('flow-no-device') });
      return jobs.begin({
        id: newJobId(),
        kind: 'flow',
        title: textOf(flow.title),
        about: { flow: name },
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
        for await (const _event of jobs.watch(id, followed.signal)) wake();
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
      const dialogue = kind.dialogueOf(jobs.show(jobId).id);
      if (dialogue === undefined)
        throw new FieldwrightError({ code: 'not-available', source: 'user', ...say('flow-not-running') });
      dialogue.answer(token, answer);
    },
    records: () => records.list(),
    record: ({ id }) => records.get(id),
    recordsOf({ jobId }) {
      const { id, results } = jobs.show(jobId);
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
