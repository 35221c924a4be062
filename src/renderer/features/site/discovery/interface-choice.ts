import type { DoctorReport, OwnNetwork } from '#shared/discovery.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** One that can be listened on, with what tells it apart from the others. */
interface InterfaceChoice {
  readonly name: string;
  /** Networks and addresses, or nothing where the interface is not there at present. */
  readonly about: readonly string[];
}

/** Reads the interfaces that this window remembered; an invalid list counts as empty. */
export function parseInterfaces(text: string | null): readonly string[] {
  try {
    const list: unknown = readOwnJson(text ?? '[]');
    return Array.isArray(list)
      ? list.filter((name) => typeof name === 'string' && name !== '').slice(0, 16)
      : [];
  } catch {
    return [];
  }
}

/**
 * Lists interfaces with a network, those only the search knows (IPv6 only), and chosen ones that no longer
 * exist.
 */
export function listInterfaceChoices(
  networks: readonly OwnNetwork[],
  report: DoctorReport | undefined,
  chosen: readonly string[],
): readonly InterfaceChoice[] {
  const about = new Map<string, Set<string>>();
  const add = (name: string, ...words: readonly string[]): void => {
    const known = about.get(name) ?? new Set<string>();
    for (const word of words) known.add(word);
    about.set(name, known);
  };
  for (const { interface: name, address, network } of networks) add(name, `${address} · ${network}`);
  for (const { name, address, network, state } of report?.interfaces ?? [])
    if (state === 'listening') add(name, `${address} · ${network}`);
  for (const name of chosen) add(name);
  return [...about].map(([name, words]) => ({ name, about: [...words] }));
}
