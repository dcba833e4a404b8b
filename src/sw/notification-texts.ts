import type { PushMessage, SessionChange } from "../contract/push.ts";

export interface NotificationText {
  /** What happened, and where. */
  readonly title: string;
  /** What it means, and what to do next. */
  readonly body: string;
}

export type DeploymentMessage = Extract<PushMessage, { type: "deployment" }>;
type SessionMessage = Extract<PushMessage, { type: "session" }>;

const deploymentTexts: Readonly<Record<DeploymentMessage["status"], (host: string) => NotificationText>> = {
  success: (host) => ({
    title: `Deployed to ${host}`,
    body: "Your peering is set up on our side. Open it to get the configuration for your router.",
  }),
  failed: (host) => ({
    title: `Deployment to ${host} failed`,
    body: "The node refused it, and nothing was changed. Open it to see why and try again.",
  }),
  error: (host) => ({
    title: `Deployment to ${host} failed`,
    body: "The node could not be reached, and nothing was changed. Open it to try again.",
  }),
};

const deletionTexts: Readonly<Record<DeploymentMessage["status"], (host: string) => NotificationText>> = {
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
    body: "The node could not be reached, and the peering is kept. Try again when it is back.",
  }),
};

const sessionTexts: Readonly<Record<SessionChange, (host: string, at: string) => NotificationText>> = {
  down: (host, at) => ({
    title: `BGP session on ${host} is down`,
    body: `Since ${at}. Open the peering to see why.`,
  }),
  up: (host, at) => ({ title: `BGP session on ${host} is back`, body: `Since ${at}. No action is needed.` }),
  unsteady: (host, at) => ({
    title: `BGP session on ${host} is flapping`,
    body: `It went down and came back several times until ${at}. We notify you again when it is stable. Open the peering to see its state.`,
  }),
};

export function deploymentText({ kind, status }: DeploymentMessage, host: string): NotificationText {
  return (kind === "delete" ? deletionTexts : deploymentTexts)[status](host);
}

export function nodeKeyText(host: string): NotificationText {
  return {
    title: `${host} has a new public key`,
    body: "Your tunnel stays down until you enter it in your configuration. Open the peering to copy it.",
  };
}

export function nodeAddressText(host: string): NotificationText {
  return {
    title: `${host} has a new address`,
    body: "Enter it as the endpoint in your configuration. Open the peering to copy it.",
  };
}

export function nodeRekeyText(host: string): NotificationText {
  return {
    title: `${host} gets a new public key`,
    body: "Open the peering to switch, and to copy the key into your configuration.",
  };
}

export function nodeRekeyCancelledText(host: string): NotificationText {
  return {
    title: `${host} keeps its public key`,
    body: "The provider cancelled the new key. Leave the present one in your configuration.",
  };
}

export function nodeKeyReturnedText(host: string): NotificationText {
  return {
    title: `Tunnel to ${host} switched back`,
    body: "No handshake with the new public key came within five minutes. Open the peering to try again.",
  };
}

export function nodeForgottenText(host: string): NotificationText {
  return {
    title: `Peering on ${host} removed`,
    body: "The provider has taken the node out of service. You can remove your side and peer with another node.",
  };
}

/**
 * With 24 hours in every language, as on the screens. Created with the first text: the worker also runs without one, and a slow phone
 * waits for each object of `Intl`.
 */
let timeFormat: Intl.DateTimeFormat | undefined;

export function sessionText({ change, at }: SessionMessage, host: string): NotificationText {
  timeFormat ??= new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
  return sessionTexts[change](host, timeFormat.format(at));
}
