/** People on terminals: reading, importing, copying and removing them. */
export const PEOPLE = {
  // reading
  'people-title-import': 'Import of people',
  'people-title-copy': 'Copy of people',
  'people-title-remove': 'Removal of people',
  'people-title-from': '{work}: {from}',
  'people-page-repeated':
    'The device repeated people instead of going on at position {position}; what follows was not read.',
  'people-asked-again': 'The device repeated a page at position {position}; asked again, it went on.',
  'people-twice': 'The device listed {count} {count:person|people} twice.',
  'people-nameless': 'The device listed {count} {count:person|people} without an employee number.',
  'people-other-number': 'The device says it has {total} people and gave {read}.',
  'people-no-progress':
    'The device said there is more at position {position} and gave nothing; what follows was not read.',
  'people-without-end':
    'The device sent more people than it says it has, without end; reading was stopped after {read}.',
  'people-too-much':
    'The device sent more than {max} MB of people, far more than its people take; reading was stopped.',
  'work-too-large':
    'These devices and files gave more than {max} MB for one piece of work; it was not kept.\nTake fewer of them at once.',
  'people-page-count': 'The device announced {said} people in an answer and sent {came}.',
  'people-total-changed': 'People came or went while they were read: {from} at first, {to} in the end.',
  'people-incomplete': 'This list of people is not whole.\nRead it again when nobody changes it.',
  'people-no-person': 'The device has nobody with the employee number {employeeNo}.',
  'people-exported':
    '{count} {count:person|people} written to {file}; passwords and dynamic codes are left out.',
  'people-not-exported': 'Nothing was written to {file}; what stood there before is still there.',
  'people-no-column': 'The file has no column "{heading}".',
  'people-column-twice':
    'Two columns hold {field}: {headings}.\nSay which one counts with --map, and leave the other out with --map HEADING=.',
  'people-no-number-column': 'No column has the employee number.\nName it with --map HEADING=employeeNo.',
  'people-no-field': 'A person has no field {field}.',
  'people-number-shortened':
    'A spreadsheet has shortened the number to {text}: its digits are lost.\nFormat the column as text and fill it in again.',
  'people-number-decimal':
    'A spreadsheet has made the decimal number {text} of it: employee numbers have no decimals, and zeros before it are lost.\nFormat the column as text and fill it in again.',
  'people-number-error':
    '{text} is an error of a spreadsheet, not an employee number.\nMend the formula of the column, or fill the numbers in.',
  'people-number-formula': '"{text}" is no employee number but a formula or several cells in one.',
  'people-number-none': '"{text}" has neither a letter nor a digit: it is no employee number.',
  'people-number-inexact':
    'JSON cannot hold the number {text} exactly, so its digits are not certain.\nWrite it in quotes.',
  'people-number-text': 'An employee number is a text, in quotes.',
  'people-marks-off':
    'Another program put marks around {count} {count:employee number|employee numbers} ({from}); {count:it is|they are} read without them ({to}).',
  'people-cells-marks-off':
    'Another program put marks around {field} of {count} {count:person|people}; the values are read without them.',
  'people-no-flag': '"{text}" is neither yes nor no.',
  'people-no-number': '"{text}" is no whole number.',
  'people-no-list': '"{text}" is no list.',
  'people-no-plans': '"{text}" is not of the form 1=1,3; 2=4 (door and schedule templates).',
  'people-no-moment': '"{text}" is no date and time.\nWrite it as 2030-01-31 08:00:00.',
  'people-two-moments':
    '"{text}" may be two different days.\nSay with --dates dmy or mdy what comes first, or write 2030-01-31.',
  'people-again': 'The employee number {employeeNo} is already in a row above.',
  'people-column-ignored': 'The column "{heading}" is not used.',
  'people-cells': 'The row has {cells} cells, the headings are {columns}.',
  'people-empty-file': 'There is nothing in the file.',
  'people-line-long': 'This line is longer than a person can be; it was not read.',
  'people-no-json': 'This line is no JSON; perhaps it is cut off.',
  'people-no-object': 'This is no object.',
  'people-member-other':
    '{name} is not in the specification and is sent as it is ({count} {count:person|people}).',
  'people-member-near': '{name} is no field of a person; {nearest} may be meant.',
  'people-other-known':
    '"{name}" is a field of a person and does not belong into "other".\nGive it a column or member of its own.',
  'people-incomplete-look':
    'The device reports more people than it returned, so missing people cannot be determined.\nTry again when no one is changing its people.',
  'people-no-delete': 'An import deletes nobody.\nUse "users remove".',
  'people-ends-first': 'The validity ends before it begins.',
  'people-plan-without-doors':
    'planTemplateNo needs the doors that it is for, in doorRight, and no RightPlan beside it.',
  'people-beyond-span': 'This terminal takes a validity between {first} and {last}.',
  'people-claimed':
    "The terminal's own capability rules out {count} {count:person|people}, who {count:is|are} not sent. That capability is not part of the specification.\nTo let the terminal decide: --despite-capability.",
  'people-own-capability':
    'This terminal has a capability of people, which is not part of the specification: its limits are its own claim.',
  'people-capability-silent':
    'The terminal gave no answer at the address of its capability of people, which is not part of the specification. The plan goes on without the limits that it may have there.',
  'people-validity-meant':
    '{count} {count:person has|people have} a first or last day and no "Valid.enable" (limit validity): the validity is limited to these days.',
  'people-code-page': 'The file is not Unicode; it is read as {codePage}.',
  'people-no-plan': 'There is no plan or job on people "{id}", or it was forgotten.',
  'people-no-capacity': 'The device does not tell how many people it takes.',
  'people-may-be-lost': '{name} of {count} {count:person|people} may be lost: nobody on the device has it.',
  'people-unseen-left-out':
    '{name} of {count} {count:person|people} may be lost: the device does not show it, so that the change goes without it. Whether a device keeps it cannot be verified.\nPut it into the file, or try one person first and check at the terminal.',
  'people-unseen-not-copied':
    '{name} of {count} {count:person|people} is not copied, if they have one: the device that they come from does not show it.',
  'people-no-room':
    'The device says that it takes {capacity} people; with these it would have {people}. It may refuse some.',
  'people-full': 'The device is full.',
  'people-changed-meanwhile':
    'Somebody changed this person since the plan was made; nothing was sent.\nPlan again.',
  'people-gone-meanwhile':
    'This person is gone from the device since the plan was made; nothing was sent.\nPlan again.',
  'people-still-there': 'The device said yes and still has this person.',
  'people-not-there': 'The device said yes and does not have this person.',
  'people-not-kept': 'The device said yes and does not show as it was sent: {fields}.',
  'people-still-there-after-refusal': 'The device refused to remove this person.',
  'people-still-there-after-loss':
    'The answer of the device was lost, and it still has this person.\nRemove them again.',
  'people-still-there-after-unreadable':
    'The answer of the device was neither yes nor no, and it still has this person.\nRemove them again.',
  'people-not-there-after-refusal': 'The device refused this person.',
  'people-not-there-after-loss':
    'The answer of the device was lost, and it does not have this person.\nImport the row again.',
  'people-not-there-after-unreadable':
    'The answer of the device was neither yes nor no, and it does not have this person.\nImport the row again.',
  'people-not-kept-after-refusal':
    'The device refused it and took a part; it does not show as it was sent: {fields}.',
  'people-not-kept-after-loss':
    'The answer of the device was lost, and it does not show as it was sent: {fields}.',
  'people-not-kept-after-unreadable':
    'The answer of the device was neither yes nor no, and it does not show as it was sent: {fields}.',
  'people-prints-still-there': 'The device still has fingerprints of this person.',
  'people-prints-unseen': 'The person is gone; nobody could look whether their fingerprints are.',
  'people-prints-follow':
    'Fingerprints of {count} {count:person|people} follow, once the people are proven to be there.',
  'people-prints-stay': 'Fingerprints of {count} {count:person|people} stay behind, as asked for.',
  'people-prints-lost':
    '{count} {count:fingerprint is not on a reader as it is where it comes|fingerprints are not on a reader as they are where they come} from.\nThe results of the job say which, and why.',
  'people-some-failed': '{count} {count:person is|people are} not as asked.',
  'people-too-many': 'More than {max} people are not taken at once.',
  'people-copy-incomplete': 'The device that people are copied from did not give everybody.',
  'people-left-behind':
    '{name} of {count} {count:person|people} stays behind: this interface cannot bring it to another device.',
  'people-failed-too-many':
    'So many rows went wrong that only the command line can write them: users failed.',
  'people-plan-begun': 'This plan was carried out already; its job holds it.',
  'people-number-taken':
    'This number belongs to someone else on the device.\nGive one of them another number, or allow that people are replaced.',
  'people-numbers-taken':
    '{count} {count:number belongs|numbers belong} to someone else here. Nothing is sent for {count:it|them}.',
  'people-outcome-there':
    '{done} of {people} {people:person is|people are} on {devices:the terminal|all terminals}, read back.',
  'people-outcome-removed':
    '{done} of {people} {people:person is|people are} gone from {devices:the terminal|all terminals}, read back.',
  'people-outcome-unseen':
    '{count} {count:was|were} accepted; a terminal does not show what it keeps, so this is not confirmed.',
  'people-outcome-unsent':
    'Changes went without {name}, which {count} {count:terminal does|terminals do} not show: it was not read back, and may be lost if it was set there. Check one person at the terminal.',
  'people-outcome-restart': '{count} {count:takes|take} effect when a terminal has restarted.',
  'people-outcome-some': '{count} {count:is|are} on some of the terminals only.',
  'people-outcome-some-left': '{count} {count:is|are} still on some of the terminals.',
  'people-outcome-nowhere': '{count} {count:is|are} on no terminal as asked.',
  'people-outcome-nowhere-removed': '{count} {count:was|were} removed from no terminal.',
  'people-outcome-open': '{count} {count:is|are} not finished or not known yet.',
  'people-ask-remove': 'Remove {people} from {devices}?',
  'people-ask': 'Send this to {count} {count:device|devices}?',
  'people-bad-rows': '{bad} of {rows} rows {bad:is|are} wrong and {bad:goes|go} to no device.',
  'people-failed-written': '{count} {count:row that went wrong is|rows that went wrong are} in {file}.',
  'people-unit-write': 'People',
  'people-unit-prove': 'Proof by reading',
  'people-compared':
    '{same} of {people} {people:person|people} match on all terminals; {differing} are missing or differ.',
  'people-compare-two': 'users compare needs two devices or more.',
  'people-out-needed': 'users {command} needs --out FILE; - is standard output.',
  'people-prints-go':
    '{count} {count:fingerprint of these people goes|fingerprints of these people go} too; the receipt says what became of them.',
  'people-prints-go-uncounted':
    'Fingerprints of {count} {count:person|people} go too; the device does not say how many they are.',
  'people-receipt-gone': '{count} {count:person is|people are} gone, read back.',
  'people-receipt-absent': '{count} {count:person was|people were} not there.',
  'people-receipt-still-there': '{count} {count:person is|people are} still there.',
  'people-receipt-refused': 'The device refused to remove {count} {count:person|people}.',
  'people-receipt-needs-reboot': '{count} {count:person goes|people go} when the device is restarted.',
  'people-receipt-open': 'It is not known yet whether {count} {count:person is|people are} gone.',
  'people-receipt-prints-gone':
    'Fingerprints: {removed} removed; {count} {count:person has|people have} none left, read back.',
  'people-receipt-prints-still-there': 'Fingerprints of {count} {count:person|people} are still there.',
  'people-receipt-prints-not-looked-at': 'Fingerprints of {count} {count:person|people}: not looked at.',
  'people-receipt-hint': 'For a deletion receipt: users receipt {id} --out FILE',
  'people-no-removal': 'The job {id} removed nobody.',
} as const;
