import { relative, resolve } from "node:path";
import { IdentityError } from "../mtls/tls-identity.ts";
import { ConfigError } from "../system/config/config-error.ts";
import type { Environment } from "./config/environment.ts";
import { MigrationBackupError } from "./db/backups/before-migration.ts";
import { DataFolderError } from "./db/data-folder.ts";
import { DatabaseVersionError } from "./db/database-version.ts";
import { SecretKeyError } from "./db/secrets/secret-keys.ts";
import { FolderInUseError } from "./db/sqlite/folder-lock.ts";
import { isDatabaseUnavailable } from "./db/unavailable.ts";
import { MissingBuildError } from "./site/missing-build-error.ts";

type Settings = Pick<Environment, "host" | "port" | "metrics" | "dataDir" | "databaseUrl">;

/** The fields of the errors of Node.js, of PostgreSQL's driver and of `node:sqlite` that say what failed. */
interface Fault extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
  readonly errcode?: number;
}

/** Errors whose message alone tells the operator what to do. */
const operatorErrors = [
  ConfigError,
  DataFolderError,
  DatabaseVersionError,
  FolderInUseError,
  IdentityError,
  MigrationBackupError,
  MissingBuildError,
  SecretKeyError,
];

/**
 * Returns what the operator reads of an error that ends the program, or null for a fault of the program.
 *
 * @param settings null if they could not be read
 */
export function describeOperatorError(error: unknown, settings: Settings | null): string | null {
  if (operatorErrors.some((type) => error instanceof type)) return (error as Error).message;
  return settings && describeStartError(error, settings);
}

/**
 * Returns a sentence for the operator if a setting of the environment prevents the start. It names the setting and says
 * what to do. Null for any other error.
 */
export function describeStartError(error: unknown, settings: Settings): string | null {
  if (!(error instanceof Error)) return null;
  return (
    describeListenError(error, settings) ??
    describeDatabaseError(error, settings) ??
    describeFolderError(error, settings) ??
    describeStartError(error.cause, settings)
  );
}

function describeListenError(error: Fault, { host, port, metrics }: Settings): string | null {
  const main = { host, port, hostName: "HOST", portName: "PORT" };
  const ofMetrics = metrics && { ...metrics, hostName: "METRICS_HOST", portName: "METRICS_PORT" };
  const failed = [ofMetrics, main].find((listener) => listener && isListenError(error, listener));
  if (failed) return describeAddress(error, failed);
  return error.syscall === "listen" ? describeAddress(error, main) : null;
}

interface Listener {
  readonly host: string;
  readonly port: number;
  readonly hostName: string;
  readonly portName: string;
}

function isListenError({ syscall, hostname, address, port }: Fault, listener: Listener): boolean {
  if (syscall === "getaddrinfo") return hostname === listener.host;
  return syscall === "listen" && address === listener.host && port === listener.port;
}

function describeAddress({ code }: Fault, { host, port, hostName, portName }: Listener): string {
  if (code === "EADDRINUSE")
    return `${portName} ${port} is in use on ${host}: stop the program that uses it, or set ${portName} to a free port.`;
  if (code === "EACCES")
    return `${portName} ${port} is reserved for root: set ${portName} to a port above 1023.`;
  return `${hostName} ${host} is not an address of this machine (${code}): set ${hostName} to one that it has, such as 127.0.0.1.`;
}

/** SQLSTATE codes of a rejected login and of missing rights (PostgreSQL's appendix "Error Codes"). */
const rejectedLogins = new Set(["28P01", "28000"]);
const [missingDatabase, missingRight] = ["3D000", "42501"];

function describeDatabaseError(error: Fault, { databaseUrl }: Settings): string | null {
  const url = databaseUrl === null ? null : URL.parse(databaseUrl);
  if (!url) return null;
  const { code = "", message, syscall } = error;
  const user = decodeURIComponent(url.username);
  const name = decodeURIComponent(url.pathname.slice(1));
  const place = url.host === "" ? "PostgreSQL" : `PostgreSQL on ${url.host}`;
  // The driver itself reports a password that the server requests and the URL does not have.
  if (rejectedLogins.has(code) || /password must be a string/.test(message))
    return `${place} rejected the user ${user} or its password: correct them in DATABASE_URL.`;
  if (code === missingDatabase)
    return `${place} has no database ${name}: create it, or correct its name in DATABASE_URL.`;
  if (code === missingRight)
    return `${place} refused the user ${user} a right (${message}): make it the owner of the database in DATABASE_URL.`;
  const isNetworkError = syscall === "connect" || syscall === "getaddrinfo";
  if (!isNetworkError && !isDatabaseUnavailable(error)) return null;
  return `${place} cannot be reached (${code || message}): start it, or correct its address in DATABASE_URL.`;
}

const folderFaults = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "EISDIR", "ENOSPC", "EDQUOT"]);
/** SQLITE_READONLY, SQLITE_FULL, SQLITE_CANTOPEN (sqlite.org/rescode.html). */
const sqliteFaults = new Set([8, 13, 14]);

function describeFolderError(
  { code = "", path, errcode, message }: Fault,
  { dataDir }: Settings,
): string | null {
  const isOfFolder = path !== undefined && folderFaults.has(code) && isWithin(dataDir, path);
  // The low byte of an extended code is the primary one.
  const isOfSqlite = errcode !== undefined && sqliteFaults.has(errcode & 0xff);
  if (!isOfFolder && !isOfSqlite) return null;
  const reason = isOfFolder ? `${code}: ${path}` : message;
  return (
    `DATA_DIR ${dataDir} cannot be used (${reason}): give the server's user the right to read and write it and ` +
    "everything in it, make space on its disk, or set DATA_DIR to another folder."
  );
}

/** Whether a path is the folder, in it, or one of the folders that it would have to be in. */
function isWithin(folder: string, path: string): boolean {
  return contains(folder, path) || contains(path, folder);
}

function contains(outer: string, inner: string): boolean {
  return !relative(resolve(outer), resolve(inner)).startsWith("..");
}
