/** Local controllers and controller audio (part 2, 2.10 and 2.11). */
import { buildXmlDocument, describeXml } from '#simulator/device-documents/xml.ts';
import { answer, replyDone, refuse, type Call, type Handlers } from '#simulator/handler.ts';
import type { DeviceState, Part, PartKey } from '#simulator/state/device-state.ts';
import { getChildText, readXml } from '#simulator/wire/xml-reader.ts';
import { createFixedHandler, refuseContent } from '../stored.ts';

class Controllers implements Part {
  /** Documents by localControllerID. */
  readonly controllers = new Map<number, string>();
  /** Documents by audioID. */
  readonly audio = new Map<number, string>();
  readonly commands: { readonly id: number; readonly command: string }[] = [];

  constructor(device: DeviceState) {
    this.controllers.set(
      1,
      buildXmlDocument(
        device,
        'LocalController',
        `
      <localControllerID>1</localControllerID>
      <devName>Lane controller</devName>
      <devType>2doors</devType>
      <offlineWorkMode>autoLearn</offlineWorkMode>
      <networkEnable>true</networkEnable>
      <ipAddress>192.0.2.31</ipAddress>
      <subnetMask>255.255.255.0</subnetMask>
      <ipv6Address></ipv6Address>
      <DefaultGateway>
          <ipAddress>192.0.2.1</ipAddress>
      </DefaultGateway>
      <portNo>8000</portNo>
      <serialNumber>LC-000117</serialNumber>`,
      ),
    );
  }

  snapshot(): unknown {
    return {
      controllers: Object.fromEntries(this.controllers),
      audio: Object.fromEntries(this.audio),
      commands: [...this.commands],
    };
  }
}

const CONTROLLERS: PartKey<Controllers> = {
  name: 'controllers',
  create: (device) => new Controllers(device),
};

const COMMANDS = ['restore', 'reboot'];

export const controllerHandlers: Handlers = {
  ...createFixedHandler(
    'accessControl.localController.capabilities.get',
    describeXml(
      'LocalController',
      `
    <localControllerID min="1" max="64"/>
    <devName min="1" max="32"/>
    <devType opt="1door,2doors,4doors"/>
    <offlineWorkMode opt="notSupport,configuration,autoLearn"/>
    <networkEnable opt="true,false"/>
    <ipAddress min="1" max="64"/>
    <subnetMask min="1" max="64"/>
    <ipv6Address min="1" max="64"/>
    <bitMask min="1" max="64"/>
    <DefaultGateway>
        <ipAddress min="1" max="64"/>
        <ipv6Address min="1" max="64"/>
    </DefaultGateway>
    <portNo min="1" max="65535" def="8000"/>`,
    ),
  ),

  'accessControl.localController.add': (call, device) => {
    const { controllers } = device.part(CONTROLLERS);
    const id = bodyId(call);
    if (controllers.has(id)) return refuse('alreadyExist', 'A local controller has this id.');
    return replyDone(() => controllers.set(id, call.body?.text ?? ''));
  },
  'accessControl.localController.get': (call, device) => {
    const text = device.part(CONTROLLERS).controllers.get(pathId(call, 'localControllerID'));
    return text === undefined ? refuse('notExist') : answer(text);
  },
  'accessControl.localController.put': (call, device) => {
    const { controllers } = device.part(CONTROLLERS);
    const id = pathId(call, 'localControllerID');
    if (!controllers.has(id)) return refuse('notExist');
    if (bodyId(call) !== id) return refuseContent(call, 'localControllerID is not that of the address.');
    return replyDone(() => controllers.set(id, call.body?.text ?? ''));
  },
  'accessControl.localController.delete': (call, device) => {
    const { controllers } = device.part(CONTROLLERS);
    const id = pathId(call, 'localControllerID');
    return controllers.has(id) ? replyDone(() => controllers.delete(id)) : refuse('notExist');
  },
  'accessControl.localController.deleteAll': (_call, device) =>
    replyDone(() => device.part(CONTROLLERS).controllers.clear()),

  ...createFixedHandler(
    'accessControl.localController.control.capabilities.get',
    describeXml(
      'LocalControllerControl',
      `
    <commandType opt="${COMMANDS.join(',')}"/>`,
    ),
  ),
  // the body is not shown; commandType with the options of its capability is all that is taken
  'accessControl.localController.control.put': (call, device) => {
    const part = device.part(CONTROLLERS);
    const id = pathId(call, 'localControllerID');
    if (!part.controllers.has(id)) return refuse('notExist');
    const reading = readXml(call.body?.text ?? '');
    if (!reading.ok) return refuse('badXmlFormat', reading.detail);
    const command = getChildText(reading.root, 'commandType') ?? '';
    if (reading.root.name !== 'LocalControllerControl' || !COMMANDS.includes(command))
      return refuseContent(call, 'commandType is neither restore nor reboot.');
    return replyDone(() => {
      part.commands.push({ id, command });
    });
  },

  'accessControl.controllerAudio.put': (call, device) => {
    const { audio } = device.part(CONTROLLERS);
    const id = pathId(call, 'audioID');
    if (Number.isNaN(id) || id < 1) return refuse('notExist', 'Audio files are numbered from 1.');
    return replyDone(() => audio.set(id, call.body?.text ?? ''));
  },
  'accessControl.controllerAudio.delete': (call, device) => {
    const { audio } = device.part(CONTROLLERS);
    const id = pathId(call, 'audioID');
    return audio.has(id) ? replyDone(() => audio.delete(id)) : refuse('notExist');
  },
};

function pathId(call: Call, name: string): number {
  const text = call.params[name] ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}

function bodyId(call: Call): number {
  return Number(getChildText(call.body?.xml, 'localControllerID'));
}
