/** What the doctor can find on the server's machine. */
import { countOf } from "#domain/text/plural.ts";
import { ok, type PathFacts, problem, type TextFacts, warning } from "./sentence-row.ts";

export const machineSentences = {
  "check-timeout": problem<{ readonly check: string; readonly seconds: number }>(
    ({ check, seconds }) =>
      `The check of ${check} did not end within ${seconds} s. Run the command again when the machine is less busy.`,
  ),
  "check-failed": problem<{ readonly check: string; readonly reason: string }>(
    ({ check, reason }) =>
      `The check of ${check} failed (${reason}). Fix the cause, and run the command again.`,
  ),

  version: ok<{ readonly version: string; readonly node: string }>(
    ({ version, node }) => `This is Peerdeck ${version} on Node.js ${node}.`,
  ),
  "profile-ok": ok<PathFacts>(({ path }) => `The provider profile ${path} is valid.`),
  "profile-unset": problem(
    () => "PEERDECK_CONFIG is not set. Write a provider profile with peerdeck setup, and set it to its path.",
  ),
  "profile-problem": problem<TextFacts>(({ text }) => text),
  "profile-open": warning<PathFacts>(
    ({ path }) =>
      `All users of this machine can read ${path}, which may contain the mail server's password. Run: chmod o-rwx ${path}`,
  ),
  "profile-needed": warning(
    () =>
      "Registry, mail, public URL and agents were not checked, because there is no valid profile. Correct it, and run the " +
      "command again.",
  ),

  "data-ok": ok<PathFacts & { readonly freeMb: number }>(
    ({ path, freeMb }) => `DATA_DIR ${path} can be written and has ${freeMb} MB of free space.`,
  ),
  "data-relative": warning<PathFacts>(
    ({ path }) =>
      `DATA_DIR is ${path}, which starts at the current folder. Set DATA_DIR to the absolute path that the server uses.`,
  ),
  "data-missing": warning<PathFacts>(
    ({ path }) =>
      `DATA_DIR ${path} does not exist. If the server has not started yet, it creates the folder; otherwise correct DATA_DIR.`,
  ),
  "data-no-folder": problem<PathFacts>(
    ({ path }) => `DATA_DIR ${path} is not a folder. Set DATA_DIR to a folder of its own.`,
  ),
  "data-shared": problem<PathFacts>(
    ({ path }) => `DATA_DIR ${path} is shared with other users. Set DATA_DIR to a folder of its own.`,
  ),
  "data-open": problem<PathFacts & { readonly mode: string }>(
    ({ path, mode }) => `Other users may access DATA_DIR ${path} (mode ${mode}). Run: chmod 700 ${path}`,
  ),
  "data-owner": problem<PathFacts & { readonly owner: number; readonly user: number }>(
    ({ path, owner, user }) =>
      `DATA_DIR ${path} belongs to user ${owner}, and this command runs as user ${user}. Run it, and the server, as the owner.`,
  ),
  "data-unwritable": problem<PathFacts & { readonly reason: string }>(
    ({ path, reason }) =>
      `DATA_DIR ${path} cannot be written (${reason}). Give the server's user the right to read and write it.`,
  ),
  "data-space": problem<PathFacts & { readonly freeMb: number; readonly neededMb: number }>(
    ({ path, freeMb, neededMb }) =>
      `The disk of DATA_DIR ${path} has ${freeMb} MB of free space. Make space: the server needs ${neededMb} MB.`,
  ),

  "database-ok": ok<{ readonly engine: string; readonly version: string }>(
    ({ engine, version }) =>
      `The database (${engine}) can be read and has the tables of this version (${version}).`,
  ),
  "database-new": ok(() => "There is no database yet. The server creates it at its first start."),
  "database-pending": warning<{ readonly engine: string; readonly pending: number }>(
    ({ engine, pending }) =>
      `The database (${engine}) is from an older version: the next start of the server copies it and makes ` +
      `${countOf(pending, "migration")}. Make a backup first: peerdeck backup FILE`,
  ),
  "database-problem": problem<TextFacts>(({ text }) => text),

  "identity-ok": ok<{ readonly fingerprint: string }>(
    ({ fingerprint }) => `The server's fingerprint, which the agents must have, is ${fingerprint}.`,
  ),
  "identity-missing": warning(
    () =>
      "The server has no TLS identity yet, so no agent was checked. Start the server, or run peerdeck setup, and run the " +
      "command again.",
  ),
  "identity-problem": problem<TextFacts>(({ text }) => text),

  "registry-ok": ok<{ readonly ageHours: number | null }>(({ ageHours }) =>
    ageHours === null
      ? "The registry can be read."
      : `The registry can be read, and was last fetched ${countOf(ageHours, "hour")} ago.`,
  ),
  "registry-new": ok(() => "The registry can be fetched. The server clones it at its first start."),
  "registry-empty": problem<PathFacts>(
    ({ path }) =>
      `The registry in ${path} has no AS objects in data/aut-num that can be read. Clone the registry there, or correct registry.path.`,
  ),
  "registry-old": warning<{ readonly ageHours: number }>(
    ({ ageHours }) =>
      `The registry was last fetched ${countOf(ageHours, "hour")} ago. Check that the server runs, or the timer that updates your clone.`,
  ),
  "registry-outdated": problem<{ readonly ageHours: number; readonly maxAgeDays: number }>(
    ({ ageHours, maxAgeDays }) =>
      `The registry was last fetched ${countOf(ageHours, "hour")} ago, so no links are mailed after ${countOf(maxAgeDays, "day")}. ` +
      "Check that the server runs, or the timer that updates your clone.",
  ),
  "registry-rejected": problem<{ readonly reason: string; readonly folder: string }>(
    ({ reason, folder }) =>
      `The server did not accept the registry's new history: ${reason} Check it, then delete ${folder} to clone it again.`,
  ),
  "git-missing": problem(() => "Git cannot be started, which fetches the registry. Install git."),
  "registry-host": problem<{ readonly url: string }>(
    ({ url }) =>
      `The host of registry.url ${url} was not found. Correct the URL, or this machine's resolver.`,
  ),
  "registry-refused": problem<{ readonly url: string }>(
    ({ url }) =>
      `The host of registry.url ${url} refused the connection. Correct the URL, or start the git server there.`,
  ),
  "registry-host-key": problem<{ readonly url: string }>(
    ({ url }) =>
      `The SSH key of the host in registry.url ${url} is not known. Compare it, and add it to known_hosts of the server's user.`,
  ),
  "registry-login": problem<{ readonly url: string }>(
    ({ url }) =>
      `The host of registry.url ${url} refused the login. Give the server's user an SSH key, or a line in its .netrc for https.`,
  ),
  "registry-no-repository": problem<{ readonly url: string }>(
    ({ url }) => `There is no git repository at registry.url ${url}. Correct the URL.`,
  ),
  "registry-timeout": problem<{ readonly url: string }>(
    ({ url }) =>
      `The host of registry.url ${url} did not respond in time. Correct the URL, or let firewalls pass it.`,
  ),
  "registry-failed": problem<{ readonly url: string; readonly reason: string }>(
    ({ url, reason }) =>
      `The registry cannot be fetched from ${url} (${reason}). Correct registry.url, or the remote.`,
  ),

  "ssh-ok": ok(() => "ssh-keygen verifies SSH signatures."),
  "ssh-unusable": warning<{ readonly reason: string }>(
    ({ reason }) =>
      `ssh-keygen does not verify SSH signatures (${reason}), so no AS can be proved with an SSH key. Install OpenSSH 8.2 or ` +
      "later (openssh-client).",
  ),

  "server-running": ok<{ readonly url: string; readonly version: string }>(
    ({ url, version }) => `The server is running on ${url}, version ${version}.`,
  ),
  "server-other-version": warning<{ readonly running: string; readonly installed: string }>(
    ({ running, installed }) =>
      `The running server is version ${running}, and ${installed} is installed. Restart the server.`,
  ),
  "server-not-started": warning<{ readonly url: string }>(
    ({ url }) => `The server has not started yet: ${url} is free. Start it, then run the command again.`,
  ),
  "server-stopped": problem<{ readonly url: string }>(
    ({ url }) =>
      `The server is not running: nothing listens on ${url}. Start it. If it ends again, its log says why.`,
  ),
  "server-any-port": warning(
    () =>
      "PORT is 0, so the server's port is not known and was not checked. Set PORT to the port of the server.",
  ),
  "port-taken": problem<{ readonly setting: string; readonly port: number; readonly host: string }>(
    ({ setting, port, host }) =>
      `${setting} ${port} on ${host} is in use by a program that is not a server of this database. Stop that program, or set ` +
      `${setting} to a free port.`,
  ),
  "port-problem": problem<TextFacts>(({ text }) => text),
  "metrics-ok": ok<{ readonly url: string }>(({ url }) => `The metrics are served on ${url}.`),
  "metrics-free": ok<{ readonly url: string }>(({ url }) => `The port of the metrics is free: ${url}.`),
  "metrics-silent": warning<{ readonly url: string }>(
    ({ url }) =>
      `The running server serves no metrics on ${url}. Restart it with the present METRICS_HOST and METRICS_PORT.`,
  ),

  "clock-ok": ok(() => "NTP keeps the clock of this machine."),
  "clock-unsynchronized": warning(
    () =>
      "NTP does not keep the clock of this machine. Install an NTP client such as systemd-timesyncd or chrony.",
  ),
  "clock-unknown": warning(
    () =>
      "Whether NTP keeps the clock is not known, because timedatectl does not say. Compare the clock with another one.",
  ),

  "backup-ok": ok<PathFacts & { readonly ageHours: number }>(
    ({ path, ageHours }) => `The newest backup in ${path} is ${countOf(ageHours, "hour")} old.`,
  ),
  "backup-old": problem<PathFacts & { readonly ageHours: number }>(
    ({ path, ageHours }) =>
      `The newest backup in ${path} is ${countOf(ageHours, "hour")} old. Read why: journalctl -u peerdeck-backup`,
  ),
  "backup-none": warning<PathFacts>(
    ({ path }) => `There is no backup in ${path} yet. Make the first one: systemctl start peerdeck-backup`,
  ),
  "backup-unreadable": warning<PathFacts & { readonly reason: string }>(
    ({ path, reason }) =>
      `The backups in ${path} cannot be read (${reason}). Run the command as the server's user or root.`,
  ),
} as const;
