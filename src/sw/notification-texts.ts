import type { PushMessage, SessionChange } from "../contract/push.ts";

export interface Told {
  /** What happened, and where. */
  readonly title: string;
  /** What it means, and what to do next. */
  readonly body: string;
}

type Deployment = Extract<PushMessage, { type: "deployment" }>;
type Session = Extract<PushMessage, { type: "session" }>;

const deployed: Readonly<Record<Deployment["status"], (host: string) => Told>> = {
  success: (host) => ({
    title: `Deployed to ${host}`,
    body: "Your peering is set up on our side. Open it for the config of yours.",
  }),
  failed: (host) => ({
    title: `Deployment to ${host} failed`,
    body: "The node refused it. What ran before still runs. Open it to see why and to try again.",
  }),
  error: (host) => ({
    title: `Deployment to ${host} failed`,
    body: "The node could not be reached. What ran before is kept. Open it to try again.",
  }),
};

const deleted: Readonly<Record<Deployment["status"], (host: string) => Told>> = {
  success: (host) => ({
    title: `Peering on ${host} deleted`,
    body: "The node has removed the tunnel and its sessions. You can remove your side as well.",
  }),
  failed: (host) => ({
    title: `Peering on ${host} not deleted`,
    body: "The peering is kept. Open it to see why.",
  }),
  error: (host) => ({
    title: `Peering on ${host} not deleted`,
    body: "The node could not be reached, and the peering is kept. Try again when the node is back.",
  }),
};

const changed: Readonly<Record<SessionChange, (host: string, at: string) => Told>> = {
  down: (host, at) => ({
    title: `BGP session on ${host} is down`,
    body: `Since ${at}. Open the peering to see why.`,
  }),
  up: (host, at) => ({ title: `BGP session on ${host} is back`, body: `Since ${at}. Nothing to do.` }),
  unsteady: (host, at) => ({
    title: `BGP session on ${host} is unsteady`,
    body: `It went down and came back several times until ${at}. We tell you again when it has settled. Open the peering to see its state.`,
  }),
};

export function tellDeployment({ kind, status }: Deployment, host: string): Told {
  return (kind === "delete" ? deleted : deployed)[status](host);
}

export function tellSession({ change, at }: Session, host: string): Told {
  const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }).format(at);
  return changed[change](host, time);
}
