import { defineStore } from 'pinia';
import { computed, markRaw, ref, shallowRef } from 'vue';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { DiscoveryEvent, DoctorReport, SweepProgress } from '#shared/discovery.ts';
import { createBatch } from '#renderer/client/batch.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import { remember, readPreference } from '#renderer/composables/preferences.ts';
import type { InputAt } from '#shared/contract.ts';
import { useClient } from '#renderer/client/use-client.ts';
import { parseInterfaces } from './interface-choice.ts';
import { createSightingBook, type SightingCounts } from './sighting-book.ts';

/** Options of one search; the engine's own bounds apply. */
type SearchOptions = InputAt<'discovery.watch'>;

const INTERFACES = 'search-interfaces';
const SEARCHED = 'searched-at';

export type SweepOptions = NonNullable<SearchOptions['sweep']>;
interface SweepRun {
  readonly options: SweepOptions;
  readonly prefixes: readonly string[] | undefined;
  readonly startedAt: number;
  readonly progress: SweepProgress | undefined;
  /** Milliseconds from the start to the latest progress. */
  readonly elapsedMs: number;
  readonly cancelled: boolean;
}

/**
 * Milliseconds between redraws under a flood: smooth to the eye, and most of the time is free for scrolling
 * and typing.
 */
const WAIT_MS = 120;
/** Sightings taken up in one turn. */
const MOST_AT_ONCE = 400;

function createLastSearch() {
  /** ISO 8601 time at which this computer began its last search, also before this start. */
  const searchedAt = ref(readPreference(SEARCHED) ?? undefined);
  function noteSearch(): void {
    searchedAt.value = new Date().toISOString();
    remember(SEARCHED, searchedAt.value);
  }
  return { searchedAt, noteSearch };
}

/** The search of this window. It goes on while other screens are shown. */
export const useDiscovery = defineStore('discovery', () => {
  const book = createSightingBook();
  const counts = shallowRef<SightingCounts>({ ...book.counts });
  const listening = ref(false);
  const sweep = shallowRef<SweepRun>();
  const report = shallowRef<DoctorReport>();
  const { problem, fail } = useProblem();
  const running = ref(false);
  const everSearched = ref(false);
  const search = createLastSearch();
  const sweeping = computed(
    () =>
      running.value &&
      sweep.value !== undefined &&
      sweep.value.progress?.ended !== true &&
      !sweep.value.cancelled,
  );
  const problems = computed(
    () => report.value?.findings.filter(({ level }) => level === 'problem').length ?? 0,
  );
  /** Empty: every interface. */
  const interfaces = shallowRef<readonly string[]>(parseInterfaces(readPreference(INTERFACES)));
  let end = (): void => {};
  let onChanged: (identities: ReadonlySet<string>) => void = () => {};

  function notify(identities: ReadonlySet<string>): void {
    counts.value = { ...book.counts };
    if (identities.size > 0) onChanged(identities);
  }
  const batch = createBatch<DiscoveryEvent>(
    (events) => {
      notify(book.take(events));
    },
    { waitMs: WAIT_MS, most: MOST_AT_ONCE },
  );

  function receive(event: DiscoveryEvent): void {
    if (event.type === 'doctor') report.value = event.report;
    else if (event.type === 'sweep') {
      if (sweep.value !== undefined)
        sweep.value = {
          ...sweep.value,
          progress: event.progress,
          elapsedMs: performance.now() - sweep.value.startedAt,
        };
    } else batch.push(event);
  }

  function begin(options: SearchOptions): void {
    end();
    batch.flush();
    book.beginSearch();
    const ending = new AbortController();
    end = () => {
      ending.abort();
    };
    problem.value = undefined;
    running.value = true;
    everSearched.value = true;
    search.noteSearch();
    listening.value = options.mdns !== false;
    const client = useClient();
    client.subscribe(client.api.discovery.watch, { ...options, doctor: true }, receive, {
      signal: ending.signal,
      // A sweep asks every address of a network: it is never begun again without a person.
      restart: options.sweep === undefined,
      onEnd: ended,
      onError: (error) => {
        ended();
        fail(error);
        breakOff();
      },
    });
  }

  function ended(): void {
    batch.flush();
    running.value = false;
    listening.value = false;
  }

  /** A sweep that has not come to its end never will. */
  function breakOff(): void {
    if (sweep.value !== undefined && sweep.value.progress?.ended !== true)
      sweep.value = { ...sweep.value, cancelled: true };
  }

  function listenOptions(): SearchOptions {
    return { mdns: true, ...(interfaces.value.length === 0 ? {} : { interfaces: [...interfaces.value] }) };
  }

  /** Listens on these interfaces from now on, also after the next start; without any on every one. */
  function choose(only: readonly string[]): void {
    interfaces.value = only;
    remember(INTERFACES, JSON.stringify(only));
    listen();
  }

  /** Listens on the chosen interfaces until it is stopped. */
  function listen(): void {
    sweep.value = undefined;
    begin(listenOptions());
  }

  /** Asks every address of a range, and listens meanwhile where that is wanted. */
  function startSweep(
    options: SweepOptions,
    more: { readonly listen: boolean; readonly prefixes?: readonly string[] },
  ): void {
    const prefixes =
      more.prefixes === undefined || more.prefixes.length === 0 ? undefined : [...more.prefixes];
    sweep.value = {
      options,
      prefixes,
      startedAt: performance.now(),
      progress: undefined,
      elapsedMs: 0,
      cancelled: false,
    };
    begin({
      ...(more.listen ? listenOptions() : { mdns: false }),
      sweep: options,
      ...removeUndefined({ prefixes }),
    });
  }

  /** Ends the sweep at once; listening goes on. */
  function cancelSweep(): void {
    const goesOn = listening.value;
    stop();
    if (goesOn) begin(listenOptions());
  }

  function stop(): void {
    end();
    ended();
    breakOff();
  }

  /** Forgets what was seen; a running search tells anew of what changes. */
  function clear(): void {
    batch.flush();
    notify(book.clear());
    sweep.value = undefined;
  }

  return {
    counts,
    listening,
    sweep,
    sweeping,
    report,
    problems,
    problem,
    running,
    everSearched,
    searchedAt: search.searchedAt,
    interfaces,
    choose,
    listen,
    startSweep,
    cancelSweep,
    stop,
    clear,
    dismiss: () => (problem.value = sweep.value = undefined),
    /** Sightings by identity; not reactive, see `follow`. */
    sightings: markRaw(book.all),
    follow: (listener: typeof onChanged) => {
      onChanged = listener;
    },
  };
});
