import type { TlsIdentity } from "#mtls/tls-identity.ts";
import type { Environment } from "#server/config/environment.ts";
import type { Profile } from "#server/config/profile.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import type { Run } from "#system/processes.ts";
import type { Finding } from "./sentences/sentences.ts";

/** What of the machine the doctor looks at; tests pass their own. */
export interface Machine {
  readonly run: Run;
  /** The unit of the package that runs the server. */
  readonly serverUnit: string;
  /** The unit of the package that makes a backup every day. */
  readonly backupTimer: string;
  readonly backupFolder: string;
}

/** What the server on the address in HOST and PORT is. */
export interface RunningServer {
  /** `none`: the port is free. `other`: a program that does not know the database's identity. `unknown`: not checked. */
  readonly kind: "own" | "other" | "none" | "unknown";
  /** Of its own kind; otherwise null. */
  readonly version: string | null;
}

export interface CheckedDatabase {
  readonly findings: readonly Finding[];
  /** Null before a server's first start, and if the database cannot be read. */
  readonly identity: string | null;
  /** Null before a server's first start, and if the database cannot be read: the profile's are taken over then. */
  readonly nodes: ReadonlyArray<Pick<ProviderNode, "name" | "agent">> | null;
}

export interface DoctorContext {
  readonly environment: Environment;
  readonly machine: Machine;
  /** Null if there is no valid one. */
  readonly profile: Profile | null;
  readonly identity: TlsIdentity | null;
  readonly readDatabase: () => Promise<CheckedDatabase>;
  /** As in `CheckedDatabase`. */
  readonly readDatabaseIdentity: () => Promise<string | null>;
  readonly findServer: () => Promise<RunningServer>;
  /** Null: no mail is sent. */
  readonly testRecipient: string | null;
}

export interface Check {
  /** Completes "The check of …". */
  readonly name: string;
  readonly limitMs?: (context: DoctorContext) => number;
  readonly run: (context: DoctorContext) => Promise<readonly Finding[]>;
}

/** The time limit of a check. What a check calls has a shorter one, so that its sentence says what did not respond. */
export const checkLimitMs = 5_000;
export const callLimitMs = 4_000;
