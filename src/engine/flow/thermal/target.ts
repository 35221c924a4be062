/** The device that is verified: a thermal camera on one of its channels, or the host of an access terminal. */
import { say } from '#shared/details.ts';
import { saysNo, saysNotThere } from '#shared/error-meaning.ts';
import { appError } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import { inItsUnit, valueAt, type Field, type Resource } from '#protocol/index.ts';
import { factOf } from '#engine/report-files/facts.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { unless } from '../common/read-if-any.ts';
import type { StepContext, Values } from '../flow.ts';
import { unitOf, type TemperatureUnit } from './temperature.ts';
import { specifiedField, specifiedRequest, specifiedResource } from '#engine/operations/specified.ts';

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
    unless(saysNotThere, () => step.read<T>(operation));
  const capabilities = await ifThere<{ readonly isSupportThermometry?: boolean }>(CAPABILITIES);
  if (capabilities !== undefined && capabilities.isSupportThermometry !== false)
    return cameraOn(await firstChannel(step));
  const host = await ifThere<Values>('accessControl.hostConfig.get');
  if (host?.['thermalCompensation'] !== undefined || host?.['thermalEnabled'] !== undefined) return TERMINAL;
  throw appError('not-available', say('flow-thermal-none'));
}

export function cameraOn(channelID: number): Target {
  return { is: 'camera', set: 'thermal.thermometryBasic', params: { channelID } };
}

/** Some cameras have a visible channel before the thermal one. */
const TRIED = 4;

async function firstChannel(step: StepContext): Promise<number> {
  for (let channelID = 1; channelID <= TRIED; channelID += 1)
    if ((await unless(saysNo, () => step.read('thermal.thermometryBasic.get', { channelID }))) !== undefined)
      return channelID;
  return 1;
}

/** What an earlier step found out. */
export function targetOf(step: StepContext): Target {
  return step.earlier<Target>('capability', 'target') ?? TERMINAL;
}

export function resourceOf({ set }: Target): Resource {
  return specifiedResource(set);
}

export function readSettings(step: StepContext, target: Target): Promise<Values> {
  return step.read<Values>(`${target.set}.get`, target.params);
}

/** A field of the settings, with the unit that this device counts in. */
export function settingField(target: Target, path: string, document: Values): Field {
  return inItsUnit(specifiedField(specifiedRequest(resourceOf(target).put), path), document);
}

/** Its name, in the language of the reader. */
export function settingText(target: Target, path: string): DocumentText {
  return factOf(resourceOf(target).get, path, {}).label;
}

/** The unit that the device shows temperatures in. */
export function shownUnit(target: Target, document: Values): TemperatureUnit {
  return unitOf(valueAt(document, target.is === 'camera' ? 'temperatureUnit' : 'thermalUnit'));
}
