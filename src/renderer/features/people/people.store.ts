import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { InputAt } from '#shared/contract.ts';
import type { ApplyOptions } from '#shared/model.ts';
import type { CompareEvent, PeoplePlan, PeopleRead, PersonLine } from '#shared/people/people.ts';
import { useProblem, useStream } from '#renderer/common/errors/attempt.ts';
import { estimatePace, type Pace } from '#renderer/components/ui/pace.ts';

/** `text`: what a search looks in, made once: a hundred thousand are looked through at every key. */
type ListedPerson = PersonLine & { readonly text: string };
type Compared = Extract<CompareEvent, { type: 'compared' }>;

/** Milliseconds between two redraws while people arrive. */
const REDRAW_MS = 150;

/** The engine forgets a plan or a comparison with all that it holds. */
function forget(id: string | undefined): void {
  if (id === undefined) return;
  void getApi()
    .people.discard({ id })
    .catch(() => undefined);
}

/** People of a device, a plan, a comparison: what is being read, and what was. */
export const usePeople = defineStore('people', () => {
  const deviceId = ref<string>();
  const people = shallowRef<readonly ListedPerson[]>([]);
  const ended = shallowRef<PeopleRead>();
  const plan = shallowRef<PeoplePlan>();
  /** Decision about terminals that are away; for one plan. */
  const whenBack = shallowRef<ApplyOptions['whenBack']>();
  const compared = shallowRef<Compared>();
  const kept = useProblem();
  const { problem, attempt } = kept;
  const { follow, stop } = useStream(kept);
  const busy = ref<'reading' | 'planning' | 'comparing'>();
  const pace = shallowRef<Pace>({ done: 0, total: 0 });

  function begin(what: 'reading' | 'planning' | 'comparing'): { readonly since: number } {
    busy.value = what;
    pace.value = { done: 0, total: 0 };
    return { since: Date.now() };
  }
  function over(): void {
    busy.value = undefined;
  }

  function read(id: string): void {
    const { since } = begin('reading');
    deviceId.value = id;
    people.value = [];
    ended.value = undefined;
    const all: ListedPerson[] = [];
    let drawn = 0;
    follow(
      getApi().people.read,
      { deviceId: id },
      (event) => {
        if (event.type === 'end') {
          people.value = all;
          ended.value = event;
          busy.value = undefined;
          return;
        }
        for (const person of event.people)
          all.push({ ...person, text: `${person.employeeNo} ${person.name ?? ''}`.toLowerCase() });
        const now = Date.now();
        if (now - drawn < REDRAW_MS) return;
        drawn = now;
        people.value = all.slice();
        pace.value = estimatePace({
          done: event.read,
          total: event.total ?? event.read,
          elapsedMs: now - since,
        });
      },
      over,
    );
  }

  function makePlan(request: InputAt<'people.plan'>): void {
    const { since } = begin('planning');
    forgetPlan();
    const places = new Map<string, number>();
    follow(
      getApi().people.plan,
      request,
      (event) => {
        if (event.type === 'plan') {
          plan.value = event.plan;
          busy.value = undefined;
          return;
        }
        const { deviceId: at = '', done, total = 0 } = event;
        places.set(at, done);
        const sum = [...places].reduce((all, [place, count]) => all + (place === '' ? 0 : count), 0);
        pace.value = estimatePace({
          done: sum,
          total: total * request.deviceIds.length,
          elapsedMs: Date.now() - since,
        });
      },
      over,
    );
  }

  /** Carries out the plan and returns the job's id; undefined if it could not start. */
  async function carryOut(): Promise<string | undefined> {
    if (plan.value === undefined) return;
    const { id } = plan.value;
    const begun = await attempt(() => getApi().people.begin({ id, options: { whenBack: whenBack.value } }));
    if (begun === undefined) return;
    plan.value = undefined;
    whenBack.value = undefined;
    return begun.jobId;
  }

  function compare(deviceIds: readonly string[]): void {
    begin('comparing');
    forgetComparison();
    let done = 0;
    pace.value = { done, total: deviceIds.length };
    follow(
      getApi().people.compare,
      { deviceIds },
      (event) => {
        if (event.type === 'device') {
          pace.value = { done: (done += 1), total: deviceIds.length };
          return;
        }
        compared.value = event;
        busy.value = undefined;
      },
      over,
    );
  }

  function forgetComparison(): void {
    forget(compared.value?.id);
    compared.value = undefined;
  }

  function forgetPlan(): void {
    forget(plan.value?.id);
    plan.value = undefined;
  }

  function cancel(): void {
    stop();
    busy.value = undefined;
  }

  function leave(): void {
    cancel();
    forgetPlan();
    forgetComparison();
    problem.value = undefined;
  }

  return {
    deviceId,
    people,
    ended,
    plan,
    compared,
    problem,
    busy,
    pace,
    read,
    makePlan,
    carryOut,
    whenBack,
    compare,
    cancel,
    leave,
  };
});
