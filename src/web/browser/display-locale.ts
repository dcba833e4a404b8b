import { parseDisplayLocale } from "../../contract/app/display-locale.ts";

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
