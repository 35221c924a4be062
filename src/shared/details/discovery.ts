/** Searching the network, and what the doctor found. */
export const DISCOVERY = {
  'range-form': 'A range is written as an IPv4 address and a length, for instance 192.168.1.0/24.',
  'range-too-large':
    'A sweep covers at most a /{length}: {count} addresses.\nSearch the part of the network where the devices are.',
  'range-elsewhere':
    '{cidr} is not part of a network this computer is connected to.\nNetworks of this computer: {networks}. Sweeping another one must be asked for explicitly.',
  'no-interface': 'There is no network interface "{name}".\nInterfaces with an address: {names}.',
  'port-form': 'A port is a number from 1 to 65535.',
  'search-seconds': 'A search takes up to {max} seconds.',
  'prefix-missing': 'Name at least one path prefix.',
  'at-most-at-once': 'At most {max} of these at once.',
  'doctor.no-interface':
    'This computer has no network interface to search on.\nPlug in the network cable or switch on the wireless network, and check that the interface has an address.',
  'doctor.not-permitted':
    'The operating system does not let Fieldwright search on {interface}.\nAllow Fieldwright in the firewall and in the privacy settings for the local network, then search again. A sweep may work meanwhile.',
  'doctor.port-in-use':
    'Another program keeps UDP port 5353 on {interface} for itself.\nEnd the other program that does mDNS, or sweep the network instead.',
  'doctor.no-multicast-route':
    'Multicast has no way out of {interface}.\nGive {interface} a route for 224.0.0.0/4, check VPN software, or sweep the network instead.',
  'doctor.send-failed':
    'The search could not be sent on {interface}.\nUnplug and replug the interface, or sweep the network instead.',
  'doctor.nothing-heard':
    'Nothing at all was heard on {interface}, not even our own queries.\nSuspect the firewall of this computer: allow incoming UDP port 5353. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away too; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.nothing-heard-here':
    'Nothing at all was heard on {interface}, not even our own queries, while {others} hears others.\nSuspect the firewall of this computer: allow incoming UDP port 5353. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away too; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.only-this-computer':
    'Only this computer itself was heard on {interface}.\nCheck that the cable leads to the network of the devices and that they have power. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.only-this-computer-here':
    'Only this computer itself was heard on {interface}, while {others} hears others.\nCheck that the cable leads to the network of the devices and that they have power. Switches with IGMP snooping, wireless isolation and VLANs keep multicast away; a sweep of {network} (at most a /20 at a time) or an address gets around them.',
  'doctor.no-web-services':
    'Others speak on {interface}, but none announces a web service.\nThe announcements of the devices may be switched off: sweep the network or add a device by its address.',
  'doctor.other-subnet':
    'Devices are on the wire with an address outside the networks of this computer.\nGive this computer a second address in the network of the device, or give the device an address of this network; then search again.',
  'doctor.no-dhcp':
    'Devices have given themselves an address (169.254.x.x): they found no DHCP server.\nCheck the DHCP server or its VLAN, or give this computer an address in 169.254.0.0/16 to configure them.',
  'doctor.address-conflict':
    'Two devices claim the same address; whoever answers may change from one moment to the next.\nDisconnect one of them and give it another address.',
  'doctor.identity-conflict':
    'The same name or serial number is announced from two places at once.\nGive one of the devices another name; until then add each by its address.',
  'doctor.interface-gone':
    'The interface {interface} went away during the search.\nCheck its cable; when it is back it is searched again by itself.',
  'doctor.ipv6-unavailable':
    'IPv6 multicast does not work on {interface}; only IPv4 is searched there.\nMost devices announce themselves over IPv4 as well: nothing to do unless a device has IPv6 alone.',
  'doctor.unreadable-packets':
    'Some packets on {interface} could not be read.\nSome device announces itself wrongly; add it by its address if it is the one you miss.',
  'doctor.too-many-services':
    'More is announced on {interface} than Fieldwright keeps; devices may be missing from the list.\nSearch with fewer interfaces or from a smaller network, or sweep the range of the device you miss.',
  'doctor.wrong-port':
    'Some hosts are there but refuse the ports that were asked.\nThe web service may use another port or be switched off; sweep with the port from the settings of the device.',
  'doctor.tls-only':
    'Some devices answer encrypted only.\nAdd them with https:// and accept their certificate after comparing its fingerprint.',
  'doctor.other-prefix':
    'Some devices speak this interface below another path.\nLook up the first path segment in the manual of the device and set it as path prefix, or let the connection probe try the known profiles.',
  'doctor.other-web':
    'Some web servers do not answer as this interface.\nIf one of them is the device, it uses another path prefix; otherwise leave it alone.',
  'doctor.not-http':
    'Some open ports speak neither HTTP nor HTTPS.\nAnother service lives there; look for the web port in the settings of the device.',
  'doctor.sweep-silent':
    'None of the addresses of the range gave any sign.\nCheck that this is the network of the devices, that the cable leads there, and that no firewall stands between.',
  'doctor.sweep-blocked':
    'The operating system refused connections to the range.\nCheck the firewall of this computer and whether it has a route to that network.',
  'doctor.all-well':
    'Devices answer; nothing seems to be in the way.\nA device that is still missing may have its announcements switched off: sweep its network or add its address.',
} as const;
