export function formatReference(): string;
