/** Fieldwright itself: data folder, pages, hosting. */
export const APP = {
  'simulated-site-full': 'A simulated site holds at most {max} devices; {running} are running.',
  'not-connected': 'There is no connection to Fieldwright at the moment; nothing was sent.',
  'answer-lost': 'The connection to Fieldwright was lost before the answer came.',
  'outside-no':
    'Nobody agreed outside the page; nothing was changed and nothing was sent.\nDo it again and agree where Fieldwright asks, or type the password anew for this device.',
  'outside-nobody':
    'This takes a yes outside the page, and nobody can be asked there; nothing was changed and nothing was sent.\nRun "fieldwright serve" in a terminal that stays open, use the desktop app, or do it on the command line.',
  'session-unknown': 'Fieldwright has not let this tab in.',
  cancelled: 'Cancelled.',
  'database-set-aside':
    'The database was damaged; Fieldwright starts with an empty one.\nThe damaged file is kept in the data folder under the name given here.',
  'data-folder-busy':
    'Another Fieldwright is writing to this data folder.\nClose the other one, or choose another data folder.',
  'disk-low':
    'The disk has {free} MB left, and {left} MB stay free for the journal of your jobs.\nFree some space and try again.',
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
  'data-folder-trial':
    'This data folder was written by a trial version of Fieldwright, which this one does not read. Nothing was changed.\nChoose another data folder. To take settings and people over, export them with the version that wrote them.',
  'start-failed': 'Something unexpected went wrong.\nRunning jobs can be resumed after the next start.',
  'screens-not-built': 'The screens of Fieldwright are not built yet.\nRun: npx electron-vite build',
  'resources-missing':
    'The folder resources/ that belongs to Fieldwright is missing.\nInstall Fieldwright again.',
  'input-invalid': 'The input is not valid.',
  'no-simulated-site': 'A simulated site cannot be started from here.',
  'message-unreadable': 'The message could not be read.',
  'host-open':
    '{host} can be reached by other computers; that would need TLS and a passphrase, which this page has not.\nLeave --host out, and reach the page from another computer through an SSH tunnel: ssh -L PORT:127.0.0.1:PORT.',
  'port-unusable':
    'Port {port} on {host} cannot be used.\nAnother program may use it: choose another with --port, or leave it out for any free one.',
  'too-many-files':
    'This computer does not let Fieldwright have more files and connections open.\nClose other programs or work on fewer devices at a time. An administrator can raise the limit of open files (ulimit -n).',
  unexpected:
    'Something unexpected went wrong inside Fieldwright.\nPlease report this with the steps that led here.',
  'ask.credentials': 'May the saved credential {names} go where it did not go before?',
  'ask.deliveries': 'May {names} go to these devices?',
  'ask.secret': 'the saved secret "{name}"',
  'ask.kept': 'what job {id} kept',
  'ask.addresses': '{network}: {count} addresses',
  'ask.readable': 'readable (Basic)',
  'ask.certificate': 'certificate {fingerprint}',
  'ask.more': '… and {count} more',
  'ask.yourself': 'Say yes only if you have just asked for this yourself.',
  'ask.no': 'No',
  'ask.yes': 'Yes, allow it',
  'quit.running':
    'A job is still running.\nIf you quit, what is under way is finished and checked; the rest of the job stays as it is and can be resumed later.',
  'quit.stay': 'Keep working',
  'quit.leave': 'Quit',
  'quit.forced': 'Fieldwright has to close',
  'link-used':
    'This link was used already\nEach link opens Fieldwright once. Go on in the tab that opened it. For a new link, stop Fieldwright in its terminal (Ctrl+C) and start it again.',
  'link-unknown':
    'This link is not valid\nThe link belongs to an earlier start of Fieldwright or is incomplete. Open the link that the running Fieldwright printed in its terminal.',
} as const;
