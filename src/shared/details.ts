import type { ErrorShape } from './errors.ts';

/**
 * What exactly is wrong, or why something was changed, as data: an id and named values. The English
 * sentences stand here once, for engine and command line; other languages have their own by id
 * (`resources/locales`). A second line is a hint: what to try next. What begins with `device.` is what
 * a device did, or the way to it; screens have words of their own for it, by the code of the error. A value that is one of `TERMS` is a word and not a name: it is translated as well.
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
  'body-not-shown':
    'The specification names this operation without showing its body.\nSend it raw: the body then goes out exactly as you wrote it.',
  // the inventory: addresses, names, lists of devices
  'address-form': 'This is not an address of a device.',
  'address-with-user':
    'An address must not hold a user name or password.\nSave the credential separately; it goes into the vault.',
  'address-scheme': 'Devices are reached by http:// or https:// only.',
  'address-with-path':
    'An address ends after the port; a path does not belong to it.\nIf the device uses another first path segment, set it as path prefix.',
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
  'row-sign-ins':
    'More than one saved credential matches this row.\nName one by its label in a column "credential".',
  'row-without-sign-in':
    'No saved credential matches this row.\nSave the credential first, then import the row again.',
  'columns-same': 'Two columns say the same: "{name}".',
  'columns-without-address':
    'The first line must name the columns, one of them "address".\nColumns: address, name, tags, site, user, credential, profile, prefix, namespace, auth, certificate.',
  'columns-with-password':
    'The file has a column of passwords; it was not imported.\nRemove the column, save the credential in Fieldwright, and name it in a column "user" or "credential".',
  'unknown-column': 'The column "{name}" is not known.',
  'simulated-site-full': 'A simulated site holds at most {max} devices; {running} are running.',
  // the way from the page to the engine
  'not-connected': 'There is no connection to Fieldwright at the moment; nothing was sent.',
  'answer-lost': 'The connection to Fieldwright was lost before the answer came.',
  'outside-no':
    'Nobody agreed outside the page; nothing was changed and nothing was sent.\nDo it again and agree where Fieldwright asks, or type the password anew for this device.',
  'outside-nobody':
    'This takes a yes outside the page, and nobody can be asked there; nothing was changed and nothing was sent.\nRun "fieldwright serve" in a terminal that stays open, use the desktop app, or do it on the command line.',
  'session-unknown': 'Fieldwright has not let this tab in.',
  'drifted-since-plan':
    '{label} on the device is no longer as it was when the plan was made; nothing was sent.\nLook at what the device shows now, then confirm the changes anew.',
  'secret-not-given': 'A secret of this section was not given; nothing was sent.',
  'stopped-early': 'Stopped before all sections had their turn.',
  'sent-not-kept': 'What was sent to the device was not kept, so it cannot be compared.',
  'nothing-to-undo':
    'Nothing of this job can be undone.\nEither it wrote nothing on these devices, or what they held before cannot be had; the preview of the undo tells which.',
  'undo-of-unknown': 'The journal does not say which job this undo takes back.',
  'plan-template-changed': 'The template inside the plan was changed after planning.\nMake a new plan.',
  'plan-without-device': 'The plan holds no device "{device}".',
  'plan-misfit': 'The plan does not fit its own template.\nMake a new plan.',
  'journal-misfit': 'The journal of this job does not fit its own template; nothing was sent.',
  'job-busy': 'The job {id} is being worked on right now.\nWait for it to end, or stop it.',
  'undo-not-planned':
    'An undo is not planned; what is left of it is resumed, or the job is undone once more.',
  'nothing-to-retry': 'No device of the job {id} is left to try again.',
  'other-secret':
    'The secret "{name}" is not the one this job was started with; nothing was sent.\nGive the same secret again. For another one, make a new plan.',
  'changed-since-job':
    '{label} was changed again by someone else since: {names}; nothing was sent.\nConfirm the undo to overwrite that change with what was there before.',
  'no-state-to-restore': 'This kind of change has no state that could be put back.',
  'state-not-kept': 'What the device held before was not kept.',
  'not-read-at-plan':
    'This device could not be read when the plan was made, so nobody has confirmed what would change on it; nothing was sent.\nConfirm it, or make a new plan for this device.',
  'write-answer-unreadable': 'The answer to the write could not be understood.',
  'method-one-of': 'The method is one of {options}.',
  'no-content-type': 'This is not a content type.',
  'no-operation': 'There is no operation "{id}".',
  'hidden-value':
    'This value is hidden ({mask}); it cannot be sent back.\nEnter the value again, or leave it out.',
  'raw-is-text': 'A raw body is text.',
  cancelled: 'Cancelled.',
  'file-too-large': 'The file is too large.',
  'fingerprint-form': 'A certificate is named by its SHA-256 fingerprint: 64 hexadecimal digits.',
  'path-form': 'A path starts with "/" and holds no spaces or special characters; percent-encode them.',
  'path-below':
    'Only paths below {root} can be requested.\nWrite the path as in the specification, starting with /API/.',
  'address-changed-meanwhile':
    'The device got another address meanwhile; what was meant for the old one was not sent.\nLook whether the new address is right, then do it again.',
  'device.other-device':
    'Another device than before seems to answer at this address: it asks for the sign-in under another name. Nothing was sent.\nSearch for the device: it may have another address now. If it was renamed or replaced, test it again; the credential is then sent.',
  'device.weaker-digest':
    'The device offers a weaker Digest than before, so nothing was sent: somebody may be in between.\nFind out why this changed. If you know the reason, agree to the weaker sign-in of this device ("device update DEVICE --accept-weaker").',
  'device.refused-elsewhere':
    'Not sent: another device has just refused this user name and password.\nCheck them. If they are right for this device, test it by itself: the others follow once it has let them in.',
  'header-characters': 'The request holds characters that HTTP does not allow.',
  'range-form': 'A range is written as an IPv4 address and a length, for instance 192.168.1.0/24.',
  'range-too-large':
    'A sweep covers at most a /{length}: {count} addresses.\nSearch the part of the network where the devices are.',
  'range-elsewhere':
    '{cidr} is not part of a network this computer is connected to.\nNetworks of this computer: {networks}. Sweeping another one must be asked for explicitly.',
  'no-interface': 'There is no network interface "{name}".\nInterfaces with an address: {names}.',
  'database-set-aside':
    'The database was damaged; Fieldwright starts with an empty one.\nThe damaged file is kept in the data folder under the name given here.',
  'no-credential': 'There is no saved credential with this id.',
  'credential-gone': 'The credential of this device is no longer there.\nGive the device another credential.',
  'credential-without-user': 'A credential needs a user name.',
  'tag-missing': 'A tag is missing.',
  'device.wants-tls': 'This port answers only over https://.\nChange the address of the device to https://.',
  'device.not-this-interface':
    'Something answers at this address, but not this interface below {prefix}.\nCheck address and port. If it is the device, it uses another path prefix: a probe of the address looks for it.',
  'identity-form': 'An identity has 1 to {max} characters and no line breaks.',
  'name-of-several': '{count} devices have the name "{reference}".\nUse the address or the id.',
  'device.tags-differ':
    'The tags {tags} give this device different credentials, so none is used.\nGive the device a credential of its own, or take one of the tags away from it.',
  'no-profile': 'There is no connection profile with this id.',
  'one-default-profile': 'One connection profile is the default.\nMake another one the default instead.',
  'default-profile-stays':
    'The default connection profile cannot be removed.\nMake another one the default first.',
  'too-many-ports': 'A connection profile has at most {max} ports.',
  'port-form': 'A port is a number from 1 to 65535.',
  'too-many-services': 'A connection profile has at most {max} types of services.',
  'service-form': 'A type of services is written like _http._tcp.',
  'secret-removed': 'The secret "{name}" was removed just now.',
  'secret-name':
    'No variable of a template can have this name.\nSave the secret under the name of the variable that takes it: letters, digits and _, no digit first.',
  'secret-empty': 'The secret is empty.',
  'no-site': 'There is no site with this id.',
  'no-certificate':
    'This device is reached over http:// and shows no certificate.\nGive it an https:// address first.',
  'changed-while-tried': 'The device was changed while its sign-in was tried; nothing more was sent.',
  'secret-damaged': 'A stored secret is damaged and cannot be read.\nEnter it again.',
  'vault-without-passphrase':
    'This vault is not protected by a passphrase.\nIt is protected by: {protection}.',
  'vault-key-damaged':
    'The stored key of the vault is damaged.\nPut back the data folder from a copy, or enter the credentials anew in another data folder.',
  'too-much-history':
    'This is too much history for one file.\nNarrow it down by time, device or template; "fieldwright jobs export" writes any amount.',
  'time-form-utc': '"{text}" is not a time; write it like 2026-03-01T08:00:00Z.',
  'no-page': 'This is not the beginning of a page.',
  'ended-meanwhile':
    'Fieldwright ended while this device was being worked on.\nWhat had been sent is checked by reading when the job is resumed.',
  'no-job': 'There is no job "{id}".',
  closing: 'Fieldwright is closing.',
  'nothing-waits': 'Nothing of the job {id} waits for a restart.',
  'job-busy-elsewhere':
    'The job {id} is being worked on right now.\nWait for it to end, or stop it where it was started: in the app or in another terminal.',
  'job-without-device': 'The job has no device "{id}".',
  'vault-key-unreadable': 'The stored key of the vault is damaged.',
  'plain-fields':
    'This would send a user name or password readable over the network; nothing was sent.\nUse https:// for this device, or give your consent for this request.',
  'planning-cancelled': 'Planning was cancelled.',
  'no-device-known': 'None of these devices is known any more.',
  'plan-gone': 'This plan is no longer kept.\nMake the plan again.',
  'plan-device-unlisted':
    'This device of the plan is not in the list of devices; nothing will be sent to it.\nAdd it with this address, then open the plan again.',
  'plan-too-long': 'A plan has at most {max} characters.',
  'plan-not-json': 'The plan is not valid JSON.',
  'charset-broken':
    "The document holds bytes that are not valid in its character set; writing it back would change them on the device, so it is left as it is.\nOften it is a name that was typed in the device's own pages: write it anew there, in plain letters, then try again.",
  'device-given-twice': '{device} is already given in line {line}.',
  'data-folder-busy':
    'Another Fieldwright is writing to this data folder.\nClose the other one, or choose another data folder.',
  'disk-full': 'The disk that holds the data folder is full.',
  'data-folder-read-only':
    'The data folder cannot be written.\nCheck its permissions, or choose another data folder.',
  'database-damaged':
    'The database in the data folder is damaged.\nStart Fieldwright again: the damaged file is set aside and kept.',
  'changed-by-another':
    'Another Fieldwright changed the same data just now; nothing was saved.\nLook at it again, then try once more.',
  'database-foreign':
    'The database in the data folder is not one of Fieldwright, or was changed by another program.\nChoose another data folder, or move fieldwright.db away: Fieldwright then starts with an empty one.',
  'data-folder-unusable':
    'The data folder cannot be read or written.\nIts disk may be full, damaged or disconnected.',
  'data-folder-newer':
    'This data folder was written by a newer Fieldwright.\nIts data has version {current}, this Fieldwright knows up to {latest}. Update Fieldwright, or choose another data folder.',
  'capture-full':
    'There is no room for it in one template.\nCapture chosen sections or channels into several templates.',
  'capture-nothing': 'Nothing of what a template can set could be captured from this device.',
  'capture-counted':
    'Read up to {name} {last}; the device does not tell how many it has, and may have more.\nName others one by one: {resource} with {name}.',
  'no-cause': 'An error without a cause.',
  'limits-unread':
    'What this device reports about its limits cannot be read: {why} What it is set to may go beyond them.\nThe device itself decides; the result is read back.',
  'report-too-large': 'This file is larger than any capability report.',
  'no-report':
    'This is no saved capability report.\nSave one with: fieldwright caps --device … --json > FILE',
  'file-not-json': 'This file is not JSON.',
  'file-bytes': 'The file has {count} bytes; at most {max} are read.',
  'not-unicode':
    'The file is not text in UTF-8 or UTF-16.\nSave it as UTF-8 (in a spreadsheet: "CSV UTF-8").',
  'line-not-utf8-at-all': 'This line holds characters that are not UTF-8: the file is in another encoding.',
  'line-not-utf8': 'This line holds characters that are not UTF-8.',
  'version-meanwhile':
    '{by} saved version {version} of this template meanwhile ({at}).\nCompare the two, then save on top of the newest version, or save as a new template.',
  'start-failed': 'Something unexpected went wrong.\nRunning jobs can be resumed after the next start.',
  'keychain-refused':
    'The keychain of this computer did not give the key of the vault.\nUnlock the keychain and start Fieldwright again. On another computer or account, enter the credentials anew.',
  'screens-not-built': 'The screens of Fieldwright are not built yet.\nRun: npx electron-vite build',
  'resources-missing':
    'The folder resources/ that belongs to Fieldwright is missing.\nInstall Fieldwright again.',
  'input-invalid': 'The input is not valid.',
  'no-simulated-site': 'A simulated site cannot be started from here.',
  'plan-gone-look': 'This plan is no longer kept.\nMake the plan again, look at it, then apply it.',
  'message-unreadable': 'The message could not be read.',
  'host-open':
    '{host} can be reached by other computers; that would need TLS and a passphrase, which this page has not.\nLeave --host out, and reach the page from another computer through an SSH tunnel: ssh -L PORT:127.0.0.1:PORT.',
  'port-unusable':
    'Port {port} on {host} cannot be used.\nAnother program may use it: choose another with --port, or leave it out for any free one.',
  'too-many-files':
    'This computer does not let Fieldwright have more files and connections open.\nClose other programs or work on fewer devices at a time. An administrator can raise the limit of open files (ulimit -n).',
  unexpected:
    'Something unexpected went wrong inside Fieldwright.\nPlease report this with the steps that led here.',
  'went-away':
    'The device went away and did not come back within {minutes} min.\nSee that it has power and network, then follow it up again.',
  'restart-unseen':
    'The device was not seen to restart within {minutes} min. It shows the new values, but did so before, right after the write.\nRestart it while it is followed up: nothing else tells whether it did.',
  'not-restarted':
    'The device was not seen to restart within {minutes} min, and it still shows the old values.\nRestart it, then follow it up again.',
  'old-after-restart':
    'The device restarted, but it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'arrival-unseen':
    'The device does not show whether this write arrived; it was not sent again.\nConfirm it to have it sent once more.',
  'arrival-unseen-once':
    'Whether this write arrived cannot be seen, and sending it twice would not be the same as once.',
  'old-after-ok':
    'The device said OK, but it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-ok-in-part':
    'The device said OK, but it took only a part; it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-refusal':
    'The device refused the write, but it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-refusal-in-part':
    'The device refused the write, but it took only a part; it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-loss':
    'The connection was lost after sending, but it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-loss-in-part':
    'The connection was lost after sending, but it took only a part; it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'device-busy-with-job':
    '{name} is being worked on by the job {job} right now; nothing was sent.\nWait for that job to end, or stop it; or leave this device out.',
  'devices-busy-with-job':
    '{count} devices, one of them {name}, are being worked on by the job {job} right now; nothing was sent.\nWait for that job to end, or stop it; or leave these devices out.',
  'plan-devices-unlisted':
    "None of the plan's devices is in the list of devices: {names}.\nAdd the devices with these addresses, then open the plan again.",
  'plan-parts': 'The plan has too many parts.',
  'plan-depth': 'The plan is nested too deep.',
  'device-gone': 'The device is no longer in the list of devices.\nAdd it again, or name it by its address.',
  'device.no-document': 'The device answered with nothing where a document is due.',
  'device.status-instead': 'The device answered with a status where a document is due.',
  'device.redirect-nowhere': 'The device redirects to an address that is none.',
  'device.redirect-with-user':
    'The device redirects to an address with a user name or password inside; it was not followed.',
  'device.redirect-elsewhere':
    'The device redirects to another address; it was not followed, and nothing was sent there.\nIf the device really is at {address}, change its address to that.',
  'device.redirect-write': 'The device redirects a write; writes are never sent twice.',
  'device.redirects':
    'The device redirects more than {max} times.\nIt may send everything it does not know to its web page: check the path prefix.',
  'vault-unprotected': 'The vault is locked.\nChoose a passphrase for it.',
  'vault-locked': 'The vault is locked.\nUnlock it first; it is protected by: {protection}.',
  'search-seconds': 'A search takes up to {max} seconds.',
  'prefix-missing': 'Name at least one path prefix.',
  'at-most-at-once': 'At most {max} of these at once.',
  'device.sign-in-refused':
    'The device refused user name or password.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.sign-in-refused-left':
    'The device refused user name or password; attempts left before it locks the account: {left}.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.account-locked':
    'The device has locked this account.\nWait until it unlocks, then test the device again. Every further attempt may start the wait anew, so none is made.',
  'device.account-locked-for':
    'The device has locked this account. It unlocks in {time}.\nWait until it unlocks, then test the device again. Every further attempt may start the wait anew, so none is made.',
  'device.sign-in-required': 'The device asks for a user name and password.\nGive this device a credential.',
  'device.sign-in-off':
    'The device asks for a user name and password.\nThe connection profile of this device says not to sign in.',
  'device.unknown-scheme':
    'The device asks for a sign-in in a way that Fieldwright does not know.\nIt offers: {offers}.',
  'device.basic-plain':
    'The device wants the password unprotected (Basic), so it was not sent.\nUse https://, switch Digest on in the device, or set the authentication of this device to "basic" if the network is trusted.',
  'device.basic-unasked':
    'The device wants the password unprotected (Basic), so it was not sent.\nWhoever answers there reads the password. Compare the certificate, then set the authentication of this device to "basic" (--auth basic), or switch Digest on in the device.',
  'device.basic-downgrade':
    'The device wants the password unprotected (Basic), so it was not sent.\nIt offered the safer Digest before: somebody may be in between. Set the authentication of this device to "basic" only if you know why this changed.',
  'device.basic-profile':
    'The device wants the password unprotected (Basic), so it was not sent.\nThe connection profile of this device allows Digest only.',
  'device.paused-locked':
    'Not sent: the device has locked the account.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.paused-failed':
    'Not sent: the sign-in to this device failed before.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.refused':
    'The device refuses connections at this port.\nCheck the port, and whether the web service of the device is switched on.',
  'device.not-http':
    'The answer is not HTTP, or breaks its rules.\nCheck address, port and whether the device expects https://.',
  'device.headers-too-large': 'The headers of the answer are too large.',
  'device.broke-off':
    'The connection broke off before the answer was complete.\nTry again. If it always happens, check whether this port expects https://, and what lies between this computer and the device.',
  'device.broke-off-early': 'The connection broke off while it was being made.',
  'device.packed-broken':
    'The answer is compressed, and its compressed data is broken.\nTry again. If it always happens, check what lies between this computer and the device.',
  'device.no-connection':
    'No connection to the device came about in time; nothing was sent.\nCheck power and cabling, and whether the address is still right.',
  'device.unknown-name': 'The name of the device is not known on this network.\nUse its IP address.',
  'device.not-permitted':
    'The operating system does not let Fieldwright connect to this address.\nCheck the firewall of this computer, and its privacy settings for the local network.',
  'device.nobody-there':
    'Nobody answers at this address.\nCheck power and cable of the device, and that this computer is in its network. It may have another address now: search for it.',
  'device.no-way':
    'There is no way to the device from this computer.\nCheck that this computer is connected, and in the same network as the device.',
  'device.no-certificate': 'The device showed no certificate; nothing was sent.',
  'device.certificate-changed':
    'The certificate of the device is not the one that was accepted for it; nothing was sent.\nAccept the new one only if you know why it changed: compare its fingerprint with the one the device shows.',
  'device.old-tls':
    'The device knows only outdated encryption: a version of TLS before 1.2, or keys that are too weak. Nothing was sent.\nUpdate the firmware of the device, or switch TLS 1.2 on in it. In a network you trust it can be reached with http:// instead; Digest does not send the password itself.',
  'device.no-tls':
    'This port does not speak https://; nothing was sent.\nCheck the port, or try the address with http://.',
  'device.no-agreement':
    'No secure connection could be agreed on; nothing was sent.\nCheck the port, and whether the web service of the device speaks https:// there.',
  'device.timeout':
    'The device took the request but did not answer within {seconds} s.\nIt may be busy or restarting: wait a minute, then try again. Where it is always slow, give its connection profile a longer deadline.',
  'device.timeout-begun':
    'The device began to answer but did not come to an end within {seconds} s.\nIt may be busy or restarting: wait a minute, then try again. Where it is always slow, give its connection profile a longer deadline.',
  'device.answer-too-large': 'The answer is larger than {megabytes} MiB and was not read further.',
  'device.certificate-self-signed':
    'The certificate of the device is not trusted: it is self-signed. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-issuer':
    'The certificate of the device is not trusted: its issuer is not known to this computer. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-expired':
    'The certificate of the device is not trusted: it has expired. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-early':
    'The certificate of the device is not trusted: it is not valid yet. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-other-name':
    'The certificate of the device is not trusted: it was issued for another name. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-unverified':
    'The certificate of the device is not trusted: it could not be verified. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'old-after-timeout':
    'The device did not answer in time, but it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-timeout-in-part':
    'The device did not answer in time, but it took only a part; it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-unreadable':
    'The answer could not be read, but it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-unreadable-in-part':
    'The answer could not be read, but it took only a part; it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-redirect':
    'The device answered with a redirect, but it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'old-after-redirect-in-part':
    'The device answered with a redirect, but it took only a part; it still shows other values for: {names}.\nThe device may not support these values, or another program may have set them back.',
  'no-parameter': '{operation} has no parameter {name}.',
  'range-from': '{field} must be at least {min}.',
  'range-up-to': '{field} must be at most {max}.',
  'range-between': '{field} must be {min} to {max}.',
  longer: '{field} must not be longer than {max} characters.',
  shorter: '{field} must have at least {min} characters.',
  'not-in-path': '{field} cannot stand in a path.',
  'only-on-device': '{field} can only be {options} on this device.',
  'must-be-one-of': '{field} must be one of: {options}.',
  'not-known': '{field} is not known.',
  'is-required': '{field} is required.',
  stays: '{field} is required and cannot be removed.',
  'read-only': '{field} is told by the device and cannot be set.',
  'document-bytes': 'The document is longer than {limit} bytes; it was not read.',
  'document-depth': 'The document is nested deeper than {limit}; it was not read.',
  'document-nodes': 'The document is made of more parts than {limit}; it was not read.',
  'document-mends': 'The document holds more than {limit} bare "&"; it was not read.',
  'other-body':
    'The device answered with {came} where {due} was due.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'other-root':
    'The device answered with <{came}> where <{due}> was due.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'other-object':
    'The device answered with an object without {due}; it holds: {came}.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'json-broken':
    'The JSON document is not well formed.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'json-cut':
    'The JSON document is cut off.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-doctype':
    'The document declares a DOCTYPE or entities; such documents are refused.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-cut':
    'The XML document is cut off.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-broken-at':
    'The XML document is not well formed (line {line}, column {column}).\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-roots':
    'The XML document does not have exactly one root element.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'not-in-xml': '{field} holds a control character that XML cannot carry.',
  'not-writable': '{field} cannot be written in this format.',
  'device.locked':
    'The account is locked after wrong passwords.\nWait until the lock ends; nothing is tried again until then.',
  'device.sign-in-failed':
    'The device did not accept user name and password.\nCheck user name and password; it is not tried again by itself, for the device may lock the account.',
  'device.busy': 'The device is busy.\nTry again in a moment.',
  'device.own-error': 'The device reports an error of its own.\nTry again; restart the device if it stays.',
  'device.operation-not-now': 'The device does not allow this operation now.',
  'device.format': 'The device could not read the request.',
  'device.content': 'The device does not accept this content.',
  'device.restart':
    'The device took the setting and needs a restart before it counts.\nRestart the device, then read the setting again.',
  'device.not-supported': 'The device does not support this.',
  'device.not-supported-at-all':
    'The device does not support this.\nIf it answers everything like this, it uses another path prefix.',
  'device.no-rights': 'The device refused the request.\nThe rights of the user may not suffice for this.',
  'device.refused-request': 'The device refused the request.',
  'doctor.no-interface':
    'This computer has no network interface to search on.\nPlug in the network cable or switch on the wireless network, and check that the interface has an address.',
  'doctor.not-permitted':
    'The operating system does not let Fieldwright search on {interface}.\nAllow Fieldwright in the firewall and in the privacy settings for the local network, then search again. A sweep may work meanwhile.',
  'doctor.port-in-use':
    'Another program keeps UDP port 5353 on {interface} for itself.\nEnd the other program that does mDNS, or sweep the network instead.',
  'doctor.no-multicast-route':
    'Multicast has no way out of {interface}.\nGive {interface} a route for 224.0.0.0/4, check VPN software, or sweep the network instead.',
  'doctor.send-failed':
    'The search could not be sent on {interface}.\nUnplug and replug the interface, or sweep the network instead.',
  'doctor.nothing-heard':
    'Nothing at all was heard on {interface}, not even our own queries.\nSuspect the firewall of this computer: allow incoming UDP port 5353. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away too; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.nothing-heard-here':
    'Nothing at all was heard on {interface}, not even our own queries, while {others} hears others.\nSuspect the firewall of this computer: allow incoming UDP port 5353. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away too; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.only-this-computer':
    'Only this computer itself was heard on {interface}.\nCheck that the cable leads to the network of the devices and that they have power. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.only-this-computer-here':
    'Only this computer itself was heard on {interface}, while {others} hears others.\nCheck that the cable leads to the network of the devices and that they have power. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.no-web-services':
    'Others speak on {interface}, but none announces a web service.\nThe announcements of the devices may be switched off: sweep the network or add a device by its address.',
  'doctor.other-subnet':
    'Devices are on the wire with an address outside the networks of this computer.\nGive this computer a second address in the network of the device, or give the device an address of this network; then search again.',
  'doctor.no-dhcp':
    'Devices have given themselves an address (169.254.x.x): they found no DHCP server.\nCheck the DHCP server or its VLAN, or give this computer an address in 169.254.0.0/16 to configure them.',
  'doctor.address-conflict':
    'Two devices claim the same address; whoever answers may change from one moment to the next.\nDisconnect one of them and give it another address.',
  'doctor.identity-conflict':
    'The same name or serial number is announced from two places at once.\nGive one of the devices another name; until then add each by its address.',
  'doctor.interface-gone':
    'The interface {interface} went away during the search.\nCheck its cable; when it is back it is searched again by itself.',
  'doctor.ipv6-unavailable':
    'IPv6 multicast does not work on {interface}; only IPv4 is searched there.\nMost devices announce themselves over IPv4 as well: nothing to do unless a device has IPv6 alone.',
  'doctor.unreadable-packets':
    'Some packets on {interface} could not be read.\nSome device announces itself wrongly; add it by its address if it is the one you miss.',
  'doctor.wrong-port':
    'Some hosts are there but refuse the ports that were asked.\nThe web service may use another port or be switched off; sweep with the port from the settings of the device.',
  'doctor.tls-only':
    'Some devices answer encrypted only.\nAdd them with https:// and accept their certificate after comparing its fingerprint.',
  'doctor.other-prefix':
    'Some devices speak this interface below another path.\nLook up the first path segment in the manual of the device and set it as path prefix, or let the connection probe try the known profiles.',
  'doctor.other-web':
    'Some web servers do not answer as this interface.\nIf one of them is the device, it uses another path prefix; otherwise leave it alone.',
  'doctor.not-http':
    'Some open ports speak neither HTTP nor HTTPS.\nAnother service lives there; look for the web port in the settings of the device.',
  'doctor.sweep-silent':
    'None of the addresses of the range gave any sign.\nCheck that this is the network of the devices, that the cable leads there, and that no firewall stands between.',
  'doctor.sweep-blocked':
    'The operating system refused connections to the range.\nCheck the firewall of this computer and whether it has a route to that network.',
  'doctor.all-well':
    'Devices answer; nothing seems to be in the way.\nA device that is still missing may have its announcements switched off: sweep its network or add its address.',
  'xml-broken':
    'The XML document is not well formed.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
  'xml-text-outside':
    'The XML document has text outside its root element.\nCheck that address and path prefix are those of this device, and that nothing in between answers for it.',
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
  'an empty body',
  'plain text',
  'a web page (HTML)',
  'a single value',
  'none',
  'the whole list',
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

/** Message, detail and, where its entry has one, hint of an error at once. */
export function say<Id extends DetailId>(
  id: Id,
  ...values: ValuesOf<Id>
): Pick<ErrorShape, 'message' | 'hint'> & { readonly detail: Detail } {
  const detail = detailOf(id, ...values);
  return { ...sentences(detailText(detail)), detail };
}

/** The first of many names, and how many more there are. */
export function someOf(names: readonly string[], most = 10): string {
  return names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} … (+${names.length - most})`;
}

/** What happened, and what to try, as an entry of the catalogue holds them: in two lines. */
export function sentences(text: string): Pick<ErrorShape, 'message' | 'hint'> {
  const [message = '', hint] = text.split('\n');
  return hint === undefined ? { message } : { message, hint };
}
