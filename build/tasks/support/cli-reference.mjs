/** The reference of all commands as Markdown, made from their declarations. */
import { Command } from 'commander';
import { isGroup } from '../../../src/cli/declarations/declaration.ts';
import { DECLARATIONS } from '../../../src/cli/declarations/all.ts';
import {
  GLOBAL_OPTIONS,
  addConnectionOptions,
  addDeviceOptions,
  addProfileOptions,
} from '../../../src/cli/declarations/options.ts';

const INTRODUCTION = `# Commands

Every command with its options and one example. Do not edit this page: \`node build/tasks/derived.mjs\` writes it
from \`src/cli/declarations/\`. What holds for all commands, and what \`--json\` prints: [README.md](README.md).
In a checkout the commands begin with \`./fieldwright\`, after \`npm link\` with \`fieldwright\`.
`;

/** Groups of options that are described once, the largest first. */
const GROUPS = [
  { title: 'Device options', declare: addDeviceOptions, about: 'Which devices, and how to talk to them.' },
  {
    title: 'Connection options',
    declare: addConnectionOptions,
    about: 'How to talk to a device, and who signs in.',
  },
  { title: 'Profile options', declare: addProfileOptions, about: 'How to talk to a device.' },
].map(({ title, declare, about }) => {
  const command = new Command();
  declare(command);
  return { title, about, options: command.options };
});

/** Returns the reference, a section for each command in the order of the declarations. */
export function formatReference() {
  const commands = Object.entries(DECLARATIONS).flatMap(([name, declared]) =>
    isGroup(declared)
      ? [
          `## ${name}\n\n${toSentence(declared.about)}\n`,
          ...Object.entries(declared.commands).map(([word, entry]) =>
            formatCommand(`${name} ${word}`, entry, '###'),
          ),
        ]
      : [formatCommand(name, declared, '##')],
  );
  const everywhere = GLOBAL_OPTIONS.map(([flags, about]) => formatRow(flags, about));
  const groups = GROUPS.map(
    ({ title, about, options }) => `## ${title}\n\n${about}\n\n${formatTable(options.map(formatOption))}`,
  );
  const shared = `## Options of every command\n\n${formatTable(everywhere)}`;
  return `${[INTRODUCTION, shared, ...groups, ...commands].join('\n').trimEnd()}\n`;
}

function formatCommand(name, { about, example, declare }, mark) {
  const command = new Command();
  declare(command);
  const group = GROUPS.find(({ options }) =>
    options.every(({ flags }) => command.options.some((option) => option.flags === flags)),
  );
  const own = command.options.filter(
    ({ flags }) => group?.options.some((option) => option.flags === flags) !== true,
  );
  const usage = [name, ...command.registeredArguments.map(formatArgument)].join(' ');
  return [
    `${mark} ${name}`,
    toSentence(about),
    `\`\`\`\n./fieldwright ${usage} [options]\n./fieldwright ${example}\n\`\`\``,
    own.length === 0 ? '' : formatTable(own.map(formatOption)).trimEnd(),
    group === undefined
      ? ''
      : `${own.length === 0 ? 'Takes' : 'Also takes'} the [${group.title.toLowerCase()}](#${group.title.toLowerCase().replace(' ', '-')}).`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function formatArgument(argument) {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function formatOption({ flags, description, defaultValue, mandatory, negate }) {
  const notes = [
    mandatory ? 'required' : '',
    defaultValue === undefined || negate ? '' : `default: ${String(defaultValue)}`,
  ].filter(Boolean);
  return formatRow(flags, `${description}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`);
}

function formatRow(flags, about) {
  const escape = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
  return `| \`${flags.replaceAll('|', '\\|')}\` | ${escape(about)} |\n`;
}

function formatTable(rows) {
  return `| option | means |\n|---|---|\n${rows.join('')}`;
}

function toSentence(text) {
  return `${text.replace(/^./, (letter) => letter.toUpperCase())}.`;
}
