/** The number of a port 1 to 65535 in plain decimal without leading zeros, or null. */
export function parsePort(text: string): number | null {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) return null;
  const port = Number(text);
  return isPort(port) ? port : null;
}

export function isPort(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= 65_535;
}

/** The text of an endpoint: `192.0.2.1:51820`, `[2001:db8::1]:51820` or `router.example.org:51820`. */
export function formatEndpoint(host: string, port: number | string): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
