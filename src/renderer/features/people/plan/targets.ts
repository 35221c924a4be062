import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';

/** Fields that a column of a table of people may hold. */
export const TARGETS: readonly string[] = [
  ...userInfoSetUp.fields.flatMap(({ name, readOnly }) =>
    name === 'Valid'
      ? ['Valid.enable', 'Valid.beginTime', 'Valid.endTime', 'Valid.timeType']
      : readOnly === true || name === 'deleteUser'
        ? []
        : [name],
  ),
  'planTemplateNo',
];
