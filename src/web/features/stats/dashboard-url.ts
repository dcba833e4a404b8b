/** A provider's URL template with its placeholders filled in, each value encoded as a part of a URL. */
export function dashboardUrl(
  template: string,
  values: { readonly node?: string; readonly asn?: string },
): string {
  return template.replace(/\{(node|asn)\}/g, (_, name: "node" | "asn") =>
    encodeURIComponent(values[name] ?? ""),
  );
}

/**
 * What a frame of this address may do. A panel needs scripts and its own host's cookies and storage; one that
 * comes from the app's own origin could reach the app with both, and so gets scripts alone.
 */
export function sandboxOf(url: string, appOrigin: string): string {
  return new URL(url, appOrigin).origin === appOrigin ? "allow-scripts" : "allow-scripts allow-same-origin";
}
