/** False in old browsers, and where the address is not encrypted. */
export function hasPasskeys(): boolean {
  return "PublicKeyCredential" in window;
}
