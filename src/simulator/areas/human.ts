/** Human recognition of a channel (part 3, 2.6): one document, whose regions have an address of their own. */
import { buildXmlDocument } from '../device-documents/xml.ts';
import { answer, replyDone, refuse, type Handlers } from '../handler.ts';
import { findChild, getChildText, readXml, replaceRange, type XmlNode } from '../wire/xml-reader.ts';
import { findOutsidePlane, getPlane } from './plane.ts';
import {
  createFixedHandler,
  restrictToChannels,
  readStored,
  refuseContent,
  createStoredHandlers,
  writeStored,
  type StoredResource,
} from './stored.ts';
import { buildHumanRecognition, buildHumanRecognitionLimits } from '../device-documents/human.ts';

const LIST = 'HumanRecognitionRegionList';
const MOST_REGIONS = 8;

const CONFIG: StoredResource = {
  resource: 'humanRecognition.config',
  variables: ['channelID'],
  initial: restrictToChannels(buildHumanRecognition),
  check: (call, device) => {
    if (getChildText(call.body?.xml, 'id') !== call.params['channelID'])
      return 'id is not that of the channel.';
    return (
      findOutsidePlane(call.body?.xml, getPlane(device)) ??
      checkRegions(findChild(call.body?.xml, LIST), modeOf(call.body?.xml))
    );
  },
};

export const humanHandlers: Handlers = {
  ...createFixedHandler('humanRecognition.capabilities.get', restrictToChannels(buildHumanRecognitionLimits)),
  ...createStoredHandlers(CONFIG),

  'humanRecognition.regions.get': (call, device) => {
    const text = readStored(CONFIG, call.params, device);
    if (text === undefined) return refuse('notExist');
    const list = findChild(rootOf(text), LIST);
    const content = list ? text.slice(list.innerStart, list.innerEnd).replaceAll('\r\n', '\n') : '';
    return answer(buildXmlDocument(device, LIST, content));
  },

  'humanRecognition.regions.put': (call, device) => {
    const text = readStored(CONFIG, call.params, device);
    const sent = call.body?.xml;
    if (text === undefined || !sent) return refuse('notExist');
    const root = rootOf(text);
    const complaint = findOutsidePlane(sent, getPlane(device)) ?? checkRegions(sent, modeOf(root));
    if (complaint !== undefined) return refuseContent(call, complaint);
    const list = `<${LIST}>${(call.body?.text ?? '').slice(sent.innerStart, sent.innerEnd)}</${LIST}>`;
    return replyDone(() => writeStored(CONFIG, call.params, device, withList(text, root, list)));
  },
};

/** Stored documents were read before, when they came in. */
function rootOf(text: string): XmlNode | undefined {
  const reading = readXml(text);
  return reading.ok ? reading.root : undefined;
}

/** The list in its place; where the document has none, before what follows the screen size in the specification. */
function withList(text: string, root: XmlNode | undefined, list: string): string {
  const known = findChild(root, LIST);
  if (known) return replaceRange(text, known, list);
  const before = findChild(root, 'normalizedScreenSize') ?? findChild(root, 'id');
  const at = before?.end ?? root?.innerStart ?? 0;
  return replaceRange(text, { start: at, end: at }, list);
}

function modeOf(root: XmlNode | undefined): string {
  return getChildText(findChild(root, 'analysisParam'), 'analysisMode') ?? 'normal';
}

function checkRegions(list: XmlNode | undefined, mode: string): string | undefined {
  const regions = list?.children.filter((child) => child.name === 'HumanRecognitionRegion') ?? [];
  if (regions.length > MOST_REGIONS) return `There are more than ${MOST_REGIONS} regions.`;
  if (mode === 'individualBehavior' && regions.length > 1) return 'Individual behavior allows one region.';
  const ids = regions.flatMap((region) => getChildText(region, 'id') ?? []);
  return new Set(ids).size < ids.length ? 'Two regions have the same id.' : undefined;
}
