/** The device that is verified: a thermal camera on one of its channels, or the host of an access terminal. */
import { say } from '#shared/details.ts';
import { isDeviceRefusal, isMissingOnDevice } from '#shared/error-meaning.ts';
import { appError } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import { resolveUnit, getValueAt, type Field, type Resource } from '#protocol/index.ts';
import { buildFact } from '#engine/report-files/facts.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { readUnless } from '../common/read-if-any.ts';
import type { StepContext, Values } from '../flow.ts';
import { parseTemperatureUnit, type TemperatureUnit } from './temperature.ts';
import {
  getSpecifiedField,
  getSpecifiedRequest,
  getSpecifiedResource,
} from '#engine/operations/specified.ts';

export interface Target {
  readonly is: 'camera' | 'terminal';
  /** Resource that holds its settings. */
  readonly set: 'thermal.thermometryBasic' | 'accessControl.hostConfig';
  readonly params: Params;
}

const TERMINAL: Target = { is: 'terminal', set: 'accessControl.hostConfig', params: {} };
export const CAPABILITIES = 'thermal.capabilities.get';

/** Throws `not-available` where the device measures no temperature that the interface tells of. */
export async function findTarget(step: StepContext): Promise<Target> {
  const ifThere = <T>(operation: string): Promise<T | undefined> =>
    readUnless(isMissingOnDevice, () => step.read<T>(operation));
  const capabilities = await ifThere<{ readonly isSupportThermometry?: boolean }>(CAPABILITIES);
  if (capabilities !== undefined && capabilities.isSupportThermometry !== false)
    return createCameraTarget(await firstChannel(step));
  const host = await ifThere<Values>('accessControl.hostConfig.get');
  if (host?.['thermalCompensation'] !== undefined || host?.['thermalEnabled'] !== undefined) return TERMINAL;
  throw appError('not-available', say('flow-thermal-none'));
}

export function createCameraTarget(channelID: number): Target {
  return { is: 'camera', set: 'thermal.thermometryBasic', params: { channelID } };
}

/** Some cameras have a visible channel before the thermal one. */
const TRIED = 4;

async function firstChannel(step: StepContext): Promise<number> {
  for (let channelID = 1; channelID <= TRIED; channelID += 1)
    if (
      (await readUnless(isDeviceRefusal, () => step.read('thermal.thermometryBasic.get', { channelID }))) !==
      undefined
    )
      return channelID;
  return 1;
}

/** Returns the target that an earlier step found out. */
export function getTarget(step: StepContext): Target {
  return step.earlier<Target>('capability', 'target') ?? TERMINAL;
}

export function getTargetResource({ set }: Target): Resource {
  return getSpecifiedResource(set);
}

export function readSettings(step: StepContext, target: Target): Promise<Values> {
  return step.read<Values>(`${target.set}.get`, target.params);
}

/** Returns a field of the settings, with the unit that this device counts in. */
export function getSettingField(target: Target, path: string, document: Values): Field {
  return resolveUnit(getSpecifiedField(getSpecifiedRequest(getTargetResource(target).put), path), document);
}

/** Its name, in the language of the reader. */
export function getSettingLabel(target: Target, path: string): DocumentText {
  return buildFact(getTargetResource(target).get, path, {}).label;
}

export function getShownUnit(target: Target, document: Values): TemperatureUnit {
  return parseTemperatureUnit(
    getValueAt(document, target.is === 'camera' ? 'temperatureUnit' : 'thermalUnit'),
  );
}
