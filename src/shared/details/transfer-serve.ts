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
  'push.answered-early':
    'The device took the package, by its own words, when {sent} of {total} MB had been sent: it does not have it.\nRestart the device, then send the package again; or let it fetch the package from this computer.',
  'pull.own-works': 'This computer fetches from itself at {address}, port {port}.',
  'pull.own-fails':
    'This computer cannot fetch from itself at {address}.\nCheck that the network is connected, and that no security software keeps Fieldwright from opening a port.',
  'pull.same-network':
    '{count} {count:device is|devices are} reached directly, in a network of this computer.',
  'pull.routed':
    '{count} {count:device is|devices are} behind a router.\nThe router must let the devices connect to this computer too; address translation between them keeps them away. Connect this computer to the network of the devices if they do not call.',
  'pull.over-vpn':
    '{count} {count:device is|devices are} reached through a VPN.\nDevices seldom find their way back through one: connect this computer to their network, or send the package as a body where the device takes it.',
  'pull.no-way':
    'There is no way to {count} {count:device|devices}.\nCheck the cable or the wireless network, and that this computer has an address in the network of the devices.',
  'pull.away':
    '{count} {count:device|devices} did not answer just now.\nCheck that they have power and network; what can be told of them is little until then.',
  'pull.firewall-off': 'No firewall of this computer stands in the way.',
  'pull.firewall-on':
    'The firewall ({name}) is on.\nAllow Fieldwright, or incoming TCP from port {port} on, in the network of the devices; where the system asks, allow private networks as well as public ones.',
  'pull.firewall-command': 'The firewall ({name}) is on.\nAllow the ports that devices fetch from: {command}',
  'pull.firewall-closed':
    'The firewall ({name}) lets nothing in, whatever is allowed.\nSwitch off that all incoming connections are blocked, or send the package as a body where the device takes it.',
  'pull.firewall-unknown':
    'Whether a firewall stands in the way cannot be told without rights of an administrator.\nIf devices do not call, allow incoming TCP from port {port} on.',
  'pull.vpn':
    'A VPN is connected ({names}).\nDisconnect it if devices do not call: some VPNs keep others in the local network away.',
  'pull.vpn-takes-all':
    'A VPN ({names}) takes all connections of this computer.\nDisconnect it while devices fetch, or allow the local network in its settings.',
  'pull.no-sleep': 'This computer does not go to sleep by itself.',
  'pull.sleep':
    'This computer goes to sleep after {minutes} min without anybody at it.\nKeep it awake until every device has its package; one that was interrupted goes on when it is awake again.',
  'pull.sleep-unknown':
    'Whether this computer goes to sleep by itself cannot be told.\nKeep it awake until every device has its package.',
  'pull.never-called':
    'The device took the task and has not called at {address}.\nMost often a firewall of this computer keeps it out, the device has no way to this network (gateway, VLAN, wireless isolation), or it needs a restart.',
  'pull.elsewhere':
    '{address} called instead of {expected} and was refused: the device uses another address for its calls, or something between translates addresses.\nAdd the device by the address that it calls from, or connect this computer to its network.',
  'pull.address-gone':
    'This computer no longer has the address {address} that the device was told.\nConnect to the network of the devices again, then resume.',
  'serve.more-lines': '{count} more {count:line was|lines were} left out.',
} as const;
