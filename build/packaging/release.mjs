/**
 * `node build/packaging/release.mjs TAG [NOTES]`: says what keeps a tag from being released, or writes the notes of the
 * release into a file. The release workflow begins with it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tasks/support/paths.mjs';
import { runTask, say, TaskError } from '../tasks/support/report.mjs';

/** Names that RFC 2606 keeps from ever belonging to anybody: the project has no address yet. */
const RESERVED = /[\w.-]+\.(?:example|invalid|test)\b/g;
const DATED = /^(\S+) \(\d{4}-\d{2}-\d{2}\)$/;

/** Returns the heading and text of the changelog's section about a version. */
function findSection(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/[\s(]/, 1)[0] === version);
  if (found === undefined) return undefined;
  const [heading = '', ...lines] = found.split('\n');
  return { heading: heading.trim(), text: lines.join('\n').trim() };
}

/** Returns what keeps a tag from being released, one sentence each. */
export function findReleaseProblems({ tag, manifest, lock, changelog }) {
  const { version } = manifest;
  const section = findSection(changelog, version);
  const { homepage, repository, bugs, author } = manifest;
  const addresses = JSON.stringify([homepage, repository, bugs, author]);
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, and package.json says ${version}.`]),
    ...(lock.version === version
      ? []
      : [`package-lock.json says ${lock.version}, and package.json ${version}.`]),
    ...(section === undefined ? [`CHANGELOG.md has no section ${version}.`] : []),
    ...(section !== undefined && !DATED.test(section.heading)
      ? [`The section of CHANGELOG.md has no date: "## ${version} (2030-01-31)".`]
      : []),
    ...(section !== undefined && section.text === ''
      ? [`The section ${version} of CHANGELOG.md is empty.`]
      : []),
    ...new Set(
      [...addresses.matchAll(RESERVED)].map(
        ([name]) => `${name} belongs to nobody: package.json needs the project's own address.`,
      ),
    ),
  ];
}

/** Returns the notes of a release: its section of the changelog. */
export function readReleaseNotes(changelog, version) {
  return `${findSection(changelog, version)?.text ?? ''}\n`;
}

function readText(path) {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}

if (process.argv[1] === import.meta.filename)
  await runTask(() => {
    const [, , tag = '', notes] = process.argv;
    const manifest = JSON.parse(readText('package.json'));
    const changelog = readText('CHANGELOG.md');
    const problems = findReleaseProblems({
      tag,
      manifest,
      lock: JSON.parse(readText('package-lock.json')),
      changelog,
    });
    if (problems.length > 0) throw new TaskError(`${tag} cannot be released.`, problems.join('\n'));
    if (notes !== undefined) writeFileSync(notes, readReleaseNotes(changelog, manifest.version));
    say(`${tag} can be released.`);
    return 0;
  });
