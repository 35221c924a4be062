/**
 * What exactly is wrong, or why something was changed, as data: an id and named values. The English
 * sentences stand here once, for engine and command line; screens in another language have their
 * own by id. A value that is one of `TERMS` is a word and not a name: it is translated as well.
 */
export const DETAILS = {
  // rules between fields
  'ends-too-early':
    'A period ends before it begins, or where it begins: some devices take it as going past midnight, others do not.',
  'above-usual':
    '{field} is above {max}, the usual end of the picture: it fits only devices that report a larger one.',
  'sent-as-utc': '{field} is UTC on the device: {from} goes out as {to}.',
  'too-many-a-day': 'More than {most} periods on one day.',
  'lowest-above-highest': 'The lowest temperature ({low}) lies above the highest ({high}).',
  'interval-upside-down': 'The lowest temperature of an interval ({low}) lies above its highest ({high}).',
  'fixed-emissivity': 'The mode {mode} fixes the emissivity to {fixed}; another value needs custom settings.',
  'channels-and-stream': 'A task uses either channels or a stream, not both.',
  'no-channels-no-stream': 'A task without channels and without a stream has nothing to analyze.',
  'empty-stream-address': 'A stream address is empty.',
  'recording-ends-too-early': 'A recorded time does not end after it starts.',
  'one-region': 'Individual behavior allows one region.',
  'not-base64': 'The value must be encoded in base64.',
  'one-master-switch': 'The master switch excludes the separate switches for fire and smoke.',
  'local-time-form': 'Local time has the form YYYY-MM-DDTHH:MM:SS, without an offset.',
  'utc-time-form':
    'UTC time has the form YYYY-MM-DDTHH:MM:SS with an offset, as in 2030-01-31T08:00:00+08:00.',
  'either-time-form': 'A time has the form YYYY-MM-DDTHH:MM:SS, with an offset or without.',
  'validity-span': 'Validity lies between {first} and {last}.',
  'validity-ends-too-early': 'The validity ends before it begins.',
  // single values
  'needs-type': '{field} must be {takes}.',
  'needs-entries': '{field} must have {min} to {max} entries; it has {count}.',
  'needs-entries-from': '{field} must have at least {min} entries; it has {count}.',
  'needs-entries-up-to': '{field} must have at most {max} entries; it has {count}.',
  'counts-only-when': '{field} counts only when {controller} is {values}.',
  'control-character': '{field} holds a control character.',
  'wrong-form': '{field} does not have the right form.',
  'time-form': '{field} must have the form {form}.',
  'time-zone': '{field} needs its offset from UTC: {form}.',
  'too-many-decimals': '{field} must have at most {most} decimal places; nearest is {nearest}.',
  'numbers-with-commas': '{field} must be numbers ({min} to {max}) separated by commas.',
  'numbers-with-commas-from': '{field} must be numbers (from {min} on) separated by commas.',
  'nothing-in-common': '{field} has no value that both specification and device allow.',
  'secret-does-not-fit': 'The value given for "{field}" does not fit.',
  'secret-length': 'The value given for "{field}" does not fit. It takes {min} to {max} characters.',
  // templates: the document
  'unknown-member': '{what} has no "{name}".',
  takes: '"{name}" takes {takes}, not {given}.',
  'takes-list': '"{name}" takes a list: {options}.',
  'takes-length': '"{name}" takes at most {max} characters.',
  'one-of': 'The value is one of {options}.',
  'no-template': 'This is no template: it does not begin with "fieldwright: {format}".',
  'not-an-object': 'A template is an object that begins with "fieldwright: {format}", not {given}.',
  'other-format': 'This template is of format {found}; this version reads {format}.',
  'wrong-format': '"fieldwright" must be {format}.',
  'needs-name': 'A template needs a "name".',
  'unused-variable': 'The variable "{name}" is declared but not used.',
  // templates: YAML
  'yaml.BAD_INDENT': 'The indentation does not fit the lines around it.',
  'yaml.TAB_AS_INDENT': 'Lines are indented with spaces in YAML, not with tabs.',
  'yaml.MISSING_CHAR': 'A closing character or separator is missing here.',
  'yaml.UNEXPECTED_TOKEN': 'Something here does not belong in this place.',
  'yaml.BAD_SCALAR_START': 'A value cannot begin with this character; put it in quotes.',
  'yaml.BAD_DQ_ESCAPE': 'Unknown \\ escape inside double quotes.',
  'yaml.BLOCK_IN_FLOW': 'An indented block cannot stand inside { } or [ ].',
  'yaml.MULTILINE_IMPLICIT_KEY': 'A name and its colon must stand on one line.',
  'yaml.BLOCK_AS_IMPLICIT_KEY': 'A block cannot be a name here; check the indentation.',
  'yaml.BAD_ALIAS': 'This alias (*) points to no anchor (&).',
  'yaml.NON_STRING_KEY': 'Names must be plain text.',
  'yaml.OTHER': 'This is not valid YAML.',
  'yaml.directive': 'Directives (lines that begin with %) are not allowed in a template.',
  'yaml.empty': 'The template is empty.',
  'yaml.second-document': 'The file holds more than one document; a template is one.',
  'yaml.characters': 'The template has {count} characters; at most {max} are read.',
  'yaml.parts': 'The template has too many parts.',
  'yaml.depth': 'The template is nested deeper than {max} levels.',
  'yaml.values': 'The template has more than {max} values.',
  'yaml.aliases': 'The template uses more than {max} aliases.',
  'yaml.repeated': 'With all its aliases followed the template has more than {max} characters.',
  'yaml.long-name': 'This name, or all the names it stands in together, are longer than any setting has.',
  'yaml.placeholders': 'The template uses its variables more than {max} times.',
  'yaml.tag': 'The tag {tag} is not allowed in a template.',
  'yaml.kind': 'This kind of value is not allowed in a template.',
  'yaml.forbidden-name': '"{name}" cannot be used as a name.',
  'yaml.twice': '"{name}" is given twice (first in line {line}).',
  'yaml.infinite': 'This is not a finite number.',
  'yaml.inexact': 'This number is too large to be kept exactly; put it in quotes if it is text.',
  // templates: sections and parameters
  'needs-sections': 'A template needs "sections": a list of what to set.',
  'too-many-sections': 'A template has at most {max} sections.',
  'section-not-an-object': 'A section is an object with "set" and "value", not {given}.',
  'needs-set': 'A section needs "set": what it sets, for instance {example}.',
  'drop-suffix': '"{set}" is an operation; a section names what is set: drop the "{suffix}".',
  'not-a-setting': '"{set}" is not a setting that can be read and written back, so a template cannot set it.',
  'unknown-section': 'There is no section "{set}".',
  'no-such-setting': 'There is no section "{set}" that can be read and written back.',
  'needs-value': 'A section needs a "value": the fields to set.',
  'empty-value': 'There is no value here. Write null to remove the field on the device.',
  'value-shape': 'The value of "{set}" is {takes}, not {given}.',
  'undeclared-variable': 'The variable "{name}" is not declared under "variables".',
  'no-placeholder': '"{text}" is no variable: write ${name} with letters, digits and _.',
  'no-variables-here': '"{name}" takes no variables.',
  'set-twice': '"{set}" with these parameters is already set in line {line}; put both into one section.',
  'set-twice-with-values': 'With these values "{set}" is set twice (sections {first} and {second}).',
  'parameter-takes': 'The parameter "{name}" takes {takes}, not {given}.',
  'parameter-from': 'The parameter "{name}" begins at {min}.',
  'parameter-up-to': 'The parameter "{name}" ends at {max}.',
  'parameter-length': 'The parameter "{name}" takes {min} to {max} characters.',
  'parameter-secret': 'The secret "{variable}" cannot be part of an address.',
  'parameter-type': 'The parameter "{name}" takes {takes}; the variable "{variable}" is declared as {type}.',
  'parameter-range': 'No value of the variable "{variable}" fits the parameter "{name}".',
  'unknown-parameter': 'There is no parameter "{name}": "{set}" takes {known}.',
  'no-such-parameter': 'There is no parameter "{name}" here; there are {known}.',
  'no-parameters-here': 'There is no parameter "{name}" here; none is taken.',
  'takes-no-parameters': 'There is no parameter "{name}": "{set}" takes no parameters.',
  'missing-parameter': '"{set}" needs the parameter "{name}".',
  // templates: variables
  'too-many-variables': 'A template has at most {max} variables.',
  'too-many-options': 'A variable has at most {max} values to choose from.',
  'variable-name': '"{name}" is no name for a variable: letters, digits and _ only, and no digit first.',
  'variable-not-an-object': 'A variable is declared as an object with a "type", not as {given}.',
  'variable-needs-type': 'A variable needs a "type": {options}.',
  'variable-type': "A variable's type is one of {options}.",
  'limit-without-number': '"{name}" belongs to numbers; this variable is of type {type}.',
  'limits-upside-down': 'The highest value {max} lies below the lowest value {min}.',
  'options-twice': '"enum" is another word for "options"; give one of them.',
  'type-has-no': 'A variable of type {type} has no "{name}".',
  'takes-values': '"{name}" takes a list of values.',
  'option-type': 'The options of this variable are of type {type}, not {given}.',
  'pattern-without-text': '"pattern" belongs to text; this variable is of type {type}.',
  'bad-pattern': 'This part of the pattern is not valid in RE2: {part}',
  'pattern-reference': 'Patterns are those of RE2, which have no back-references: {part}',
  'pattern-look-around': 'Patterns are those of RE2, which cannot look ahead or back: {part}',
  'pattern-too-large': 'This pattern is too large; repeat less in it.',
  'patterns-take-too-long':
    'The patterns take too much work on all these values; make patterns or values shorter.',
  'secret-default': 'A secret has no default: it comes from the vault, a prompt or an environment variable.',
  'variable-takes': 'The variable "{name}" takes {takes}, not {given}.',
  'variable-takes-point': 'The variable "{name}" takes {takes}, not {given}. Write decimals with a point.',
  'variable-too-long': 'The value of the variable "{name}" is longer than {max} characters.',
  'below-variable': '{value} is below {min}, the lowest value of the variable "{name}".',
  'above-variable': '{value} is above {max}, the highest value of the variable "{name}".',
  'none-of-variable': '{value} is none of the values of the variable "{name}": {options}.',
  'form-of-variable': '{value} does not have the form that the variable "{name}" asks for: {pattern}',
  'single-value': '"{field}" takes {takes}; a variable holds a single value.',
  'variable-for-field':
    '"{field}" takes {takes}; the variable "{variable}" is declared as {type}, not {needs}.',
  'variable-for-options':
    '"{field}" takes one of {options}; the variable "{variable}" is declared as {type}, not {needs}.',
  'ranges-apart':
    'No value of the variable "{variable}" ({variableMin} to {variableMax}) fits "{field}" ({min} to {max}).',
  'options-apart': 'No value of the variable "{variable}" fits "{field}", which takes {options}.',
  'variable-beside-text':
    '"{field}" takes no text, and a variable with something beside it is text: write ${{name}} alone.',
  'secret-in-template':
    '"{field}" is secret and must not stand in a template: use a variable of type secret.',
  'secret-not-declared':
    '"{field}" is secret: declare the variable "{name}" with type secret, so that its value is never stored.',
  'secret-in-plain-field':
    'The secret "{name}" may only stand alone in a field that is secret; "{field}" is shown in plans and reports.',
  // values of a device
  'no-such-variable': 'The template has no variable "{name}".',
  'secret-with-values':
    '"{name}" is a secret: it comes from the vault, a prompt or an environment variable, not with the values.',
  'secret-needed': 'The secret "{name}" is needed before anything is sent.',
  'no-secret': '"{name}" is no secret; give it with the values.',
  'variable-without-value': 'The variable "{name}" has no value and no default.',
  'no-such-device': 'There is no device "{device}".',
  'csv-empty': 'The file is empty; its first line names the columns.',
  'csv-no-device': 'The file names columns but no device.',
  'csv-rows': 'The file has more than {max} rows.',
  'csv-columns': 'The file has more than {max} columns.',
  'csv-broken':
    'The file is not a valid CSV file: a quote is missing or stands in the wrong place, or a row is too long.',
  'csv-device-column': 'The column "{name}" is missing; it holds the URL, name or id of each device.',
  'csv-column-twice': 'The column "{name}" is there twice.',
  'csv-secret':
    '"{name}" is a secret: it comes from the vault, a prompt or an environment variable, never from a file.',
  'csv-no-column': 'The variable "{name}" has no default and no column.',
  'csv-cells': 'This row has {count} cells, the first line names {columns} columns.',
  'csv-row-without-device': 'This row names no device.',
  'csv-no-value': 'The variable "{name}" has no value for {device} and no default.',
  'csv-device-twice': '{device} is already given in line {line}.',
  // plans, and what a saved state becomes on another device
  'device-takes': 'The device takes {min} to {max}.',
  'device-takes-from': 'The device takes {min} or more.',
  'device-takes-up-to': 'The device takes {max} or less.',
  'device-offers': 'The device offers {options}.',
  'device-takes-entries': 'The device takes at most {max} of them.',
  'not-on-device': 'The device does not have this setting.',
  'unit-moved': 'From {from} to {to}, which this device counts in.',
  'unit-not-offered': 'The device does not offer {from}.',
  'not-without': 'It cannot be set without "{field}".',
  'not-allowed-there': 'The device does not allow this value.',
  'secret-not-kept': 'Secrets are never kept: set it anew on the device.',
  'section-needs-secret': 'It cannot be set without a secret, and secrets are never kept.',
  'not-read-then': 'It could not be read when the state was saved.',
  'part-of': 'Its settings are part of "{set}".',
  'shown-not-allowed': 'The specification does not allow what the device showed.',
  'not-in-charset':
    'The device keeps this document in a character set of its own, which lacks a character that was to be written; nothing was sent.',
  'not-shown': 'The specification does not show what this takes.',
  'other-kinds': 'The template is for {kinds}; this device is none of them.',
  'body-not-taken': 'This operation takes no body.',
  'body-needed': 'This operation needs a body.',
  'body-not-shown': 'The specification names this operation without showing its body.',
  // the inventory: addresses, names, lists of devices
  'address-form': 'This is not an address of a device.',
  'address-with-user': 'An address must not hold a user name or password.',
  'address-scheme': 'Devices are reached by http:// or https:// only.',
  'address-with-path': 'An address ends after the port; a path does not belong to it.',
  'address-port': 'The port must be a number from 1 to 65535.',
  'address-without-host': 'The address has no host.',
  'address-host': 'This is not a host name or an IP address.',
  'address-ipv6': 'This is not an IPv6 address.',
  'address-taken': 'This address is already in the list, as "{name}".',
  'path-prefix': 'The path prefix must be a path such as /API.',
  namespace: 'The namespace must be a URI of at most {max} characters.',
  'profile-number': "The profile's {field} must be a whole number from {min} to {max}.",
  'text-too-long': '{what} has at most {max} characters.',
  'text-misleading':
    '{what} has no line breaks, control characters or marks that turn the direction of writing.',
  'name-missing': 'A name is missing.',
  'too-many-tags': 'A device has at most {max} tags.',
  'site-taken': 'There is a site "{name}" already.',
  'profile-taken': 'There is a connection profile "{name}" already.',
  'no-such-profile': 'There is no connection profile "{name}".',
  'row-cells': 'The row has more cells than there are columns.',
  'row-without-address': 'The row has no address.',
  'row-sign-ins': 'More than one saved sign-in matches this row.',
  'row-without-sign-in': 'No saved sign-in matches this row.',
  'columns-same': 'Two columns say the same: "{name}".',
  'columns-without-address': 'The first line must name the columns, one of them "address".',
  'columns-with-password': 'The file has a column of passwords; it was not imported.',
  'unknown-column': 'The column "{name}" is not known.',
  'simulated-site-full': 'A simulated site holds at most {max} devices; {running} are running.',
  // the way from the page to the engine
  'not-connected': 'There is no connection to Fieldwright at the moment; nothing was sent.',
  'answer-lost': 'The connection to Fieldwright was lost before the answer came.',
  'outside-no': 'Nobody agreed outside the page; nothing was changed and nothing was sent.',
  'outside-nobody':
    'This takes a yes outside the page, and nobody can be asked there; nothing was changed and nothing was sent.',
  'session-unknown': 'Fieldwright has not let this tab in.',
} as const satisfies Readonly<Record<string, string>>;
export type DetailId = keyof typeof DETAILS;

/** `{name}`; neither `{ }` nor the `${name}` of a template is one. */
type NamesIn<Text extends string> = Text extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}$`
    ? NamesIn<Rest>
    : Rest extends `${infer Name}}${infer After}`
      ? Exclude<Name, ' '> | NamesIn<After>
      : never
  : never;
type NamesOf<Id extends DetailId> = NamesIn<(typeof DETAILS)[Id]>;
/** The values that a sentence names: all of them, and no others. */
export type ValuesOf<Id extends DetailId> = [NamesOf<Id>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Id>, string | number>>];
/** Sentences that name no values. */
export type BareDetailId = { [Id in DetailId]: ValuesOf<Id> extends [] ? Id : never }[DetailId];

/** Words among the values of a detail; everything else is a name or a number. */
export const TERMS = [
  'nothing',
  'a list',
  'an object',
  'text',
  'a whole number',
  'a number',
  'true or false',
  'one of its options',
  'a date and time',
  'a date',
  'a time',
  'a time of day',
  'a value',
  'a name',
  'no lowest',
  'no highest',
  'any number of',
  'This value',
  'The value',
  'The list',
  'A template',
  'A section',
  'A variable',
  'A name',
  'A tag',
] as const;

export interface Detail {
  readonly id: DetailId;
  /** Numbers, and names cut to a bounded length. */
  readonly values?: Readonly<Record<string, string | number>>;
}

const LONGEST = 300;

/** A detail with its values bounded: names in files and values of devices may be of any length. */
export function detailOf<Id extends DetailId>(id: Id, ...[values]: ValuesOf<Id>): Detail {
  if (values === undefined) return { id };
  const cut = Object.entries<string | number>(values).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value,
  ]);
  return { id, values: Object.fromEntries(cut) as Record<string, string | number> };
}

/** A sentence with the values in their places; `{name}` stays where no such value is given. */
export function filledIn(sentence: string, values: Detail['values'] = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

/** The English sentence. */
export function detailText({ id, values }: Detail): string {
  return filledIn(DETAILS[id], values);
}

/** Message and detail of an error at once. */
export function said<Id extends DetailId>(
  id: Id,
  ...values: ValuesOf<Id>
): { readonly message: string; readonly detail: Detail } {
  const detail = detailOf(id, ...values);
  return { message: detailText(detail), detail };
}
