export function chromiumCandidates(): string[];
export function ensureChromium(): Promise<string>;
