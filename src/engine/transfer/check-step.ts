/** Checks a package against a device before anything is sent. */
import {
  say,
  createDetail,
  formatSomeNames,
  type Detail,
  type DetailId,
  type ValuesOf,
} from '#shared/details.ts';
import type { ErrorCode, ErrorShape } from '#shared/errors.ts';
import {
  ENGINE_STATES,
  type ModelBoard,
  type ModelMode,
  type PlannedEngine,
} from '#shared/ai-models/ai-models.ts';
import { buildEngineViews } from './board.ts';
import { makeRoom, type Named } from './engine-room.ts';

export interface Wanted {
  readonly mpid: string;
  readonly mpName?: string | undefined;
  readonly size: number;
  readonly engines: readonly number[];
  readonly mode: ModelMode;
  readonly update: boolean;
}

export interface Checked {
  readonly errors: readonly ErrorShape[];
  readonly notes: readonly Detail[];
  readonly engines: readonly PlannedEngine[];
}

const MEGABYTE = 1_048_576;

/** Pure. `percent`: what the device says of a download of this package, where it knows one. */
export function checkBoard(board: ModelBoard, wanted: Wanted, percent?: number): Checked {
  const errors: ErrorShape[] = [];
  const notes: Detail[] = [];
  const stop = <Id extends DetailId>(code: ErrorCode, id: Id, ...values: ValuesOf<Id>): void => {
    errors.push({ code, source: 'app', device: board.url, ...say(id, ...values) });
  };
  const { mpid, mpName, size, mode, update } = wanted;

  const way = mode === 'url' ? board.supports.url : board.supports.push;
  if (way === 'false' || (mode === 'push' && way !== 'true'))
    stop('not-supported', mode === 'url' ? 'model.no-url' : 'model.no-push');
  else if (mode === 'push') notes.push({ id: 'model.push-unspecified' });
  else if (way === 'not-reported' && board.problems.length === 0)
    notes.push({ id: 'model.url-not-reported' });
  for (const problem of board.problems)
    if (problem.operation !== undefined && NEEDED.has(problem.operation)) errors.push(problem);

  const here = board.packages.find(({ MPID }) => MPID === mpid);
  if (update) {
    if (here === undefined) stop('not-found', 'model.nothing-to-update', { mpid });
  } else if (here !== undefined) stop('not-allowed', 'model.mpid-in-use', { mpid, name: here.MPName || '—' });
  else if (percent === 100) stop('not-allowed', 'model.mpid-waits', { mpid });
  else if (percent !== undefined && percent > 0)
    notes.push(createDetail('model.mpid-begun', { mpid, percent }));

  const megabytes = Math.ceil(size / MEGABYTE);
  if (board.storage === undefined) notes.push({ id: 'model.storage-unknown' });
  else if (megabytes > board.storage.free) {
    const unused = board.packages.filter(({ engines }) => engines.length === 0);
    stop('input-too-large', 'model.too-large', {
      size: megabytes,
      free: board.storage.free,
      unused: unused.length,
      names: formatSomeNames(unused.map(({ MPID, MPName }) => MPName || MPID)),
    });
  }

  const engines = wanted.engines.flatMap((engine) =>
    plannedEngine(board, engine, { mpid, mpName, stop, notes }),
  );
  notes.push({ id: 'model.needs-restart' });
  if (wanted.engines.length === 0) notes.push({ id: 'model.only-stored' });
  return { errors, notes, engines };
}

const NEEDED: ReadonlySet<string> = new Set(['aiPlatform.models.list', 'aiPlatform.engines.list']);

function plannedEngine(
  board: ModelBoard,
  engine: number,
  {
    mpid,
    mpName,
    stop,
    notes,
  }: {
    readonly mpid: string;
    readonly mpName: string | undefined;
    readonly stop: <Id extends DetailId>(code: ErrorCode, id: Id, ...values: ValuesOf<Id>) => void;
    readonly notes: Detail[];
  },
): readonly PlannedEngine[] {
  const here = buildEngineViews(board, engine, board.platform?.packagesPerEngine);
  const [first] = here;
  if (first === undefined) {
    if (!board.engineNumbers.includes(engine))
      stop('not-found', 'model.engine-unknown', { engine, engines: board.engineNumbers.join(', ') || '—' });
    else notes.push(createDetail('model.engine-unread', { engine }));
    return [];
  }
  const { status } = first;
  if (status === ENGINE_STATES.faceIntelligence) stop('not-allowed', 'model.engine-face', { engine });
  if (status === ENGINE_STATES.engineAbnormal) stop('not-allowed', 'model.engine-abnormal', { engine });
  if (status === ENGINE_STATES.initializing) notes.push(createDetail('model.engine-starting', { engine }));
  const held = here
    .filter(({ MPID }) => MPID !== '' && MPID !== mpid)
    .map(({ MPID, MPName }) => ({ MPID, MPName }));
  const isThere = here.some(({ MPID }) => MPID === mpid);
  const { leave, stay } = isThere
    ? { leave: [], stay: held }
    : makeRoom(held, board.platform?.packagesPerEngine, mpName);
  const tasks = here.flatMap((view) => view.tasks ?? []);
  if (leave.length > 0 && tasks.length > 0)
    stop('not-allowed', 'model.engine-busy', { engine, tasks: [...new Set(tasks)].slice(0, 5).join(', ') });
  const note = (id: 'model.replaces' | 'model.reloads' | 'model.stays', packages: readonly Named[]): void => {
    for (const { MPID, MPName } of packages)
      notes.push(createDetail(id, { engine, mpid: MPID, name: MPName || '—' }));
  };
  note('model.replaces', leave);
  note(leave.length > 0 ? 'model.reloads' : 'model.stays', stay);
  const [replaces, ...alsoReplaces] = leave;
  return [
    {
      engine,
      status,
      replaces,
      ...(alsoReplaces.length === 0 ? {} : { alsoReplaces }),
      ...(stay.length === 0 ? {} : { stays: stay, reloads: leave.length > 0 }),
    },
  ];
}
