/** Model packages: what stands against one, how far it is, what became of it. */
export const MODEL = {
  'model.step.check': 'Check',
  'model.step.transfer': 'Transfer',
  'model.step.restart': 'Restart and listing',
  'model.step.engine': 'Engine {engine}',
  'model.step.proof': 'Proof',
  'model.step.previous': 'Remove what it replaced',
  // before
  'model.no-url':
    'The device says that it does not fetch packages from an address.\nSend it as a push, where the device supports that.',
  'model.no-reset': 'The device says that its engines cannot be reset.\nRestart the device instead.',
  'model.no-push':
    'The device does not say that it takes a package in a request.\nLet it fetch the package instead.',
  'model.url-not-reported': 'The device does not report whether it fetches packages; most do.',
  'model.mpid-in-use':
    'A package with the id "{mpid}" is on the device already ({name}).\nChoose another id, replace its content with an update, or remove it first.',
  'model.mpid-waits':
    'The device has downloaded a package with the id "{mpid}" already; it takes effect after a restart.\nRestart the device, or choose another id.',
  'model.mpid-begun':
    'The device knows a download of "{mpid}" that stands at {percent} %; it is asked again.',
  'model.nothing-to-update':
    'No package with the id "{mpid}" is on the device, so there is nothing to update.\nSend it as a new package.',
  'model.too-large':
    'The package needs {size} MB, and the device has {free} MB left for packages.\nRemove a package that no engine uses.',
  'model.storage-unknown': 'The device does not say how much room it has for packages.',
  'model.engine-unknown': 'The device has no engine {engine}; it has: {engines}.',
  'model.engine-unread': 'The state of engine {engine} could not be read.',
  'model.engine-face':
    'Engine {engine} is in use for face intelligence.\nSwitch that off on the device, or choose another engine.',
  'model.engine-abnormal': 'Engine {engine} is abnormal.\nReset it first.',
  'model.engine-starting': 'Engine {engine} is initializing at the moment.',
  'model.engine-busy':
    'Analysis tasks use engine {engine}: {tasks}.\nEnd them first; the device does not unload an engine that is in use.',
  'model.replaces':
    'Engine {engine} unloads {mpid} ({name}) to make room for it. The package itself stays on the device.',
  'model.reloads': 'Engine {engine} unloads {mpid} ({name}) for a moment, and loads it again.',
  'model.stays': 'Engine {engine} keeps {mpid} ({name}) beside it.',
  'model.needs-restart': 'The device has to be restarted before the package takes effect.',
  'model.only-stored': 'The package is stored only; no engine was chosen.',
  'model.name-length': '"{name}" has {length} characters; the device takes {max} at most.',
  'model.name-unseen':
    'The name begins or ends with a space, or holds characters that nobody sees.\nType it anew instead of pasting it.',
  'model.plan-gone': 'This plan is not known any more.\nMake it again.',
  'model.file-gone': 'This file is not known any more.\nChoose it again.',
  'model.no-dialog': 'This way of using Fieldwright has no dialog for files.\nDrop the file onto the page.',
  'model.upload-failed':
    'The file could not be kept in the data folder ({code}).\nSee that there is room on the disk.',
  'model.other-file':
    '{name} is not the file any more that this job began with.\nPut the same file back in its place, or begin a new job.',
  // transfer
  'model.asked': 'Asked to fetch the package from {address}, port {port}.',
  'model.asked-again': 'Asked to fetch it once more (time {count}).',
  'model.ask-unheard': 'The answer was lost; whether the device heard it will show.',
  'model.ask-refused': 'The device does not take it up again: {reason}',
  'model.silent': 'The device has not come for the file within 15 s; looking why.',
  'model.received': 'Fetched: {served} MB in {requests} {requests:request|requests}.',
  'model.received-unseen':
    'The device says that it has everything; seen here were {served} of {total} MB, the rest went out before the app ended.',
  'model.received-unproved':
    'The device says that it has everything, and all of it went out; it ended the connection in a way that does not show whether the last bytes arrived.',
  'model.percent-back': 'The device went back from {from} % to {to} %.',
  'model.percent-ahead': 'The device says {percent} %, but has fetched {share} % only.',
  'model.away-meanwhile': 'The device does not answer meanwhile: {reason}',
  'model.progress-refused': 'The device does not say how far it is: {reason}',
  'model.slept':
    'This computer slept for {minutes} min, or its clock was set forward; the job stands, and devices that go on by themselves still get their bytes.\nConnect to the network of the devices, then go on.',
  'model.serving-ended': 'The file is not served any more.',
  'model.port-taken':
    'Another program took port {port}, at which the file was served.\nFree the port and go on; if it stays taken, the devices get another address and fetch the file from its beginning.',
  'model.percent-lies':
    'The device says {percent} %, but fetched {served} of {total} MB only.\nIt does not have the package; look at its log, then go on with this job.',
  'model.never-called':
    'The device never came for the file at {address}.\nSee what the doctor says; if nothing is wrong there, restart the device. Then go on with this job.',
  'model.stalled':
    'The device stopped at {served} of {total} MB, and does not come back.\nCheck its network and its free storage, then go on with this job.',
  'model.stuck':
    'The device fetched all {total} MB, but stays at {percent} %.\nIt may not take the package: check that it fits this device, and its free storage.',
  'model.dropped':
    'The device gave the download up at {served} of {total} MB.\nCheck that the package fits this device, and its free storage.',
  'model.full':
    'The device has run out of room: {left} MB are still to come, and {free} MB are free.\nRemove a package that no engine uses, then go on with this job.',
  'model.away': 'The device went away at {served} of {total} MB.\nIt goes on when the device can be reached.',
  'model.push-began': 'Sending it in a request, which the specification names without showing it.',
  'model.pushed': 'The device has taken the whole request ({outcome}).',
  'model.push-unspecified':
    'It is sent in a request: the specification names that without showing it, so the device may not take it.',
  // restart
  'model.restart-now': 'Waiting for a restart: restart the device now.',
  'model.left': 'The device went away.',
  'model.back': 'The device is back.',
  'model.listed': 'The device lists the package.',
  'model.not-listed':
    'The device was restarted, but does not list "{mpid}".\nIt may not have taken the package: check that it fits this device.',
  'model.not-restarted':
    'The device was not seen to restart within {minutes} min.\nRestart it, and follow it up meanwhile.',
  // engines
  'model.no-engine': 'The device does not show engine {engine} any more.',
  'model.unloading': 'Unloading {mpid} from engine {engine}.',
  'model.loading-again': 'Loading {mpid} into engine {engine} again.',
  'model.loading': 'Loading the package into engine {engine}.',
  'model.runs': 'Engine {engine} runs it.',
  'model.previous-kept':
    'What ran on engine {engine} before is still on the device: {mpid}.\nLoad it again to have it back.',
  'model.not-back':
    'Engine {engine} runs the new package, but not {mpid}, which it had before.\nThe package is still on the device. Go on with this job to load it again, or load it yourself.',
  'model.state.0': 'Engine {engine} stays empty ({status}), although it was told to load the package.',
  'model.state.2':
    'Engine {engine} runs the package abnormally ({status}).\nReset the engine; if it stays, the package may not fit this device.',
  'model.state.3':
    'Engine {engine} cannot decrypt the package ({status}).\nIt may be made for another device, or lack its license.',
  'model.state.11': 'Engine {engine} is abnormal ({status}).\nReset the engine, then go on with this job.',
  'model.state.12':
    'Engine {engine} is in use for face intelligence ({status}).\nSwitch that off on the device, or choose another engine.',
  'model.state.other-package': 'Engine {engine} holds another package ({status}).',
  'model.state.slow': 'Engine {engine} did not run the package within 5 min ({status}).',
  // proof
  'model.proved': 'Proved: the whole file was fetched, SHA-256 {sha256}.',
  'model.proved-unseen':
    'It runs. The whole file was not seen to be fetched by this computer; SHA-256 {sha256}.',
  'model.ran-once': 'Engine {engine} ran the package, but does not any more ({status}).',
  'model.previous-in-use': '{mpid} stays: another engine uses it.',
  'model.removed': '{mpid} was removed.',
  'model.not-removed': 'The device still lists "{mpid}".',
  // states of an engine (part 1, 3)
  'model.engine-state.0': 'Empty',
  'model.engine-state.1': 'Running',
  'model.engine-state.2': 'Model abnormal',
  'model.engine-state.3': 'Decryption failed',
  'model.engine-state.10': 'Initializing',
  'model.engine-state.11': 'Engine abnormal',
  'model.engine-state.12': 'Face intelligence',
  'model.plan.ready': 'Ready',
  'model.plan.blocked': 'Blocked',
  'model.plan.offline': 'When seen',
  'model.stage.waiting': 'Waiting',
  'model.stage.checked': 'Checked',
  'model.stage.serving': 'Transferring',
  'model.stage.received': 'Received',
  'model.stage.waits-for-restart': 'Waits for restart',
  'model.stage.listed': 'Listed',
  'model.stage.loading': 'Loading',
  'model.stage.running': 'Running',
  'model.stage.proved': 'Proved',
  'model.stage.when-seen': 'When seen',
  'model.stage.failed': 'Failed',
  // the command line
  'head.ENGINE': 'ENGINE',
  'head.ENGINES': 'ENGINES',
  'head.FREE': 'FREE',
  'head.PACKAGE': 'PACKAGE',
  'head.TASKS': 'TASKS',
  'model.cli.needs-file': 'Nothing says which package: --file FILE names it.',
  'model.cli.needs-mpid': 'Nothing says what the package is called on the devices: --mpid ID names it.',
  'model.cli.needs-engine': 'Nothing says which engine: --engine N names it.',
  'model.cli.wrong-mode': '--mode takes url or push, not "{mode}".',
  'model.cli.not-held': 'Engine {engine} does not hold "{mpid}".',
  'model.cli.nothing-sent': 'Nothing was sent.',
  'model.cli.job': 'Job {id}',
  'model.cli.sending': 'Sending',
  'model.cli.hashing': 'Reading the file: {done} of {total} MB',
  'model.cli.checking': 'Checking devices: {done} of {total}',
  'model.cli.package': '{file}, {size} MB, as {mpid}\nSHA-256 {sha256}',
  'model.cli.ask': 'Send {file} ({size} MB) to {count} {count:device|devices}?',
  'model.cli.confirm-how':
    'Nothing was sent: this needs a confirmation.\nLook at what would happen first (--dry-run), then repeat with --yes.',
  'model.cli.confirm-yes': 'Nothing was sent: this needs a confirmation.\nRepeat with --yes.',
  'model.cli.keep-or-remove': 'Give either --keep-previous or --remove-previous.',
  'model.cli.removes-previous':
    'Packages that leave an engine are deleted from the device once the new package runs (--remove-previous).',
  'model.cli.restart':
    'Devices that wait for their restart: {count}. Restart them, then go on: fieldwright jobs follow-up {id}',
  'model.cli.previous':
    '{mpid} is still on {count} {count:device|devices}, no longer in use by this engine: fieldwright model remove --mpid {mpid} --device {device}',
  'model.cli.progress': '{name}: {stage}, {percent} %, {rate} MB/s',
  'model.cli.all': '{done} of {devices} {devices:device|devices} through, {percent} % served, {rate} MB/s',
  'model.cli.paused': 'The job was stopped here, because it cannot go on by itself.',
  'model.cli.storage': '{free} MB free of {total} MB, {used} MB used by {count} {count:package|packages}',
  'model.cli.load-loses': 'Engine {engine} gets {mpid}.',
  'model.cli.unload-loses':
    'Engine {engine} will be empty: {mpid} analyses nothing any more. Tasks on it: {tasks}.',
  'model.cli.reset-loses':
    'Engine {engine} is interrupted: {mpid} analyses nothing until it runs again. Tasks on it: {tasks}.',
  'model.cli.remove-loses': '{mpid} is deleted from the device for good; it would have to be sent again.',
  'model.cli.go-on': 'Go on?',
  'model.cli.doctor-well': 'Nothing was found that would keep devices from fetching.',
  'model.cli.log': 'Log',
  'model.cli.more-lines': '{count} more {count:line was|lines were} left out.',
  'model.still-loaded': '"{mpid}" is loaded on engine {engine}.\nUnload it there first.',
} as const;
