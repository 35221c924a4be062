/** Operations of the AI open platform, in the order of part 1, section 4; payloads stand in the files beside this one. */
import type { Operation } from '../definition.ts';
import {
  aiPlatformCapabilities,
  aiPlatformInfo,
  algorithmModels,
  engineLoad,
  loadingInfo,
  loadingInfoList,
  modelPackage,
  modelPackageUpdate,
  modelProgress,
  modelStorage,
} from './ai-platform-models.ts';
import {
  picturePollingTask,
  picturePollingTaskCapabilities,
  picturePollingTasks,
  picturePollingTaskUpdate,
  videoTaskCapabilities,
} from './ai-platform-tasks.ts';
import { capabilityOf, operation } from './operation.ts';

export * from './ai-platform-models.ts';
export * from './ai-platform-tasks.ts';

const BASE = '/API/Intelligent/AIOpenPlatform';
const MODEL = `${BASE}/algorithmModel`;
const TASK = `${BASE}/picturePollingAnalysisTask`;
const TASK_LIMITS = 'aiPlatform.picturePollingTask.capabilities.get';

const modelOperations = [
  operation({
    id: 'aiPlatform.capabilities.get',
    method: 'GET',
    path: `${BASE}/capabilities?format=json`,
    label: 'AI platform capabilities',
    spec: '1:2.1',
    response: aiPlatformCapabilities,
  }),
  operation({
    id: 'aiPlatform.info.get',
    method: 'GET',
    path: `${BASE}?format=json`,
    label: 'AI platform information',
    spec: '1:2.2',
    response: aiPlatformInfo,
  }),
  // Download addresses carry their own authentication, so the bodies count as secret.
  operation({
    id: 'aiPlatform.models.create',
    method: 'POST',
    path: `${MODEL}?format=json`,
    label: 'Upload a model package',
    spec: '1:2.3',
    request: modelPackage,
    sensitive: true,
  }),
  operation({
    id: 'aiPlatform.modelProgress.get',
    method: 'GET',
    path: `${MODEL}/progress/<MPID>?format=json`,
    label: 'Download progress of a model package',
    spec: '1:2.6',
    response: modelProgress,
  }),
  // A second reset interrupts the engine again.
  operation({
    id: 'aiPlatform.engine.reset',
    method: 'PUT',
    path: `${MODEL}/engine/<engineID>/reset?format=json`,
    label: 'Reset an engine',
    spec: '1:4',
    idempotent: false,
    destroys: true,
  }),
  operation({
    id: 'aiPlatform.engines.list',
    method: 'GET',
    path: `${MODEL}/engines?format=json`,
    label: 'Engines',
    spec: '1:2.5',
    response: loadingInfoList,
  }),
  operation({
    id: 'aiPlatform.engine.get',
    method: 'GET',
    path: `${MODEL}/engine/<engineID>?format=json`,
    label: 'Engine',
    spec: '1:2.5',
    response: loadingInfo,
  }),
  operation({
    id: 'aiPlatform.engine.load',
    method: 'PUT',
    path: `${MODEL}/loading/<engineID>?format=json`,
    label: 'Load a model package into an engine',
    spec: '1:2.4b',
    request: engineLoad,
  }),
  operation({
    id: 'aiPlatform.engine.unload',
    method: 'DELETE',
    path: `${MODEL}/unloading/<engineID>?format=json`,
    label: 'Unload the model from an engine',
    spec: '1:4',
  }),
  operation({
    id: 'aiPlatform.modelStorage.get',
    method: 'GET',
    path: `${MODEL}/management/space?format=json`,
    label: 'Model storage',
    spec: '1:2.6',
    response: modelStorage,
  }),
  operation({
    id: 'aiPlatform.models.delete',
    method: 'DELETE',
    path: `${MODEL}/management/space/<MPID>?format=json`,
    label: 'Delete a model package',
    spec: '1:4',
  }),
  operation({
    id: 'aiPlatform.models.list',
    method: 'GET',
    path: `${MODEL}/management?format=json`,
    label: 'Model packages',
    spec: '1:2.6',
    response: algorithmModels,
  }),
  operation({
    id: 'aiPlatform.models.update',
    method: 'PUT',
    path: `${MODEL}/update?format=json`,
    label: 'Update a model package',
    spec: '1:2.3',
    request: modelPackageUpdate,
    sensitive: true,
  }),
];

const taskOperations = [
  capabilityOf(
    {
      id: 'aiPlatform.videoTask.capabilities.get',
      path: `${BASE}/videoTask/capabilities?format=json`,
      label: 'Video task capabilities',
      spec: '1:2.7',
    },
    videoTaskCapabilities,
  ),
  capabilityOf(
    {
      id: TASK_LIMITS,
      path: `${TASK}/capabilities?format=json`,
      label: 'Picture polling capabilities',
      spec: '1:2.8',
    },
    picturePollingTaskCapabilities,
  ),
  operation({
    id: 'aiPlatform.picturePollingTasks.create',
    method: 'POST',
    path: `${TASK}?format=json`,
    label: 'Create a picture polling task',
    spec: '1:2.8',
    request: picturePollingTask,
    capability: TASK_LIMITS,
    sensitive: true,
  }),
  operation({
    id: 'aiPlatform.picturePollingTasks.update',
    method: 'PUT',
    path: `${TASK}/<taskID>?format=json`,
    label: 'Change a picture polling task',
    spec: '1:2.8',
    request: picturePollingTaskUpdate,
    capability: TASK_LIMITS,
    sensitive: true,
  }),
  operation({
    id: 'aiPlatform.picturePollingTasks.delete',
    method: 'DELETE',
    path: `${TASK}/<taskID>?format=json`,
    label: 'Delete a picture polling task',
    spec: '1:4',
  }),
  operation({
    id: 'aiPlatform.picturePollingTasks.list',
    method: 'GET',
    path: `${TASK}?format=json`,
    label: 'Picture polling tasks',
    spec: '1:2.8',
    response: picturePollingTasks,
    capability: TASK_LIMITS,
    sensitive: true,
  }),
];

export const aiPlatformOperations: readonly Operation[] = [...modelOperations, ...taskOperations];
