/** A cable that is pulled in the middle of a write: no reset, no end, just silence. Nothing is written twice when it is back. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'vitest';
import {
  BASIC,
  MODE,
  applyPlan,
  makePlan,
  startTestSite,
  template,
  watchToEnd,
  writes,
  type TestSite,
} from '../site-engine.ts';

interface Cable {
  readonly url: string;
  /** Lets nothing pass from the first PUT on: with `arrives` the request still does, its answer does not. */
  pullAtWrite(arrives: boolean): void;
  plugIn(): void;
  close(): Promise<void>;
}

async function startCable(target: URL): Promise<Cable> {
  let armed: 'never' | 'before' | 'after' = 'never';
  let isPulled = false;
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    near.on('data', (bytes: Buffer) => {
      if (armed !== 'never' && bytes.includes('PUT ')) {
        const arrives = armed === 'after';
        armed = 'never';
        isPulled = true;
        if (arrives) far.write(bytes);
      } else if (!isPulled) far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      if (!isPulled) near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pullAtWrite(arrives) {
      armed = arrives ? 'after' : 'before';
    },
    plugIn() {
      isPulled = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** A job whose first write met a pulled cable, which is plugged in again. */
async function pulled(
  arrives: boolean,
  { expect, onTestFinished }: Pick<TestContext, 'expect' | 'onTestFinished'>,
): Promise<{ readonly at: TestSite; readonly id: string }> {
  const at = await startTestSite();
  const [device] = at.site.devices;
  const cable = await startCable(new URL(device?.url ?? ''));
  onTestFinished(async () => {
    await cable.close();
    await at.close();
  });
  const { id } = at.engine.devices.addTransient({
    url: cable.url,
    name: 'behind a cable',
    userName: device?.user ?? '',
    password: device?.password ?? '',
    profile: { deadlineMs: 2_000 },
  });
  const plan = await makePlan({ engine: at.engine, ids: [id] }, template(BASIC, MODE));
  cable.pullAtWrite(arrives);
  const job = await applyPlan(at.engine, plan);
  expect(job).toMatchObject({ resumable: true, counts: { unknown: 1, pending: 1 } });
  cable.plugIn();
  return { at, id: job.id };
}

describe('a cable pulled while a write is under way', () => {
  // Most of each is the wait for an answer.
  it.concurrent.for([
    ['its answer', true],
    ['the write itself', false],
  ] as const)(
    'and with it %s: open until it is plugged in, then settled by reading and finished',
    async ([, arrives], { expect, onTestFinished }) => {
      const { at, id } = await pulled(arrives, { expect, onTestFinished });
      at.engine.jobs.resume({ id });
      expect((await watchToEnd(at.engine, id)).at(-1)).toMatchObject({
        type: 'end',
        job: { state: 'done', counts: { effective: 2 } },
      });
      expect(
        writes(at)
          .filter(({ applied }) => applied)
          .map(({ operation }) => operation),
      ).toEqual(['thermal.thermometryBasic.put', 'thermal.thermometryMode.put']);
    },
  );
});
