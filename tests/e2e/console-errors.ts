/** Collects all errors that a browser reports while a test uses the app. */
import type { Page } from "playwright";

/**
 * Returns a list that grows with console errors and warnings, exceptions, violations of the security policy, failed
 * requests, and responses with status 400 or above (`404 /api/setPassword`). Requests that the app aborts are not
 * included.
 */
export async function collectConsoleErrors(page: Page): Promise<readonly string[]> {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The browser's own message about a request, which the list already contains.
    if (message.text().startsWith("Failed to load resource")) return;
    // The app's message about a call. A call that timed out is not in the list: the app itself has aborted it.
    const [, failedPath] = /^Call failed: (\S+)/.exec(message.text()) ?? [];
    if (failedPath !== undefined && errors.some((error) => error.endsWith(failedPath))) return;
    errors.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => errors.push(`thrown: ${error.message}`));
  page.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText ?? "";
    if (failure !== "net::ERR_ABORTED") errors.push(`${failure} ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  await page.exposeFunction("reportViolation", (violation: string) => errors.push(`refused: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      (Reflect.get(window, "reportViolation") as (violation: string) => void)(
        `${effectiveDirective} ${blockedURI}`,
      );
    });
  });
  return errors;
}
