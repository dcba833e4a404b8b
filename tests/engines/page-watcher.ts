/**
 * The part of the console that runs in the page, before the app. Engines do not report unhandled rejections and
 * violations of the security policy in the same way, so the page reports them as exceptions.
 */
export function watchPage(): void {
  window.addEventListener("unhandledrejection", ({ reason }) => {
    reportError(new Error(`unhandled rejection: ${String(reason)}`, { cause: reason }));
  });
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    reportError(new Error(`refused by the security policy: ${effectiveDirective} ${blockedURI}`));
  });
}
