import { Hono } from "hono";
import { html } from "hono/html";
import { type SimulatedFault, faultsByPort } from "../agent/drivers/simulated/faults.ts";
import type { SimulationMode } from "../agent/drivers/simulated/simulated-router.ts";
import type { AppContext } from "../server/context.ts";
import { lockAllPeerings } from "../server/db/peering-locks.ts";
import { startRekey } from "../server/features/peerings/node-keys/rekey-rows.ts";
import type { MailOutbox } from "../server/mail/outbox.ts";
import { findNode, replaceNode } from "../server/nodes/node-rows.ts";
import type { Nodes } from "../server/nodes/nodes.ts";
import type { NodeState } from "../server/nodes/provider-node.ts";
import { type Html, renderPlainPage } from "../server/site/plain-page.ts";
import type { DemoNode } from "./nodes.ts";

const modes: Readonly<Record<SimulationMode, string>> = {
  normal: "responds and applies changes",
  offline: "unreachable; deployments wait two minutes and end with an error",
  silent: "accepts requests but never responds, like a hung host",
  refuse: "refuses every change; deployments fail at once and nothing changes",
  slow: "takes much longer for every change",
};

type DemoContext = Pick<AppContext, "db" | "mailOutbox" | "nodes">;

/** Whether a node accepts new peerings. */
const states = {
  open: "accepts new peerings",
  closed: "accepts no new peerings",
  draining: "will be taken out of service, and accepts no new peerings",
} as const satisfies Partial<Record<NodeState, string>>;

const newKeyDescription = "announces another WireGuard key, to which participants switch within two weeks";
/** How long participants have to switch to a new key. */
const rekeyNoticeMs = 14 * 24 * 60 * 60_000;

/** Descriptions of the simulated faults of participants. */
const faultDescriptions: Readonly<Record<SimulatedFault, string>> = {
  "no pings": "tunnel and BGP are up, but pings get no reply",
  "no handshake": "the tunnel never comes up",
  "no BGP daemon": "the tunnel is up, but the neighbour runs no BGP daemon",
  "no extended next hop": "the neighbour announces neither IPv4 nor extended next hop",
  "refused routes": "announces routes that the import filters reject, one for each reason",
  "unregistered route": "announces one additional route that the import filters reject",
  "refused by BIRD": "BIRD refuses the configuration",
};

/**
 * Creates the pages that only the demo has: the mail that was not sent, and switches that make its nodes
 * fail, close them, or give them another key.
 */
export function demoPages(
  { db, mailOutbox: outbox, nodes: providerNodes }: DemoContext,
  nodes: readonly DemoNode[],
): Hono {
  const pages = new Hono();
  pages.get("/demo/outbox.json", async (context) => context.json(await outbox.listMails()));
  pages.get("/demo/outbox", async (context) => context.html(outboxPage(await outbox.listMails())));
  pages.get("/demo", (context) => context.html(nodesPage(nodes, providerNodes)));
  pages.post("/demo/nodes/:name", async (context) => {
    const node = nodes.find(({ name }) => name === context.req.param("name"));
    const { mode, state, key } = await context.req.parseBody();
    if (node && isMode(mode)) node.setMode(mode);
    else if (node && isState(state)) await setState(node.name, state);
    else if (node && key === "new") await startNewKey(node.name);
    else return context.text("Unknown node, mode, state or key.\n", 404);
    return context.redirect("/demo", 303);
  });
  return pages;

  async function startNewKey(node: string): Promise<void> {
    const now = Date.now();
    await startRekey(db, { node, now, switchAt: now + rekeyNoticeMs });
  }

  async function setState(name: string, state: NodeState): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await lockAllPeerings(tx);
      const stored = await findNode(tx, name);
      if (stored) await replaceNode(tx, { ...stored, state });
    });
    await providerNodes.refresh();
  }
}

function isState(value: unknown): value is keyof typeof states {
  return typeof value === "string" && Object.hasOwn(states, value);
}

function isMode(value: unknown): value is SimulationMode {
  return typeof value === "string" && Object.hasOwn(modes, value);
}

function outboxPage(mails: Awaited<ReturnType<MailOutbox["listMails"]>>): Html {
  return page(
    "Demo mail",
    html`<p>The demo does not send mail; it is shown here. Newest first.</p>
      ${mails.length === 0 ? html`<p>No mail yet.</p>` : ""}
      ${mails.map(
        ({ to, replyTo, subject, text, at }) =>
          html`<article>
            <h2>${subject}</h2>
            <p>To <strong>${to}</strong>, ${at}</p>
            ${replyTo === null ? "" : html`<p>Reply-To <strong>${replyTo}</strong></p>`}
            <pre>${linked(text)}</pre>
          </article>`,
      )}`,
  );
}

/** Renders a text with clickable links. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}

function nodesPage(nodes: readonly DemoNode[], providerNodes: Pick<Nodes, "find">): Html {
  return page(
    "Demo nodes",
    html`<p>
        The demo's routers are simulated, and so is their history before the demo was started. Make one fail
        and see what happens to a deployment, close one to new peerings, or give one another key.
      </p>
      <dl>
        ${Object.entries({ ...modes, ...states, "new key": newKeyDescription }).map(
          ([mode, meaning]) =>
            html`<dt>${mode}</dt>
              <dd>${meaning}</dd>`,
        )}
      </dl>
      ${nodes.map(
        ({ name, host, mode }) =>
          html`<form method="post" action="/demo/nodes/${name}">
            <strong>${host}</strong>
            ${Object.keys(modes).map(
              (choice) =>
                html`<button name="mode" value="${choice}" aria-pressed="${String(choice === mode())}">
                  ${choice}
                </button>`,
            )}
            ${Object.keys(states).map(
              (choice) =>
                html`<button
                  name="state"
                  value="${choice}"
                  aria-pressed="${String(choice === providerNodes.find(name)?.state)}"
                >
                  ${choice}
                </button>`,
            )}
            <button name="key" value="new">new key</button>
          </form>`,
      )}
      <h2>Participants with faults</h2>
      <p>
        The port of a peering's endpoint selects the fault of its participant. A hostname under .invalid does
        not resolve. One that begins with ipv6. replies at its IPv6 address only.
      </p>
      <dl>
        ${Array.from(
          faultsByPort,
          ([port, fault]) =>
            html`<dt>${port}</dt>
              <dd>${faultDescriptions[fault]}</dd>`,
        )}
      </dl>`,
  );
}

function page(title: string, body: Html): Html {
  const links = html`<p>
    <a href="/">Peerdeck</a> · <a href="/demo/outbox">Demo mail</a> · <a href="/demo">Demo nodes</a>
  </p>`;
  return renderPlainPage(title, html`${links} ${body}`);
}
