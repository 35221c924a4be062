/** Rules between the fields of a body that its table cannot say. What the specification does not forbid is taken. */
import { findChild, getChildText, type XmlNode } from '../wire/xml-reader.ts';
import { isObject, type Plain } from '../wire/scalar.ts';

interface Content {
  readonly xml?: XmlNode;
  readonly json?: Plain;
}

/** Returns the problem, or undefined if there is none. */
type Rule = (content: Content) => string | undefined;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** 3:2.7: a named mode fixes the emissivity. */
const EMISSIVITY: Readonly<Record<string, number>> = {
  rougher: 0.95,
  rough: 0.8,
  smooth: 0.6,
  smoother: 0.3,
};
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;
const OFFSET_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const FIRST_TIME = '1970-01-01T00:00:00';
const LAST_TIME = '2037-12-31T23:59:59';

/** Rules by the id of their operation. */
const RULES: Readonly<Record<string, Rule>> = {
  'aiPlatform.picturePollingTasks.create': checkTask,
  'aiPlatform.picturePollingTasks.update': checkTask,
  'accessControl.users.setUp': checkValidity,
  'accessControl.users.record': checkValidity,
  'accessControl.fingerprints.setUp': ({ json }) =>
    json?.['fingerData'] === undefined || BASE64.test(String(json['fingerData']))
      ? undefined
      : 'fingerData is not base64.',
  'token.secretKey.set': ({ xml }) =>
    BASE64.test(getChildText(findChild(xml, 'keyInfo'), 'key') ?? '')
      ? undefined
      : 'keyInfo.key is not base64.',
  'thermal.thermometryBasic.put': ({ xml }) => {
    const fixed = EMISSIVITY[getChildText(xml, 'emissivityMode') ?? ''];
    const emissivity = getChildText(xml, 'emissivity') || undefined;
    return fixed === undefined || emissivity === undefined || Number(emissivity) === fixed
      ? undefined
      : 'emissivity is not that of the emissivityMode.';
  },
  'humanRecognition.config.put': ({ xml }) => {
    const analysis = findChild(xml, 'analysisParam');
    const most = getChildText(analysis, 'maxRegionNum') || undefined;
    return getChildText(analysis, 'analysisMode') === 'individualBehavior' &&
      most !== undefined &&
      Number(most) !== 1
      ? 'analysisParam.maxRegionNum: individual behavior allows one region.'
      : undefined;
  },
};

/** Returns the first rule of the operation that the content breaks. */
export function checkRules(operation: string, content: Content): string | undefined {
  return RULES[operation]?.(content);
}

/** 1:2.8: a task uses either channel or Stream. */
function checkTask({ json }: Content): string | undefined {
  return json?.['channel'] !== undefined && json['Stream'] !== undefined
    ? 'A task uses channel or Stream, not both.'
    : undefined;
}

/** 2:2.6: form and span of the two times. */
function checkValidity({ json }: Content): string | undefined {
  const valid = json?.['Valid'];
  if (!isObject(valid)) return undefined;
  for (const name of ['beginTime', 'endTime']) {
    const time = String(valid[name]);
    const form = valid['timeType'];
    const local = LOCAL_TIME.test(time);
    const offset = OFFSET_TIME.test(time);
    if ((form === 'local' && !local) || (form === 'UTC' && !offset) || (!local && !offset))
      return `Valid.${name} is not written as its timeType asks for.`;
    const written = time.slice(0, FIRST_TIME.length);
    if (written < FIRST_TIME || written > LAST_TIME) return `Valid.${name} is outside of 1970 to 2037.`;
  }
  return undefined;
}
