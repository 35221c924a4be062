export function writeLinuxScripts(folder: string): void;
