import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallAnswer } from '#shared/model.ts';
import { guardOperations } from '#rpc/guard-operations.ts';
import { startOddDevice } from '../odd-device.ts';
import { engineSite, never } from './engine-site.ts';

/**
 * Returns the engine's result of an answer to the creation of a person, directly and as the console gets it.
 */
async function recordAnswered(text: string): Promise<readonly [CallAnswer, CallAnswer]> {
  const device = await startOddDevice(() => ({ text, type: 'application/json' }));
  const site = await engineSite({});
  onTestFinished(() => device.close());
  onTestFinished(() => site.close());
  const { id } = site.engine.devices.addTransient({ url: device.url, name: 'Terminal' });
  const request = {
    deviceId: id,
    operation: 'accessControl.users.record',
    body: {
      employeeNo: '7',
      name: 'Ann',
      userType: 'normal',
      Valid: { enable: false, beginTime: '2030-01-01T00:00:00', endTime: '2031-01-01T00:00:00' },
    },
    trace: true,
  };
  const console = guardOperations(site.engine.operations)['operations.call'];
  return [await site.engine.operations.call(request, never), (await console(request, never)) as CallAnswer];
}

describe('the answer to an operation whose answer the specification does not show', () => {
  it('is shown, without what is secret (a person who was given another number, and nobody is told)', async () => {
    const [direct, shown] = await recordAnswered(
      '{"statusCode":1,"subStatusCode":"ok","UserInfo":{"employeeNo":"00000007","password":"86420"}}',
    );

    for (const answer of [direct, shown]) {
      expect(answer).toMatchObject({ outcome: 'ok', raw: expect.stringContaining('00000007') as string });
      expect(answer.exchange?.responseBody).toContain('00000007');
      expect(JSON.stringify(answer)).not.toContain('86420');
    }
  });

  it.each(['', '{"statusCode":1,"statusString":"OK","subStatusCode":"ok","errorCode":1,"errorMsg":"ok"}'])(
    'is not repeated where it is a status alone: %j',
    async (text) => {
      const [direct] = await recordAnswered(text);

      expect(direct).not.toHaveProperty('raw');
    },
  );
});
