/** Access control host: configuration and its limits as delivered (part 2, 2.4 and 2.8). */
import { formatJsonBody } from '../status.ts';
import type { DeviceState } from '../state/device-state.ts';

/** `AcsCfg` with one member that no list names, as devices in the field have. */
export function buildHostConfig(device: DeviceState): string {
  const octet = 20 + Math.floor(device.random('thermalIp')() * 200);
  return formatJsonBody({
    AcsCfg: {
      RS485Backup: true,
      showCapPic: false,
      showUserInfo: true,
      overlayUserInfo: true,
      voicePrompt: false,
      uploadCapPic: true,
      saveCapPic: true,
      inputCardNo: true,
      protocol: 'Private',
      enableCaptureCertificate: false,
      showPicture: true,
      showEmployeeNo: true,
      showName: true,
      thermalEnabled: true,
      thermalMode: false,
      thermalPictureEnabled: true,
      thermalIp: `192.0.2.${octet}`,
      highestThermalThreshold: 37.3,
      lowestThermalThreshold: 35.5,
      thermalDoorEnabled: false,
      QRCodeEnabled: true,
      remoteCheckDoorEnabled: false,
      uploadVerificationPic: true,
      saveVerificationPic: true,
      saveFacePic: true,
      thermalUnit: 'celsius',
      highestThermalThresholdF: 0,
      lowestThermalThresholdF: 0,
      thermalCompensation: 0,
      panelTheme: { code: '007', brightness: 1.5 },
    },
  }).replace('"brightness": 1.5', '"brightness": 1.50');
}

export function buildEventOptimization(): string {
  return formatJsonBody({ EventOptimizationCfg: { enable: true, isCombinedLinkageEvents: false } });
}

/** One member in each of the two ways that devices write the options of a boolean. */
export function buildEventOptimizationLimits(): string {
  return formatJsonBody({
    EventOptimizationCfg: { enable: 'true,false', isCombinedLinkageEvents: { '@opt': [true, false] } },
  });
}
