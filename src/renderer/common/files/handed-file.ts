/** A file that was opened from outside the window, on its way to the screen that reads it. */
let waiting: File | undefined;

export function storeFile(file: File): void {
  waiting = file;
}

export function takeHandedFile(): File | undefined {
  const file = waiting;
  waiting = undefined;
  return file;
}
