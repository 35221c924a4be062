/**
 * Plans to write the settings of one device to another: reads the other device, converts the settings for it, reports what is
 * lost, and plans the rest like a template.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { isPlain, rootField } from '#protocol/index.ts';
import type { Device, PlanEvent } from '#shared/model.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';
import type { Clock } from '../api/host.ts';
import type { PlansApi } from '../api/routes.ts';
import { createReader, type SectionReader } from '../planning/read-section.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { ResolvedSection } from '../template/document.ts';
import { formatTemplate, VALUE_INDENT, type WrittenSection } from '../template/write/template-text.ts';
import { formatValueLines } from '../template/write/value-lines.ts';
import { escapePlaceholders } from '../template/write/yaml-text.ts';
import { convertSection } from './convert-section.ts';
import type { OldSettings } from './old-settings.ts';
import { listSwapItems, createLostItem, listNeverCaptured, type SwapItems } from './swap-report.ts';

interface Settings {
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly plans: Pick<PlansApi, 'create'>;
}

/** A section converted for the other device, with what is changed or lost. */
interface Moved extends SwapItems {
  /** Section to write; absent if none of its settings remain. */
  readonly section?: WrittenSection;
}

const NAME_LENGTH = 200;

/**
 * Yields the events of the plan, and returns what becomes of the settings; there is no plan if nothing could be kept. Throws the
 * error of a device that cannot be reached or refuses the sign-in.
 */
export async function* planSettings(
  { clients, clock, plans }: Settings,
  { sections, captured }: OldSettings,
  { old, by }: { readonly old: Device; readonly by: Device },
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, SwapItems> {
  const reader = createReader({ client: clients.get(by.id), clock, signal, device: by.url });
  const moved: Moved[] = [];
  for (const section of sections) moved.push(await moveSection(section, reader));

  const left = moved.flatMap(({ section }) => section ?? []);
  if (left.length > 0) {
    const name = replaceUnseen(`${old.name} → ${by.url}`, () => ' ').slice(0, NAME_LENGTH);
    yield* plans.create({ templateText: formatText(name, old.url, by, left), deviceIds: [by.id] }, signal);
  }
  return {
    kept: moved.flatMap(({ kept }) => kept),
    converted: moved.flatMap(({ converted }) => converted),
    lost: [...moved.flatMap(({ lost }) => lost), ...listNeverCaptured(captured)],
  };
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
      params: makeLiteral(params) as ResolvedSection['params'],
      value: formatValueLines(rootField(request), makeLiteral(conversion.value), VALUE_INDENT, () => ''),
    },
  };
}

function formatText(name: string, from: string, device: Device, sections: readonly WrittenSection[]): string {
  return formatTemplate({
    comments: [`What ${device.url} can take of the settings of ${from}.`],
    name,
    kinds: [],
    variables: [],
    sections,
  });
}

/** Escapes what would be read as a variable: the settings have none. */
function makeLiteral(value: unknown): unknown {
  if (typeof value === 'string') return escapePlaceholders(value);
  if (Array.isArray(value)) return value.map(makeLiteral);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, makeLiteral(item)]));
}
