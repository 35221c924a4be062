/** Picture polling analysis tasks (part 1, 2.8). */
import * as documents from '#simulator/device-documents/ai.ts';
import { answer, replyDone, refuse, type Handlers } from '#simulator/handler.ts';
import type { Part, PartKey } from '#simulator/state/device-state.ts';
import { formatJsonBody } from '#simulator/status.ts';
import { createFixedHandler, refuseContent } from '../stored.ts';
import { readOwnJson } from '#shared/read-json.ts';

type Task = Readonly<Record<string, unknown>>;

class Tasks implements Part {
  readonly all = new Map<string, Task>();

  runsOn(engine: number): boolean {
    return [...this.all.values()].some((task) => task['engine'] === engine);
  }

  snapshot(): unknown {
    return [...this.all.values()].map(withoutPasswords);
  }
}

export const TASKS: PartKey<Tasks> = { name: 'tasks', create: () => new Tasks() };

export const taskHandlers: Handlers = {
  ...createFixedHandler('aiPlatform.videoTask.capabilities.get', (device) =>
    documents.buildVideoTaskLimits(device.channels),
  ),
  ...createFixedHandler('aiPlatform.picturePollingTask.capabilities.get', (device) =>
    documents.buildPollingTaskLimits(device.channels),
  ),

  'aiPlatform.picturePollingTasks.create': (call, device) => {
    const body = call.body?.json ?? {};
    const tasks = device.part(TASKS).all;
    const taskID = String(body['taskID']);
    if (tasks.has(taskID)) return refuse('alreadyExist', 'A task has this id.');
    if (!documents.ENGINES.includes(Number(body['engine'])))
      return refuseContent(call, 'engine is none of the device.');
    const complaint = unknownChannel(body, device.channels);
    if (complaint) return refuseContent(call, complaint);
    if (tasks.size >= documents.TASKS)
      return refuse('storageFull', 'The device has all the tasks it can run.');
    return replyDone(() => tasks.set(taskID, body));
  },

  /** Everything but the linkages is replaced: absent they stay, empty they go. */
  'aiPlatform.picturePollingTasks.update': (call, device) => {
    const body = call.body?.json ?? {};
    const tasks = device.part(TASKS).all;
    const taskID = call.params['taskID'] ?? '';
    const before = tasks.get(taskID);
    if (!before) return refuse('notExist');
    if (body['taskID'] !== undefined || body['engine'] !== undefined)
      return refuseContent(call, 'An update carries neither taskID nor engine.');
    const complaint = unknownChannel(body, device.channels);
    if (complaint) return refuseContent(call, complaint);
    const linkages = body['EventTrigger'] ?? before['EventTrigger'];
    const { EventTrigger: _sent, ...rest } = body;
    const after = {
      taskID,
      engine: before['engine'],
      ...rest,
      ...(isEmptyList(linkages) || linkages === undefined ? {} : { EventTrigger: linkages }),
    };
    return replyDone(() => tasks.set(taskID, after));
  },

  'aiPlatform.picturePollingTasks.delete': (call, device) => {
    const tasks = device.part(TASKS).all;
    const taskID = call.params['taskID'] ?? '';
    return tasks.has(taskID) ? replyDone(() => tasks.delete(taskID)) : refuse('notExist');
  },

  'aiPlatform.picturePollingTasks.list': (_call, device) =>
    answer(formatJsonBody({ Tasks: [...device.part(TASKS).all.values()].map(withoutPasswords) })),
};

function unknownChannel(body: Task, channels: number): string | undefined {
  const list = body['channel'];
  return Array.isArray(list) && !list.every((channel) => Number(channel) >= 1 && Number(channel) <= channels)
    ? 'channel names one that the device does not have.'
    : undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A device never gives a password back. */
function withoutPasswords(value: unknown): unknown {
  return readOwnJson(
    JSON.stringify(value, (name, member: unknown) => (name === 'password' ? undefined : member)),
  ) as unknown;
}
