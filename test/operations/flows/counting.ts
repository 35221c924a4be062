/** People counting of a counter (part 3, 2.1). */
import { pick, type Trial } from '../trial.ts';

const AT = { params: { channelID: 1 } };

function counted(trial: Trial, what: 'count' | 'stored'): number {
  return Number(pick(trial.device('counter').state().parts['counting'], what));
}

export async function counting(trial: Trial): Promise<void> {
  const status = await trial.call('counter', 'peopleCounting.status.get', AT);
  trial.check('peopleCounting.status.get', pick(status, 'status') === 'counting', 'it does not count');
  await trial.call('counter', 'peopleCounting.recommendedWidth.get', AT);

  const before = counted(trial, 'count');
  await trial.call('counter', 'peopleCounting.count.reset', AT);
  trial.proved(
    'peopleCounting.count.reset',
    'count at 0, stored ones kept',
    before > 100 && counted(trial, 'count') < 10 && counted(trial, 'stored') >= before,
  );
  await trial.call('counter', 'peopleCounting.flashStorage.remove', { ...AT, body: { coutingRemove: true } });
  trial.proved('peopleCounting.flashStorage.remove', 'stored counts at 0', counted(trial, 'stored') < 10);

  await trial.call('counter', 'peopleCounting.shield.get', AT);
  const shield = {
    enabled: true,
    RegionList: [
      {
        id: '1',
        enabled: true,
        RegionCoordinatesList: [
          { positionX: 0, positionY: 0 },
          { positionX: 1000, positionY: 0 },
          { positionX: 1000, positionY: 1000 },
          { positionX: 0, positionY: 1000 },
        ],
      },
    ],
  };
  await trial.call('counter', 'peopleCounting.shield.put', { ...AT, body: shield });
  trial.same(
    'peopleCounting.shield.put',
    await trial.call('counter', 'peopleCounting.shield.get', AT),
    shield,
  );
}
