export function runBuilt(entry: string, compiled: string): void;
