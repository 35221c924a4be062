/** What is wrong with a command, so that nothing is done. */
export const CLI_REFUSALS = {
  'cli.password-argument':
    'A password is never taken from an argument: other programs and the shell history see it.\nSet FIELDWRIGHT_PASSWORD, save it with the device, or answer the prompt.',
  'cli.user-needed': 'A sign-in needs a user name.',
  'cli.password-empty':
    'The password is empty.\nSet FIELDWRIGHT_PASSWORD, or run this at a terminal to be asked.',
  'cli.no-change-password':
    'Nothing is to be changed.\nSet FIELDWRIGHT_PASSWORD, or run this at a terminal to be asked.',
  'cli.target-needed': 'It is not said to what.\nUse --device, --tag or --site.',
  'cli.keys-export-out': 'keys export needs --out FILE.',
  'cli.passphrase-needed':
    'The file needs a passphrase.\nSet FIELDWRIGHT_EXPORT_PASSPHRASE, or run this at a terminal to be asked.',
  'cli.secret-empty': 'The secret is empty.\nSet {variable}, or run this at a terminal to be asked.',
  'cli.secret-missing': 'The secret is missing.\nSet {variable}, or run this at a terminal to be asked.',
  'cli.no-secret': 'There is no saved secret "{name}".\nfieldwright secret list shows them.',
  'cli.apply-what': 'apply needs either --template FILE or --plan PLAN.',
  'cli.apply-confirm':
    'Nothing was sent: applying needs a confirmation.\nLook at the plan first (fieldwright plan), then repeat with --yes.',
  'cli.plan-template': 'plan needs --template FILE.',
  'cli.state-cancelled': 'Cancelled; nothing was kept.',
  'cli.swap-state': 'swap needs --state ID; fieldwright state list shows them.',
  'cli.parameter-twice': 'The parameter "{name}" was given twice.',
  'cli.call-refused': 'The device refused.',
  'cli.call-unknown': 'What became of the call is not known.',
  'cli.method': 'The method is one of {methods}, not "{method}".',
  'cli.sign-in-or-user': 'Name either a saved sign-in or a user.\nLeave --user or --credential out.',
  'cli.address-with-user':
    'An address must not hold a user name or password.\nGive the name with --user and the password in FIELDWRIGHT_PASSWORD.',
  'cli.with-sweep': '--ports and --force go with --sweep.',
  'cli.seconds': '--seconds takes a number up to 3600, not "{text}".',
  'cli.other-interface':
    'Something answers at this address, but not this interface.\nfieldwright device probe ADDRESS says what was tried. Another path prefix is named with --prefix.',
  'cli.nothing-answers':
    'Nothing answers at this address.\nfieldwright device probe ADDRESS says what was tried. Another path prefix is named with --prefix.',
  'cli.which-certificate':
    'Which certificate to trust is missing.\nName its SHA-256 fingerprint with --fingerprint, or run this at a terminal to see what the device shows.',
  'cli.http-only':
    'This device is reached over http:// and shows no certificate.\nGive it an https:// address first.',
  'cli.one-device-only': 'A name or an address is of one device.',
  'cli.no-change': 'Nothing is to be changed.',
  'cli.no-flow': 'There is no flow "{name}".\nfieldwright flow list shows all.',
  'cli.flow-confirm':
    'A flow writes to the device; nothing was sent.\nAdd --yes, or run it at a terminal, where it asks before each write.',
  'cli.answers-missing': 'The answers have no value for {names}.',
  'cli.no-record':
    '{named} is no record, or its content is not what was hashed.\nfieldwright flow verify tells what is wrong with a file.',
  'cli.jobs-export-out': 'jobs export needs --out FILE; - is standard output.',
  'cli.format-csv-json': '--format takes csv or json, not "{format}".',
  'cli.state-one-of': '--state takes {states}, not "{given}".',
  'cli.day-or-time': '{option} takes a day or a time like 2026-03-01 or 2026-03-01T08:00:00Z, not "{text}".',
  'cli.cancelled-plan': 'Cancelled before the plan was complete.',
  'cli.undo-not-there': 'The job {job} wrote nothing to a device "{reference}".',
  'cli.undo-confirm':
    'Nothing was sent: undoing needs a confirmation.\nRepeat with --yes. That also overwrites what others have set since on the same fields.',
  'cli.one-of': '{option} takes {allowed}, not "{text}".',
  'cli.ports-full': '{devices} {devices:device does|devices do} not fit above port {port}.',
  'cli.scenario-line': 'Line {line} of the scenario: {reason}',
  'cli.kind-one-of': 'A kind is one of {kinds}, not "{word}".',
  'cli.new-or-as': '--new and --as cannot both be.',
  'cli.own-templates-same':
    '{count} own templates are called "{name}".\nSay which with --as ID, or save another one with --new.',
  'cli.remove-confirm':
    'Nothing was removed: the versions of a template are gone for good.\nRepeat with --yes.',
  'cli.body-no-json': 'The body is not JSON: this line is wrong, or the one before it has no end.',
  'cli.heading-twice': 'The heading "{name}" stands twice.',
  'cli.row-cells': 'The row has {cells} cells, the headings are {names}.',
  'cli.no-device': 'No device was named.\nUse --device URL, --devices FILE, --tag TAG or --site SITE.',
  'cli.one-device': 'This command takes one device, {count} were named.',
  'cli.no-tag': 'No device has the tag "{tag}".',
  'cli.no-device-at-site': 'No device belongs to the site "{name}".',
  'cli.no-device-column':
    'The file has no column "device".\nColumns: device, name, user, prefix, namespace, certificate. Passwords never stand in a file.',
  'cli.row-without-device': 'This row names no device.',
  'cli.password-column':
    'The file has a column of passwords; nothing was sent.\nRemove the column. The password comes from FIELDWRIGHT_PASSWORD, the vault or a prompt.',
  'cli.no-file': 'There is no such file.',
  'cli.is-folder': 'This is a folder, not a file.',
  'cli.no-permission': 'This file may not be read.',
  'cli.unreadable': 'The file could not be read.',
  'cli.stdin-twice':
    'Standard input is named twice and can be read once only.\nPut one of the two into a file.',
  'cli.file-too-large': 'The file is larger than {size} MB.',
  'cli.unwritable': 'This file could not be written.',
  'cli.may-not-write': 'You have no permission to write this file.\nChoose another folder or name.',
  'cli.file-in-use': 'This file is open in another program.\nClose it there, or choose another name.',
  'cli.no-room': 'The disk has no room for this file.\nMake room, or choose another disk.',
  'cli.no-folder': 'The folder of this file does not exist.',
  'cli.file-there': 'There is such a file already.\nChoose another name.',
  'cli.file-there-force': 'There is such a file already.\nChoose another name, or replace it with --force.',
  'cli.secret-in-answers':
    'A secret is not taken from a file with answers.\nSet {variable}, or answer the prompt.',
  'cli.sites-same': '{count} sites have the name "{reference}".\nUse the id.',
  'cli.no-site':
    'There is no site "{reference}".\nfieldwright site list shows them; fieldwright site add NAME makes one.',
  'cli.credentials-same': '{count} saved sign-ins have the name "{reference}".\nUse the id.',
  'cli.no-credential': 'There is no saved sign-in "{reference}".\nfieldwright credential list shows them.',
  'cli.profiles-same': '{count} connection profiles have the name "{reference}".\nUse the id.',
  'cli.no-profile': 'There is no connection profile "{reference}".\nfieldwright profile list shows them.',
  'cli.no-template': 'There is no template "{reference}".\nfieldwright template list shows them.',
  'cli.templates-same': '{count} templates are called "{reference}".\nName one by its id: {ids}.',
  'cli.bundled-template':
    '"{name}" ships with the app: it has no versions and cannot be changed.\nExport it, then save it as your own.',
  'cli.password-missing':
    'The password of {user} is missing.\nSet FIELDWRIGHT_PASSWORD, or run this at a terminal to be asked.',
  'cli.cancelled': 'Cancelled.',
  'cli.secret-argument':
    '"{name}" is a secret and is not taken from an argument.\nSet {variable}, save it with fieldwright secret set {name}, or answer the prompt.',
  'cli.values-one-file': '--values takes one file.',
  'cli.device-twice': '{reference} is already given in line {line}.',
  'cli.value-twice': 'The value of "{name}" was given twice.',
  'cli.language-tag': '"{lang}" is no language tag.\nFor instance en or zh-CN.',
  'cli.auth-one-of': '--auth takes auto, digest, basic or none, not "{text}".',
  'cli.record-format': 'A record is written as .json, .html or .pdf.',
  'cli.needs-option': '{command} needs {option}.',
  'cli.takes-one': '{command} takes one {option}.',
  'cli.map-form': '--map takes COLUMN=FIELD, not "{text}".',
  'cli.copy-onto-itself': 'People are not copied onto the device they come from.',
  'cli.people-unconfirmed':
    'Nothing was sent: changing people needs a confirmation.\nLook at the plan first with --dry-run, then repeat with --yes.',
  'cli.prints-unconfirmed':
    'Fingerprints are written to devices, or to a file; nothing was sent.\nAdd --yes, or run it at a terminal with a file, where it asks first.',
} as const;
