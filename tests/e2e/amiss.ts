/** All that a browser has to complain about while somebody uses the app. */
import type { Page } from "playwright";

/**
 * A list that grows with errors and warnings on the page's console, exceptions, what the security policy refuses,
 * requests that break, and answers of 400 and up (`404 /api/setPassword`). A request that the app itself gave up is
 * none of these.
 */
export async function amissOn(page: Page): Promise<readonly string[]> {
  const amiss: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The browser's own line about a request, which is in the list by itself.
    if (message.text().startsWith("Failed to load resource")) return;
    amiss.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => amiss.push(`thrown: ${error.message}`));
  page.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText ?? "";
    if (failure !== "net::ERR_ABORTED") amiss.push(`${failure} ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) amiss.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  await page.exposeFunction("tellViolation", (violation: string) => amiss.push(`refused: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      (Reflect.get(window, "tellViolation") as (violation: string) => void)(
        `${effectiveDirective} ${blockedURI}`,
      );
    });
  });
  return amiss;
}
