import { Hono } from "hono";
import { html } from "hono/html";
import { type Trouble, troublesByPort } from "../agent/drivers/simulated/triggers.ts";
import type { SimulationMode } from "../agent/drivers/simulated/simulated-router.ts";
import type { Outbox } from "../server/features/mail/outbox.ts";
import { type Html, plainPage } from "../server/http/plain-page.ts";
import type { DemoNode } from "./nodes.ts";

const modes: Readonly<Record<SimulationMode, string>> = {
  normal: "answers and applies what it is told",
  offline: "cannot be reached; deployments wait two minutes and end as an error",
  silent: "takes every question and answers none, as a host that hangs does",
  refuse: "refuses every change; deployments fail at once and what ran before runs on",
  slow: "takes its time over every change",
};

/** How a simulated participant misbehaves, in words. */
const troubles: Readonly<Record<Trouble, string>> = {
  "no pings": "tunnel and BGP are up, but pings get no answer",
  "no handshake": "the tunnel never comes up",
  "no BGP daemon": "the tunnel is up, but the neighbour runs no BGP daemon",
  "no extended next hop": "the neighbour announces neither IPv4 nor extended next hop",
  "refused routes": "routes are announced that our filters refuse, one for each of their reasons",
  "unregistered route": "one route more is announced, which our filters refuse",
  "refused by BIRD": "BIRD refuses the configuration",
};

/** What only the demo has: the mail that was not sent, and switches that make its nodes fail. */
export function demoPages(outbox: Outbox, nodes: readonly DemoNode[]): Hono {
  const pages = new Hono();
  pages.get("/demo/outbox.json", async (context) => context.json(await outbox.kept()));
  pages.get("/demo/outbox", async (context) => context.html(outboxPage(await outbox.kept())));
  pages.get("/demo", (context) => context.html(nodesPage(nodes)));
  pages.post("/demo/nodes/:name", async (context) => {
    const node = nodes.find(({ name }) => name === context.req.param("name"));
    const { mode } = await context.req.parseBody();
    if (!node || !isMode(mode)) return context.text("There is no such node or mode.\n", 404);
    node.setMode(mode);
    return context.redirect("/demo", 303);
  });
  return pages;
}

function isMode(value: unknown): value is SimulationMode {
  return typeof value === "string" && Object.hasOwn(modes, value);
}

function outboxPage(mails: Awaited<ReturnType<Outbox["kept"]>>): Html {
  return page(
    "Demo mail",
    html`<p>This demo keeps its mail here instead of sending it. Newest first.</p>
      ${mails.length === 0 ? html`<p>There is none yet.</p>` : ""}
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

/** The text with its links made clickable. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}

function nodesPage(nodes: readonly DemoNode[]): Html {
  return page(
    "Demo nodes",
    html`<p>The demo's routers are simulated. Make one fail and see what becomes of a deployment.</p>
      <dl>
        ${Object.entries(modes).map(
          ([mode, meaning]) =>
            html`<dt>${mode}</dt>
              <dd>${meaning}</dd>`,
        )}
      </dl>
      ${nodes.map(
        ({ name, mode }) =>
          html`<form method="post" action="/demo/nodes/${name}">
            <strong>${name}</strong>
            ${Object.keys(modes).map(
              (choice) =>
                html`<button name="mode" value="${choice}" aria-pressed="${String(choice === mode())}">
                  ${choice}
                </button>`,
            )}
          </form>`,
      )}
      <h2>Participants that misbehave</h2>
      <p>
        The port of a peering's endpoint makes its far side fail. A host name under .invalid does not resolve.
      </p>
      <dl>
        ${Array.from(
          troublesByPort,
          ([port, trouble]) =>
            html`<dt>${port}</dt>
              <dd>${troubles[trouble]}</dd>`,
        )}
      </dl>`,
  );
}

function page(title: string, body: Html): Html {
  const links = html`<p>
    <a href="/">Peerdeck</a> · <a href="/demo/outbox">Demo mail</a> · <a href="/demo">Demo nodes</a>
  </p>`;
  return plainPage(title, html`${links} ${body}`);
}
