/** A gate as access control host: what it reports, people, fingerprints, settings, controllers (part 2, 2.1 to 2.11). */
import { pick, type Trial } from '../trial.ts';

const AC = 'accessControl';

export async function reports(trial: Trial): Promise<void> {
  await trial.call('gate', `${AC}.deployInfo.capabilities.get`);
  await trial.call('gate', `${AC}.deployInfo.get`);
  await trial.call('gate', `${AC}.snapConfig.capabilities.get`);
  await trial.call('gate', `${AC}.snapConfig.get`);
  await trial.call('gate', `${AC}.eventTotal.capabilities.get`);
  const total = pick(
    await trial.call('gate', `${AC}.eventTotal.query`, { body: { major: 0, minor: 0 } }),
    'totalNum',
  );
  const byType = await Promise.all(
    [1, 2, 3, 5].map(async (major) =>
      pick(await trial.call('gate', `${AC}.eventTotal.query`, { body: { major, minor: 0 } }), 'totalNum'),
    ),
  );
  trial.proved(
    `${AC}.eventTotal.query`,
    'types add up',
    Number(total) > 0 && byType.reduce<number>((sum, each) => sum + Number(each), 0) === total,
  );
  await trial.refused(
    'gate',
    `${AC}.eventTotal.query`,
    { raw: true, body: '{"AcsEventTotalNumCond": {"major": 4, "minor": 0}}' },
    'invalid-content',
  );
}

export async function settings(trial: Trial): Promise<void> {
  await trial.call('gate', `${AC}.eventOptimization.capabilities.get`);
  await trial.call('gate', `${AC}.eventOptimization.get`);
  await trial.call('gate', `${AC}.eventOptimization.put`, {
    body: { enable: false, isCombinedLinkageEvents: true },
  });
  trial.same(`${AC}.eventOptimization.put`, await trial.call('gate', `${AC}.eventOptimization.get`), {
    enable: false,
    isCombinedLinkageEvents: true,
  });

  const host = {
    ...((await trial.call('gate', `${AC}.hostConfig.get`)) as object),
    voicePrompt: true,
    thermalUnit: 'fahrenheit',
    highestThermalThresholdF: 99.5,
    remoteCheckDoorEnabled: true,
    checkChannelType: 'PrivateSDK',
    channelIp: '192.0.2.8',
  };
  await trial.call('gate', `${AC}.hostConfig.put`, { body: host });
  trial.same(`${AC}.hostConfig.put`, await trial.call('gate', `${AC}.hostConfig.get`), host);

  // The last events of a virtual gate wait for a person's decision whether the door may open.
  await trial.call('gate', `${AC}.remoteCheck.put`, {
    body: { serialNo: 600, checkResult: 'success', info: 'known' },
  });
  await trial.refused(
    'gate',
    `${AC}.remoteCheck.put`,
    { body: { serialNo: 600, checkResult: 'failed' } },
    'invalid-content',
  );
  trial.proved(`${AC}.remoteCheck.put`, 'answered once');
}

const PERSON = {
  employeeNo: '77/ä',
  name: 'Ümit <Tester> & Co',
  userType: 'visitor',
  Valid: {
    enable: true,
    beginTime: '2026-01-01T00:00:00',
    endTime: '2027-12-31T23:59:59',
    timeType: 'local',
  },
  doorRight: '1',
  RightPlan: [{ doorNo: 1, planTemplateNo: '1,3' }],
  userVerifyMode: 'cardOrFace',
  gender: 'unknown',
  groupName: 'Visitors',
};

export async function people(trial: Trial): Promise<void> {
  const before = Number(pick(await trial.call('gate', `${AC}.users.count`), 'userNumber'));
  await trial.call('gate', `${AC}.users.record`, { body: { ...PERSON, password: '4711' } });
  trial.proved(
    `${AC}.users.record`,
    'found again; its answer is not specified',
    pick(await person(trial), 'name') === PERSON.name,
  );
  await trial.refused('gate', `${AC}.users.record`, { body: PERSON }, 'invalid-content');

  await trial.call('gate', `${AC}.users.setUp`, {
    body: { ...PERSON, name: 'Renamed', closeDelayEnabled: true },
  });
  const changed = await person(trial);
  trial.proved(
    `${AC}.users.setUp`,
    'changed',
    pick(changed, 'name') === 'Renamed' && pick(changed, 'closeDelayEnabled') === true,
  );
  await pages(trial, before + 1);

  await fingerprints(trial);
  await trial.call('gate', `${AC}.users.setUp`, {
    body: { employeeNo: PERSON.employeeNo, userType: 'visitor', deleteUser: true },
  });
  trial.proved(
    `${AC}.users.setUp`,
    'deleted',
    pick(await trial.call('gate', `${AC}.users.count`), 'userNumber') === before &&
      (await person(trial)) === undefined,
  );
}

/** Reads page by page until the device says that it was all (part 2, 3). */
async function pages(trial: Trial, expected: number): Promise<void> {
  const numbers = new Set<unknown>();
  for (let position = 0, more = true; more;) {
    const page = await trial.call('gate', `${AC}.users.search`, {
      body: { searchID: 'all', searchResultPosition: position, maxResults: 5 },
    });
    const people = pick(page, 'UserInfo');
    for (const one of Array.isArray(people) ? people : []) numbers.add(pick(one, 'employeeNo'));
    position += Number(pick(page, 'numOfMatches'));
    more = pick(page, 'responseStatusStrg') === 'MORE' && Number(pick(page, 'numOfMatches')) > 0;
  }
  trial.proved(`${AC}.users.search`, 'all pages', numbers.size === expected);
  trial.proved(
    `${AC}.users.count`,
    'as many as found',
    pick(await trial.call('gate', `${AC}.users.count`), 'userNumber') === numbers.size,
  );
}

async function person(trial: Trial): Promise<unknown> {
  return pick(
    await trial.call('gate', `${AC}.users.search`, {
      body: {
        searchID: 'one',
        searchResultPosition: 0,
        maxResults: 1,
        EmployeeNoList: [{ employeeNo: PERSON.employeeNo }],
      },
    }),
    'UserInfo',
    0,
  );
}

async function fingerprints(trial: Trial): Promise<void> {
  const data = Buffer.alloc(600, 'finger').toString('base64');
  const finger = {
    employeeNo: PERSON.employeeNo,
    enableCardReader: [1, 2],
    fingerPrintID: 3,
    fingerType: 'hijackFP',
  };
  const result = await trial.call('gate', `${AC}.fingerprints.setUp`, {
    body: { ...finger, fingerData: data, leaderFP: [1], checkEmployeeNo: true },
  });
  trial.same(
    `${AC}.fingerprints.setUp`,
    pick(result, 'StatusList'),
    [
      { id: 1, cardReaderRecvStatus: 1 },
      { id: 2, cardReaderRecvStatus: 1 },
    ],
    'taken by both readers',
  );
  const query = { searchID: 'f', employeeNo: PERSON.employeeNo, fingerPrintID: 3 };
  const found = await trial.call('gate', `${AC}.fingerprints.query`, { body: { ...query, cardReaderNo: 2 } });
  trial.same(
    `${AC}.fingerprints.query`,
    pick(found, 'FingerPrintList'),
    [{ cardReaderNo: 2, fingerPrintID: 3, fingerType: 'hijackFP', fingerData: data, leaderFP: [1] }],
    'as set up',
  );

  await trial.refused(
    'gate',
    `${AC}.fingerprints.setUp`,
    { body: { ...finger, enableCardReader: [2], fingerPrintID: 9, fingerData: data } },
    'refused',
  );
  trial.same(
    `${AC}.fingerprints.setUp`,
    await trial.call('gate', `${AC}.fingerprints.setUp`, { body: { ...finger, deleteFingerPrint: true } }),
    { status: 'success' },
    'deleted',
  );
  trial.same(
    `${AC}.fingerprints.query`,
    pick(await trial.call('gate', `${AC}.fingerprints.query`, { body: query }), 'status'),
    'NoFP',
    'none when deleted',
  );
}

const LC = `${AC}.localController`;
const CONTROLLER = {
  localControllerID: 2,
  devName: 'Lane 2',
  devType: '4doors',
  offlineWorkMode: 'configuration',
  networkEnable: true,
  ipAddress: '192.0.2.32',
  subnetMask: '255.255.255.0',
  DefaultGateway: { ipAddress: '192.0.2.1' },
  portNo: 8001,
};

export async function controllers(trial: Trial): Promise<void> {
  const at = { params: { localControllerID: 2 } };
  await trial.call('gate', `${LC}.capabilities.get`);
  await trial.refused('gate', `${LC}.get`, at, 'invalid-operation');
  await trial.call('gate', `${LC}.add`, { body: CONTROLLER });
  trial.same(`${LC}.add`, await trial.call('gate', `${LC}.get`, at), CONTROLLER);
  await trial.refused('gate', `${LC}.add`, { body: CONTROLLER }, 'invalid-content');
  const moved = { ...CONTROLLER, devName: 'Lane two', portNo: 8002 };
  await trial.call('gate', `${LC}.put`, { ...at, body: moved });
  trial.same(`${LC}.put`, await trial.call('gate', `${LC}.get`, at), moved);

  await trial.call('gate', `${LC}.control.capabilities.get`);
  await trial.raw(
    'gate',
    `${LC}.control.put`,
    at.params,
    '<LocalControllerControl version="2.0"><commandType>reboot</commandType></LocalControllerControl>',
    'ok',
  );

  await trial.call('gate', `${LC}.delete`, at);
  await trial.refused('gate', `${LC}.get`, at, 'invalid-operation');
  trial.proved(`${LC}.delete`, 'gone');
  await trial.call('gate', `${LC}.deleteAll`);
  await trial.refused('gate', `${LC}.get`, { params: { localControllerID: 1 } }, 'invalid-operation');
  trial.proved(`${LC}.deleteAll`, 'all gone');
}

export async function audio(trial: Trial): Promise<void> {
  const at = { params: { audioID: 4 } };
  await trial.call('gate', `${AC}.controllerAudio.put`, {
    ...at,
    body: { audioName: 'Welcome', playCondition: 'CompleteAuth' },
  });
  trial.proved(
    `${AC}.controllerAudio.put`,
    'on the device',
    JSON.stringify(trial.device('gate').state().parts['controllers']).includes('Welcome'),
  );
  await trial.call('gate', `${AC}.controllerAudio.delete`, at);
  await trial.refused('gate', `${AC}.controllerAudio.delete`, at, 'invalid-operation');
  trial.proved(`${AC}.controllerAudio.delete`, 'gone');
}
