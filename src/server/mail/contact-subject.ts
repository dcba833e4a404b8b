/** The subject of a participant's message to support, by which it is found again. */
export function contactSubject(asn: string, providerName: string): string {
  return `Message from AS${asn} through ${providerName}`;
}
