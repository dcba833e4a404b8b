/** The range of every panel (specification, section 9), as Grafana's parameters. */
const lastThreeHours = "from=now-3h&to=now";

/**
 * Returns the address of a panel: a provider's URL template with its placeholders filled in, each value encoded as a
 * part of a URL. A template without a time range gets the last three hours; one that has `from` or `to` keeps its own.
 */
export function dashboardUrl(
  template: string,
  values: { readonly node?: string; readonly asn?: string },
): string {
  return addTimeRange(template).replace(/\{(node|asn)\}/g, (_, name: "node" | "asn") =>
    encodeURIComponent(values[name] ?? ""),
  );
}

/** Addresses other than http and https have no query. Edits the text: `URL` would encode the template's placeholders and rewrite the rest of its query. */
function addTimeRange(template: string): string {
  if (!/^(?:https?:|\/)/.test(template)) return template;
  const [, address = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(template) ?? [];
  const parameters = (query ?? "").split("&").filter((parameter) => parameter !== "");
  if (parameters.some((parameter) => /^(?:from|to)=/.test(parameter))) return template;
  return `${address}?${[...parameters, lastThreeHours].join("&")}${fragment}`;
}
