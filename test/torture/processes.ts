/** Starting, asking and ending the processes of the torture test. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BuiltProgram } from '../helpers/built-program.ts';
import type {
  DeviceLog,
  EngineAnswer,
  EngineOrder,
  SiteAnswer,
  SiteOrder,
  SiteQuestion,
  VirtualPlace,
} from './messages.ts';

export interface RunningSite {
  readonly devices: readonly VirtualPlace[];
  log(): Promise<readonly DeviceLog[]>;
  clearFaults(): Promise<void>;
  close(): Promise<void>;
}

/** How a life of the engine ended. */
type Life = { readonly end: 'killed' } | { readonly end: 'finished'; readonly answer: EngineAnswer };

function start(file: string, env: Readonly<Record<string, string>> = {}): ChildProcess {
  return fork(file, { execArgv: [], serialization: 'advanced', env: { ...process.env, ...env } });
}

export async function openSite(order: SiteOrder): Promise<RunningSite> {
  const child = start(join(import.meta.dirname, 'site-process.ts'));
  async function ask(message: SiteOrder | SiteQuestion): Promise<SiteAnswer> {
    child.send(message);
    const [answer] = (await once(child, 'message')) as [SiteAnswer];
    return answer;
  }
  const ready = await ask(order);
  if (ready.type !== 'ready') throw new Error('the site did not start');
  return {
    devices: ready.devices,
    async log() {
      const answer = await ask('log');
      return answer.type === 'log' ? answer.devices : [];
    },
    async clearFaults() {
      await ask('faults-off');
    },
    async close() {
      const ended = once(child, 'exit');
      child.send('end');
      await ended;
    },
  };
}

export interface Engines {
  /** Runs the engine once; throws where it ended in neither of the two ways. */
  liveOnce(order: EngineOrder): Promise<Life>;
  close(): Promise<void>;
}

/** Opens engines one after the other; the process of the next one loads its code during the life before. */
export function openEngines({ file, env }: BuiltProgram): Engines {
  let next = start(file, env);
  return {
    async liveOnce(order) {
      const child = next;
      next = start(file, env);
      let answer: EngineAnswer | undefined;
      child.on('message', (message: EngineAnswer) => {
        answer = message;
      });
      const ended = once(child, 'exit');
      child.send(order);
      const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
      if (signal === 'SIGKILL') return { end: 'killed' };
      if (answer === undefined || code !== 0)
        throw new Error(`the engine ended with ${String(code)} ${String(signal)}`);
      return { end: 'finished', answer };
    },
    async close() {
      const ended = once(next, 'exit');
      next.disconnect();
      await ended;
    },
  };
}
