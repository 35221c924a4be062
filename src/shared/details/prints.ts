/** Fingerprints: results of readers, lines of files, guided enrolment. */
export const PRINTS = {
  'print-failed': 'The reader failed.\nTry it again; look at the reader where it happens again.',
  'print-taken': 'The reader has the fingerprint.',
  'print-offline':
    'The fingerprint module is offline.\nSee that the reader is connected, then send it again.',
  'print-poor-quality':
    'The quality of the fingerprint is poor.\nCapture the finger anew: clean and dry, flat on the sensor.',
  'print-memory-full':
    'The memory of the reader is full.\nRemove fingerprints from it; sending it again changes nothing.',
  'print-exists': 'Person {owner} has this fingerprint on the reader already.',
  'print-exists-own':
    'This person has the same fingerprint on the reader under another number.\nRemove that one first, or leave this one out.',
  'print-exists-unnamed': 'Somebody has this fingerprint on the reader already; the device does not say who.',
  'print-illegal-id':
    'The reader does not take a finger of this number.\nUse a lower number; older readers keep fewer fingers of a person.',
  'print-nothing-to-do':
    'The reader says that it needs no configuration, and it does not have the fingerprint.\nCheck that this reader takes fingerprints.',
  'print-there-already': 'The reader had the fingerprint already.',
  'print-needs-reboot': 'The device does this with its next restart.\nRestart it, then look again.',
  'print-unknown':
    'It is not known what the device did.\nResume the job: the device is looked at first, and what is there is not sent again.',
  'print-reader-too-old':
    'The version of the reader is too low for this fingerprint.\nUpdate the reader, or enrol a normal fingerprint.',
  'print-unknown-code': 'The reader answered {code}, which the specification does not have.',
  'print-unanswered': 'The device took the fingerprint and said nothing about this reader.',
  'print-ignored': 'The fingerprint was sent, and the device does not show it.',
  'print-differs': 'The device shows another fingerprint under this number.',
  'print-differs-in': 'The device keeps the fingerprint otherwise than asked (asked → shown): {differences}.',
  'print-not-shown':
    'The device says that it has {told} fingerprints of this person, and shows {shown}.\nThe others were left out; look at the person at the device itself.',
  'print-refused': 'The device refused the request.',
  'print-removed': 'The fingerprint is gone; the device was asked again.',
  'print-absent': 'There was no such fingerprint on the reader.',
  'print-still-there': 'The fingerprint is still there.\nRemove it at the device itself.',
  'print-bad-line': 'This line was left out.',
  'print-not-sent': 'The fingerprint was not sent.',
  'prints-person-unknown':
    'The device knows no such person.\nCopy or import the people first, or send it without the check.',
  // the command line
  'prints-ask-import':
    '{prints} {prints:fingerprint|fingerprints} of {people} {people:person|people} {prints:goes|go} to {devices} {devices:device|devices}, readers {readers}. {bad} {bad:line|lines} cannot be used.',
  'prints-ask-copy':
    'Fingerprints go from {from} to {devices} {devices:device|devices} and are compared afterwards.',
  'prints-ask-remove':
    'Fingerprints of {people} {people:person|people} are removed from {devices} {devices:device|devices} for good.',
  'prints-ask-export':
    'The templates of all fingerprints of {from} are written readable to {file}: biometric data, which anybody who has the file can use.',
  'prints-ask-enrol':
    'Finger {finger} of person {employeeNo} is captured at {device} and sent to {devices} {devices:device|devices}.',
  'prints-put-on': 'Put the finger on now: {device}, reader {reader}. Waiting for {seconds} s.',
  'prints-there':
    '{device} has this finger of this person already; nothing was done. Say whether to take it as it is or to capture it anew.',
  'prints-not-put-back':
    '{device} could not be asked again: look there whether the finger was kept, and remove it where it was.',
  'prints-ask-go-on': 'Go on?',
  'prints-sending': 'Sending',
  'prints-result-place': '{device}, person {employeeNo}, finger {finger}, reader {reader}',
  'prints-result-line': 'Line {line}',
  'prints-kept': 'What is left of the job stays sealed in the vault for {days} days at most.',
  'prints-forgotten': 'The fingerprints of the job were wiped; it cannot go on.',
  'prints-nothing-kept': 'The job keeps no fingerprints.',
  'prints-exported':
    '{count} {count:fingerprint was|fingerprints were} written to {file}. Delete the file when it is no longer needed.',
  'prints-line-long': 'The line is longer than {max} characters.',
  'prints-line-cut': 'The line breaks off: the file was cut off here.',
  'prints-line-json': 'The line is not JSON.',
  'prints-line-object': 'The line is JSON, but not an object.',
  'prints-line-utf8': 'The line is not UTF-8.',
  'prints-line-data': 'fingerData is missing: there is no fingerprint to send.',
  'prints-line-twice': 'This finger of this person stands on line {line} already.',
  'prints-lines-unknown': 'Members that fingerprints do not have were left out: {names}.',
  'prints-no-device': 'No device was chosen.',
  'prints-no-person': 'No person was named.',
  'prints-none': 'There is no fingerprint to send.',
  'prints-own-source': '{name} cannot be source and target at once.',
  'prints-reader': 'Readers are numbered 1 to {max}.',
  'prints-gone':
    'The fingerprint is no longer kept: the data of a job is wiped when it ends, or after {days} days.',
  'prints-gone-source': 'The device that it comes from no longer has this fingerprint.',
  'prints-withheld': 'The device that it comes from does not give this fingerprint out.',
  'prints-withheld-all':
    '{count} {count:fingerprint is|fingerprints are} not in the file: the device does not give {count:it|them} out.',
  'prints-not-shown-all':
    '{count} {count:fingerprint is|fingerprints are} missing: the device says that it has {count:it|them}, and does not show {count:it|them}. People: {people}.',
  'prints-readers-refused': 'Not every reader did as asked (reader: code): {readers}.',
  'prints-set-up-failed': 'The device answered: {status}.',
  'prints-input-open':
    'The input had not ended when Fieldwright did; what had come until then was done.\nGive the rest again: what is there already is told and not sent twice.',
  'prints-too-long':
    'The device sent a fingerprint template of more than {max} characters; it was not taken.',
  'prints-unreadable': 'The answer about fingerprints could not be understood.',
  'prints-title-import': 'Enrol fingerprints',
  'prints-title-enrol': 'Enrol a finger',
  'prints-title-copy': 'Copy fingerprints',
  'prints-title-remove': 'Remove fingerprints',
  'prints-unit': 'Fingerprints',
  'prints-unit-encrypted': 'Fingerprints, encrypted by our own reading of the specification',
  'prints-unit-source': 'Fingerprints are read',
  'prints-no-job': 'The job {id} is not about fingerprints.',
  'prints-cipher-ours':
    'The templates are encrypted with the token key of each device. The specification names neither salt, nor initialization vector, nor how the key is derived: PBKDF2 and zeros are our own reading. Try one fingerprint first.',
  'prints-key-unknown':
    'Nobody knows with which settings the token key of {name} was set up, so nothing can be encrypted for it.\nGive the device its token key with the guided flow again.',
  'prints-key-other':
    'The token key of {name} was not set up for {given}, so the device could not decrypt the templates.\nUse --encrypt {has}.',
  'prints-no-key':
    'The vault holds no token key of {name}, so nothing can be encrypted for it.\nGive the device its token key with the guided flow first.',
  'prints-capture-late':
    'No finger was put on within {seconds} s.\nThe terminal was asked once more; nothing of this attempt is left on it.',
  'prints-busy': 'Somebody is enrolling a finger at {name} already.\nEnd that first.',
} as const;
