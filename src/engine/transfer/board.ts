/** Reads the engines, packages and storage of a device (part 1, 2.1 to 2.6). */
import { isDeviceLost } from '#shared/error-meaning.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type {
  ChannelCount,
  EngineView,
  ModelBoard,
  ModelStorage,
  PackageView,
  Reported,
} from '#shared/ai-models/ai-models.ts';
import type { AiCalls } from './ai-calls.ts';

interface LoadingInfo {
  readonly engine?: number;
  readonly status?: number;
  readonly MPID?: string;
  readonly MPName?: string;
  readonly relVideoChannelNum?: number;
  readonly surplusVideoChannelNum?: number;
  readonly relPictureChannelNum?: number;
  readonly surplusPictureChannelNum?: number;
}
interface ListedModel {
  readonly MPID?: string;
  readonly MPName?: string;
  readonly status?: number;
  readonly engine?: readonly number[];
}
interface Info {
  readonly algorithmVersion?: string;
  readonly firmware?: string;
  readonly engine?: readonly number[];
  readonly platformName?: string;
  readonly loadMPMaxNum?: number;
}
interface Space {
  readonly totalCapacity?: number;
  readonly surplusCapacity?: number;
  readonly MPNumbers?: number;
}
interface Tasks {
  readonly Tasks?: readonly { readonly taskID?: string; readonly engine?: number }[];
}

const UNKNOWN_STATUS = -1;

/** Engines alone, for a look that is repeated. */
export async function readEngines(calls: Pick<AiCalls, 'read'>): Promise<readonly EngineView[]> {
  const { LoadingInfoList = [] } = await calls.read<{ readonly LoadingInfoList?: readonly LoadingInfo[] }>(
    'aiPlatform.engines.list',
  );
  return LoadingInfoList.flatMap((info) =>
    // An engine without a number cannot be used.
    info.engine === undefined
      ? []
      : {
          engine: info.engine,
          status: info.status ?? UNKNOWN_STATUS,
          MPID: info.MPID ?? '',
          MPName: info.MPName ?? '',
          channels: channelsOf(info),
        },
  );
}

/**
 * Returns what an engine holds, a row for each package. An engine that takes several may show one of them in the list of
 * engines; the list of packages names the engines of each package too (part 1, 2.6). `most`: packages that it takes.
 */
export function buildEngineViews(
  { engines, packages }: Pick<ModelBoard, 'engines' | 'packages'>,
  engine: number,
  most: number | undefined,
): readonly EngineView[] {
  const rows = engines.filter((view) => view.engine === engine);
  if ((most ?? 1) < 2) return rows;
  const others = packages.filter(
    ({ MPID, engines: on }) => on.includes(engine) && !rows.some((row) => row.MPID === MPID),
  );
  return [...rows, ...others.map(({ MPID, MPName, status }) => ({ engine, status, MPID, MPName }))];
}

/** Reads what an engine holds, and how many packages it takes. */
export async function readEngine(
  calls: Pick<AiCalls, 'read'>,
  engine: number,
): Promise<{ readonly rows: readonly EngineView[]; readonly most: number }> {
  const { loadMPMaxNum: most = 1 } = await calls.read<Info>('aiPlatform.info.get');
  return { rows: await readRows(calls, engine, most), most };
}

/** Reads what an engine holds. `most`: packages that it takes. */
export async function readRows(
  calls: Pick<AiCalls, 'read'>,
  engine: number,
  most: number,
): Promise<readonly EngineView[]> {
  const engines = await readEngines(calls);
  if (most < 2) return engines.filter((view) => view.engine === engine);
  const packages = await readPackages(calls);
  return buildEngineViews({ engines, packages }, engine, most);
}

export async function readPackages(calls: Pick<AiCalls, 'read'>): Promise<readonly PackageView[]> {
  const { AlgorithmModels = [] } = await calls.read<{ readonly AlgorithmModels?: readonly ListedModel[] }>(
    'aiPlatform.models.list',
  );
  return AlgorithmModels.map(({ MPID = '', MPName = '', status = UNKNOWN_STATUS, engine = [] }) => ({
    MPID,
    MPName,
    status,
    engines: engine,
  }));
}

/** Returns undefined if the device omits the figures: missing ones do not mean that nothing is free. */
export async function readStorage(calls: AiCalls): Promise<ModelStorage | undefined> {
  const {
    totalCapacity: total,
    surplusCapacity: free,
    MPNumbers: packages,
  } = await calls.read<Space>('aiPlatform.modelStorage.get');
  return total === undefined || free === undefined ? undefined : { total, free, packages };
}

type BoardPlace = Pick<ModelBoard, 'deviceId' | 'name' | 'url' | 'at'>;

/** All of it. What one part of it fails with is among `problems`; throws where the device cannot be reached or signed in to. */
export async function readBoard(calls: AiCalls, place: BoardPlace): Promise<ModelBoard> {
  const problems: ErrorShape[] = [];
  const part = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (isDeviceLost(error)) throw thrown;
      problems.push({ device: place.url, ...error });
      return undefined;
    }
  };
  // The first alone: a device that is away, or refuses the sign-in, is asked once.
  const flags = await part(() =>
    calls.read<Readonly<Record<string, unknown>>>('aiPlatform.capabilities.get'),
  );
  const info = await part(() => calls.read<Info>('aiPlatform.info.get'));
  const engines = await part(() => readEngines(calls));
  const packages = await part(() => readPackages(calls));
  const storage = await part(() => readStorage(calls));
  const tasks = await tasksOf(calls);
  const numbers = [...(info?.engine ?? []), ...(engines ?? []).map(({ engine }) => engine)];
  return {
    ...place,
    engines: (engines ?? []).map((view) => ({
      ...view,
      ...removeUndefined({ tasks: tasks?.get(view.engine) }),
    })),
    engineNumbers: [...new Set(numbers)].sort((a, b) => a - b),
    packages: packages ?? [],
    storage,
    ...(info === undefined
      ? {}
      : {
          platform: {
            name: info.platformName ?? '',
            algorithmVersion: info.algorithmVersion ?? '',
            firmware: info.firmware ?? '',
            packagesPerEngine: info.loadMPMaxNum,
          },
        }),
    supports: {
      url: reported(flags?.['isSupportUploadModelwithURL']),
      push: reported(flags?.['isSupportUploadModelwithPushBinaryData']),
      reset: reported(flags?.['isSupportResetEngine']),
    },
    problems,
  };
}

/** How far the device says a download of this package is; undefined where it knows none, or nothing of it can be read. */
export async function readPercent(calls: AiCalls, MPID: string): Promise<number | undefined> {
  try {
    const { percent } = await calls.read<{ readonly percent?: number }>('aiPlatform.modelProgress.get', {
      MPID,
    });
    return typeof percent === 'number' ? percent : undefined;
  } catch (thrown) {
    if (isDeviceLost(toErrorShape(thrown))) throw thrown;
    return undefined;
  }
}

/**
 * Returns the tasks by engine; undefined if the device lists none. They only add detail, so errors are
 * ignored.
 */
async function tasksOf(calls: AiCalls): Promise<ReadonlyMap<number, readonly string[]> | undefined> {
  try {
    const { Tasks: all = [] } = await calls.read<Tasks>('aiPlatform.picturePollingTasks.list');
    const byEngine = new Map<number, string[]>();
    for (const { taskID = '', engine } of all)
      if (engine !== undefined) byEngine.set(engine, [...(byEngine.get(engine) ?? []), taskID]);
    return byEngine;
  } catch (thrown) {
    if (isDeviceLost(toErrorShape(thrown))) throw thrown;
    return undefined;
  }
}

function channelsOf(info: LoadingInfo): EngineView['channels'] | undefined {
  const count = (used: number | undefined, left: number | undefined): ChannelCount | undefined =>
    used === undefined && left === undefined ? undefined : { used: used ?? 0, left };
  const channels = removeUndefined({
    video: count(info.relVideoChannelNum, info.surplusVideoChannelNum),
    picture: count(info.relPictureChannelNum, info.surplusPictureChannelNum),
  });
  return Object.keys(channels).length === 0 ? undefined : channels;
}

function reported(value: unknown): Reported {
  return value === true ? 'true' : value === false ? 'false' : 'not-reported';
}
