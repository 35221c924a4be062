/** People counting (part 3, 2.1). */
import { describeXml } from '../device-documents/xml.ts';
import { formatIsoWithZone } from '../clock.ts';
import { replyDone, refuse, type Handlers } from '../handler.ts';
import type { DeviceState, Part, PartKey } from '../state/device-state.ts';
import { getChildText } from '../wire/xml-reader.ts';
import { findOutsidePlane, getPlane, formatPlaneSize } from './plane.ts';
import { createFixedHandler, restrictToChannels, createStoredHandlers } from './stored.ts';

/** People walk by at a steady pace; what was counted is also kept in flash storage until it is removed. */
class Counting implements Part {
  readonly #device: DeviceState;
  readonly #perSecond: number;
  #since: number;
  #storedSince: number;
  readonly removals: string[] = [];

  constructor(device: DeviceState) {
    this.#device = device;
    this.#perSecond = 0.2 + device.random('counting')() * 0.8;
    this.#since = device.clock.now() - 3_600_000;
    this.#storedSince = this.#since;
  }

  get count(): number {
    return Math.floor(((this.#device.clock.now() - this.#since) / 1000) * this.#perSecond);
  }

  get stored(): number {
    return Math.floor(((this.#device.clock.now() - this.#storedSince) / 1000) * this.#perSecond);
  }

  reset(): void {
    this.#since = this.#device.clock.now();
  }

  removeStored(channel: string): void {
    this.#storedSince = this.#device.clock.now();
    this.removals.push(channel);
  }

  snapshot(): unknown {
    return { count: this.count, stored: this.stored, removals: [...this.removals] };
  }
}

export const COUNTING: PartKey<Counting> = { name: 'counting', create: (device) => new Counting(device) };

/** The one payload with version 1.0 (part 3, 9). */
const shield = describeXml(
  'Shield',
  (device) => `
    <enabled>false</enabled>
    ${formatPlaneSize(device)}
    <RegionList size="1">
        <Region>
            <id>1</id>
            <enabled>false</enabled>
            <RegionCoordinatesList>
                <RegionCoordinates>
                    <positionX>0</positionX>
                    <positionY>0</positionY>
                </RegionCoordinates>
                <RegionCoordinates>
                    <positionX>250</positionX>
                    <positionY>0</positionY>
                </RegionCoordinates>
                <RegionCoordinates>
                    <positionX>0</positionX>
                    <positionY>250</positionY>
                </RegionCoordinates>
            </RegionCoordinatesList>
        </Region>
    </RegionList>`,
  { version: '1.0' },
);

export const countingHandlers: Handlers = {
  ...createFixedHandler(
    'peopleCounting.recommendedWidth.get',
    restrictToChannels(describeXml('CountingRecommendValue', '<width>45</width>')),
  ),
  ...createFixedHandler(
    'peopleCounting.status.get',
    restrictToChannels(
      describeXml(
        'CountingStatus',
        (device) => `
    <status>counting</status>
    <time>${formatIsoWithZone(device.clock.now()).slice(11)}</time>
    <doorStatus>N_A</doorStatus>
    <passedToday>${device.part(COUNTING).count}</passedToday>`,
      ),
    ),
  ),

  'peopleCounting.count.reset': (call, device) => {
    if (!device.hasChannel(call.params['channelID'])) return refuse('notExist');
    return replyDone(() => device.part(COUNTING).reset());
  },

  'peopleCounting.flashStorage.remove': (call, device) => {
    const channel = call.params['channelID'] ?? '';
    if (!device.hasChannel(channel)) return refuse('notExist');
    return replyDone(() => {
      if (getChildText(call.body?.xml, 'coutingRemove') === 'true')
        device.part(COUNTING).removeStored(channel);
    });
  },

  ...createStoredHandlers({
    resource: 'peopleCounting.shield',
    variables: ['channelID'],
    initial: restrictToChannels(shield),
    check: (call, device) => findOutsidePlane(call.body?.xml, getPlane(device)),
  }),
};
