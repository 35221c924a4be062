/** The open windows, known to `app` and `BrowserWindow` alike. */
export interface OpenWindow {
  close(): void;
}

export const openWindows = new Set<OpenWindow>();
