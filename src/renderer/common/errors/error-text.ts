import type { ErrorShape } from '#shared/errors.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

/** Formats the device's answer in its own words and numbers: `HTTP 403 · 4 notSupport · …`. */
export function formatDeviceMessage(error: ErrorShape): string | undefined {
  const { status } = error;
  if (status === undefined) return undefined;
  const code = [status.statusCode, status.statusString]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const number = status.errorCode === undefined ? '' : `errorCode ${status.errorCode}`;
  return [`HTTP ${status.http}`, code, status.subStatusCode, number, status.errorMsg]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ');
}

/** Formats the location of an error: file, line and column, path, and the name that was probably meant. */
export function formatErrorLocation(error: ErrorShape, t: Translate): string | undefined {
  const { line, column } = error;
  const position =
    line === undefined
      ? undefined
      : column === undefined
        ? t('error.line', { line })
        : t('error.position', { line, column });
  const nearest = error.nearest === undefined ? undefined : t('error.nearest', { name: error.nearest });
  const parts = [error.file, position, error.path, error.operation, nearest].filter(
    (part) => part !== undefined && part !== '',
  );
  return parts.length === 0 ? undefined : parts.join(' · ');
}
