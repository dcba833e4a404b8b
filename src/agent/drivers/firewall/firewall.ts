/**
 * The node's packet filter: the nftables table `inet peerdeck`, and nothing else of nftables.
 *
 * Invariants: every change is one transaction, so there is no moment without the table. If the kernel's table is
 * known, only elements of its sets change; otherwise the whole table is replaced. Like a change of
 * the tunnels, a change has two halves: `prepare` protects the desired tunnels besides the present ones, before a
 * tunnel is created; `finish` runs after removed tunnels are gone. After `prepare` either `finish` or `undo` is called.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { ProcessError, type ProcessResult, type Run } from "#system/processes.ts";
import { toOutput } from "../../router-output.ts";
import { type OtherNodesState, RouterRefusedError } from "../router.ts";
import type { OwnedInterfaces } from "../wireguard/owned-interfaces.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import {
  type FirewallElements,
  firewallElements,
  firewallPeerOf,
  parseListing,
  renderChange,
  tableName,
} from "./elements.ts";
import { type FirewallPolicy, limitsAgentPort, renderFirewall, replaceTable } from "./render.ts";
import type { SourcesByInterface } from "./strict-sources.ts";

export interface Firewall {
  readonly prepare: (desired: RoutedSet) => Promise<void>;
  /** Rolls back `prepare`. If the node had no table before, it keeps the new one, which protects its running tunnels. */
  readonly undo: () => Promise<void>;
  readonly finish: () => Promise<void>;
  /**
   * Protects these other nodes and their tunnels, and opens the agent's port to these servers, at the latest with the next
   * change. Not called between its halves.
   */
  readonly setOtherNodes: (others: Pick<OtherNodesState, "nodes" | "servers">) => Promise<void>;
  /** Limits participants to these sources, in the same way. */
  readonly setSources: (sources: SourcesByInterface) => Promise<void>;
  /** The same, unless the table is missing or was changed by another program. Not called between the halves of a change. */
  readonly updateSources: (sources: SourcesByInterface) => Promise<void>;
  /** Whether the table is known to protect exactly these tunnels, and what it has to protect of other nodes. */
  readonly isCurrent: (desired: RoutedSet) => boolean;
  /**
   * Whether the table is missing or differs from what was loaded. Never before the first change. Must not be called between
   * `prepare` and `finish`.
   */
  readonly hasDrifted: () => Promise<boolean>;
  /** The next change replaces the whole table. */
  readonly replaceNext: () => void;
  /** For the node's health, read from the kernel. */
  readonly findings: () => Promise<readonly Finding[]>;
}

export interface FirewallOptions {
  readonly run: Run;
  readonly policy: FirewallPolicy;
  readonly owned: Pick<OwnedInterfaces, "names">;
}

/** To list the table of a thousand tunnels takes a fraction of this. */
const listTimeoutMs = 5_000;

export function createFirewall({ run, policy, owned }: FirewallOptions): Firewall {
  let others: Pick<OtherNodesState, "nodes" | "servers"> = { nodes: [], servers: policy.servers };
  let sources: SourcesByInterface = new Map();
  /** The tunnels after the last complete change; null before the first. */
  let complete: RoutedSet | null = null;
  /** What the kernel has; null if unknown. `rest` is null if nftables was not available. */
  let kernel: { readonly elements: FirewallElements; readonly rest: string | null } | null = null;
  let inProgress: {
    readonly desired: RoutedSet;
    /** The table of a previous process, read before the first change. */
    readonly listingBefore: string | null;
    isLoaded: boolean;
  } | null = null;
  /** Why nftables cannot be used; null if it can. */
  let unavailable: Finding | null = null;

  /** Returns nft's output; null if the table does not exist or nftables cannot be used. */
  async function nft(args: readonly string[], input?: string): Promise<string | null> {
    const options = input === undefined ? { timeoutMs: listTimeoutMs } : { input };
    const result = await run("nft", args, options).catch((error: unknown) => {
      if (!isMissingProgram(error)) throw error;
      return null;
    });
    unavailable = findUnavailable(result);
    if (result === null || unavailable !== null) return null;
    const { code, stdout, stderr } = result;
    if (code === 0) return stdout;
    if (input === undefined && /No such file or directory/.test(stderr)) return null;
    throw new ProcessError(`nft ${args.join(" ")} exited with ${code ?? "a signal"}: ${stderr.trim()}`);
  }

  const load = (text: string) => nft(["-f", "-"], text);
  const list = () => nft(["--stateless", "list", "table", "inet", tableName]);

  /** Fails if the table was changed by another program. */
  async function canLoad(change: string): Promise<boolean> {
    try {
      await load(change);
      return true;
    } catch (error) {
      if (!(error instanceof ProcessError)) throw error;
      return false;
    }
  }

  async function converge(elements: FirewallElements): Promise<void> {
    const before = kernel;
    if (before !== null) {
      const change = renderChange(before.elements, elements);
      if (change === "") return;
      kernel = null;
      // A table without known servers lacks the rules of the agent's port.
      const hasRules = limitsAgentPort(before.elements) === limitsAgentPort(elements);
      if (hasRules && (await canLoad(change))) {
        kernel = { ...before, elements };
        return;
      }
    }
    await load(renderFirewall(policy, elements));
    const listing = await list();
    kernel = { elements, rest: listing === null ? null : parseListing(listing).rest };
  }

  const elementsOf = (routedSet: RoutedSet) =>
    firewallElements(Array.from(routedSet.values(), firewallPeerOf), others.nodes, sources, others.servers);

  async function prepare(desired: RoutedSet): Promise<void> {
    try {
      const listingBefore = complete === null ? await list() : null;
      inProgress = { desired, listingBefore, isLoaded: false };
      const before = elementsOf(complete ?? new Map());
      await converge(union(before, presentElements(owned.names()), elementsOf(desired)));
      inProgress.isLoaded = true;
    } catch (error) {
      throw new RouterRefusedError({ code: "packet-filter-not-set-up", facts: {} }, { cause: error });
    }
  }

  async function undo(): Promise<void> {
    if (!inProgress) return;
    const { isLoaded, listingBefore } = inProgress;
    if (isLoaded && complete !== null) await converge(elementsOf(complete));
    else if (isLoaded && listingBefore !== null) {
      kernel = null;
      await load(replaceTable + listingBefore);
    }
    inProgress = null;
  }

  async function finish(): Promise<void> {
    if (!inProgress) return;
    const { desired } = inProgress;
    await converge(elementsOf(desired));
    complete = desired;
    inProgress = null;
  }

  async function convergeIfLoaded(): Promise<void> {
    // After a change that did not end, only the next one knows which tunnels there are.
    if (complete !== null && !inProgress) await converge(elementsOf(complete));
  }

  async function isInKernel(expected: typeof kernel): Promise<boolean> {
    const listing = await list().catch((error: unknown) => {
      if (!(error instanceof ProcessError)) throw error;
      unavailable = describeUnavailable("other", error.message);
      return null;
    });
    if (listing === null || expected === null) return false;
    const { rest, elements } = parseListing(listing);
    return rest === expected.rest && renderChange(elements, expected.elements) === "";
  }

  async function hasDrifted(): Promise<boolean> {
    return complete !== null && !(await isInKernel(kernel)) && unavailable === null;
  }

  async function findings(): Promise<readonly Finding[]> {
    const expected = kernel;
    const isUnchanged = await isInKernel(expected);
    // A change that began meanwhile reports its own outcome.
    const isStable = expected !== null && expected === kernel;
    const found: Finding[] = [];
    if (unavailable !== null) found.push(unavailable);
    else if (isStable && !isUnchanged) found.push({ code: "packet-filter-changed", facts: {} });
    if (others.servers.length === 0) found.push({ code: "agent-port-open", facts: {} });
    return found;
  }

  function setSources(next: SourcesByInterface): Promise<void> {
    sources = next;
    return convergeIfLoaded();
  }

  return {
    prepare,
    undo,
    finish,
    setOtherNodes: (next) => {
      others = next;
      return convergeIfLoaded();
    },
    setSources,
    updateSources: async (next) => {
      if (next !== sources && (await isInKernel(kernel))) await setSources(next);
    },
    isCurrent: (desired) => kernel !== null && renderChange(kernel.elements, elementsOf(desired)) === "",
    hasDrifted,
    replaceNext: () => {
      kernel = null;
    },
    findings,
  };
}

/** An interface that an earlier change left, with addresses that are not known, is protected until it is removed. */
function presentElements(names: ReadonlySet<string>): FirewallElements {
  return firewallElements(Array.from(names, (name) => ({ name, peerAddresses: [], localAddresses: [] })));
}

function union(...all: readonly [FirewallElements, ...FirewallElements[]]): FirewallElements {
  const ofSet = (name: string) => all.flatMap((elements) => Array.from(elements.get(name) ?? []));
  return new Map(Array.from(all[0].keys(), (name) => [name, new Set(ofSet(name))]));
}

function findUnavailable(result: ProcessResult | null): Finding | null {
  if (result === null) return describeUnavailable("no-nft");
  return /Protocol not supported/.test(result.stderr) ? describeUnavailable("no-nftables") : null;
}

function describeUnavailable(cause: string, output = ""): Finding {
  return { code: "packet-filter-unavailable", facts: { cause, output: toOutput(output) } };
}

function isMissingProgram(error: unknown): boolean {
  return (
    error instanceof ProcessError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT"
  );
}
