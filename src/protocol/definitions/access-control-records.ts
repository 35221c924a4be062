/** Access control reports: arming clients, event totals, snapshots (part 2, 2.1, 2.3 and 2.5). */
import { choice, flag, int, json, list, object, text, when, xml } from '../definition.ts';
import { makeReadOnly } from './fields.ts';

export const deployInfo = xml(
  'DeployInfo',
  '2:2.1',
  makeReadOnly([
    list(
      'DeployList',
      'Arming clients',
      object('Content', 'Client', [
        int('deployNo', 'Number', { min: 1, max: 10 }),
        choice('deployType', 'Type', [
          [0, 'Client arming'],
          [1, 'Real-time arming'],
          [2, 'API arming'],
        ]),
        // The capability claims a length of 1..10, which no IPv4 address keeps to.
        text('ipAddr', 'IP address'),
      ]),
    ),
  ]),
);

/** A date, or a date with a time. */
const utc = {
  utc: true,
  help: 'UTC, as 2030-01-31 or 2030-01-31T08:00:00Z; a time with an offset is converted.',
};
const picEnable = flag('picEnable', 'With picture');
const employeeNoString = text('employeeNoString', 'Employee number', { minLength: 1, maxLength: 32 });

export const acsEventTotalNumCond = json('AcsEventTotalNumCond', '2:2.3', [
  int('major', 'Major event type', { required: true, help: 'Decimal; 0 means all.' }),
  int('minor', 'Minor event type', { required: true, help: 'Decimal; 0 means all.' }),
  when('date', 'startTime', 'From', utc),
  when('date', 'endTime', 'To', utc),
  text('cardNo', 'Card number'),
  text('name', 'Card holder'),
  picEnable,
  int('beginSerialNo', 'First serial number'),
  int('endSerialNo', 'Last serial number'),
  employeeNoString,
]);

export const acsEventTotalNum = json('AcsEventTotalNum', '2:2.3', [
  int('totalNum', 'Number of events', { required: true, readOnly: true }),
]);

/** Limits of the count; the minor types are listed per major type. */
export const acsEventCapability = json(
  'AcsEvent',
  '2:2.3',
  makeReadOnly([
    choice('major', 'Major event type', [0, 1, 2, 3, 5]),
    choice('minorAlarm', 'Minor types of alarms', [1024, 1025, 1026, 1027]),
    choice('minorException', 'Minor types of exceptions', [39, 58, 59, 1024]),
    choice('minorOperation', 'Minor types of operations', [80, 90, 112, 113]),
    choice('minorEvent', 'Minor types of events', [1, 2, 3, 4]),
    int('startTime', 'From'),
    int('endTime', 'To'),
    text('cardNo', 'Card number', { minLength: 1, maxLength: 32 }),
    text('name', 'Card holder', { minLength: 1, maxLength: 32 }),
    picEnable,
    int('beginSerialNo', 'First serial number'),
    int('endSerialNo', 'Last serial number'),
    employeeNoString,
    int('totalNum', 'Number of events'),
  ]),
);

const PICTURE_SIZES = [
  ['0', 'CIF'],
  ['1', 'QCIF'],
  ['2', 'D1'],
  ['3', '1600×1200'],
  ['4', '800×600'],
  ['5', '1280×720'],
  ['6', 'VGA'],
  ['7', 'XVGA'],
  ['8', 'HD900p'],
  ['9', 'HD1080'],
  ['10', '2560×1920'],
  ['11', '1600×304'],
  ['12', '2048×1536'],
  ['13', '2448×2048'],
  ['14', '2448×1200'],
  ['15', '2448×800'],
  ['16', '1024×768'],
  ['17', '1280×1024'],
  ['18', '960×576 or 960×480'],
  ['19', '1080i'],
  ['20', '576×576'],
  ['21', '1536×1536'],
  ['22', '1920×1920'],
  ['23', '320×240'],
  ['24', '720×720'],
  ['25', '1024×768'],
  ['26', '1280×1280'],
  ['27', '1600×600'],
  ['28', '2048×768'],
  ['29', '160×120'],
  ['75', '336×256'],
  ['78', '384×256'],
  ['79', '384×216'],
  ['80', '320×256'],
  ['82', '320×192'],
  ['83', '512×384'],
  ['127', '480×272'],
  ['128', '512×272'],
  ['161', '288×320'],
  ['162', '144×176'],
  ['163', '480×640'],
  ['164', '240×320'],
  ['165', '120×160'],
  ['166', '576×720'],
  ['167', '720×1280'],
  ['168', '576×960'],
  ['180', '180×240'],
  ['181', '360×480'],
  ['182', '540×720'],
  ['183', '720×960'],
  ['184', '960×1280'],
  ['185', '1080×1440'],
  ['0xff', 'Automatic (resolution of the stream)'],
] as const;

const snapFields = makeReadOnly([
  int('snapTimes', 'Snapshots per trigger', { required: true, min: 0, max: 5 }),
  int('snapWaitTime', 'Waiting time', { required: true, min: 0, max: 6000, help: 'Not used by the device.' }),
  list(
    'intervalTimeList',
    'Intervals between snapshots',
    int('intervalTime', 'Interval', { min: 0, max: 6000 }),
    { maxItems: 4 },
  ),
  object('JPEGParam', 'Picture', [
    choice('pictureSize', 'Size', PICTURE_SIZES, { required: true }),
    choice(
      'pictureQuality',
      'Quality',
      [
        ['best', 'Best'],
        ['better', 'Better'],
        ['general', 'Normal'],
      ],
      { required: true },
    ),
  ]),
]);

export const snapConfig = xml('SnapConfig', '2:2.5', snapFields);

/** Adds what only the capability reports. */
export const snapConfigCapability = xml('SnapConfig', '2:2.5', [
  ...snapFields,
  flag('isSupportSetSnapConfig', 'Can be configured', {
    readOnly: true,
    help: 'Off or not reported: it cannot.',
  }),
]);
