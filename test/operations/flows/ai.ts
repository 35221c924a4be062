/** Model packages from the download to an engine and away again, analysis tasks, human recognition (part 1; part 3, 2.6). */
import { startModelServer, type ModelServer } from '../model-server.ts';
import { pick, type Trial } from '../trial.ts';

const AI = 'aiPlatform';
const ENGINE = { engineID: 2 };
/** An id that must be encoded in a path. */
const PACKAGE = 'lobby/helmet 7 ü';

export async function models(trial: Trial): Promise<void> {
  const server = await startModelServer(new Uint8Array(300_000).fill(7));
  try {
    await upload(trial, server);
    await load(trial);
    await replaceAndDelete(trial);
  } finally {
    await server.close();
  }
}

async function upload(trial: Trial, server: ModelServer): Promise<void> {
  await trial.call('ai', `${AI}.capabilities.get`);
  await trial.call('ai', `${AI}.info.get`);
  await trial.refused('ai', `${AI}.modelProgress.get`, { params: { MPID: PACKAGE } }, 'invalid-operation');

  await trial.call('ai', `${AI}.models.create`, {
    body: {
      MPID: PACKAGE,
      URL: server.url('helmet.bin'),
      MPName: 'Helmets',
      description: [{ language: 'en' }],
      algSortingParams: { weight: [1, 2.5] },
    },
  });
  await trial.refused(
    'ai',
    `${AI}.models.create`,
    { body: { MPID: PACKAGE, URL: server.url('helmet.bin') } },
    'invalid-content',
  );
  await until(
    trial,
    async () =>
      pick(await trial.call('ai', `${AI}.modelProgress.get`, { params: { MPID: PACKAGE } }), 'percent') ===
      100,
  );
  trial.proved(`${AI}.models.create`, 'downloaded', server.served() === 1);
  trial.check(
    `${AI}.models.list`,
    (await listed(trial)) === undefined,
    'a package is listed before the restart',
  );

  await trial.device('ai').restart();
  const after = await listed(trial);
  trial.proved(
    `${AI}.models.create`,
    'listed after the restart',
    pick(after, 'MPName') === 'Helmets' && pick(after, 'algSortingParams', 'weight', 1) === 2.5,
  );
}

async function load(trial: Trial): Promise<void> {
  await trial.refused(
    'ai',
    `${AI}.engine.load`,
    { params: ENGINE, body: { MPID: 'nobody' } },
    'invalid-content',
  );
  await trial.call('ai', `${AI}.engine.load`, { params: ENGINE, body: { MPID: PACKAGE, MPName: 'Helmets' } });
  // The call ends when the engine has made up its mind.
  trial.proved(`${AI}.engine.load`, 'running', (await engineStatus(trial)) === 1);
  const all = await trial.call('ai', `${AI}.engines.list`);
  trial.same(`${AI}.engines.list`, pick(all, 'LoadingInfoList', 1, 'MPID'), PACKAGE, 'shows both engines');

  await trial.refused('ai', `${AI}.engine.reset`, { params: { engineID: 9 } }, 'invalid-operation');
  await trial.call('ai', `${AI}.engine.reset`, { params: ENGINE });
  trial.proved(`${AI}.engine.reset`, 'runs again', (await engineStatus(trial)) === 1);
}

async function replaceAndDelete(trial: Trial): Promise<void> {
  await trial.call('ai', `${AI}.models.update`, {
    body: { MPID: PACKAGE, MPName: 'Helmets, second edition' },
  });
  trial.same(`${AI}.models.update`, pick(await listed(trial), 'MPName'), 'Helmets, second edition');

  await trial.refused('ai', `${AI}.models.delete`, { params: { MPID: PACKAGE } }, 'invalid-operation');
  await trial.call('ai', `${AI}.engine.unload`, { params: ENGINE });
  trial.proved(`${AI}.engine.unload`, 'engine empty', (await engineStatus(trial)) === 0);
  const before = pick(await trial.call('ai', `${AI}.modelStorage.get`), 'MPNumbers');
  await trial.call('ai', `${AI}.models.delete`, { params: { MPID: PACKAGE } });
  const left = pick(await trial.call('ai', `${AI}.modelStorage.get`), 'MPNumbers');
  trial.proved(
    `${AI}.models.delete`,
    'gone',
    left === Number(before) - 1 && (await listed(trial)) === undefined,
  );
}

async function listed(trial: Trial): Promise<unknown> {
  const all = pick(await trial.call('ai', `${AI}.models.list`), 'AlgorithmModels');
  return Array.isArray(all) ? all.find((item) => pick(item, 'MPID') === PACKAGE) : undefined;
}

async function engineStatus(trial: Trial): Promise<unknown> {
  return pick(await trial.call('ai', `${AI}.engine.get`, { params: ENGINE }), 'status');
}

/** The download runs in the background; every look is a request of its own. */
async function until(trial: Trial, good: () => Promise<boolean>): Promise<void> {
  while (!(await good())) trial.signal.throwIfAborted();
}

const TASKS = `${AI}.picturePollingTasks`;
const CHANNEL_TASK = {
  taskID: 'night/1',
  engine: 1,
  channel: [1, 3],
  pollingTime: 30,
  alarmTargetOverlay: true,
  TimeRange: [{ week: 1, beginTime: '08:00', endTime: '24:00' }],
  EventTrigger: [{ notificationMethod: 'center' }],
};
const STREAM_TASK = {
  taskID: 'dock',
  engine: 1,
  pollingTime: 5,
  Stream: {
    streamType: 'realTime',
    streamSourceType: 'URL',
    StreamSourceList: [
      {
        cameraIndexCode: 'dock-1',
        TargetAttrs: { site: 4 },
        URL: { URLMode: 'RTSP', URL: 'rtsp://192.0.2.9/1', userName: 'viewer', password: 'stream-pw' },
      },
    ],
  },
};

export async function tasks(trial: Trial): Promise<void> {
  await trial.call('ai', `${AI}.videoTask.capabilities.get`);
  await trial.call('ai', `${AI}.picturePollingTask.capabilities.get`);
  await trial.call('ai', `${TASKS}.create`, { body: CHANNEL_TASK });
  await trial.call('ai', `${TASKS}.create`, { body: STREAM_TASK, allowPlainFields: true });
  trial.same(`${TASKS}.create`, await task(trial, 'night/1'), CHANNEL_TASK);
  const source = pick(await task(trial, 'dock'), 'Stream', 'StreamSourceList', 0);
  trial.check(
    `${TASKS}.create`,
    pick(source, 'URL', 'password') === undefined && pick(source, 'TargetAttrs', 'site') === 4,
    'a stream comes back otherwise',
  );

  // Absent linkages stay, an empty list deletes them (part 1, 2.8).
  const { taskID, engine: _engine, EventTrigger, ...changed } = { ...CHANNEL_TASK, pollingTime: 60 };
  await trial.call('ai', `${TASKS}.update`, { params: { taskID }, body: changed });
  trial.same(`${TASKS}.update`, await task(trial, taskID), {
    ...CHANNEL_TASK,
    pollingTime: 60,
    EventTrigger,
  });
  await trial.call('ai', `${TASKS}.update`, { params: { taskID }, body: { ...changed, EventTrigger: [] } });
  trial.check(
    `${TASKS}.update`,
    pick(await task(trial, taskID), 'EventTrigger') === undefined,
    'linkages were not deleted',
  );

  await trial.call('ai', `${TASKS}.delete`, { params: { taskID } });
  await trial.call('ai', `${TASKS}.delete`, { params: { taskID: 'dock' } });
  trial.same(`${TASKS}.delete`, await trial.call('ai', `${TASKS}.list`), { Tasks: [] }, 'gone');
  await trial.refused('ai', `${TASKS}.delete`, { params: { taskID } }, 'invalid-operation');
}

async function task(trial: Trial, id: string): Promise<unknown> {
  const all = pick(await trial.call('ai', `${TASKS}.list`), 'Tasks');
  return Array.isArray(all) ? all.find((item) => pick(item, 'taskID') === id) : undefined;
}

const HUMAN = 'humanRecognition';
const CHANNEL = { channelID: 2 };
const REGION = {
  id: '1',
  regionName: 'Gate',
  enabled: true,
  RegionCoordinatesList: [
    { positionX: 0, positionY: 0 },
    { positionX: 1000, positionY: 0 },
    { positionX: 500, positionY: 1000 },
  ],
  LineCoordinatesList: [
    { positionX: 10, positionY: 20 },
    { positionX: 30, positionY: 40 },
  ],
};

export async function people(trial: Trial): Promise<void> {
  await trial.call('ai', `${HUMAN}.capabilities.get`, { params: CHANNEL });
  const config = {
    id: '2',
    HumanRecognitionRegionList: [REGION],
    humanMisinfoFilterEnabled: false,
    analysisParam: { analysisMode: 'groupBehavior', captureInterval: 5, timeInterval: 60 },
    targetCutout: { enabled: true, size: 120, zoom: 2 },
  };
  await trial.call('ai', `${HUMAN}.config.put`, { params: CHANNEL, body: config });
  trial.same(
    `${HUMAN}.config.put`,
    await trial.call('ai', `${HUMAN}.config.get`, { params: CHANNEL }),
    config,
  );
  await trial.refused(
    'ai',
    `${HUMAN}.config.put`,
    { params: CHANNEL, body: { ...config, id: '3' } },
    'invalid-content',
  );

  await trial.expect('ai', `${HUMAN}.regions.get`, { params: CHANNEL }, [REGION]);
  const regions = [
    { ...REGION, enabled: false },
    { id: '2', RegionCoordinatesList: REGION.RegionCoordinatesList },
  ];
  await trial.call('ai', `${HUMAN}.regions.put`, { params: CHANNEL, body: regions });
  trial.same(
    `${HUMAN}.regions.put`,
    await trial.call('ai', `${HUMAN}.regions.get`, { params: CHANNEL }),
    regions,
  );
  trial.same(
    `${HUMAN}.regions.put`,
    await trial.call('ai', `${HUMAN}.config.get`, { params: CHANNEL }),
    { ...config, HumanRecognitionRegionList: regions },
    'seen in the configuration',
  );
  await trial.refused(
    'ai',
    `${HUMAN}.regions.put`,
    { params: { channelID: 99 }, body: regions },
    'invalid-operation',
  );
}
