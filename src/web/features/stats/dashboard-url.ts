/** A provider's URL template with its placeholders filled in, each value encoded as a part of a URL. */
export function dashboardUrl(
  template: string,
  values: { readonly node?: string; readonly asn?: string },
): string {
  return template.replace(/\{(node|asn)\}/g, (_, name: "node" | "asn") =>
    encodeURIComponent(values[name] ?? ""),
  );
}
