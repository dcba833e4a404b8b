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

/** A mail server that speaks as much SMTP as needed; `answers` replace its own by command. */
export async function startMailServer(answers: Answers = {}): Promise<MailServer> {
  const said: string[] = [];
  const sockets = new Set<Socket>();
  let unusual = answers;
  const server = createServer((socket) => {
    sockets.add(socket);
    let data = false;
    let rest = "";
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.setEncoding("utf8").write("220 mail.example.net ESMTP\r\n");
    socket.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        said.push(line);
        if (data) {
          if (line !== ".") continue;
          data = false;
          socket.write("250 taken\r\n");
          continue;
        }
        const command = line.split(/[ :]/)[0]?.toUpperCase() ?? "";
        data = command === "DATA" && !unusual["DATA"];
        const usual =
          { EHLO: "250 mail.example.net", DATA: "354 go on", QUIT: "221 bye" }[command] ?? "250 ok";
        if (unusual[command] !== null) socket.write(`${unusual[command] ?? usual}\r\n`);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    said,
    url: (login = "") => `smtp://${login}127.0.0.1:${port}`,
    answer: (given) => {
      unusual = given;
    },
    text: () =>
      said
        .join("\n")
        .replaceAll("=\n", "")
        .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
