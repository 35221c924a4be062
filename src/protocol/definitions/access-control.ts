/** Operations of access control, in the order of part 2, section 4; payloads stand in the files beside this one. */
import type { Operation } from '../definition.ts';
import {
  fingerPrintCfg,
  fingerPrintCond,
  fingerPrintInfo,
  fingerPrintStatus,
  describeSetUpRefusal,
} from './access-control-fingerprints.ts';
import { acsCfg, eventOptimizationCfg, remoteCheck } from './access-control-host.ts';
import {
  localController,
  localControllerControl,
  rightControllerAudio,
} from './access-control-local-controller.ts';
import {
  acsEventCapability,
  acsEventTotalNum,
  acsEventTotalNumCond,
  deployInfo,
  snapConfig,
  snapConfigCapability,
} from './access-control-records.ts';
import {
  userInfoCount,
  userInfoRecord,
  userInfoSearch,
  userInfoSearchCond,
  userInfoSetUp,
} from './access-control-users.ts';
import { capabilityOf, operation, resource } from './operation.ts';

export * from './access-control-fingerprints.ts';
export * from './access-control-host.ts';
export * from './access-control-local-controller.ts';
export * from './access-control-records.ts';
export * from './access-control-users.ts';

const BASE = '/API/AccessControl';
const CONTROLLER_LIMITS = 'accessControl.localController.capabilities.get';

const recordOperations = [
  capabilityOf(
    {
      id: 'accessControl.deployInfo.capabilities.get',
      path: `${BASE}/DeployInfo/capabilities`,
      label: 'Limits of arming clients',
      spec: '2:2.1',
    },
    deployInfo,
  ),
  operation({
    id: 'accessControl.deployInfo.get',
    method: 'GET',
    path: `${BASE}/DeployInfo`,
    label: 'Arming clients',
    spec: '2:2.1',
    response: deployInfo,
    capability: 'accessControl.deployInfo.capabilities.get',
  }),
  operation({
    id: 'accessControl.users.count',
    method: 'GET',
    path: `${BASE}/UserInfo/Count?format=json`,
    label: 'Count people',
    spec: '2:2.2',
    response: userInfoCount,
  }),
  capabilityOf(
    {
      id: 'accessControl.eventTotal.capabilities.get',
      path: `${BASE}/AcsEventTotalNum/capabilities?format=json`,
      label: 'Event total capabilities',
      spec: '2:2.3',
    },
    acsEventCapability,
  ),
  operation({
    id: 'accessControl.eventTotal.query',
    method: 'POST',
    path: `${BASE}/AcsEventTotalNum?format=json`,
    label: 'Count events',
    spec: '2:2.3',
    request: acsEventTotalNumCond,
    response: acsEventTotalNum,
    capability: 'accessControl.eventTotal.capabilities.get',
    idempotent: true,
  }),
  capabilityOf(
    {
      id: 'accessControl.eventOptimization.capabilities.get',
      path: `${BASE}/EventOptimizationCfg/capabilities?format=json`,
      label: 'Event optimization capabilities',
      spec: '2:2.4',
    },
    eventOptimizationCfg,
  ),
  ...resource(
    {
      id: 'accessControl.eventOptimization',
      path: `${BASE}/EventOptimizationCfg?format=json`,
      label: 'Event optimization',
      spec: '2:2.4',
      capability: 'accessControl.eventOptimization.capabilities.get',
    },
    eventOptimizationCfg,
  ),
  capabilityOf(
    {
      id: 'accessControl.snapConfig.capabilities.get',
      path: `${BASE}/SnapConfig/capabilities`,
      label: 'Snapshot capabilities',
      spec: '2:2.5',
    },
    snapConfigCapability,
  ),
  operation({
    id: 'accessControl.snapConfig.get',
    method: 'GET',
    path: `${BASE}/SnapConfig`,
    label: 'Snapshots',
    spec: '2:2.5',
    response: snapConfig,
    capability: 'accessControl.snapConfig.capabilities.get',
  }),
];

const peopleOperations = [
  operation({
    id: 'accessControl.users.search',
    method: 'POST',
    path: `${BASE}/UserInfo/Search?format=json`,
    label: 'Search people',
    spec: '2:2.6',
    request: userInfoSearchCond,
    response: userInfoSearch,
    idempotent: true,
    sensitive: true,
  }),
  operation({
    id: 'accessControl.users.setUp',
    method: 'PUT',
    path: `${BASE}/UserInfo/SetUp?format=json`,
    label: 'Add, change or delete a person',
    spec: '2:2.6',
    request: userInfoSetUp,
    destroys: { when: 'deleteUser' },
    sensitive: true,
  }),
  // The request is shown; the answer is not, beyond a status.
  operation({
    id: 'accessControl.users.record',
    method: 'POST',
    path: `${BASE}/UserInfo/Record?format=json`,
    label: 'Create a person',
    spec: '2:2.6',
    request: userInfoRecord,
    sensitive: true,
  }),
  operation({
    id: 'accessControl.fingerprints.query',
    method: 'POST',
    path: `${BASE}/FingerPrintUpload?format=json`,
    label: 'Query fingerprints',
    spec: '2:2.7',
    request: fingerPrintCond,
    response: fingerPrintInfo,
    idempotent: true,
    sensitive: true,
  }),
  // Sent again, a fingerprint is refused as already there.
  operation({
    id: 'accessControl.fingerprints.setUp',
    method: 'POST',
    path: `${BASE}/FingerPrint/SetUp?format=json`,
    label: 'Add, change or delete a fingerprint',
    spec: '2:2.7',
    request: fingerPrintCfg,
    response: fingerPrintStatus,
    refusal: describeSetUpRefusal,
    destroys: { when: 'deleteFingerPrint' },
    sensitive: true,
  }),
];

const hostOperations = [
  ...resource(
    {
      id: 'accessControl.hostConfig',
      path: `${BASE}/AcsCfg?format=json`,
      label: 'Terminal settings',
      spec: '2:2.8',
    },
    acsCfg,
  ),
  // A second answer may open the door a second time.
  operation({
    id: 'accessControl.remoteCheck.put',
    method: 'PUT',
    path: `${BASE}/remoteCheck?format=json`,
    label: 'Answer a remote verification',
    spec: '2:2.9',
    request: remoteCheck,
    idempotent: false,
  }),
];

const controllerOperations = [
  capabilityOf(
    {
      id: CONTROLLER_LIMITS,
      path: `${BASE}/localController/capabilities`,
      label: 'Local controller capabilities',
      spec: '2:2.10',
    },
    localController,
  ),
  operation({
    id: 'accessControl.localController.add',
    method: 'PUT',
    path: `${BASE}/localController/addDevice`,
    label: 'Add a local controller',
    spec: '2:2.10',
    request: localController,
    capability: CONTROLLER_LIMITS,
    idempotent: false,
  }),
  ...resource(
    {
      id: 'accessControl.localController',
      path: `${BASE}/localController/localControllerID/<localControllerID>`,
      label: 'Local controller',
      spec: '2:2.10',
      capability: CONTROLLER_LIMITS,
    },
    localController,
  ),
  operation({
    id: 'accessControl.localController.delete',
    method: 'DELETE',
    path: `${BASE}/localController/localControllerID/<localControllerID>`,
    label: 'Remove a local controller',
    spec: '2:2.10',
  }),
  operation({
    id: 'accessControl.localController.deleteAll',
    method: 'DELETE',
    path: `${BASE}/localController`,
    label: 'Remove all local controllers',
    spec: '2:4',
  }),
  capabilityOf(
    {
      id: 'accessControl.localController.control.capabilities.get',
      path: `${BASE}/localController/control/capabilities`,
      label: 'Local controller commands',
      spec: '2:2.10',
    },
    localControllerControl,
  ),
  operation({
    id: 'accessControl.localController.control.put',
    method: 'PUT',
    path: `${BASE}/localController/control/localControllerID/<localControllerID>`,
    label: 'Command a local controller',
    spec: '2:4',
    capability: 'accessControl.localController.control.capabilities.get',
    idempotent: false,
    specified: false,
  }),
  operation({
    id: 'accessControl.controllerAudio.put',
    method: 'PUT',
    path: `${BASE}/RightControllerAudio/<audioID>`,
    label: 'Controller audio',
    spec: '2:2.11',
    request: rightControllerAudio,
  }),
  operation({
    id: 'accessControl.controllerAudio.delete',
    method: 'DELETE',
    path: `${BASE}/RightControllerAudio/<audioID>`,
    label: 'Delete controller audio',
    spec: '2:2.11',
  }),
];

export const accessControlOperations: readonly Operation[] = [
  ...recordOperations,
  ...peopleOperations,
  ...hostOperations,
  ...controllerOperations,
];
