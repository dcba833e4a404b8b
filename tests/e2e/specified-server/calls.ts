/** The calls of section 7, with its fields alone. */
import { randomBytes } from "node:crypto";
import type { Mood, PeerUpdate } from "./moods.ts";
import { empty, json, type Reply } from "./replies.ts";

export interface Request {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON; undefined without a body, or with one that is not JSON. */
  readonly body: unknown;
  /** The login cookie; empty without one. */
  readonly cookie: string;
}

export interface Response extends Reply {
  /** The new value of the login cookie. */
  readonly cookie?: string;
}

interface Task {
  readonly taskID: unknown;
  polls: number;
}

type Fields = Readonly<Record<string, unknown>>;
type Handler = (fields: Fields, username: string) => Response;

const nodes = ["syd01", "per01", "sin01", "de01", "lon01"];
/** Polls that find a task unfinished. */
const waitingPolls = 2;
const updateFields = [
  "address_family",
  "bgp_extnh",
  "local_ipv6",
  "node",
  "peer_ipv4",
  "peer_ipv6",
  "public_key",
  "remote_ip",
  "remote_port",
];

/** Creates the calls of a server that has one account with this password, and no peering. */
export function createCalls(mood: Mood, account: { readonly asn: string; readonly password: string }) {
  const loginSessions = new Map<string, string>();
  const peerings = new Map<string, PeerUpdate>();
  const tasks: Task[] = [];

  const startTask = (): Response => {
    const task = { taskID: mood.taskID(tasks.length + 1), polls: 0 };
    tasks.push(task);
    return json({ status: mood.waiting, taskID: task.taskID, quip: mood.quip });
  };

  /** Section 7's calls with a body, their fields, and whether they need a login session. */
  const posts: Readonly<Record<string, readonly [access: string, fields: readonly string[], Handler]>> = {
    "/api/login/": [
      "public",
      ["password", "username"],
      ({ username, password }) => {
        if (username !== account.asn || password !== account.password)
          return json({ message: "Invalid credentials" }, 401);
        const cookie = randomBytes(16).toString("hex");
        loginSessions.set(cookie, account.asn);
        return { ...mood.bare, cookie };
      },
    ],
    "/api/sendEmailVerification": ["public", ["asn"], () => mood.bare],
    "/api/setPassword": ["public", ["password", "token"], () => mood.bare],
    "/api/getPeeredNodes": ["own", ["username"], () => json(Array.from(peerings.keys()))],
    "/api/getNodesList": ["own", ["username"], () => json(nodes.map((name) => ({ name })))],
    "/api/deletePeer": [
      "own",
      ["node", "username"],
      ({ node }) => (peerings.delete(String(node)) ? startTask() : empty(400)),
    ],
    "/api/getTaskStatus/": [
      "own",
      ["taskID", "username"],
      ({ taskID }) => {
        const task = tasks.find((each) => String(each.taskID) === String(taskID));
        if (!task) return empty(404);
        task.polls += 1;
        return json({ status: task.polls > waitingPolls ? "success" : mood.waiting, quip: mood.quip });
      },
    ],
    "/api/getPeerConfig": [
      "peering",
      ["node", "username"],
      ({ node }, username) => {
        const update = peerings.get(String(node));
        return update ? json({ [update.node]: mood.peerConfig(update, username) }) : empty(404);
      },
    ],
    "/api/getNodeConfig": ["peering", ["node", "username"], () => json(mood.nodeConfig)],
    "/api/checkPeerDeletionValidity": ["peering", ["node", "username"], () => mood.bare],
    "/api/getPeerDetails": [
      "peering",
      ["node", "username"],
      ({ node }) => json({ [String(node)]: mood.peerDetails }),
    ],
    "/api/troubleshootBGP": ["peering", ["node", "username"], () => json(mood.bgpCheck)],
    "/api/restartBGPPeer": ["peering", ["node", "username"], () => mood.bare],
    "/api/getPeerReceivedRoutes": ["peering", ["node", "username"], () => json(mood.routes)],
    "/api/getPeerAdvertisedRoutes": ["peering", ["node", "username"], () => json(mood.routes)],
    "/api/pingCheck": ["peering", ["addr_family", "node", "username"], () => json(mood.ping)],
    "/api/getPeerStatus": [
      "own",
      ["username"],
      () => json(Array.from(peerings.keys(), (node) => ({ node, ...mood.peerStatus }))),
    ],
    "/api/getNodeStatus": ["own", ["node", "username"], () => json({ results: mood.nodeStatus })],
    "/api/submitContactForm": ["own", ["email", "message", "name", "username"], () => mood.bare],
  };

  /** A two-item array: [{username}, peer update payload]. */
  const update = (body: unknown, cookie: string): Response => {
    const [who, payload] = Array.isArray(body) ? (body as readonly Fields[]) : [];
    if (!who || !payload || !hasFields(who, ["username"]) || !hasFields(payload, updateFields))
      return empty(422);
    if (who["username"] !== loginSessions.get(cookie)) return empty(401);
    const peering = payload as unknown as PeerUpdate;
    peerings.set(peering.node, peering);
    return startTask();
  };

  return ({ method, path, body, cookie }: Request): Response => {
    const username = loginSessions.get(cookie) ?? "";
    if (method === "GET" && path === "/api/auth-status/")
      return username === ""
        ? mood.anonymous
        : json({ isAuthenticated: true, username: mood.username(username) });
    if (method === "GET" && path === "/api/mapVPNStatus") return json(mood.links);
    if (method === "POST" && path === "/api/logout/") {
      loginSessions.delete(cookie);
      return { ...mood.bare, cookie: "" };
    }
    if (method === "POST" && path === "/api/updatePeerConfig") return update(body, cookie);
    const [access, fields, handle] = (method === "POST" ? posts[path] : undefined) ?? [];
    if (!access || !fields || !handle) return mood.notFound;
    const given = (typeof body === "object" && body !== null ? body : {}) as Fields;
    const { password_reset: reset, ...rest } = given;
    const isReset = path === "/api/sendEmailVerification" && reset === "Yes";
    // A field that section 7 does not have is refused: a strict server may.
    if (!hasFields(isReset ? rest : given, fields)) return empty(422);
    if (access !== "public" && (username === "" || given["username"] !== username)) return empty(401);
    if (access === "peering" && !peerings.has(String(given["node"]))) return empty(400);
    return handle(given, username);
  };
}

function hasFields(body: Fields, fields: readonly string[]): boolean {
  return Object.keys(body).toSorted().join() === fields.join();
}
