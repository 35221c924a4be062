/** Human recognition of a channel (part 3, 2.6): one document, whose regions have an address of their own. */
import { xmlDocument } from '../device-documents/xml.ts';
import { answer, done, refuse, type Handlers } from '../handler.ts';
import { childOf, childText, readXml, splice, type XmlNode } from '../wire/xml-reader.ts';
import { outsidePlane, planeOf } from './plane.ts';
import {
  fixedHandler,
  perChannel,
  readStored,
  refuseContent,
  storedHandlers,
  writeStored,
  type StoredResource,
} from './stored.ts';
import { humanRecognition, humanRecognitionLimits } from '../device-documents/human.ts';

const LIST = 'HumanRecognitionRegionList';
const MOST_REGIONS = 8;

const CONFIG: StoredResource = {
  resource: 'humanRecognition.config',
  variables: ['channelID'],
  initial: perChannel(humanRecognition),
  check: (call, device) => {
    if (childText(call.body?.xml, 'id') !== call.params['channelID']) return 'id is not that of the channel.';
    return (
      outsidePlane(call.body?.xml, planeOf(device)) ??
      checkRegions(childOf(call.body?.xml, LIST), modeOf(call.body?.xml))
    );
  },
};

export const humanHandlers: Handlers = {
  ...fixedHandler('humanRecognition.capabilities.get', perChannel(humanRecognitionLimits)),
  ...storedHandlers(CONFIG),

  'humanRecognition.regions.get': (call, device) => {
    const text = readStored(CONFIG, call.params, device);
    if (text === undefined) return refuse('notExist');
    const list = childOf(rootOf(text), LIST);
    const content = list ? text.slice(list.innerStart, list.innerEnd).replaceAll('\r\n', '\n') : '';
    return answer(xmlDocument(device, LIST, content));
  },

  'humanRecognition.regions.put': (call, device) => {
    const text = readStored(CONFIG, call.params, device);
    const sent = call.body?.xml;
    if (text === undefined || !sent) return refuse('notExist');
    const root = rootOf(text);
    const complaint = outsidePlane(sent, planeOf(device)) ?? checkRegions(sent, modeOf(root));
    if (complaint !== undefined) return refuseContent(call, complaint);
    const list = `<${LIST}>${(call.body?.text ?? '').slice(sent.innerStart, sent.innerEnd)}</${LIST}>`;
    return done(() => writeStored(CONFIG, call.params, device, withList(text, root, list)));
  },
};

/** Stored documents were read before, when they came in. */
function rootOf(text: string): XmlNode | undefined {
  const reading = readXml(text);
  return reading.ok ? reading.root : undefined;
}

/** The list in its place; where the document has none, before what follows the screen size in the specification. */
function withList(text: string, root: XmlNode | undefined, list: string): string {
  const known = childOf(root, LIST);
  if (known) return splice(text, known, list);
  const before = childOf(root, 'normalizedScreenSize') ?? childOf(root, 'id');
  const at = before?.end ?? root?.innerStart ?? 0;
  return splice(text, { start: at, end: at }, list);
}

function modeOf(root: XmlNode | undefined): string {
  return childText(childOf(root, 'analysisParam'), 'analysisMode') ?? 'normal';
}

function checkRegions(list: XmlNode | undefined, mode: string): string | undefined {
  const regions = list?.children.filter((child) => child.name === 'HumanRecognitionRegion') ?? [];
  if (regions.length > MOST_REGIONS) return `There are more than ${MOST_REGIONS} regions.`;
  if (mode === 'individualBehavior' && regions.length > 1) return 'Individual behavior allows one region.';
  const ids = regions.flatMap((region) => childText(region, 'id') ?? []);
  return new Set(ids).size < ids.length ? 'Two regions have the same id.' : undefined;
}
