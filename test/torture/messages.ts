/** Messages between the test and its processes over the channel that `fork` gives them. */
import type { Job } from '#shared/model.ts';
import type { LoggedRequest } from '#simulator/request-log.ts';

export interface SiteOrder {
  readonly devices: number;
  readonly seed: number;
}
export type SiteQuestion = 'log' | 'faults-off' | 'end';
export interface VirtualPlace {
  readonly name: string;
  readonly url: string;
  readonly user: string;
  readonly password: string;
}
/** One device as its own process knows it: what reached it, and what it holds. */
export interface DeviceLog {
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  readonly documents: Readonly<Record<string, string>>;
}
export type SiteAnswer =
  | { readonly type: 'ready'; readonly devices: readonly VirtualPlace[] }
  | { readonly type: 'log'; readonly devices: readonly DeviceLog[] }
  | { readonly type: 'done' };

/** One run of the engine. `killAt`: its process ends itself with SIGKILL at that event of a request or of the job. */
export interface EngineOrder {
  readonly dataDir: string;
  readonly devices: readonly VirtualPlace[];
  readonly killAt?: number;
  /** The job is paused at these of its events, and goes on when nothing is under way any more. */
  readonly pauseAt?: readonly number[];
  /** The process ends itself when a pause has become quiet. */
  readonly killPaused?: boolean;
  readonly work:
    | { readonly do: 'plan'; readonly template: string }
    | { readonly do: 'apply'; readonly planId: string }
    | { readonly do: 'undo'; readonly jobId: string; readonly urls?: readonly string[] }
    | { readonly do: 'retry'; readonly jobId: string }
    | { readonly do: 'follow-up'; readonly jobId: string }
    | { readonly do: 'resume'; readonly jobId: string };
}
export type EngineAnswer =
  | { readonly type: 'planned'; readonly planId: string }
  | {
      readonly type: 'ended';
      readonly job: Job;
      readonly pauses: number;
      /** Devices that were begun while the job was paused. */ readonly begunPaused: number;
    };
