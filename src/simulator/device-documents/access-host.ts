/** Access control host: configuration and its limits as delivered (part 2, 2.4 and 2.8). */
import { jsonBody } from '../status.ts';
import type { DeviceState } from '../state/device-state.ts';

/** `AcsCfg` with one member that no list names, as devices in the field have. */
export function hostConfig(device: DeviceState): string {
  const octet = 20 + Math.floor(device.random('thermalIp')() * 200);
  return jsonBody({
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

export function eventOptimization(): string {
  return jsonBody({ EventOptimizationCfg: { enable: true, isCombinedLinkageEvents: false } });
}

/** One member in each of the two ways that devices write the options of a boolean. */
export function eventOptimizationLimits(): string {
  return jsonBody({
    EventOptimizationCfg: { enable: 'true,false', isCombinedLinkageEvents: { '@opt': [true, false] } },
  });
}
