export function removeWindowsSignature(bytes: Buffer): Buffer;
