/** One life of an engine that brings people to terminals, from a file or from another terminal. */
import { addDevices, waitForEnd } from '../engine/site-engine.ts';
import {} from '../engine/fingerprints/site-with-prints.ts';
import { fileOf, planOf } from '../engine/people/people-work.ts';
import { live, type Life } from './lives.ts';
import type { VirtualPlace } from './messages.ts';

export interface PeopleLife extends Life {
  readonly devices: readonly (VirtualPlace & { readonly kind: 'gate' })[];
  readonly work:
    | { readonly do: 'import'; readonly text: string; readonly to: readonly number[] }
    | { readonly do: 'copy'; readonly from: number; readonly to: readonly number[] }
    | { readonly do: 'resume'; readonly jobId: string };
}
export interface PeopleLifeEnd {
  readonly state: string;
}

live<PeopleLife, PeopleLifeEnd>(async ({ devices, work }, engine) => {
  const ids = addDevices(engine, { devices });
  let id: string;
  if (work.do === 'resume') engine.jobs.resume({ id: (id = work.jobId) });
  else {
    const source =
      work.do === 'import'
        ? fileOf(work.text)
        : ({ kind: 'copy', from: ids[work.from] ?? '', replaceOthers: true } as const);
    const plan = await planOf(
      { engine, ids },
      source,
      work.to.map((device) => ids[device] ?? ''),
    );
    ({ id } = plan);
    engine.people.begin({ id });
  }
  return { state: (await waitForEnd(engine, id)).state };
});
