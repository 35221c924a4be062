export function writeSums(folder: string, system: string): Promise<void>;
