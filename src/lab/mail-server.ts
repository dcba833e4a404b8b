/** A mail server that speaks as much SMTP as needed, and keeps what it is told. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

type Answers = Readonly<Record<string, string | null>>;

export interface MailServer extends AsyncDisposable {
  /** Every line that clients said. */
  readonly said: readonly string[];
  /** Its SMTP URL; `login` is "user:password@". */
  url(login?: string): string;
  /** Answers these commands so from now on, with null not at all; the others as usual. */
  answer(answers: Answers): void;
  /** The text of what was said, in quoted-printable or plain. */
  text(): string;
}

export interface MailServerOptions {
  /** These replace its own answers by command. */
  readonly answers?: Answers;
  /** The path of a socket; a free TCP port of this machine alone unless given. */
  readonly path?: string;
  /** Gets the text of each mail that was taken. */
  readonly onMail?: (text: string) => void;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const said: string[] = [];
  const sockets = new Set<Socket>();
  let unusual = options.answers ?? {};
  const server = createServer((socket) => {
    sockets.add(socket);
    let mail: string[] | null = null;
    let rest = "";
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.setEncoding("utf8").write("220 mail.example.net ESMTP\r\n");
    socket.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        said.push(line);
        if (mail) {
          if (line !== ".") {
            mail.push(line);
            continue;
          }
          options.onMail?.(plain(mail));
          mail = null;
          socket.write("250 taken\r\n");
          continue;
        }
        const command = line.split(/[ :]/)[0]?.toUpperCase() ?? "";
        mail = command === "DATA" && !unusual["DATA"] ? [] : null;
        const usual =
          { EHLO: "250 mail.example.net", DATA: "354 go on", QUIT: "221 bye" }[command] ?? "250 ok";
        if (unusual[command] !== null) socket.write(`${unusual[command] ?? usual}\r\n`);
      }
    });
  });
  server.listen(options.path === undefined ? { host: "127.0.0.1", port: 0 } : { path: options.path });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    said,
    url: (login = "") => `smtp://${login}127.0.0.1:${port}`,
    answer: (given) => {
      unusual = given;
    },
    text: () => plain(said),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function plain(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
