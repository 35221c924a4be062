import { expect, it } from 'vitest';
import { listCapabilityLimits } from '#engine/operations/capability-limits.ts';
import { collectConstraints, decode, findOperation } from '#protocol/index.ts';

function limits(id: string, text: string) {
  const payload = findOperation(id)?.response;
  if (payload === undefined) throw new Error(`${id} has no answer`);
  return listCapabilityLimits(id, payload, collectConstraints(payload, decode(payload, text).document));
}

// Would catch: parts that a device has two or four of, shown nowhere because their name is unknown.
it('takes numbers for counts, of strangers those that name nothing else, and marks strangers', () => {
  const found = limits(
    'system.capabilities.get',
    `<DeviceCap><SysCap><RacmCap><nasNums>8</nasNums><inputProxyNums>many</inputProxyNums><diskGroupNums/></RacmCap></SysCap>
    <videoOutNums>2</videoOutNums><maxLinks>4</maxLinks><faceCapacity>0x10</faceCapacity><revision>7</revision><sensorNum>B7</sensorNum><isQuick>1</isQuick><mode>007</mode></DeviceCap>`,
  );

  expect(found.map(({ path, label, count, unlisted }) => [path, label, count, unlisted])).toEqual([
    ['SysCap.RacmCap.nasNums', 'Network disks', 8, undefined],
    ['videoOutNums', 'videoOutNums', 2, true],
    ['maxLinks', 'maxLinks', 4, true],
    ['faceCapacity', 'faceCapacity', 16, true],
  ]);
});

// Would catch: the speed a gate has now shown as the speed it can have.
it('takes a number beside limits for the present value', () => {
  const [speed] = limits(
    'gate.channelController.capabilities.get',
    '<ChannelControllerCfg><openAndCloseSpeed min="1" max="10">5</openAndCloseSpeed></ChannelControllerCfg>',
  );

  expect(speed).toEqual({
    operation: 'gate.channelController.capabilities.get',
    path: 'openAndCloseSpeed',
    label: 'Opening and closing speed',
    min: 1,
    max: 10,
  });
});

it('tells what one engine takes (part 1, 2.2)', () => {
  const found = limits(
    'aiPlatform.info.get',
    '{"algorithmVersion":"1","firmware":"2","engine":[1,2],"platform":6,"platformName":"x","loadMPMaxNum":3,"maxRelChannelNum":16}',
  );

  expect(found.map(({ path, count }) => [path, count])).toEqual([
    ['loadMPMaxNum', 3],
    ['maxRelChannelNum', 16],
  ]);
});
