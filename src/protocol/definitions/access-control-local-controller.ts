/** Local controllers and the audio of the controller (part 2, 2.10 and 2.11). */
import { choice, flag, int, object, text, xml } from '../definition.ts';

const SPEC = '2:2.10';
const address = { minLength: 1, maxLength: 64, perDevice: true, cutsOff: true };

export const localController = xml('LocalController', SPEC, [
  int('localControllerID', 'Local controller', { required: true, min: 1, max: 64, perDevice: true }),
  text('devName', 'Name', { required: true, minLength: 1, maxLength: 32, perDevice: true }),
  choice(
    'devType',
    'Type',
    [
      ['1door', 'One door'],
      ['2doors', 'Two doors'],
      ['4doors', 'Four doors'],
    ],
    { required: true },
  ),
  choice(
    'offlineWorkMode',
    'Work mode when offline',
    [
      ['notSupport', 'Not supported'],
      ['configuration', 'As configured'],
      ['autoLearn', 'Learns by itself'],
    ],
    { required: true },
  ),
  flag('networkEnable', 'Network', { required: true, cutsOff: true }),
  text('ipAddress', 'IPv4 address', address),
  text('subnetMask', 'Subnet mask', address),
  text('ipv6Address', 'IPv6 address', address),
  text('bitMask', 'IPv6 mask', address),
  object('DefaultGateway', 'Default gateway', [
    text('ipAddress', 'IPv4 address', address),
    text('ipv6Address', 'IPv6 address', address),
  ]),
  int('portNo', 'Port', { required: true, min: 1, max: 65_535, cutsOff: true }),
]);

/** Known from its capability alone; the body of the control operation is not shown. */
export const localControllerControl = xml('LocalControllerControl', SPEC, [
  choice('commandType', 'Command', [
    ['restore', 'Restore defaults'],
    ['reboot', 'Restart'],
  ]),
]);

export const rightControllerAudio = xml('RightControllerAudio', '2:2.11', [
  text('audioName', 'Audio name', { required: true, minLength: 1, maxLength: 32 }),
  choice(
    'playCondition',
    'Played',
    [
      ['NotPlay', 'Never'],
      ['CompleteAuth', 'On authentication'],
      ['AuthFail', 'On failed authentication'],
      ['Alarm', 'On alarm'],
    ],
    { required: true },
  ),
]);
