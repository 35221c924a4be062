/** Serving a package to devices, and what would keep them from fetching it. */
export const TRANSFER_SERVE = {
  'serve.file-missing':
    'There is no such file.\nChoose the package again; it may have been moved or renamed.',
  'serve.file-unreadable':
    'The file cannot be read.\nCheck that you may read it, and that its disk or network folder is connected.',
  'serve.file-folder': 'This is a folder.\nA package is a single file.',
  'serve.file-special': 'This is no plain file.\nA package is a single file.',
  'serve.file-empty': 'The file is empty.\nDownload or copy the package again.',
  'serve.file-changing':
    '{name} is being written to while it is read.\nWait until it is completely downloaded or copied, then try again.',
  'serve.file-changed':
    '{name} was changed while it was served; devices get no more of it.\nStart again with the file as it is now: what devices have fetched so far belongs to the old one.',
  'serve.file-lost':
    '{name} cannot be read any more; devices get no more of it.\nConnect its disk or network folder again, then resume.',
  'serve.address-gone':
    'This computer no longer has the address {address} that devices fetch from.\nConnect to the network of the devices again, then resume.',
  'serve.no-port':
    'No port can be opened at {address} for devices to fetch from ({code}).\nAllow Fieldwright in the firewall and in the security software of this computer, then try again.',
  'serve.not-own-address':
    '{address} is not an address of this computer.\nLeave it out to use the one that leads to the device.',
  'serve.asked': '{method} {range}: answered with {status}',
  'serve.broke-off': 'The device broke the connection off.',
  'serve.stranger':
    '{address} asked for the address of this device and was refused: only the device itself is answered.',
  'serve.unknown': '{address} asked for something that is not offered and got nothing.',
  'serve.other-path': 'The device asked for something else than the package and got nothing.',
  'serve.ended': 'Nothing is served any more: {reason}',
  'push.not-reported':
    'This device does not say that it takes a package as a body.\nLet it fetch the package from this computer instead.',
  'push.stuck':
    'The device has taken nothing for {seconds} s.\nCheck its connection, then send the package again; or let it fetch the package from this computer.',
  'serve.more-lines': '{count} more lines were left out.',
} as const;
