/**
 * Saved secrets go only to addresses that a person agreed to, even if a script runs in the page. Every call
 * in the router that may send them runs through here, as the guard of its route says.
 */
import { createDetail } from '#shared/details.ts';
import type { Sentence } from '#shared/details/languages.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { showFingerprint } from '#shared/text/certificate-fingerprint.ts';
import type { Commit, Engine, SignInPlace } from '#engine/api.ts';
import type { Confirmer, Question } from './confirmation.ts';
import type { Delivery } from './deliveries.ts';

interface SecretsGuard {
  /** Runs a change of devices, sites or sign-ins. `typed`: the sign-in whose password is given with it. */
  change<T>(work: () => T, signal: AbortSignal, typed?: string): Promise<T>;
  /** Asks for a change that comes later, because something is sent before it; gives what then does it, knowing what was agreed to. */
  ahead(work: () => unknown, signal: AbortSignal): Promise<Commit>;
  /** Runs the start of a job that takes secrets of the vault, or a job's saved data, to devices. */
  send<T>(deliveries: () => readonly Delivery[], work: () => T, signal: AbortSignal): Promise<T>;
}

export function createSecretsGuard(
  engine: Pick<Engine, 'places'>,
  confirmer: Pick<Confirmer, 'agree'>,
): SecretsGuard {
  /** Agreed to while this program runs: the same job on the same devices asks once. */
  const delivered = new Set<string>();
  const keyOf = ({ what, url }: Delivery): string => `${JSON.stringify(what)}\n${url}`;

  async function agreeTo(
    places: readonly SignInPlace[],
    agreed: Set<string>,
    signal: AbortSignal,
  ): Promise<void> {
    await confirmer.agree(aboutPlaces(places), signal);
    for (const { key } of places) agreed.add(key);
  }
  async function changed<T>(
    work: () => T,
    signal: AbortSignal,
    options: { readonly agreed: Set<string>; readonly typed?: string },
  ): Promise<T> {
    // The change is repeated with the agreed items, so that those of another caller are asked for too.
    for (;;) {
      const result = engine.places.change(work, options);
      if (result.kind === 'done') return result.value;
      if (result.kind === 'not-agreed') await agreeTo(result.places, options.agreed, signal);
    }
  }

  return {
    change: (work, signal, typed) =>
      changed(work, signal, { agreed: new Set(), ...removeUndefined({ typed }) }),
    async ahead(work, signal) {
      const agreed = new Set<string>();
      for (;;) {
        const result = engine.places.change(work, { agreed, ahead: true });
        if (result.kind !== 'not-agreed') return (later) => changed(later, signal, { agreed });
        await agreeTo(result.places, agreed, signal);
      }
    },
    async send(deliveries, work, signal) {
      for (;;) {
        const open = deliveries().filter((delivery) => !delivered.has(keyOf(delivery)));
        if (open.length === 0) return work();
        await confirmer.agree(aboutDeliveries(open), signal);
        for (const delivery of open) delivered.add(keyOf(delivery));
      }
    },
  };
}

const MOST_NAMES = 5;

function aboutPlaces(places: readonly SignInPlace[]): Question {
  const names = [...new Set(places.map(({ label, userName }) => `"${label}" (${userName})`))];
  return (sentence) => ({
    message: sentence(createDetail('ask.credentials', { names: names.slice(0, MOST_NAMES).join(', ') })),
    details: inLines(
      places.map((place) => ({ ...place, marks: marksOf(place, sentence) })),
      sentence,
    ),
  });
}

function marksOf({ auth, certificate }: SignInPlace, sentence: Sentence): readonly string[] {
  return [
    ...(auth === 'basic' ? [sentence(createDetail('ask.readable'))] : []),
    ...(certificate === undefined
      ? []
      : [sentence(createDetail('ask.certificate', { fingerprint: showFingerprint(certificate) }))]),
  ];
}

function aboutDeliveries(deliveries: readonly Delivery[]): Question {
  const places = new Map(deliveries.map((delivery) => [delivery.url, { ...delivery, marks: [] }]));
  return (sentence) => {
    const names = [...new Set(deliveries.map(({ what }) => sentence(what)))];
    return {
      message: sentence(createDetail('ask.deliveries', { names: names.slice(0, MOST_NAMES).join(', ') })),
      details: inLines([...places.values()], sentence),
    };
  };
}

interface Line {
  readonly url: string;
  readonly device: string;
  readonly marks: readonly string[];
}
const FEW = 3;

/**
 * Lists many addresses of one network in one line, single ones first: an odd one must not hide among
 * hundreds.
 */
function inLines(places: readonly Line[], sentence: Sentence): string[] {
  const byNetwork = Map.groupBy(places, ({ url, marks }) => [networkOf(url), ...marks].join('\n'));
  return [...byNetwork.values()]
    .sort((one, other) => one.length - other.length)
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined || group.length <= FEW)
        return group.map(({ url, device, marks }) => [`${url} ("${device}")`, ...marks].join(', '));
      const network = createDetail('ask.addresses', { network: networkOf(first.url), count: group.length });
      return [[sentence(network), ...first.marks].join(', ')];
    });
}

/**
 * Returns `http://10.0.0.*`; names and other addresses are returned as they are. Ports distinguish devices of
 * one address.
 */
function networkOf(url: string): string {
  return url.replace(/^(https?:\/\/\d+\.\d+\.\d+)\.\d+(:\d+)?$/, '$1.*');
}
