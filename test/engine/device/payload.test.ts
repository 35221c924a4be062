import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '#engine/index.ts';
import type { CallAnswer } from '#shared/model.ts';
import { errorOf } from './directory.ts';
import { never } from './engine-site.ts';
import { startServer, type HostileServer } from './hostile-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-payload-'));
let engine: Engine;
let server: HostileServer | undefined;
beforeAll(async () => {
  engine = await createEngine({
    dataDir: folder,
    resourcesDir: folder,
    face: 'cli',
    version: '0',
    protections: [],
  });
});
afterEach(() => server?.close());
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

/** Returns the engine's result for a device that answers everything with `text`. */
async function answeredWith(
  text: string,
  request: {
    readonly operation: string;
    readonly params?: Record<string, string | number>;
    readonly body?: unknown;
    readonly confirmed?: boolean;
  },
): Promise<CallAnswer> {
  server = await startServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(text),
  );
  const { id } = engine.devices.addTransient({ url: server.url });
  return engine.operations.call({ deviceId: id, ...request }, never);
}
const PROGRESS = { operation: 'aiPlatform.modelProgress.get', params: { MPID: 'm' } };
const FLAGS = { operation: 'aiPlatform.capabilities.get' };
const TASKS = { operation: 'aiPlatform.picturePollingTasks.list' };

describe('a payload', () => {
  // Would catch: a download that is never seen to progress because its device also says that all is well.
  it.each<[string, string, Parameters<typeof answeredWith>[1], unknown]>([
    [
      'beside a status',
      '{"statusCode":1,"statusString":"ok","subStatusCode":"ok","percent":40}',
      PROGRESS,
      { percent: 40 },
    ],
    ['beside part of a status', '{"requestURL":"/x","percent":0}', PROGRESS, { percent: 0 }],
    [
      'of flags beside a status',
      '{"statusCode":1,"isSupportVideoTask":false}',
      FLAGS,
      { isSupportVideoTask: false },
    ],
    ['that is an empty list beside a status', '{"Tasks":[],"statusCode":1}', TASKS, { Tasks: [] }],
    [
      'of engines beside a status',
      '{"statusCode":1,"LoadingInfoList":[{"engine":1,"status":0,"MPID":"","MPName":""}]}',
      { operation: 'aiPlatform.engines.list' },
      { LoadingInfoList: [{ engine: 1, status: 0, MPID: '', MPName: '' }] },
    ],
    [
      'under its root beside a status',
      '{"statusCode":"1","errorCode":1,"errorMsg":"ok","AcsCfg":{"voicePrompt":true}}',
      { operation: 'accessControl.hostConfig.get' },
      { voicePrompt: true },
    ],
    ['with nothing reported', ' {\r\n} ', FLAGS, {}],
    ['without tasks', '{}', TASKS, {}],
    ['with nothing under its root', '{"AcsCfg":{}}', { operation: 'accessControl.hostConfig.get' }, {}],
  ])('%s is read', async (_name, text, request, value) => {
    const answer = await answeredWith(text, request);

    expect(answer).toMatchObject({ outcome: 'ok', value });
    expect(answer.value).toEqual(value);
  });

  it.each<[string, string, Parameters<typeof answeredWith>[1]]>([
    ['a success alone', '{"statusCode":1,"statusString":"ok","subStatusCode":"ok"}', PROGRESS],
    ['a success alone, where all is optional', '{"statusCode":1,"statusString":"ok"}', FLAGS],
    ['nothing where something is required', '{}', PROGRESS],
    ['nothing where a root is due', '{}', { operation: 'accessControl.hostConfig.get' }],
    ['nothing where XML is due', '{}', { operation: 'gate.status.get' }],
    ['a success where XML is due', '{"statusCode":1}', { operation: 'gate.status.get' }],
    [
      'another root',
      '{"statusCode":1,"EventOptimizationCfg":{}}',
      { operation: 'accessControl.hostConfig.get' },
    ],
    [
      'a value where the root is due',
      '{"statusCode":1,"AcsCfg":5}',
      { operation: 'accessControl.hostConfig.get' },
    ],
  ])('that is %s is not guessed at', async (_name, text, request) => {
    const error = await errorOf(answeredWith(text, request));

    expect(error.shape).toMatchObject({
      code: 'malformed-answer',
      operation: request.operation,
      device: server?.url,
      status: { http: 200 },
    });
  });

  // Would catch: an error taken for a success because the device sent data along.
  it('beside an error is an error', async () => {
    const answer = await answeredWith(
      '{"statusCode":4,"subStatusCode":"notExist","errorMsg":"no","percent":40}',
      PROGRESS,
    );

    expect(answer).toMatchObject({
      outcome: 'refused',
      value: undefined,
      error: { code: 'invalid-operation' },
    });
  });

  it('of a query may stand beside a status too', async () => {
    const answer = await answeredWith('{"statusCode":1,"AcsEventTotalNum":{"totalNum":7}}', {
      operation: 'accessControl.eventTotal.query',
      body: { major: 0, minor: 0 },
    });

    expect(answer).toMatchObject({ outcome: 'ok', value: { totalNum: 7 } });
  });

  // Would catch: a write that is done and then reported as failed because the device said little about it.
  it('may be missing after a write', async () => {
    const body = {
      employeeNo: '1',
      enableCardReader: [1],
      fingerPrintID: 1,
      fingerType: 'normalFP',
      deleteFingerPrint: true,
    };

    const answer = await answeredWith('{"statusCode":1}', {
      operation: 'accessControl.fingerprints.setUp',
      body,
      confirmed: true,
    });

    expect(answer).toMatchObject({ outcome: 'ok', value: undefined });
    expect(answer.notes).toHaveLength(1);
  });
});
