/** Measures in the page itself, as text: this side is type-checked without the DOM. */
import type { Page } from 'playwright';

export interface PageFigures {
  /** Tasks of the main thread of 50 ms and more, in ms, as the browser reports them. */
  readonly longTasks: readonly number[];
  /** Pauses between redraws in ms: the longest, and the 99th of a hundred. */
  readonly longestFrame: number;
  readonly frame99: number;
}

export const PROBE = `
  globalThis.__probe = { tasks: [], frames: [], on: false };
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (__probe.on) __probe.tasks.push(entry.duration); }).observe({ type: 'longtask' });
  let last = performance.now();
  requestAnimationFrame(function frame(now) { if (__probe.on) __probe.frames.push(now - last); last = now; requestAnimationFrame(frame); });
`;

export async function startProbe(page: Page): Promise<void> {
  await page.evaluate(`Object.assign(__probe, { tasks: [], frames: [], on: true })`);
}
export async function readProbe(page: Page): Promise<PageFigures> {
  // A task is reported after it ended: one more turn, so that the last one counts.
  return await page.evaluate<PageFigures>(`new Promise((resolve) => setTimeout(() => {
    __probe.on = false;
    const frames = __probe.frames.toSorted((a, b) => a - b);
    resolve({ longTasks: __probe.tasks, longestFrame: frames.at(-1) ?? 0, frame99: frames[Math.floor(frames.length * 0.99)] ?? 0 });
  }, 200))`);
}

/** Acts of a person that are timed. Each answers with the milliseconds from the press until its result is painted. */
const ACTS = `
  globalThis.__painted = (type, isDone) => new Promise((resolve) => {
    addEventListener(type, ({ timeStamp }) => {
      requestAnimationFrame(function frame() {
        if (!isDone()) return void requestAnimationFrame(frame);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - timeStamp);
        port2.postMessage(0);
      });
    }, { capture: true, once: true });
  });
`;

/** Does `act`; returns the milliseconds from its first event of `type` until `isDone` (an expression of the page) is painted. */
export async function timeUntilPainted(
  page: Page,
  {
    type,
    isDone,
    act,
  }: { readonly type: string; readonly isDone: string; readonly act: () => Promise<void> },
): Promise<number> {
  await page.evaluate(`${ACTS} globalThis.__act = __painted(${JSON.stringify(type)}, () => ${isDone}); 0`);
  await act();
  return await page.evaluate<number>('globalThis.__act');
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: {
    readonly name?: string;
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string };
  };
}
export interface TaskFigures {
  /** Longest task of the page's main thread in ms: on the clock, and of the processor. */
  readonly longest: number;
  readonly longestBusy: number;
  /** Share of the time in which the main thread worked. */
  readonly busy: number;
}

/** The tasks of the busiest renderer main thread of a browser trace; those that answer the measuring itself do not count. */
export function readTrace(trace: Buffer, ms: number): TaskFigures {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const ours = traceEvents.filter((event) => event.ph === 'X' && mains.has(threadOf(event)));
  const threads = Map.groupBy(ours, threadOf);
  const events = [...threads.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const measuring = events
    .filter(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === 'blink.mojom.DevToolsSession')
    .map(({ ts }) => ts);
  const tasks = events.filter(
    ({ name, ts, dur = 0 }) =>
      name === 'ThreadControllerImpl::RunTask' && !measuring.some((at) => at >= ts && at <= ts + dur),
  );
  const most = (of: (event: TraceEvent) => number): number =>
    tasks.reduce((longest, event) => Math.max(longest, of(event)), 0) / 1000;
  return {
    longest: most(({ dur = 0 }) => dur),
    longestBusy: most(({ tdur = 0 }) => tdur),
    busy: tasks.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1000 / ms,
  };
}
