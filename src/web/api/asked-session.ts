declare global {
  interface Window {
    askedSession?: Promise<Response>;
  }
}

/**
 * The answer to who is signed in that the page's own script (index.html) has asked for while the app was loading.
 * Whoever takes it is the first and the last: what comes after the first question may be another answer.
 */
export function takeAskedSession(): Promise<Response> | undefined {
  const asked = window.askedSession;
  delete window.askedSession;
  return asked;
}
