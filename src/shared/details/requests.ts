/** Single calls and raw requests. */
export const REQUESTS = {
  'body-not-taken': 'This operation takes no body.',
  'body-needed': 'This operation needs a body.',
  'body-not-shown':
    'The specification names this operation without showing its body.\nSend it raw: the body then goes out exactly as you wrote it.',
  'method-one-of': 'The method is one of {options}.',
  'no-content-type': 'This is not a content type.',
  'no-operation': 'There is no operation "{id}".',
  'hidden-value':
    'This value is hidden ({mask}); it cannot be sent back.\nEnter the value again, or leave it out.',
  'raw-is-text': 'A raw body is text.',
  'path-form': 'A path starts with "/" and holds no spaces or special characters; percent-encode them.',
  'path-below':
    'Only paths below {root} can be requested.\nWrite the path as in the specification, starting with /API/.',
  'header-characters': 'The request holds characters that HTTP does not allow.',
  'limits-unread':
    'What this device reports about its limits cannot be read: {why} What it is set to may go beyond them.\nThe device itself decides; the result is read back.',
  'call-destroys':
    'This takes something away from the device for good; nothing was sent.\nConfirm it; on the command line with --yes.',
  'call-not-shown': 'The device still shows what it held before the call.',
  'call-never-sent':
    'The program ended before this call was sent.\nIt is not sent later. Make the call again if you still want it.',
  'limits-of-device': 'These are the limits this device reports.',
} as const;
