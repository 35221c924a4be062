/**
 * The operations of the interface as the site knows them: `id METHOD path [body]`, in the order of the specification's
 * sections 4. A `+` behind the id says that request or answer holds secrets or biometric data, the body `?` that the
 * specification does not show it. Paths are written without their leading `/API`.
 */
import { findBody, type Body } from './bodies.ts';

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Path without the leading `/API`, variables as `<name>`, query included. */
  readonly path: string;
  readonly format: 'xml' | 'json';
  /** Body of a request; undefined where it has none, or one that the specification does not show. */
  readonly body: Body | undefined;
  /** False where the specification does not show the body. */
  readonly isShown: boolean;
  readonly isSecret: boolean;
}

const TABLE = `
aiPlatform.capabilities.get GET /Intelligent/AIOpenPlatform/capabilities?format=json
aiPlatform.info.get GET /Intelligent/AIOpenPlatform?format=json
aiPlatform.models.create+ POST /Intelligent/AIOpenPlatform/algorithmModel?format=json newPackage
aiPlatform.modelProgress.get GET /Intelligent/AIOpenPlatform/algorithmModel/progress/<MPID>?format=json
aiPlatform.engine.reset PUT /Intelligent/AIOpenPlatform/algorithmModel/engine/<engineID>/reset?format=json
aiPlatform.engines.list GET /Intelligent/AIOpenPlatform/algorithmModel/engines?format=json
aiPlatform.engine.get GET /Intelligent/AIOpenPlatform/algorithmModel/engine/<engineID>?format=json
aiPlatform.engine.load PUT /Intelligent/AIOpenPlatform/algorithmModel/loading/<engineID>?format=json load
aiPlatform.engine.unload DELETE /Intelligent/AIOpenPlatform/algorithmModel/unloading/<engineID>?format=json
aiPlatform.modelStorage.get GET /Intelligent/AIOpenPlatform/algorithmModel/management/space?format=json
aiPlatform.models.delete DELETE /Intelligent/AIOpenPlatform/algorithmModel/management/space/<MPID>?format=json
aiPlatform.models.list GET /Intelligent/AIOpenPlatform/algorithmModel/management?format=json
aiPlatform.models.update+ PUT /Intelligent/AIOpenPlatform/algorithmModel/update?format=json packageUpdate
aiPlatform.videoTask.capabilities.get GET /Intelligent/AIOpenPlatform/videoTask/capabilities?format=json
aiPlatform.picturePollingTask.capabilities.get GET /Intelligent/AIOpenPlatform/picturePollingAnalysisTask/capabilities?format=json
aiPlatform.picturePollingTasks.create+ POST /Intelligent/AIOpenPlatform/picturePollingAnalysisTask?format=json newTask
aiPlatform.picturePollingTasks.update+ PUT /Intelligent/AIOpenPlatform/picturePollingAnalysisTask/<taskID>?format=json taskUpdate
aiPlatform.picturePollingTasks.delete DELETE /Intelligent/AIOpenPlatform/picturePollingAnalysisTask/<taskID>?format=json
aiPlatform.picturePollingTasks.list+ GET /Intelligent/AIOpenPlatform/picturePollingAnalysisTask?format=json
accessControl.deployInfo.capabilities.get GET /AccessControl/DeployInfo/capabilities
accessControl.deployInfo.get GET /AccessControl/DeployInfo
accessControl.users.count GET /AccessControl/UserInfo/Count?format=json
accessControl.eventTotal.capabilities.get GET /AccessControl/AcsEventTotalNum/capabilities?format=json
accessControl.eventTotal.query POST /AccessControl/AcsEventTotalNum?format=json eventCondition
accessControl.eventOptimization.capabilities.get GET /AccessControl/EventOptimizationCfg/capabilities?format=json
accessControl.eventOptimization.get GET /AccessControl/EventOptimizationCfg?format=json
accessControl.eventOptimization.put PUT /AccessControl/EventOptimizationCfg?format=json eventOptimization
accessControl.snapConfig.capabilities.get GET /AccessControl/SnapConfig/capabilities
accessControl.snapConfig.get GET /AccessControl/SnapConfig
accessControl.users.search+ POST /AccessControl/UserInfo/Search?format=json userSearch
accessControl.users.setUp+ PUT /AccessControl/UserInfo/SetUp?format=json userSetUp
accessControl.users.record+ POST /AccessControl/UserInfo/Record?format=json userRecord
accessControl.fingerprints.query+ POST /AccessControl/FingerPrintUpload?format=json fingerprintQuery
accessControl.fingerprints.setUp+ POST /AccessControl/FingerPrint/SetUp?format=json fingerprint
accessControl.hostConfig.get GET /AccessControl/AcsCfg?format=json
accessControl.hostConfig.put PUT /AccessControl/AcsCfg?format=json hostConfig
accessControl.remoteCheck.put PUT /AccessControl/remoteCheck?format=json remoteCheck
accessControl.localController.capabilities.get GET /AccessControl/localController/capabilities
accessControl.localController.add PUT /AccessControl/localController/addDevice localController
accessControl.localController.get GET /AccessControl/localController/localControllerID/<localControllerID>
accessControl.localController.put PUT /AccessControl/localController/localControllerID/<localControllerID> localController
accessControl.localController.delete DELETE /AccessControl/localController/localControllerID/<localControllerID>
accessControl.localController.deleteAll DELETE /AccessControl/localController
accessControl.localController.control.capabilities.get GET /AccessControl/localController/control/capabilities
accessControl.localController.control.put PUT /AccessControl/localController/control/localControllerID/<localControllerID> ?
accessControl.controllerAudio.put PUT /AccessControl/RightControllerAudio/<audioID> controllerAudio
accessControl.controllerAudio.delete DELETE /AccessControl/RightControllerAudio/<audioID>
gate.status.capabilities.get GET /AccessControl/GateStatus/capabilities
gate.status.get GET /AccessControl/GateStatus
gate.irStatus.capabilities.get GET /AccessControl/GateIRStatus/capabilities
gate.irStatus.get GET /AccessControl/GateIRStatus
gate.relatedParts.capabilities.get GET /AccessControl/GateRelatedPartsStatus/capabilities
gate.relatedParts.get GET /AccessControl/GateRelatedPartsStatus
gate.dialAndInfo.capabilities.get GET /AccessControl/GateDialAndInfo/capabilities
gate.dialAndInfo.get GET /AccessControl/GateDialAndInfo
gate.channelController.capabilities.get GET /AccessControl/ChannelControllerCfg/capabilities
peopleCounting.count.reset PUT /System/Video/inputs/channels/<channelID>/counting/resetCount
peopleCounting.flashStorage.remove PUT /ContentMgmt/FlashStorage/remove/channels/<channelID> flashRemoval
peopleCounting.recommendedWidth.get GET /System/Video/inputs/channels/<channelID>/counting/RecommendValue
peopleCounting.status.get GET /System/Video/inputs/channels/<channelID>/counting/status
peopleCounting.shield.get GET /Intelligent/channels/<channelID>/Shield/peopleCounting
peopleCounting.shield.put PUT /Intelligent/channels/<channelID>/Shield/peopleCounting shield
storage.rwLock.capabilities.get GET /Smart/storageDetection/rwlock/capabilities
storage.rwLock.get+ GET /Smart/storageDetection/rwlock
storage.rwLock.put+ PUT /Smart/storageDetection/rwlock rwLock
storage.unlock.capabilities.get GET /Smart/storageDetection/unlock/capabilities
storage.unlock.put+ PUT /Smart/storageDetection/unlock unlock
storage.status.get GET /Smart/storageDetection
events.storageSchedule.get GET /Event/schedules/storageDetections/storageDetections-<channelID>
events.storageSchedule.put PUT /Event/schedules/storageDetections/storageDetections-<channelID> schedule
events.hdBadBlockTrigger.get GET /Event/triggers/hdBadBlock
events.hdBadBlockTrigger.put PUT /Event/triggers/hdBadBlock trigger
events.severeHdFailureTrigger.get GET /Event/triggers/severeHDFailure
events.severeHdFailureTrigger.put PUT /Event/triggers/severeHDFailure trigger
events.thermometryPresetTrigger.get GET /Event/triggers/thermometry-<channelID>/preset/<presetID>
events.thermometryPresetTrigger.put PUT /Event/triggers/thermometry-<channelID>/preset/<presetID> presetTrigger
events.thermometrySchedule.get GET /Event/schedules/thermometry/thermometry-<channelID>
events.thermometrySchedule.put PUT /Event/schedules/thermometry/thermometry-<channelID> schedule
events.temperatureSchedule.get GET /Event/schedules/temperature/temperature-<channelID>
events.temperatureSchedule.put PUT /Event/schedules/temperature/temperature-<channelID> schedule
passback.basic.capabilities.get GET /ContentMgmt/record/passback/basicCfg/capabilities
passback.basic.get GET /ContentMgmt/record/passback/basicCfg
passback.basic.put PUT /ContentMgmt/record/passback/basicCfg passbackWindow
passback.historyPlan.capabilities.get GET /ContentMgmt/record/passback/historyPlanCfg/capabilities
passback.historyPlan.get GET /ContentMgmt/record/passback/historyPlanCfg?StreamID=<streamID>&Channel=<channelID>
passback.historyPlan.put PUT /ContentMgmt/record/passback/historyPlanCfg?StreamID=<streamID>&Channel=<channelID> passbackPlan
token.secretKey.capabilities.get GET /System/Token/secretKey/capabilities
token.secretKey.set+ POST /System/Token/secretKey tokenKey
token.check+ POST /System/Token/check ?
humanRecognition.capabilities.get GET /Intelligent/channels/<channelID>/humanRecognition/capabilities
humanRecognition.config.get GET /Intelligent/channels/<channelID>/humanRecognition
humanRecognition.config.put PUT /Intelligent/channels/<channelID>/humanRecognition humanRecognition
humanRecognition.regions.get GET /Intelligent/channels/<channelID>/humanRecognition/regions
humanRecognition.regions.put PUT /Intelligent/channels/<channelID>/humanRecognition/regions humanRegions
thermal.capabilities.get GET /Thermal/capabilities
thermal.fireDetection.capabilities.get GET /Thermal/channels/<channelID>/fireDetection/capabilities
thermal.fireDetection.get GET /Thermal/channels/<channelID>/fireDetection
thermal.thermometryBasic.get GET /Thermal/channels/<channelID>/thermometry/basicParam
thermal.thermometryBasic.put PUT /Thermal/channels/<channelID>/thermometry/basicParam thermometryBasic
thermal.thermometryMode.capabilities.get GET /Thermal/channels/<channelID>/thermometryMode/capabilities
thermal.thermometryMode.get GET /Thermal/channels/<channelID>/thermometryMode
thermal.thermometryMode.put PUT /Thermal/channels/<channelID>/thermometryMode thermometryMode
thermal.faceThermometry.capabilities.get GET /Thermal/channels/<channelID>/faceThermometry/capabilities
system.capabilities.get GET /System/capabilities?type=<type>
`;

export const OPERATIONS: readonly Operation[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name = '', method = '', path = '', body] = line.split(' ');
    return {
      id: name.replace('+', ''),
      method,
      path,
      format: path.includes('format=json') ? 'json' : 'xml',
      body: body === undefined || body === '?' ? undefined : findBody(body),
      isShown: body !== '?',
      isSecret: name.endsWith('+'),
    };
  });
