/** A session of WebDriver (https://www.w3.org/TR/webdriver2/): commands are HTTP requests with JSON bodies. */

export interface WebDriverSession extends AsyncDisposable {
  /**
   * Sends a command. Rejects with the driver's error.
   *
   * @param path relative to the session, such as `/url`
   */
  readonly send: (method: "GET" | "POST" | "DELETE", path: string, body?: unknown) => Promise<unknown>;
}

/** Longer than any command takes on a busy machine. Without it, a driver that hangs would block the tests for minutes. */
const commandTimeoutMs = 60_000;

/** @param capabilities of `alwaysMatch` */
export async function startWebDriverSession(
  driver: string,
  capabilities: Readonly<Record<string, unknown>>,
): Promise<WebDriverSession> {
  const { sessionId } = (await command(driver, "POST", "/session", {
    capabilities: { alwaysMatch: capabilities },
  })) as { readonly sessionId: string };
  const path = `/session/${sessionId}`;
  return {
    send: (method, relative, body) => command(driver, method, `${path}${relative}`, body),
    async [Symbol.asyncDispose]() {
      await command(driver, "DELETE", path);
    },
  };
}

async function command(driver: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${driver}${path}`, {
    method,
    signal: AbortSignal.timeout(commandTimeoutMs),
    ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
  });
  const { value } = (await response.json()) as { readonly value: unknown };
  if (response.ok) return value;
  const { error = response.status, message = "" } = value as {
    readonly error?: string;
    readonly message?: string;
  };
  throw new Error(`${method} ${path}: ${error} ${message}`);
}
