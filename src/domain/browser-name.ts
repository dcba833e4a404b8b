/** Names a browser by its User-Agent header. Others that contain a name pretend to be it, so the order matters. */
const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^Wget\//, "Wget"],
  [/^python-requests\/|^Python-urllib\/|^python-httpx\//, "Python"],
  [/^node$|^undici$/, "Node.js"],
];

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\b(?:Linux|X11)\b/, "Linux"],
];

/** Browsers send less. The expressions need quadratic time for a long text. */
const maxLength = 1_000;

/** Returns a few words such as "Firefox on Linux", "curl", or "Unknown browser". */
export function describeBrowser(userAgent: string | null): string {
  const text = (userAgent ?? "").slice(0, maxLength);
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(text))?.[1];
  const system = find(systems);
  const browser = find(browsers) ?? "Unknown browser";
  return system === undefined ? browser : `${browser} on ${system}`;
}
