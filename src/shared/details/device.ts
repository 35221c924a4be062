/** The way to a device: addresses, certificates, sign-in, connections. What begins with `device.` is what a device did, or the way to it. */
export const DEVICE = {
  'fingerprint-form': 'A certificate is named by its SHA-256 fingerprint: 64 hexadecimal digits.',
  'device.other-device':
    'Another device than before seems to answer at this address: it asks for the sign-in under another name. Nothing was sent.\nSearch for the device: it may have another address now. If it was renamed or replaced, test it again; the credential is then sent.',
  'device.weaker-digest':
    'The device offers a weaker Digest than before, so nothing was sent: someone may be intercepting the connection.\nFind out why this changed. If you know the reason, agree to the weaker sign-in of this device ("device update DEVICE --accept-weaker").',
  'device.refused-elsewhere':
    'Not sent: another device has just refused this user name and password.\nCheck them. If they are right for this device, test it by itself: the others follow once it has let them in.',
  'device.wants-tls': 'This port answers only over https://.\nChange the address of the device to https://.',
  'device.not-this-interface':
    'Something answers at this address, but not this interface below {prefix}.\nCheck address and port. If it is the device, it uses another path prefix: a probe of the address looks for it.',
  'device.tags-differ':
    'The tags {tags} give this device different credentials, so none is used.\nGive the device a credential of its own, or take one of the tags away from it.',
  'device.no-document': 'The device answered with nothing where a document is due.',
  'device.status-instead': 'The device answered with a status where a document is due.',
  'device.redirect-nowhere': 'The device redirects to an address that is none.',
  'device.redirect-with-user':
    'The device redirects to an address with a user name or password inside; it was not followed.',
  'device.redirect-elsewhere':
    'The device redirects to another address; it was not followed, and nothing was sent there.\nIf the device really is at {address}, change its address to that.',
  'device.signs-body':
    'This device wants the whole content signed in advance, which a file of this size is not.\nLet the device fetch the file from this computer instead.',
  'device.redirect-write': 'The device redirects a write; writes are never sent twice.',
  'device.redirects':
    'The device redirects more than {max} times.\nIt may send everything it does not know to its web page: check the path prefix.',
  'device.sign-in-refused':
    'The device refused user name or password.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.sign-in-refused-left':
    'The device refused user name or password; attempts left before it locks the account: {left}.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.account-locked':
    'The device has locked this account.\nWait until it unlocks, then test the device again. Every further attempt may start the wait anew, so none is made.',
  'device.account-locked-for':
    'The device has locked this account. It unlocks in {time}.\nWait until it unlocks, then test the device again. Every further attempt may start the wait anew, so none is made.',
  'device.sign-in-required': 'The device asks for a user name and password.\nGive this device a credential.',
  'device.sign-in-off':
    'The device asks for a user name and password.\nThe connection profile of this device says not to sign in.',
  'device.unknown-scheme':
    'The device asks for a sign-in in a way that Fieldwright does not know.\nIt offers: {offers}.',
  'device.basic-plain':
    'The device wants the password unprotected (Basic), so it was not sent.\nUse https://, switch Digest on in the device, or set the authentication of this device to "basic" if the network is trusted.',
  'device.basic-unasked':
    'The device wants the password unprotected (Basic), so it was not sent.\nWhoever answers there reads the password. Compare the certificate, then set the authentication of this device to "basic" (--auth basic), or switch Digest on in the device.',
  'device.basic-downgrade':
    'The device wants the password unprotected (Basic), so it was not sent.\nIt offered the safer Digest before: someone may be intercepting the connection. Set the authentication of this device to "basic" only if you know why this changed.',
  'device.basic-profile':
    'The device wants the password unprotected (Basic), so it was not sent.\nThe connection profile of this device allows Digest only.',
  'device.paused-locked':
    'Not sent: the device has locked the account.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.paused-failed':
    'Not sent: the sign-in to this device failed before.\nCorrect the credential or test the device again; until then nothing more is sent to it.',
  'device.refused':
    'The device refuses connections at this port.\nCheck the port, and whether the web service of the device is switched on.',
  'device.not-http':
    'The answer is not HTTP, or breaks its rules.\nCheck address, port and whether the device expects https://.',
  'device.headers-too-large': 'The headers of the answer are too large.',
  'device.broke-off':
    'The connection broke off before the answer was complete.\nTry again. If it always happens, check whether this port expects https://, and what lies between this computer and the device.',
  'device.broke-off-early': 'The connection broke off while it was being made.',
  'device.packed-broken':
    'The answer is compressed, and its compressed data is broken.\nTry again. If it always happens, check what lies between this computer and the device.',
  'device.no-connection':
    'No connection to the device came about in time; nothing was sent.\nCheck power and cabling, and whether the address is still right.',
  'device.unknown-name': 'The name of the device is not known on this network.\nUse its IP address.',
  'device.not-permitted':
    'The operating system does not let Fieldwright connect to this address.\nCheck the firewall of this computer, and its privacy settings for the local network.',
  'device.nobody-there':
    'Nobody answers at this address.\nCheck power and cable of the device, and that this computer is in its network. It may have another address now: search for it.',
  'device.no-way':
    'There is no way to the device from this computer.\nCheck that this computer is connected, and in the same network as the device.',
  'device.no-certificate': 'The device showed no certificate; nothing was sent.',
  'device.certificate-changed':
    'The certificate of the device is not the one that was accepted for it; nothing was sent.\nAccept the new one only if you know why it changed: compare its fingerprint with the one the device shows.',
  'device.old-tls':
    'The device knows only outdated encryption: a version of TLS before 1.2, or keys that are too weak. Nothing was sent.\nUpdate the firmware of the device, or switch TLS 1.2 on in it. In a network you trust it can be reached with http:// instead; Digest does not send the password itself.',
  'device.no-tls':
    'This port does not speak https://; nothing was sent.\nCheck the port, or try the address with http://.',
  'device.no-agreement':
    'No secure connection could be agreed on; nothing was sent.\nCheck the port, and whether the web service of the device speaks https:// there.',
  'device.timeout':
    'The device took the request but did not answer within {seconds} s.\nIt may be busy or restarting: wait a minute, then try again. Where it is always slow, give its connection profile a longer deadline.',
  'device.timeout-begun':
    'The device began to answer but did not come to an end within {seconds} s.\nIt may be busy or restarting: wait a minute, then try again. Where it is always slow, give its connection profile a longer deadline.',
  'device.answer-too-large': 'The answer is larger than {megabytes} MiB and was not read further.',
  'device.certificate-self-signed':
    'The certificate of the device is not trusted: it is self-signed. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-issuer':
    'The certificate of the device is not trusted: its issuer is not known to this computer. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-expired':
    'The certificate of the device is not trusted: it has expired. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-early':
    'The certificate of the device is not trusted: it is not valid yet. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-other-name':
    'The certificate of the device is not trusted: it was issued for another name. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.certificate-unverified':
    'The certificate of the device is not trusted: it could not be verified. Nothing was sent.\nCompare its fingerprint with the one the device shows, then accept it for this device.',
  'device.locked':
    'The account is locked after wrong passwords.\nWait until the lock ends; nothing is tried again until then.',
  'device.sign-in-failed':
    'The device did not accept user name and password.\nCheck user name and password; it is not tried again by itself, for the device may lock the account.',
  'device.busy': 'The device is busy.\nTry again in a moment.',
  'device.own-error': 'The device reports an error of its own.\nTry again; restart the device if it stays.',
  'device.operation-not-now': 'The device does not allow this operation now.',
  'device.nothing-there': 'The device has nothing there: no such channel, preset or number.',
  'device.format': 'The device could not read the request.',
  'device.content': 'The device does not accept this content.',
  'device.namespace-unseen':
    'The device does not accept this document.\nThe device showed no XML document before, so this one went out with the namespace of its connection profile ({sent}). If the device insists on another namespace, set it in the profile and try again.',
  'device.namespace-other':
    'The device does not accept this document.\nThe document went out with the namespace {sent}, but the device shows {shown}. Try again, or correct the root element if you wrote the document yourself.',
  'device.restart':
    'The device took the setting and needs a restart before it counts.\nRestart the device, then read the setting again.',
  'device.not-supported': 'The device does not support this.',
  'device.not-supported-at-all':
    'The device does not support this.\nIf it answers everything like this, it uses another path prefix.',
  'device.no-rights':
    'The account has no right to do this on the device.\nGive the account the right on the device, or sign in with an administrator.',
  'device.not-activated':
    "The device was never activated: it has no administrator password yet.\nActivate it with the manufacturer's tool or on the device itself, then give Fieldwright the user name and password.",
  'device.refused-request': 'The device refused the request.',
  'device.says': '{sentence} The device says: {reason}',
} as const;
