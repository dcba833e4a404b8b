/** A provider's installation for one sequence: the server as a process, agents, a mail server, and the database. */
import { once } from "node:events";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { registerAccount } from "#lab/accounts.ts";
import type { Program } from "#tests/integration/provider/program.ts";
import { type Provider, setUpProvider } from "#tests/integration/provider/provider.ts";
import { freePort } from "#tests/support/free-port.ts";
import { type DeliveredMail, readMail } from "./final-checks.ts";
import { type ReplicatedPostgres, startReplicatedPostgres } from "./replicated-postgres.ts";

export interface Account {
  readonly asn: string;
  readonly password: string;
}

export interface Installation extends AsyncDisposable {
  /** Where the server listens, also after a restart. */
  readonly url: string;
  readonly provider: Provider;
  readonly mails: readonly DeliveredMail[];
  /** Null on SQLite. */
  readonly postgres: ReplicatedPostgres | null;
  readonly databaseUrl: string | null;
  /** Starts the server and waits until it listens. */
  readonly startServer: () => Promise<void>;
  /** Starts the server without waiting for it. */
  readonly launchServer: () => Program;
  /** Ends the server and returns its exit code. */
  readonly endServer: (signal: "SIGKILL" | "SIGTERM") => Promise<number | null>;
  /** Copies the servers' logs and the data folder. */
  readonly keepLogs: (folder: string) => Promise<void>;
}

/** Starts the installation, and registers the accounts. */
export async function openInstallation(
  variant: "sqlite" | "postgres",
  nodes: readonly string[],
  accounts: readonly Account[],
): Promise<Installation> {
  await using parts = new AsyncDisposableStack();
  const mails: DeliveredMail[] = [];
  const mailEvents = new EventTarget();
  const postgres = variant === "postgres" ? parts.use(await startReplicatedPostgres()) : null;
  const databaseUrl = (await postgres?.createDatabase("peerdeck")) ?? null;
  const onMail = (text: string) => {
    mails.push(readMail(text));
    mailEvents.dispatchEvent(new Event("mail"));
  };
  const provider = parts.use(await setUpProvider(nodes, { mailServer: { onMail } }));
  await Promise.all(nodes.map((node) => provider.startAgent(node)));
  const environment = {
    PORT: String(await freePort()),
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  };
  const url = `http://127.0.0.1:${environment.PORT}`;
  const programs: Program[] = [];

  function launchServer(): Program {
    const program = provider.launchServer(environment);
    programs.push(program);
    return program;
  }

  async function startServer(): Promise<void> {
    await launchServer().logged("the server is listening");
  }

  await startServer();
  for (const account of accounts) {
    await registerAccount(url, account, async () => {
      await once(mailEvents, "mail");
      return mails.at(-1)?.text ?? "";
    });
  }
  const all = parts.move();
  return {
    url,
    provider,
    mails,
    postgres,
    databaseUrl,
    startServer,
    launchServer,
    endServer: async (signal) => {
      const [code] = (await programs.at(-1)?.end(signal)) ?? [];
      return code ?? null;
    },
    keepLogs: async (folder) => {
      const lines = programs.flatMap(({ log }, index) =>
        log.map((line) => JSON.stringify({ server: index + 1, ...line })),
      );
      await writeFile(join(folder, "server.jsonl"), `${lines.join("\n")}\n`);
      await cp(provider.serverDir, join(folder, "data"), { recursive: true });
      for (const { node, stateDir } of provider.agents)
        await cp(stateDir, join(folder, `agent-${node}`), { recursive: true });
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
