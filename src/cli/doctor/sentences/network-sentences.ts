/** What the doctor can find where the server meets other programs. */
import { describeToOperator, type Finding as NodeFinding } from "#domain/findings/findings.ts";
import type { UnreachableCause } from "#domain/findings/table/node-findings.ts";
import { countOf } from "#domain/text/plural.ts";
import { type NodeFacts, ok, problem, type TextFacts, warning } from "./sentence-row.ts";

/** What to do about an agent that cannot be reached. */
const agentAdvice: Readonly<Record<UnreachableCause, string>> = {
  refused:
    "Run systemctl status peerdeck-agent there, and compare listen in agent.toml with peerdeck nodes show here.",
  reset: "Read its log there: journalctl -u peerdeck-agent.",
  "no-route": "Correct the agent's URL with peerdeck nodes move --agent, or the network of this machine.",
  "no-address": "Correct the agent's URL with peerdeck nodes move --agent.",
  timeout:
    "Check its power, network and firewalls. If the server has another address, run on the node: peerdeck-agent accept-server ADDRESS",
  "wrong-certificate":
    "If peerdeck-agent setup prints the presented one there, enter it with peerdeck nodes move --agent-fingerprint; otherwise " +
    "another program responds.",
  "server-rejected":
    "Add this server's fingerprint to server_fingerprints in agent.toml, and restart the agent.",
  other: "Compare listen in agent.toml there with peerdeck nodes show here.",
};

export const networkSentences = {
  "mail-ok": ok<{ readonly server: string }>(
    ({ server }) => `The mail server ${server} accepts connection and login.`,
  ),
  "mail-sent": ok<{ readonly server: string; readonly to: string }>(
    ({ server, to }) => `The mail server ${server} accepted a test message to ${to}. See whether it arrives.`,
  ),
  "mail-problem": problem<TextFacts>(({ text }) => text),

  "public-not-checked": warning<{ readonly url: string }>(
    ({ url }) =>
      `${url} was not checked, because the server does not run. Start it, then run the command again.`,
  ),
  "public-ok": ok<{ readonly url: string }>(({ url }) => `${url} leads to this server.`),
  "public-plain": warning<{ readonly url: string }>(
    ({ url }) =>
      `${url} is not https, so others can read passwords on the way. Set up TLS in a reverse proxy, and write https:// there.`,
  ),
  "public-host": problem<{ readonly url: string }>(
    ({ url }) =>
      `The host of ${url} was not found. Add it to the DNS, or correct the profile; if only this machine cannot find it, name it in /etc/hosts.`,
  ),
  "public-refused": problem<{ readonly url: string }>(
    ({ url }) => `Nothing listens at ${url}. Start the reverse proxy, or correct the profile.`,
  ),
  "public-timeout": problem<{ readonly url: string }>(
    ({ url }) =>
      `${url} did not respond in time. Let firewalls pass it; if only this machine cannot reach its own public ` +
      "address, name the host in /etc/hosts.",
  ),
  "public-certificate": problem<{ readonly url: string; readonly reason: string }>(
    ({ url, reason }) =>
      `The certificate of ${url} is not trusted (${reason}). Use one that browsers trust. For an authority of your own, ` +
      "let this machine trust it (update-ca-certificates), or set NODE_EXTRA_CA_CERTS to its PEM file.",
  ),
  "public-failed": problem<{ readonly url: string; readonly reason: string }>(
    ({ url, reason }) => `The connection to ${url} failed (${reason}). Check the reverse proxy.`,
  ),
  "public-other": problem<{ readonly url: string; readonly status: number }>(
    ({ url, status }) =>
      `Another program than this server responds at ${url} (status ${status}). Let the reverse proxy pass requests to HOST and ` +
      "PORT of this server, or correct the profile.",
  ),
  "public-host-changed": problem<{ readonly url: string; readonly counted: string }>(
    ({ url, counted }) =>
      `${url} leads to this server, but with another Host header, so its requests count as those of ${counted}. Let the reverse ` +
      "proxy pass the Host of clients on.",
  ),
  "proxy-ok": ok<{ readonly peer: string }>(
    ({ peer }) => `The reverse proxy ${peer} is trusted and passes the client's address on.`,
  ),
  "proxy-none": ok<{ readonly peer: string }>(() => "Clients reach the server without a reverse proxy."),
  "proxy-untrusted": problem<{ readonly peer: string }>(
    ({ peer }) =>
      `The reverse proxy ${peer} is not trusted, so all clients count as one. Add "${peer}" to trusted_proxies, and restart the server.`,
  ),
  "proxy-drops": problem<{ readonly peer: string }>(
    ({ peer }) =>
      `The reverse proxy ${peer} sends no X-Forwarded-For, so all clients count as one. Let it append the client's address.`,
  ),
  "proxy-keeps": problem<{ readonly peer: string }>(
    ({ peer }) =>
      `The reverse proxy ${peer} passes on the X-Forwarded-For of clients unchanged, so they can forge their address. Let it append ` +
      "the client's address, or replace the header.",
  ),
  "stream-ok": ok(() => "Event streams arrive without delay."),
  "stream-buffered": problem<{ readonly url: string }>(
    ({ url }) =>
      `The reverse proxy of ${url} holds event streams back, so pages are not updated. Turn off buffering and compression of text/event-stream.`,
  ),

  "nodes-none": warning(() => "There are no nodes yet. To add one: peerdeck nodes add --help"),
  "agent-ok": ok<NodeFacts & { readonly version: string }>(
    ({ host, version }) =>
      `${host}: the agent (version ${version}) responds, and both sides have the right fingerprints.`,
  ),
  "agent-unreachable": problem<
    NodeFacts & { readonly cause: UnreachableCause; readonly presented: string | null }
  >(({ host, cause, presented }) => {
    const found = presented === null ? "" : ` It presented ${presented}.`;
    return `${describeToOperator({ code: "node-unreachable", facts: { host, cause } })}${found} ${agentAdvice[cause]}`;
  }),
  "agent-problem": problem<{ readonly finding: NodeFinding }>(({ finding }) => describeToOperator(finding)),
  "agent-name": problem<NodeFacts & { readonly name: string }>(
    ({ host, name }) =>
      `${host}: the agent says that it is node ${name}. Correct the URLs and fingerprints of both nodes with peerdeck nodes move, or node in agent.toml.`,
  ),
  "agent-simulated": warning<NodeFacts>(
    ({ host }) =>
      `${host}: the agent only simulates a router. Set router = "linux" in agent.toml for a real node.`,
  ),
  "agent-clock": warning<NodeFacts & { readonly seconds: number }>(
    ({ host, seconds }) =>
      `${host}: its clock is ${countOf(Math.abs(seconds), "second")} ${seconds > 0 ? "ahead of" : "behind"} the server's. Let NTP set both.`,
  ),
  "agent-finding": warning<NodeFacts & { readonly finding: NodeFinding }>(
    ({ host, finding }) => `${host}: ${describeToOperator(finding)}`,
  ),
} as const;
