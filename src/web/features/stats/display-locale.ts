/**
 * Replaces `navigator.language` if Intl does not accept it. Call it before loading a library that passes the language
 * to Intl: uPlot does so while it is imported.
 */
export function fixNavigatorLanguage(): void {
  const { language } = navigator;
  const locale = parseDisplayLocale(language);
  if (locale !== language)
    Object.defineProperty(navigator, "language", { value: locale, configurable: true });
}

/**
 * Returns the browser's language as a locale for Intl, or "en" if Intl does not accept it: WebKit reports "C" where the
 * system's locale is C.UTF-8.
 *
 * @param language `navigator.language`
 */
export function parseDisplayLocale(language: string | undefined): string {
  if (language === undefined || language === "") return fallback;
  try {
    return Intl.getCanonicalLocales(language)[0] ?? fallback;
  } catch {
    return fallback;
  }
}

const fallback = "en";
