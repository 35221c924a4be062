/** Thermal imaging (part 3, 2.7). */
import * as documents from '../device-documents/thermal.ts';
import type { Handlers } from '../handler.ts';
import { childText } from '../wire/xml-reader.ts';
import { fixedHandler, perChannel, storedHandlers } from './stored.ts';

export const thermalHandlers: Handlers = {
  ...fixedHandler('thermal.capabilities.get', documents.thermalCap),
  ...fixedHandler('thermal.fireDetection.capabilities.get', perChannel(documents.fireDetectionLimits)),
  ...fixedHandler('thermal.fireDetection.get', perChannel(documents.fireDetection)),
  ...fixedHandler('thermal.faceThermometry.capabilities.get', perChannel(documents.faceThermometryLimits)),

  ...storedHandlers({
    resource: 'thermal.thermometryBasic',
    variables: ['channelID'],
    initial: perChannel(documents.thermometryBasic),
    check: (call) => {
      const id = childText(call.body?.xml, 'id');
      return id === undefined || id === '' || Number(id) === Number(call.params['channelID'])
        ? undefined
        : 'id is not that of the channel.';
    },
  }),

  ...fixedHandler('thermal.thermometryMode.capabilities.get', perChannel(documents.thermometryModeLimits)),
  ...storedHandlers({
    resource: 'thermal.thermometryMode',
    variables: ['channelID'],
    initial: perChannel(documents.thermometryMode),
    check: (call, device) =>
      documents.thermometryModes(device).includes(childText(call.body?.xml, 'mode') ?? '')
        ? undefined
        : 'This device does not have the mode.',
  }),
};
