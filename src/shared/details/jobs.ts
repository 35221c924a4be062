/** Jobs: what became of writes, restarts, undo and retry. */
export const JOBS = {
  'secret-not-given': 'A secret of this section was not given; nothing was sent.',
  'stopped-early': 'Stopped before everything had its turn.',
  'sent-not-kept': 'What was sent to the device was not kept, so it cannot be compared.',
  'nothing-to-undo':
    'Nothing of this job can be undone.\nEither it wrote nothing on these devices, or what they held before cannot be had; the preview of the undo tells which.',
  'undo-of-unknown': 'The journal does not say which job this undo takes back.',
  'plan-template-changed': 'The template inside the plan was changed after planning.\nMake a new plan.',
  'plan-without-device': 'The plan holds no device "{device}".',
  'plan-misfit': 'The plan does not fit its own template.\nMake a new plan.',
  'journal-misfit': 'The journal of this job does not fit its own template; nothing was sent.',
  'job-busy': 'The job {id} is being worked on right now.\nWait for it to end, or stop it.',
  'nothing-to-retry': 'No device of the job {id} is left to try again.',
  'other-secret':
    'The secret "{name}" is not the one this job was started with; nothing was sent.\nGive the same secret again. For another one, make a new plan.',
  'changed-since-job':
    '{label} was changed again by someone else since: {names}; nothing was sent.\nConfirm the undo to overwrite that change with what was there before.',
  'no-state-to-restore': 'This kind of change has no state that could be put back.',
  'state-not-kept': 'What the device held before was not kept.',
  'write-answer-unreadable': 'The answer to the write could not be understood.',
  'too-much-history':
    'This is too much history for one file.\nNarrow it down by time, device or text; "fieldwright jobs export" writes any amount.',
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
  'device-gone': 'The device is no longer in the list of devices.\nAdd it again, or name it by its address.',
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
  'only-plans-retried': 'Only what was planned is tried again; what is left of another job is resumed.',
  'unknown-job-kind':
    'This Fieldwright does not know jobs of the kind "{name}".\nA newer Fieldwright began it; update this one.',
  'job-damaged': 'The journal of this job is not as its kind of work keeps it.',
  'kind-without-undo': 'A job of this kind cannot be undone.',
  'several-jobs': 'Several jobs begin with "{id}"; give more of the id.',
} as const;
