/** Thermal imaging (part 3, 2.7). */
import * as documents from '../device-documents/thermal.ts';
import type { Handlers } from '../handler.ts';
import { getChildText } from '../wire/xml-reader.ts';
import { createFixedHandler, restrictToChannels, createStoredHandlers } from './stored.ts';

export const thermalHandlers: Handlers = {
  ...createFixedHandler('thermal.capabilities.get', documents.buildThermalCap),
  ...createFixedHandler(
    'thermal.fireDetection.capabilities.get',
    restrictToChannels(documents.buildFireDetectionLimits),
  ),
  ...createFixedHandler('thermal.fireDetection.get', restrictToChannels(documents.buildFireDetection)),
  ...createFixedHandler(
    'thermal.faceThermometry.capabilities.get',
    restrictToChannels(documents.buildFaceThermometryLimits),
  ),

  ...createStoredHandlers({
    resource: 'thermal.thermometryBasic',
    variables: ['channelID'],
    initial: restrictToChannels(documents.buildThermometryBasic),
    check: (call) => {
      const id = getChildText(call.body?.xml, 'id');
      return id === undefined || id === '' || Number(id) === Number(call.params['channelID'])
        ? undefined
        : 'id is not that of the channel.';
    },
  }),

  ...createFixedHandler(
    'thermal.thermometryMode.capabilities.get',
    restrictToChannels(documents.buildThermometryModeLimits),
  ),
  ...createStoredHandlers({
    resource: 'thermal.thermometryMode',
    variables: ['channelID'],
    initial: restrictToChannels(documents.buildThermometryMode),
    check: (call, device) =>
      documents.listThermometryModes(device).includes(getChildText(call.body?.xml, 'mode') ?? '')
        ? undefined
        : 'This device does not have the mode.',
  }),
};
