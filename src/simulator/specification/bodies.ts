/** Bodies of the requests of all three parts, in the notation of `shape.ts`, each with its section. */
import { readShapes, type Shape } from './shape.ts';

export interface Body {
  /** Section of the specification, as part:section. */
  readonly section: string;
  /** Root element or member; undefined where a JSON object has none. */
  readonly root: string | undefined;
  /** `version` of the root element (3:9, 1:9). */
  readonly version: '1.0' | '2.0';
  readonly shapes: readonly Shape[];
}

const PACKAGE_UPDATE = `
URL text 0..256
MPName text 0..128
description* free
algSortingParams free`;

const TASK = `
channel* int
Stream
  streamType! realTime|historyVideo
  streamSourceType! URL|Camera
  StreamSourceList*
    cameraIndexCode! text 0..64
    TargetAttrs free
    URL
      URLMode RTSP|DAC
      URL! text 0..1024
      userName text 0..128
      password text 0..128
    Camera
      protocol Private|Onvif|ISUP
      StreamingViaIP
        ipV4Address text 0..32
        port int 0..65535
        userName text 0..128
        password text 0..128
        channel int 0..256
      StreamingViaDeviceID
        deviceID text 0..256
        channel int 0..256
    RecordTime
      startTime! datetime
      endTime! datetime
pollingTime! int 1..65535
TimeRange*
  week! int 1..7
  beginTime! clock
  endTime! clock
alarmTargetOverlay bool
EventTrigger*
  notificationMethod! email|IM|IO|syslog|HTTP|FTP|beep|ptz|record|center|LightAudioAlarm|focus|trace|whiteLight|audio
  outputIOPortID text
  videoInputID text
  dynOutputIOPortID text
Destination*
  destinationType! AlarmRMQ|ServerClient|ServerHCS
  destinationURL text 0..1024
  userName text 0..128
  password text 0..128`;

function personBegin(time: 'text' | 'datetime'): string {
  return `
name text
userType! normal|visitor|blackList
closeDelayEnabled bool
Valid
  enable! bool
  beginTime! ${time}
  endTime! ${time}
  timeType local|UTC
belongGroup numbers
password text
doorRight numbers
RightPlan*
  doorNo int
  planTemplateNo numbers
maxOpenDoorTime int
openDoorTime int`;
}

const PERSON_END = `
roomNumber int
floorNumber int
doubleLockRight bool
localUIRight bool
userVerifyMode cardAndPw|card|cardOrPw|fp|fpAndPw|fpOrCard|fpAndCard|fpAndCardAndPw|faceOrFpOrCardOrPw|faceAndFp|faceAndPw|faceAndCard|face|employeeNoAndPw|fpOrPw|employeeNoAndFp|employeeNoAndFpAndPw|faceAndFpAndCard|faceAndPwAndFp|employeeNoAndFace|faceOrfaceAndCard|fpOrface|cardOrfaceOrPw|cardOrFace|cardOrFaceOrFp?
gender male|female|unknown
PersonInfoExtends*
  value text
dynamicCode text
callNumbers* text
floorNumbers* int
groupName text 1..64`;

const COUNTS = `
numOfFace- int
numOfFP- int
numOfCard- int`;

const TRIGGER = `
id! text
eventType! text
eventDescription text
inputIOPortID text
dynInputIOPortID text
videoInputChannelID text
dynVideoInputChannelID text
intervalBetweenEvents int
WLSensorID text
EventTriggerNotificationList
  EventTriggerNotification*
    id! text
    notificationMethod! FTP|HTTP|IM|IO|LightAudioAlarm|audio|beep|center|cloud|email|focus|monitorAlarm|ptz|record|syslog|trace|whiteLight
    notificationRecurrence beginning|beginningandend|recurring
    notificationInterval int
    outputIOPortID text
    dynOutputIOPortID text
    videoInputID text
    dynVideoInputID text
    ptzAction
      ptzChannelID! text
      actionName! preset|pattern|patrol
      actionNum int
    WhiteLightAction
      whiteLightDurationTime int 1..60`;

const REGION = `
HumanRecognitionRegion*0..8
  id text
  regionName text 1..10
  enabled bool
  RegionCoordinatesList
    RegionCoordinates*3..10
      positionX int 0..
      positionY int 0..
  LineCoordinatesList
    LineCoordinates*0..2
      positionX int 0..
      positionY int 0..`;

/** Bodies by the name that the table of operations uses. A corner's highest value is that of the device's plane (3:2.1). */
const BODIES = {
  newPackage: json('1:2.3', undefined, () => [
    'MPID! text 0..64',
    'engine* int',
    PACKAGE_UPDATE,
    'authorized bool',
    'appID text 0..64',
    'licenseKeyUrl text 0..256',
  ]),
  packageUpdate: json('1:2.3', undefined, () => ['MPID! text 0..64', PACKAGE_UPDATE]),
  load: json('1:2.4b', undefined, () => ['MPID! text 0..64', 'MPName text 0..128']),
  newTask: json('1:2.8', undefined, () => ['taskID! text 0..64', 'engine! int', TASK]),
  taskUpdate: json('1:2.8', undefined, () => [TASK]),

  eventCondition: json('2:2.3', 'AcsEventTotalNumCond', () => [
    `major! int
minor! int
startTime date
endTime date
cardNo text
name text
picEnable bool
beginSerialNo int
endSerialNo int
employeeNoString text 1..32`,
  ]),
  eventOptimization: json('2:2.4', 'EventOptimizationCfg', () => [
    'enable bool',
    'isCombinedLinkageEvents bool',
  ]),
  userSearch: json('2:2.6', 'UserInfoSearchCond', () => [
    `searchID! text
searchResultPosition int 0..
maxResults int 1..
EmployeeNoList*
  employeeNo text
fuzzySearch text`,
  ]),
  userSetUp: json('2:2.6', 'UserInfo', () => [
    'employeeNo! text 1..',
    'deleteUser bool',
    personBegin('text'),
    PERSON_END,
    'checkUser bool',
    COUNTS,
  ]),
  // fields after openDoorTime are not shown, but it "carries the same fields"
  userRecord: json('2:2.6', 'UserInfo', () => ['employeeNo! text 1..', personBegin('datetime'), PERSON_END]),
  fingerprintQuery: json('2:2.7', 'FingerPrintCond', () => [
    `searchID! text 1..32
employeeNo! text 1..32
cardReaderNo int
fingerPrintID int 1..10`,
  ]),
  fingerprint: json('2:2.7', 'FingerPrintCfg', () => [
    `employeeNo! text 1..32
enableCardReader!* int
fingerPrintID! int 1..10
deleteFingerPrint bool
fingerType! normalFP|hijackFP|patrolFP|superFP|dismissingFP
fingerData text
leaderFP* int
checkEmployeeNo bool`,
  ]),
  hostConfig: json('2:2.8', 'AcsCfg', () => [
    `RS485Backup bool
showCapPic bool
showUserInfo bool
overlayUserInfo bool
voicePrompt bool
uploadCapPic bool
saveCapPic bool
inputCardNo bool
enable3G4G bool
protocol Private|OSDP
enableCaptureCertificate bool
showPicture bool
showEmployeeNo bool
showName bool
thermalEnabled bool
thermalMode bool
thermalPictureEnabled bool
thermalIp text
highestThermalThreshold float
lowestThermalThreshold float
thermalDoorEnabled bool
QRCodeEnabled bool
remoteCheckDoorEnabled bool
checkChannelType Cloud|ISUP|API|PrivateSDK|APIListen
channelIp text
uploadVerificationPic bool
saveVerificationPic bool
saveFacePic bool
thermalUnit celsius|fahrenheit
highestThermalThresholdF float /1
lowestThermalThresholdF float /1
thermalCompensation float`,
  ]),
  remoteCheck: json('2:2.9', 'RemoteCheck', () => [
    'serialNo! int',
    'checkResult! success|failed',
    'info text 1..32',
  ]),
  localController: xml('2:2.10', 'LocalController', () => [
    `localControllerID! int 1..64
devName! text 1..32
devType! 1door|2doors|4doors
offlineWorkMode! notSupport|configuration|autoLearn
networkEnable! bool
ipAddress text 1..64
subnetMask text 1..64
ipv6Address text 1..64
bitMask text 1..64
DefaultGateway
  ipAddress text 1..64
  ipv6Address text 1..64
portNo! int 1..65535`,
  ]),
  controllerAudio: xml('2:2.11', 'RightControllerAudio', () => [
    'audioName! text 1..32',
    'playCondition! NotPlay|CompleteAuth|AuthFail|Alarm',
  ]),

  flashRemoval: xml('3:2.1', 'FlashStorageRemove', () => ['coutingRemove bool']),
  shield: xml(
    '3:2.1',
    'Shield',
    () => [
      `enabled! bool
RegionList
  Region*
    id! text
    enabled! bool
    RegionCoordinatesList
      RegionCoordinates*3..10
        positionX int 0..
        positionY int 0..`,
    ],
    '1.0',
  ),
  rwLock: xml('3:2.2', 'RWLock', () => ['enabled! bool', 'passwd! text 1..10', 'originalPasswd text 1..10']),
  unlock: xml('3:2.2', 'UnLock', () => ['passwd! text 1..15', 'SDCardUnlockTime- int 2..3']),
  schedule: xml('3:2.3', 'Schedule', () => [
    `id! text
eventType text
inputIOPortID text
outputIOPortID text
videoInputChannelID text
TimeBlockList!
  TimeBlock*
    dayOfWeek int 1..7
    TimeRange
      beginTime time
      endTime time
HolidayBlockList
  TimeBlock*
    TimeRange
      beginTime time
      endTime time`,
  ]),
  trigger: xml('3:2.3', 'EventTrigger', () => [TRIGGER]),
  presetTrigger: xml('3:2.3', 'EventTrigger', () => [`${TRIGGER}\n    presetID int`]),
  passbackWindow: xml('3:2.4', 'RecordPassBackBasicCfg', () => [
    `beginTime! int 0..65535
endTime! int 0..65535
maxTotalConcurrenceNum! int 200..400
maxDvrConcurrenceNum! int 2..32`,
  ]),
  passbackPlan: xml('3:2.4', 'RecordPassBackHistoryPlanCfg', () => [
    `enable! bool
ScheduleActionList
  ScheduleAction*0..56
    id int 1..56
    ScheduleActionStartTime
      DayOfWeek Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
      TimeOfDay zoned
    ScheduleActionEndTime
      DayOfWeek Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
      TimeOfDay zoned
    eventType VMD|alarmIn|POS|inquest|AccessControllerEvent|regionEntrance|regionExiting|linedetection|fielddetection|loitering|parking|running|personDensityDetection|unattendedBaggage|attendedBaggage|leavePosition|failDown|violentMotion|safetyHelmetDetection|peopleNumChange|getUp|advReachHeight|Standup|rapidMove|group|scenechangedetection|PIR
    AlarmInParam
      alarmInIDList
        alarmInID* int
    InquestParam
      roomID int 1..2
    ACSAlarmParam
      majorEventType int`,
  ]),
  tokenKey: xml('3:2.5', 'TokenSecretKey', () => [
    `tokenAuthenticateEnable bool
authenticateMode shareKey
keyInfo
  key! text 1..
digesType sha256
iterationTimes 50000|80000|100000
encryptAlgorithmType AES
keyLen 128|256
encryptAlgorithmMode ECB|CBC|CFB|OFB
encryptAlgorithmFill yes|no`,
  ]),
  humanRecognition: xml('3:2.6', 'HumanRecognition', () => [
    `id! text
normalizedScreenSize
  normalizedScreenWidth int
  normalizedScreenHeight int
HumanRecognitionRegionList${indented(REGION)}
humanMisinfoFilterEnabled bool
picRecognitionEnabled bool
analysisParam
  analysisMode normal|groupBehavior|individualBehavior
  captureInterval int 5..3600
  maxRegionNum int
  cruiseLinkageCapture bool
  analysisControl auto|non-auto
  timeInterval int 1..60
InterPupileRegion
  positionX int 0..
  positionY int 0..
  width int 0..
  height int 0..
targetCutout
  enabled bool
  size int
  zoom int
realTimeShowEnabled bool`,
  ]),
  humanRegions: xml('3:2.6', 'HumanRecognitionRegionList', () => [REGION]),
  thermometryBasic: xml('3:2.7', 'ThermometryBasicParam', () => [
    `id int
enabled bool
streamOverlay bool
pictureOverlay bool
temperatureRange 30~45|-20~150|0~550|0~650|-4~302|32~1022|32~1200|-20~650|-20~1500|automatic|-20~120|20~45|20~350|100-550|28-45
temperatureUnit degreeCentigrade|degreeFahrenheit|degreeKelvin
temperatureCurve close|transverseTemperatureTrend|longitudinalTemperatureTrend
fireImageMode blackWhite|thermalProbe|fireGround
emissivity float 0.01..1.00
distanceUnit meter|feet|centimeter
TemperatureColor
  type highTemperature|lowTemperature|rangeTemperature|heatPreservation
  highTemperature int -273..10000
  lowTemperature int -273..10000
enviroTemperature int
enviroHumidity int
correctionVolume int
specialPointThermType centerPoint|highestPoint|lowestPoint|null
distance int
reflectiveEnable bool
reflectiveTemperature float
alert float
alarm float
thermalOpticalTransmittance float
externalOpticsWindowCorrection float
showTempStripEnable bool
AlertOutputIOPortList
  OutputIOPort*
    portID text
    enabled bool
AlarmOutputIOPortList
  OutputIOPort*
    portID text
    enabled bool
alertFilteringTime int 0..200
alarmFilteringTime int 0..200
displayMaxTemperatureEnabled bool
displayMinTemperatureEnabled bool
displayAverageTemperatureEnabled bool
thermometryInfoDisplayposition rules_around|top_left_of_screen
calibrationCoefficientEnabled bool
calibrationCoefficient float
emissivityMode rougher|rough|smooth|smoother|customsettings
displayTemperatureInOpticalChannelEnabled bool
displayCentreTemperatureEnabled bool
distanceMode selfAdapt|fixed
faceTemperatureInfoUploadEnabled bool
calibrationFileVersion text
alarmInterval int 1..300
rulesOverlayMode all|alarm
toleranceTemperature float 1..5
alarmMode temperatureIntervalMeasurement|alarm_alert
NormalRulesColor
  R int
  G int
  B int
NormalTemperatureIntervalMeasurement
  alarmType highestTemp|lowestTemp
  TemperatureIntervalList
    TemperatureInterval*0..4
      id int
      enabled bool
      name text
      minTemperature float -20..550/1
      maxTemperature float -20..550/1
      AlarmColor
        R int
        G int
        B int
      AlarmOutputIOPortList
        OutputIOPort*
          portID text
          enabled bool
SunReflectionBlur
  enabled bool
  sensitivity int 1..100
  filterEnabled bool
VehicleBlur
  enabled bool
  sensitiveLevel int 0..4
  filterEnabled bool
TemperatureSuddenChange
  mode close|temperatureSuddenIncrease|temperatureSuddenDecrease
  alarm float 0..570
  cycleCfg int 5..3600`,
  ]),
  thermometryMode: xml('3:2.7', 'ThermometryMode', () => [
    'mode! normal|expert|AI',
    'thermometryROIEnabled bool',
  ]),
} as const satisfies Record<string, Body>;
type BodyName = keyof typeof BODIES;

export function findBody(name: string): Body {
  if (!Object.hasOwn(BODIES, name)) throw new TypeError(`The table has no body "${name}".`);
  return BODIES[name as BodyName];
}

function json(section: string, root: string | undefined, blocks: () => readonly string[]): Body {
  return lazyBody({ section, root, version: '2.0' }, blocks);
}

function xml(
  section: string,
  root: string,
  blocks: () => readonly string[],
  version: Body['version'] = '2.0',
): Body {
  return lazyBody({ section, root, version }, blocks);
}

/** The lines are read when a body is first judged: most sites meet few of them. */
function lazyBody(facts: Omit<Body, 'shapes'>, blocks: () => readonly string[]): Body {
  let shapes: readonly Shape[] | undefined;
  return {
    ...facts,
    get shapes() {
      shapes ??= readShapes(blocks().join('\n'));
      return shapes;
    },
  };
}

function indented(block: string): string {
  return block.replaceAll('\n', '\n  ');
}
