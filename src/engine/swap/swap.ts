/**
 * Plans to write the saved state of one device to another: reads the other device, converts the state for it, reports
 * what is lost, and plans the rest like a template.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { isPlain, rootField } from '#protocol/index.ts';
import type { SwapEvent, SwapReport } from '#shared/history.ts';
import type { Device } from '#shared/model.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi, PlansApi, StatesApi } from '../api/routes.ts';
import { createReader, type SectionReader } from '../planning/read-section.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { ResolvedSection } from '../template/document.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { combineErrors } from '../template/check/problems.ts';
import { resolveTemplate } from '../template/values/resolve.ts';
import { formatTemplate, VALUE_INDENT, type WrittenSection } from '../template/write/template-text.ts';
import { formatValueLines } from '../template/write/value-lines.ts';
import { escapePlaceholders } from '../template/write/yaml-text.ts';
import { convertSection } from './convert-section.ts';
import type { StateBody, StateRows } from './state-rows.ts';
import { listSwapItems, createLostItem, listNeverCaptured, type SwapItems } from './swap-report.ts';

export interface SwapOptions {
  readonly rows: StateRows;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly plans: Pick<PlansApi, 'create'>;
}

/** A section converted for the other device, with what is changed or lost. */
interface Moved extends SwapItems {
  /** Section to write; absent if none of its settings remain. */
  readonly section?: WrittenSection;
}

const NAME_LENGTH = 200;

/**
 * Yields the events of the plan, then the report; there is no plan if nothing could be kept. Throws the error of a
 * device that cannot be reached or refuses the sign-in.
 */
export async function* swapState(
  { rows, clients, clock, devices, plans }: SwapOptions,
  request: Parameters<StatesApi['swap']>[0],
  signal: AbortSignal,
): AsyncGenerator<SwapEvent> {
  const { state, body } = rows.read(request.stateId);
  const device = devices.find(request.deviceId);
  const reader = createReader({ client: clients.get(device.id), clock, signal, device: device.url });
  const moved: Moved[] = [];
  for (const section of sectionsOf(body)) moved.push(await moveSection(section, reader));

  const left = moved.flatMap(({ section }) => section ?? []);
  if (left.length > 0) {
    const name = replaceUnseen(`${state.name} → ${device.name}`, () => ' ').slice(0, NAME_LENGTH);
    yield* plans.create(
      { templateText: swapText(name, state.url, device, left), deviceIds: [device.id] },
      signal,
    );
  }
  const report: SwapReport = {
    stateId: state.id,
    deviceId: device.id,
    kept: moved.flatMap(({ kept }) => kept),
    converted: moved.flatMap(({ converted }) => converted),
    lost: [...moved.flatMap(({ lost }) => lost), ...listNeverCaptured(body.sections)],
  };
  yield { type: 'swap', report };
}

/** Returns the sections of the saved state, with its values filled in. */
function sectionsOf({ text, values }: StateBody): readonly ResolvedSection[] {
  const { document, errors } = parseTemplate(text);
  if (document === undefined) throw combineErrors(errors);
  const resolved = resolveTemplate(document, { values, secrets: {}, needSecrets: false });
  if (!resolved.ok) throw combineErrors(resolved.errors);
  return resolved.sections;
}

async function moveSection(section: ResolvedSection, reader: SectionReader): Promise<Moved> {
  const { set, resource, params } = section;
  const { request } = resource.put;
  const read = await reader.read(section);
  if (read.kind !== 'state') return { kept: [], converted: [], lost: [createLostItem(section, read.error)] };
  const { constraints } = await reader.limits(section, read.state);
  const conversion = convertSection(request, section.value, {
    state: read.state,
    ...removeUndefined({ constraints }),
  });
  const items = listSwapItems(section, conversion);
  if (conversion.value === undefined) return items;
  return {
    ...items,
    section: {
      comments: [resource.get.label],
      set,
      params: literal(params) as ResolvedSection['params'],
      value: formatValueLines(rootField(request), literal(conversion.value), VALUE_INDENT, () => ''),
    },
  };
}

function swapText(name: string, from: string, device: Device, sections: readonly WrittenSection[]): string {
  return formatTemplate({
    comments: [`What ${device.url} can take of the state saved from ${from}.`],
    name,
    kinds: [],
    variables: [],
    sections,
  });
}

/** Nothing in a state is a variable. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return escapePlaceholders(value);
  if (Array.isArray(value)) return value.map(literal);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, literal(item)]));
}
