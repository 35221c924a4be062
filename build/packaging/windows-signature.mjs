/** Signatures of Windows' programs. */

const MAGIC_64 = 0x20b;

/**
 * Returns a program without its signature. It lies at the end of the file, and an entry of the header says where: the
 * fifth of the data directories (PE format, "Attribute Certificate Table").
 */
export function removeWindowsSignature(bytes) {
  const optionalHeader = bytes.readUInt32LE(0x3c) + 24;
  const directories = optionalHeader + (bytes.readUInt16LE(optionalHeader) === MAGIC_64 ? 112 : 96);
  const entry = directories + 4 * 8;
  const at = bytes.readUInt32LE(entry);
  if (at === 0) return bytes;
  const unsigned = Buffer.from(bytes.subarray(0, at));
  unsigned.writeBigUInt64LE(0n, entry);
  // The checksum of the header counts for drivers alone; zero says that there is none.
  unsigned.writeUInt32LE(0, optionalHeader + 64);
  return unsigned;
}
