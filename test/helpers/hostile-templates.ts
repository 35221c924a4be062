/**
 * Templates of up to 1 MB made to be slow to check: each puts its whole size into one thing that a
 * checker may do once too often. Their only legal property is that they are text.
 */
import { TEMPLATE_LIMITS } from '#template/limits.ts';

export interface HostileTemplate {
  /** Name of the attack. */
  readonly name: string;
  readonly text: string;
}

const HEAD = 'fieldwright: template/1\nname: Hostile\n';
const SECTION = '  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: ';

export function hostileTemplates(size: number = TEMPLATE_LIMITS.characters): readonly HostileTemplate[] {
  /** `count` lines, at most as many as fit. */
  const lines = (before: string, count: number, line: (index: number) => string): string => {
    const parts = [before];
    let length = before.length;
    for (let index = 0; index < count; index += 1) {
      const next = line(index);
      length += next.length;
      if (length > size) break;
      parts.push(next);
    }
    return parts.join('');
  };
  const filled = (before: string, filling: string, after = ''): string =>
    before + filling.repeat(Math.floor((size - before.length - after.length) / filling.length)) + after;
  const sections = `${HEAD}sections:\n`;
  const section = `sections:\n${SECTION}\n`;
  const body = `${HEAD}${section}`;
  const variables = (count: number, declaration: (index: number) => string): string =>
    lines(`${HEAD}variables:\n`, count, (index) => `  v${index}: ${declaration(index)}\n`);
  const used = (count: number): string =>
    `sections:\n${SECTION}{ ${Array.from({ length: count }, (_, index) => `x${index}: "\${v${index}}"`).join(', ')} }\n`;
  const most = TEMPLATE_LIMITS.variables;
  /** Nearly as many as a template may have: what is within the limits is looked at whole. */
  const values = TEMPLATE_LIMITS.nodes - 1000;
  const long = 'n'.repeat(60);

  const patterns = (pattern: (index: number) => string, value: string): string =>
    variables(
      most,
      (index) => `{ type: string, pattern: ${JSON.stringify(pattern(index))}, default: "${value}" }`,
    );
  const room = Math.floor((size / most) * 0.7);
  return [
    // patterns
    { name: 'patterns that backtrack', text: patterns((index) => `(a+)+${index}`, `${'a'.repeat(room)}!`) },
    {
      name: 'patterns with many states',
      text: patterns((index) => `(a|b)*a(a|b){90}${index}`, 'abba'.repeat(room / 4)),
    },
    {
      name: 'patterns that grow when compiled',
      text: patterns((index) => `(a?){1000}(a){${900 + (index % 100)}}${index}`, 'a'.repeat(room)),
    },
    {
      name: 'patterns of nested repeats',
      text: patterns((index) => `((a?){30}){30}${index}`, 'a'.repeat(room)),
    },
    {
      name: 'patterns too large to compile',
      text: patterns((index) => `(((a{30}){30}){30}){30}${index}`, 'a'),
    },
    {
      name: 'patterns of classes',
      text: patterns((index) => `(\\pL|\\pN){0,400}[^\\pL]${index}`, 'é'.repeat(room)),
    },
    {
      name: 'one pattern on the longest values',
      text: variables(
        most,
        () => `{ type: string, pattern: "(a?){200}a{200}", default: "${'a'.repeat(room)}" }`,
      ),
    },
    { name: 'patterns with what is not supported', text: patterns((index) => `(?=a${index})\\1`, 'a') },
    // names
    {
      name: 'unknown members of the template',
      text: lines(`${HEAD}sections: []\n`, values, (index) => `sectoins${index}: 1\n`),
    },
    {
      name: 'unknown members of a section',
      text: lines(`${sections}  - set: x\n`, values, (index) => `    vaule${index}: 1\n`),
    },
    {
      name: 'unknown members of a variable',
      text: lines(
        `${HEAD}variables:\n  a:\n    type: string\n`,
        values,
        (index) => `    defualt${index}: 1\n`,
      ),
    },
    { name: 'unknown settings', text: lines(body, Infinity, (index) => `      emissivityMdoe${index}: 1\n`) },
    {
      name: 'unknown settings with long names',
      text: lines(body, Infinity, (index) => `      ${long}${index}: 1\n`),
    },
    {
      name: 'unknown settings in items',
      text: lines(
        `${body}      AlertOutputIOPortList:\n`,
        values / 2,
        (index) => `        - { portIdd${index}: 1 }\n`,
      ),
    },
    {
      name: 'unknown sections',
      text: lines(
        sections,
        500,
        (index) => `  - { set: thermal.thermometryBasci${index}, value: { ${'a: 1, '.repeat(1)}} }\n`,
      ),
    },
    {
      name: 'unknown parameters',
      text: lines(
        `${sections}  - set: thermal.thermometryBasic\n    value: {}\n    params:\n`,
        Infinity,
        (index) => `      chanelID${index}: 1\n`,
      ),
    },
    {
      name: 'very long names',
      text: lines(body, Infinity, (index) => `      ${'x'.repeat(size / 50)}${index}: 1\n`),
    },
    {
      name: 'a very long name with many members',
      text: lines(`${body}      ${'x'.repeat(size / 2)}:\n`, Infinity, (index) => `        a${index}: 1\n`),
    },
    {
      name: 'long names inside each other',
      text: lines(
        `${body}${Array.from({ length: 30 }, (_, depth) => `${' '.repeat(6 + depth)}${'x'.repeat(90)}:\n`).join('')}`,
        Infinity,
        () => `${' '.repeat(36)}- 1\n`,
      ),
    },
    {
      name: 'wrong kinds',
      text: lines(`${HEAD}sections: []\nappliesTo:\n  kinds:\n`, values, (index) => `    - gaet${index}\n`),
    },
    // variables and placeholders
    {
      name: 'undeclared variables',
      text: lines(
        `${variables(most, (index) => `{ type: string, description: "${long}${index}" }`)}${section}`,
        TEMPLATE_LIMITS.placeholders - 100,
        (index) => `      a${index}: "\${v${index}${index}}"\n`,
      ),
    },
    {
      name: 'undeclared variables with names like many others',
      text: lines(
        `${lines(`${HEAD}variables:\n`, most, (index) => `  ${long}${String(index).padStart(3, '0')}: { type: string }\n`)}${section}`,
        TEMPLATE_LIMITS.placeholders - 100,
        (index) => `      a${index}: "\${${long}x${index}}"\n`,
      ),
    },
    {
      name: 'one text of many variables',
      text: filled(
        `${HEAD}variables:\n  a: { type: string, default: b }\n${section}      name: "`,
        '${a}',
        '"\n',
      ),
    },
    {
      name: 'one text of many variables with a long value',
      text: `${HEAD}variables:\n  a: { type: string, default: ${'b'.repeat(4000)} }\n${section}      name: "${'${a}'.repeat(TEMPLATE_LIMITS.placeholders - 100)}"\n`,
    },
    {
      name: 'many texts of variables with a long value',
      text: lines(
        `${HEAD}variables:\n  a: { type: string, default: ${'b'.repeat(4000)} }\n${section}      AlertOutputIOPortList:\n`,
        1200,
        () => '        - { portID: "${a}${a}${a}${a}" }\n',
      ),
    },
    { name: 'one text of what is no variable', text: filled(`${body}      name: "`, '${1}', '"\n') },
    { name: 'placeholders that do not end', text: filled(`${body}      name: "`, '${', '"\n') },
    { name: 'literals of placeholders', text: filled(`${body}      name: "`, '$${', '"\n') },
    {
      name: 'variables with many options',
      text: `${lines(`${HEAD}variables:\n  a:\n    type: string\n    options:\n`, 30_000, (index) => `      - o${index}\n`)}sections:\n${lines('  - set: events.thermometrySchedule\n    params: { channelID: 1 }\n    value:\n      TimeBlockList:\n', 4900, () => '        - { dayOfWeek: "${a}" }\n')}`,
    },
    {
      name: 'variables with as many options as may be',
      text: `${lines(`${HEAD}variables:\n  a:\n    type: integer\n    options:\n`, TEMPLATE_LIMITS.options, (index) => `      - ${index + 10}\n`)}sections:\n${lines('  - set: events.thermometrySchedule\n    params: { channelID: 1 }\n    value:\n      TimeBlockList:\n', 4900, () => '        - { dayOfWeek: "${a}" }\n')}`,
    },
    {
      name: 'many unused variables',
      text: `${variables(most, () => '{ type: string }')}${section}      name: x\n`,
    },
    {
      name: 'variables given wrong limits',
      text: `${variables(most, (index) => `{ type: integer, min: ${index}, max: 0, default: x, options: [a, b] }`)}${used(most)}`,
    },
    // documents
    {
      name: 'many values',
      text: lines(`${body}      AlertOutputIOPortList:\n`, values, () => '        - 1\n'),
    },
    { name: 'many values on one line', text: filled(`${body}      AlertOutputIOPortList: [`, '1,', '1]\n') },
    {
      name: 'many empty values',
      text: lines(
        `${sections}${Array.from({ length: 400 }, () => '  - { set: thermal.thermometryMode, value: { mode: AI } }\n').join('')}${SECTION}\n`,
        values - 2000,
        (index) => `      a${index}:\n`,
      ),
    },
    {
      name: 'many sections of the same',
      text: lines(
        sections,
        TEMPLATE_LIMITS.sections,
        () => '  - { set: thermal.thermometryMode, params: { channelID: 1 }, value: { mode: normal } }\n',
      ),
    },
    {
      name: 'many items of a list with rules',
      text: lines(
        `${sections}  - set: events.thermometrySchedule\n    params: { channelID: 1 }\n    value:\n      TimeBlockList:\n`,
        values / 5,
        () => '        - { dayOfWeek: 1, TimeRange: { beginTime: "08:00:00", endTime: "07:00:00" } }\n',
      ),
    },
    {
      name: 'many aliases of a large list',
      text: `${lines(`${HEAD}description: &x a\nappliesTo: { kinds: &l [\n`, 30_000, () => '  a,\n')}  a] }\nsections: [${Array.from({ length: 99 }, () => '*x').join(', ')}]\n`,
    },
    {
      name: 'aliases of a long text',
      text: `${HEAD}description: &x "${'y'.repeat(size * 0.9)}"\n${body}      AlertOutputIOPortList: [${Array.from({ length: 99 }, () => '*x').join(', ')}]\n`,
    },
    {
      name: 'many anchors',
      text: lines(`${body}      AlertOutputIOPortList:\n`, values, (index) => `        - &a${index} 1\n`),
    },
    {
      name: 'many aliases to nothing',
      text: lines(`${body}      AlertOutputIOPortList:\n`, 90, () => '        - *a\n'),
    },
    {
      name: 'merges line by line',
      text: lines(`${HEAD}description: &x a\n${section}`, Infinity, () => '      <<: *x\n'),
    },
    {
      name: 'merges on one line',
      text: filled(`${HEAD}description: &x a\n${body.slice(HEAD.length)}      a: {`, '<<: *x,', '}\n'),
    },
    {
      name: 'merges of a list',
      text: filled(`${HEAD}description: &x a\n${section}      <<: [`, '*x,', ']\n'),
    },
    { name: 'names given twice', text: lines(body, Infinity, () => '      a: 1\n') },
    { name: 'many tags', text: lines(body, Infinity, (index) => `      a${index}: !t${index} 1\n`) },
    { name: 'many directives', text: lines('', Infinity, () => '%X\n') },
    { name: 'many documents', text: lines('', Infinity, () => '---\n') },
    { name: 'many comments', text: lines(HEAD, Infinity, () => '#\n') },
    {
      name: 'comments before one value',
      text: `${lines(`${HEAD}sections:\n`, size / 8, () => '  #\n')}  - 1\n`,
    },
    {
      name: 'many empty lines in a text',
      text: `${lines(`${HEAD}description: "a\n`, Infinity, () => '\n').slice(0, size - 2)}"\n`,
    },
    { name: 'a text of many lines', text: lines(`${HEAD}description: |\n`, Infinity, () => '  a\n') },
    { name: 'a plain text of many lines', text: lines(`${HEAD}description:\n`, Infinity, () => '  a\n') },
    { name: 'a text of escapes', text: filled(`${HEAD}description: "`, '\\u0041', '"\n') },
    { name: 'names that are lists', text: lines(body, Infinity, () => '      ? [a]\n      : 1\n') },
    { name: 'open braces', text: filled(`${HEAD}sections: `, '{a: ') },
    { name: 'open brackets', text: filled(`${HEAD}sections: `, '[') },
    { name: 'closing brackets', text: filled(`${HEAD}sections: `, ']') },
    { name: 'dashes', text: filled(`${HEAD}sections:\n`, '- ') },
    { name: 'question marks', text: filled(`${HEAD}sections:\n`, '? ') },
    { name: 'colons', text: filled(`${HEAD}sections: [`, ': , ') },
    { name: 'quotes that do not end', text: filled(`${HEAD}sections: `, '"a" ') },
    { name: 'tabs', text: filled(`${HEAD}sections:\n`, '\t\n') },
    { name: 'spaces', text: filled(`${HEAD}sections:`, ' ') },
    { name: 'carriage returns', text: filled(`${HEAD}sections:`, '\r') },
    {
      name: 'every private-use character at the end',
      text: filled(
        `${HEAD}description: "\${a}`,
        'x',
        `${Array.from({ length: 6399 }, (_, at) => String.fromCharCode(0xe000 + at)).join('')}"\n`,
      ),
    },
    {
      name: 'a long base64',
      text: filled(`${sections}  - set: token.key\n    value: { keyInfo: "`, 'AAAA', '" }\n'),
    },
    {
      name: 'a long list of numbers with commas',
      text: filled(
        `${sections}  - set: accessControl.fingerprintCfg\n    value: { enableCardReader: "`,
        '1 , ',
        '" }\n',
      ),
    },
    {
      name: 'a long time',
      text: filled(
        `${sections}  - set: events.thermometrySchedule\n    params: { channelID: 1 }\n    value: { TimeBlockList: [ { dayOfWeek: 1, TimeRange: { beginTime: "`,
        '08:00:00',
        '" } } ] }\n',
      ),
    },
    { name: 'a long number', text: filled(`${body}      distance: `, '9', '\n') },
    {
      name: 'a long name of the section',
      text: filled(`${sections}  - { value: {}, set: "`, 'thermal.', '" }\n'),
    },
    {
      name: 'long parameters',
      text: filled(
        `${sections}  - { set: thermal.thermometryBasic, value: {}, params: { channelID: "`,
        'a',
        '" } }\n',
      ),
    },
  ];
}
