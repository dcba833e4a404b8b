const octet = "(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
const dotted = new RegExp(`^${octet}\\.${octet}\\.${octet}\\.${octet}$`);

/** The 32-bit value of a dotted IPv4 address, or null. Leading zeros, short and hexadecimal forms are invalid. */
export function parseIpv4(text: string): number | null {
  const octets = dotted.exec(text)?.slice(1);
  if (!octets) return null;
  return octets.reduce((value, part) => value * 256 + Number(part), 0);
}

export function formatIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}
