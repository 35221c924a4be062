/** Finds the field that a column of a table of people holds, whatever its heading is called. */
import { findNearestName } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { PERSON, VALIDITY_COLUMNS } from '../person.ts';
import { cleanCell } from './marks.ts';

/** Fields that a column may hold: the members of a person on the wire, and two that only tables have. */
export const TARGETS: readonly string[] = [
  ...PERSON.fields.flatMap(({ name, readOnly }) =>
    name === 'Valid' ? VALIDITY_COLUMNS : readOnly ? [] : [name],
  ),
  'planTemplateNo',
  'other',
];

/** Columns that an export or a file of failed rows has beside the people; they are no news. */
const QUIET: ReadonlySet<string> = new Set([
  'device',
  'reason',
  '设备',
  '原因',
  'numofface',
  'numoffp',
  'numofcard',
]);

const OTHER_NAMES: Readonly<Record<string, string>> = {
  id: 'employeeNo',
  employee: 'employeeNo',
  employeeid: 'employeeNo',
  employeenumber: 'employeeNo',
  personid: 'employeeNo',
  personnumber: 'employeeNo',
  number: 'employeeNo',
  no: 'employeeNo',
  fullname: 'name',
  person: 'name',
  type: 'userType',
  persontype: 'userType',
  limitvalidity: 'Valid.enable',
  valid: 'Valid.enable',
  validfrom: 'Valid.beginTime',
  from: 'Valid.beginTime',
  begin: 'Valid.beginTime',
  begintime: 'Valid.beginTime',
  start: 'Valid.beginTime',
  starttime: 'Valid.beginTime',
  validuntil: 'Valid.endTime',
  validto: 'Valid.endTime',
  until: 'Valid.endTime',
  to: 'Valid.endTime',
  end: 'Valid.endTime',
  endtime: 'Valid.endTime',
  expires: 'Valid.endTime',
  expiry: 'Valid.endTime',
  doors: 'doorRight',
  door: 'doorRight',
  groups: 'belongGroup',
  schedule: 'planTemplateNo',
  schedules: 'planTemplateNo',
  plantemplate: 'planTemplateNo',
  room: 'roomNumber',
  floor: 'floorNumber',
  sex: 'gender',
  department: 'groupName',
  organization: 'groupName',
  organisation: 'groupName',
  verificationmode: 'userVerifyMode',
  verifymode: 'userVerifyMode',
  pin: 'password',
  工号: 'employeeNo',
  编号: 'employeeNo',
  人员编号: 'employeeNo',
  员工编号: 'employeeNo',
  员工号: 'employeeNo',
  姓名: 'name',
  名称: 'name',
  人员姓名: 'name',
  类型: 'userType',
  人员类型: 'userType',
  有效期: 'Valid.enable',
  启用有效期: 'Valid.enable',
  限制有效期: 'Valid.enable',
  生效时间: 'Valid.beginTime',
  开始时间: 'Valid.beginTime',
  有效期开始: 'Valid.beginTime',
  失效时间: 'Valid.endTime',
  结束时间: 'Valid.endTime',
  有效期结束: 'Valid.endTime',
  到期时间: 'Valid.endTime',
  时间类型: 'Valid.timeType',
  群组: 'belongGroup',
  所属群组: 'belongGroup',
  密码: 'password',
  门: 'doorRight',
  门权限: 'doorRight',
  计划模板: 'planTemplateNo',
  计划模板编号: 'planTemplateNo',
  权限计划: 'RightPlan',
  最大认证次数: 'maxOpenDoorTime',
  已认证次数: 'openDoorTime',
  房间号: 'roomNumber',
  房间: 'roomNumber',
  楼层: 'floorNumber',
  楼层号: 'floorNumber',
  验证方式: 'userVerifyMode',
  认证方式: 'userVerifyMode',
  查重: 'checkUser',
  性别: 'gender',
  部门: 'groupName',
  组织: 'groupName',
  机构: 'groupName',
  动态码: 'dynamicCode',
  呼叫号码: 'callNumbers',
};

export interface Column {
  readonly heading: string;
  /** Absent: nothing is made of it. */
  readonly field?: string;
  /** True if the column is ignored without a note. */
  readonly quiet?: boolean;
}

/** Removes the star with which other programs mark required columns. */
function plainOf(heading: string): string {
  return cleanCell(heading)
    .toLowerCase()
    .replaceAll(/^[*\s]+|[*:\s]+$/g, '')
    .replace(/\s*[（(][^）)]*[）)]\s*$/, '')
    .replace(/[*\s_.-]/g, '');
}

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...PERSON.fields.map(({ name, label }) => [plainOf(label), name] as const),
  ...Object.entries(OTHER_NAMES),
  ...TARGETS.map((target) => [plainOf(target), target] as const),
]);

/**
 * Reads the headings. `map` names the field of a heading, and an empty one leaves the column out. Throws if a
 * heading of `map` does not exist, a field is unknown or named twice, or no column has the employee number.
 */
export function readColumns(
  headings: readonly string[],
  map: Readonly<Record<string, string>>,
): readonly Column[] {
  const missing = Object.keys(map).find((heading) => !headings.includes(heading));
  if (missing !== undefined)
    throw wrong({
      ...say('people-no-column', { heading: missing }),
      nearest: findNearestName(missing, headings),
    });
  const columns = headings.map((heading): Column => {
    const given = map[heading];
    if (given === '') return { heading, quiet: true };
    if (given !== undefined) return { heading, field: parseTargetField(given) };
    const plain = plainOf(heading);
    const field = BY_NAME.get(plain);
    return field === undefined || !TARGETS.includes(field)
      ? { heading, ...(QUIET.has(plain) || plain === '' ? { quiet: true } : {}) }
      : { heading, field };
  });
  const fields = columns.flatMap(({ field }) => field ?? []);
  const twice = fields.find((field, at) => fields.indexOf(field) !== at);
  if (twice !== undefined)
    throw wrong(
      say('people-column-twice', {
        field: twice,
        headings: columns
          .filter(({ field }) => field === twice)
          .map(({ heading }) => heading)
          .join(', '),
      }),
    );
  if (!fields.includes('employeeNo')) throw wrong(say('people-no-number-column'));
  return columns;
}

/** Finds the field for a name as typed. @throws `unknown-field` */
export function parseTargetField(given: string): string {
  const field = TARGETS.find((target) => target.toLowerCase() === given.toLowerCase());
  if (field !== undefined) return field;
  throw userError('unknown-field', say('people-no-field', { field: given }), {
    path: '--map',
    nearest: findNearestName(given, TARGETS),
  });
}

function wrong(problem: ReturnType<typeof say> & { readonly nearest?: string }): FieldwrightError {
  return userError('usage', problem, { line: 1 });
}
