/** Guided flows: their questions, what their records say, what stands in the way. */
export const FLOW = {
  'flow-unknown': 'There is no flow "{name}".\n"fieldwright flow list" shows all.',
  'flow-no-job': 'The job {id} is no guided flow.',
  'flow-no-device': 'No device was chosen.',
  'flow-no-record': 'There is no record "{id}", or more than one begins so.',
  'flow-not-running': 'This flow does not run here at the moment.\nGo on with it first.',
  'flow-other-question': 'The question has changed meanwhile; nothing was done with this answer.',
  'flow-no-way-back': 'There is no way back from here: something was sent to the device since.',
  'flow-step-required': 'This step cannot be left out: what follows rests on it.',
  'flow-reason-needed': 'A step that is left out needs a reason; the record shows it.',
  'flow-not-writable': 'The device did not take {name}.',
  'flow-no-such-field': 'There is no field {name} here.',
  'flow-missing': '{name} is missing.',
  'flow-wrong-type': '{name} does not have the right form.',
  'flow-no-option': '{name} is none of the choices.',
  'flow-out-of-range': '{name} lies outside {min} to {max}.',
  'flow-count': '{name} needs {min} to {max} numbers.',
  'flow-length': '{name} needs {min} to {max} {max:character|characters}.',
  'flow-put-back': 'A setting of this device was changed for a test only. Put it back before you leave?',
  'flow-answers-form': 'Answers stand by step and field: "sign:" with "name: …" below it.',
  'flow-no-such-step': 'The flow {flow} has no step {step}.\n"fieldwright flow show {flow}" lists its steps.',
  'flow-no-settings':
    'This flow set nothing on the device that a template can hold: secrets are in the vault alone.',
  'flow-changed-meanwhile':
    'The device shows other values than a moment ago, when this was confirmed. Nothing was sent.',
  'keys-none': 'The vault holds no secret of these devices.',
  'keys-short-passphrase': 'The passphrase needs at least {min} {min:character|characters}.',
  'flow-steps': 'Steps',
  // what the first page of a record says
  'flow-verdict-unsafe':
    'Do not use this device: {count} open {count:point is|points are} marked as unsafe. Fix {count:it|them} and test again.',
  'flow-verdict-failed': '{failed} of {count} {count:check|checks} failed, {skipped} not done.',
  'flow-verdict-partly': 'No check failed, but {skipped} of {count} {count:was|were} not done.',
  'flow-verdict-good': 'All {count} {count:check was|checks were} done, and none failed.',
  'flow-verdict-left-out': '{count} {count:step was|steps were} left out.',
  'flow-verdict-open': '{count} {count:step is|steps are} still open.',
  'flow-step-checks': '{failed} of {count} {count:check|checks} failed, {skipped} not done',
  'flow-step-points': '{count} open {count:point|points}, {unsafe} unsafe',
  // what stands in the way
  'flow-trouble-away':
    'The device does not answer: it may be restarting, switched off, or its cable is out. Bring it back and try again.',
  'flow-trouble-sign-in':
    "The device does not let us in any more. Give it its sign-in on the device's page, then try again.",
  'flow-trouble-other':
    'Another device, or another certificate, answers at this address. Look which it is before anything is sent.',
  'flow-trouble-refused':
    'The device refused. Trying again helps where the reason is gone; a step that may be left out is on record with the reason.',
  'flow-trouble-busy':
    'The device is busy, or gives no answer that can be read. Wait a moment, then try again.',
  'flow-trouble-changed':
    'Somebody else changed this on the device meanwhile. Trying again starts from what it shows now.',
  'flow-trouble-vault': 'The vault is locked. Unlock it, then try again.',
  'flow-trouble-open':
    'Something was sent and nobody knows whether it arrived. Trying again looks first, and sends nothing twice that the device shows.',
  'flow-trouble-kept': 'Nothing is lost: what was answered and done is kept, here and on another day.',
  // what became of a write
  'flow-arrival-unknown': 'It is not known whether the device took it: the answer was lost.',
  'flow-not-shown': 'The device does not show what was sent.',
  'flow-not-told': 'The device does not tell it.',
  'flow-not-known': 'not known whether the device took it',
  'flow-write-unknown':
    'The device answered, but said neither yes nor no, and does not show what it has now. Go on with this flow to find out or to send it again.',
  // a restart that a write needs
  'flow-restart-now':
    'The device took it, and uses it after its next restart. Restart the device now: this step watches it leave and return.',
  'flow-restart-waits': 'The device is away. This goes on by itself when it is back.',
  'flow-restart-away': 'The device has not come back from its restart yet.',
  'flow-restart-unseen':
    'The device was not seen to restart. Restart it, then go on. A script that stopped here goes on with "fieldwright flow resume" after the restart.',
  'flow-restart-first': 'The device wants a restart before it answers this.',
  'flow-restarted': 'The device was restarted',
  'flow-restart-seen': 'The device took this with a restart that Fieldwright watched.',
  'flow-restart-attested':
    'The device took this with a restart that nobody watched: {name} says that the device was restarted.',
  // the last step
  'flow-sign-title': 'Sign-off',
  'flow-sign-text': 'The record is closed with this step. Whoever signs stands for what it shows.',
  'flow-sign-name': 'Name',
  'flow-sign-role': 'Role or company',
  'flow-sign-witness': 'Witness',
  'flow-sign-notes': 'Notes',
  'flow-sign-statement': 'I carried out these steps and saw what this record shows.',
  'flow-sign-witnessed': 'I was present.',
  // storage lock
  'flow-lock-title': 'Lock the storage card',
  'flow-lock-about':
    'Protects what is recorded on the card with a password that is kept in the vault, and proves that it opens the card.',
  'flow-lock-health': 'State of the card',
  'flow-lock-no-card': 'The device has no storage card, or does not see it.\nPut the card in and try again.',
  'flow-lock-bad-card':
    'The device reports that the card is bad or damaged. A locked card that fails is lost with all it holds.',
  'flow-lock-short-life': 'The card has {percent} % of its life left; replace it rather than lock it.',
  'flow-lock-bad-blocks': 'The card has {count} bad blocks and the device does not tell its health.',
  'flow-lock-go-on': 'Lock this card all the same',
  'flow-lock-password': 'Password',
  'flow-lock-original':
    'The card is locked already, with a password that is not in the vault. It is needed to change it.',
  'flow-lock-original-label': 'Present card password',
  'flow-lock-how':
    'The device takes {min} to {max} {max:character|characters}. The password goes into the vault before the device hears of it.',
  'flow-lock-how-label': 'New card password',
  'flow-lock-generated': 'Generated here',
  'flow-lock-typed': 'Typed',
  'flow-lock-type-twice': 'Type the new card password twice.',
  'flow-lock-new': 'New card password',
  'flow-lock-again': 'Once more',
  'flow-lock-differs': 'The two passwords differ.',
  'flow-lock-sure':
    'Nobody can open the card without this password: if it is lost, the card and everything on it are lost.',
  'flow-lock-kept': 'The vault of this computer is backed up, or the password will be handed over',
  'flow-lock-understood': 'I know that a lost password means a lost card',
  'flow-lock-kept-in': 'Kept in',
  'flow-lock-vault': 'Vault of Fieldwright on the computer of whoever signs',
  'flow-lock-made': 'Password',
  'flow-lock-no-password': 'The vault does not hold the password that this step needs.',
  'flow-lock-lock': 'Lock the card',
  'flow-lock-sends': 'This locks the card of the device.',
  'flow-lock-prove': 'Proof that the password opens the card',
  'flow-lock-try':
    'The card is unlocked once with the new password. It is usable for some minutes and locks itself again.',
  'flow-lock-looking': 'Waiting until the device shows the card as usable.',
  'flow-lock-new-opens': 'The new password opens the card',
  'flow-lock-former':
    'The former password can be tried once, to see that it no longer opens the card. A wrong password may count towards a lockout of the device.',
  'flow-lock-former-try': 'Try the former password once',
  'flow-lock-former-fails': 'The former password no longer opens the card',
  'flow-lock-relock': 'The card locks itself after {minutes} min. Wait to see it?',
  'flow-lock-wait': 'Wait until the card is locked again',
  'flow-lock-locks-again': 'The card locks itself again',
  'flow-lock-not-waited': 'Nobody waited for it.',
  'flow-lock-left': 'The card should be locked again in {seconds} s.',
  'flow-lock-settle':
    'It is not known whether the device took the new password. It is tried once, to see whether the card has it.',
  'flow-lock-was-open':
    'The card was open already: the device accepted the password, but was not seen to open the card with it.',
  'flow-lock-which':
    'It is not known whether the card has the new password or the former one. The vault keeps both, and "fieldwright keys export" exports both.',
  'flow-lock-alarms': 'Watching over the storage',
  'flow-lock-schedule-text': 'When the device watches its storage.',
  'flow-lock-schedule-keep': 'As it is',
  'flow-lock-schedule-always': 'All week, around the clock',
  'flow-lock-schedule-sends': 'This changes when the device watches its storage.',
  'flow-lock-linkages-text': 'What the device does when that happens. Whatever else it does stays as it is.',
  'flow-lock-linkages-sends': 'This changes what the device does when that happens.',
  // token key
  'flow-token-title': 'Token key',
  'flow-token-about': 'Gives the device the shared key for token authentication and keeps it in the vault.',
  'flow-token-settings': 'Settings of the key',
  'flow-token-settings-text': 'How the device derives and uses the key. What it does not offer is not shown.',
  'flow-token-ecb':
    'With ECB equal blocks of data stay recognizable in what is encrypted. Choose another mode where the integrator allows it.',
  'flow-token-ecb-sure': 'Use ECB all the same',
  'flow-token-key': 'Key',
  'flow-token-how': 'The key is random, or one that the integrator has given you.',
  'flow-token-generated': 'Generated here',
  'flow-token-pasted': 'Given by the integrator',
  'flow-token-paste': 'The key in base64: it may hold any bytes.',
  'flow-token-base64': 'Key in base64',
  'flow-token-weak': 'The key has only {bytes} bytes; one of fewer than 16 can be guessed.',
  'flow-token-weak-sure': 'Use this key all the same',
  'flow-token-made': 'Key',
  'flow-token-length': 'Length of the key',
  'flow-token-send': 'Set the key',
  'flow-token-sends':
    'This replaces the key of the device: whoever uses the former one can no longer talk to it.',
  'flow-token-not-readable': 'The interface cannot read the key back: the device said that it took it.',
  'flow-token-which':
    'It is not known whether the device has the new key or the former one. The vault keeps both, and "fieldwright keys export" exports both with their states.',
  'flow-token-hand-over': 'Hand-over of the key',
  'flow-token-hand-over-text':
    'Write the key to a file that only a passphrase opens (fieldwright keys export), and give both to the integrator on different ways.',
  'flow-token-to': 'Handed over to',
  'flow-token-given': 'File and passphrase were handed over',
  'flow-token-check': 'Check of a token',
  'flow-token-check-text':
    'The device can check a token. Where the integrator has given you the body of such a request, paste it here; leave it empty otherwise.',
  'flow-token-check-unspecified':
    'Not specified: the interface names this request without its body, so it goes out as it was given, and only the integrator knows what the answer proves.',
  'flow-token-check-body': 'Body of the request (TokenInfo)',
  'flow-token-check-sends': 'This is sent to the device as it was pasted.',
  'flow-token-check-not-tried': 'No body was given for it.',
} as const;
