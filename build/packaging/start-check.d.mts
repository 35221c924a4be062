export function checkWindow(endpoint: string, version: string, isOver: () => boolean): Promise<void>;
