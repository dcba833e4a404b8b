/** A browser engine as the scenarios see it. What differs between engines stays behind these interfaces. */

export type EngineName = "Firefox" | "WebKit";

export interface Engine extends AsyncDisposable {
  readonly name: EngineName;
  /**
   * Opens a tab without cookies, storage or service workers of another one.
   *
   * @param server the server, whose calls can fail on purpose.
   */
  readonly openTab: (server: string) => Promise<Tab>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Names of keys as in `KeyboardEvent.key`. */
export type Key = "Tab" | "Enter" | "Escape" | "Space" | "ArrowRight" | "ArrowLeft" | "Home" | "End";

export interface Tab extends AsyncDisposable {
  /** The address of the server for this tab. */
  readonly origin: string;
  readonly goto: (path: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Runs a function in the page. Arguments and result are JSON. Rejects if the page is left in the meantime. */
  readonly evaluate: <A extends readonly unknown[], R>(
    run: (...args: A) => R | Promise<R>,
    ...args: A
  ) => Promise<R>;
  /** Runs a script in the page, for instance a library. */
  readonly runScript: (source: string) => Promise<void>;
  /** Clicks with the main button of a mouse. */
  readonly clickAt: (point: Point) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  readonly press: (key: Key) => Promise<void>;
  /** The page's console errors and warnings, exceptions, unhandled rejections and violations of the security policy. */
  readonly consoleErrors: () => readonly string[];
}

export const viewport = { width: 1280, height: 900 } as const;
