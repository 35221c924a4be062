/** The list of devices, sites, connection profiles, credentials and the vault. */
export const INVENTORY = {
  'no-such-device': 'There is no device "{device}".',
  'address-form': 'This is not an address of a device.',
  'address-with-user':
    'An address must not hold a user name or password.\nSave the credential separately; it goes into the vault.',
  'address-scheme': 'Devices are reached by http:// or https:// only.',
  'address-with-path':
    'An address ends after the port; a path does not belong to it.\nIf the device uses another first path segment, set it as path prefix.',
  'address-port': 'The port must be a number from 1 to 65535.',
  'address-without-host': 'The address has no host.',
  'address-host': 'This is not a host name or an IP address.',
  'address-numbers':
    'These numbers are not an address.\nAn IPv4 address has four decimal parts from 0 to 255 without leading zeros, for instance 192.168.1.64.',
  'address-ipv6': 'This is not an IPv6 address.',
  'address-taken': 'This address is already in the list, as "{name}".',
  'path-prefix': 'The path prefix must be a path such as /API.',
  namespace: 'The namespace must be a URI of at most {max} {max:character|characters}.',
  'profile-number': "The profile's {field} must be a whole number from {min} to {max}.",
  'text-too-long': '{what} has at most {max} {max:character|characters}.',
  'text-misleading':
    '{what} has no line breaks, control characters or marks that turn the direction of writing.',
  'name-missing': 'A name is missing.',
  'too-many-tags': 'A device has at most {max} tags.',
  'site-taken': 'There is a site "{name}" already.',
  'profile-taken': 'There is a connection profile "{name}" already.',
  'no-such-profile': 'There is no connection profile "{name}".',
  'row-cells': 'The row has more cells than there are columns.',
  'row-without-address': 'The row has no address.',
  'row-sign-ins':
    'More than one saved credential matches this row.\nName one by its label in a column "credential".',
  'row-without-sign-in':
    'No saved credential matches this row.\nSave the credential first, then import the row again.',
  'columns-same': 'Two columns say the same: "{name}".',
  'columns-without-address':
    'The first line must name the columns, one of them "address" or "IP address".\nColumns: address, port, name, tags, site, user, credential, profile, prefix, namespace, auth, certificate.',
  'columns-with-password':
    'The file has a column of passwords; it was not imported.\nRemove the column, save the credential in Fieldwright, and name it in a column "user" or "credential".',
  'unknown-columns':
    '{count:This column is|These columns are} not known: {names}.\nSay what a column holds, or leave it out: on the command line with --map COLUMN=address or --map COLUMN=.',
  'no-such-column': 'The file has no column "{name}".',
  'no-such-meaning': 'A list of devices has nothing called "{name}".',
  'address-changed-meanwhile':
    'The device got another address meanwhile; what was meant for the old one was not sent.\nLook whether the new address is right, then do it again.',
  'no-credential': 'There is no saved credential with this id.',
  'credential-gone': 'The credential of this device is no longer there.\nGive the device another credential.',
  'credential-without-user': 'A credential needs a user name.',
  'sign-in-replaces':
    'This would also replace the sign-in of {devices} other {devices:device that signs|devices that sign} in today. Nothing was sent and nothing was changed.\nGive it only to the devices that need it, or try it on all of them first (`--test`).',
  'sign-in-refused-there':
    '"{device}" signs in with the present credential and refused the new one. Nothing was changed there or on any of the {devices} devices.\nGive the new credential only to the devices that need it.',
  'sign-in-unproved':
    'None of the {devices} devices that sign in today could be asked whether they accept the new credential ("{device}" did not answer). Nothing was changed.\nTry again when one of them answers, or give the new credential only to the devices that need it.',
  'tag-missing': 'A tag is missing.',
  'identity-form': 'An identity has 1 to {max} {max:character|characters} and no line breaks.',
  'name-of-several': '{count} devices have the name "{reference}".\nUse the address or the id.',
  'no-profile': 'There is no connection profile with this id.',
  'one-default-profile': 'One connection profile is the default.\nMake another one the default instead.',
  'default-profile-stays':
    'The default connection profile cannot be removed.\nMake another one the default first.',
  'too-many-ports': 'A connection profile has at most {max} ports.',
  'too-many-services': 'A connection profile has at most {max} types of services.',
  'service-form': 'A type of services is written like _http._tcp.',
  'secret-removed': 'The secret "{name}" was removed just now.',
  'secret-name':
    'No variable of a template can have this name.\nSave the secret under the name of the variable that takes it: letters, digits and _, no digit first.',
  'secret-empty': 'The secret is empty.',
  'no-site': 'There is no site with this id.',
  'no-certificate':
    'This device is reached over http:// and shows no certificate.\nGive it an https:// address first.',
  'changed-while-tried': 'The device was changed while its sign-in was tried; nothing more was sent.',
  'secret-damaged': 'A stored secret is damaged and cannot be read.\nEnter it again.',
  'vault-without-passphrase':
    'This vault is not protected by a passphrase.\nIt is protected by: {protection}.',
  'vault-key-damaged':
    'The stored key of the vault is damaged.\nPut back the data folder from a copy, or enter the credentials anew in another data folder.',
  'vault-key-unreadable': 'The stored key of the vault is damaged.',
  'plain-fields':
    'This would send a user name or password readable over the network; nothing was sent.\nUse https:// for this device, or give your consent for this request.',
  'keychain-refused':
    'The keychain of this computer did not give the key of the vault.\nUnlock the keychain and start Fieldwright again. On another computer or account, enter the credentials anew.',
  'vault-unprotected': 'The vault is locked.\nChoose a passphrase for it.',
  'vault-locked': 'The vault is locked.\nUnlock it first; it is protected by: {protection}.',
} as const;
