/** A minimal SMTP server that records what it receives. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

type SmtpReplies = Readonly<Record<string, string | null>>;

export interface MailServer extends AsyncDisposable {
  /** Every line that clients sent. */
  readonly received: readonly string[];
  /** Returns its SMTP URL; `login` is "user:password@". */
  url(login?: string): string;
  /**
   * Replaces the replies to these commands from now on; null means no reply. Other commands get their usual
   * reply. A command is its word, `RCPT`, or the whole line, `RCPT TO:<ada@example.org>`; `.` is the end of a mail.
   */
  setReplies(replies: SmtpReplies): void;
  /** Returns the received text, decoded from quoted-printable. */
  text(): string;
}

interface TlsKeys {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface MailServerOptions {
  /** Replies by command, in place of the usual ones. */
  readonly replies?: SmtpReplies;
  /**
   * The path of a Unix socket; by default the server listens on a free TCP port of the loopback interface.
   */
  readonly path?: string;
  /** Certificate and private key in PEM: the server offers STARTTLS. */
  readonly tls?: TlsKeys;
  /** Whether it expects TLS from the start of a connection instead. */
  readonly isTlsFromStart?: boolean;
  /** Called with the text of each accepted mail. */
  readonly onMail?: (text: string) => void;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let replies = options.replies ?? {};
  const { tls, isTlsFromStart = false } = options;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    const connection = tls && isTlsFromStart ? encrypt(socket, tls) : socket;
    connection.write("220 mail.example.net ESMTP\r\n");
    serve(connection);
  });

  function serve(socket: Socket): void {
    let mail: string[] | null = null;
    let rest = "";
    socket.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString("utf8")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        received.push(line);
        if (mail) {
          if (line !== ".") {
            mail.push(line);
            continue;
          }
          const refusal = replies["."];
          if (refusal === undefined) options.onMail?.(decode(mail));
          mail = null;
          if (refusal !== null) socket.write(`${refusal ?? "250 accepted"}\r\n`);
          continue;
        }
        const command = line.split(/[ :]/)[0]?.toUpperCase() ?? "";
        const reply = replies[line] ?? replies[command];
        if (command === "STARTTLS" && tls && reply === undefined) {
          socket.removeAllListeners("data");
          socket.write("220 go on\r\n");
          serve(encrypt(socket, tls));
          return;
        }
        mail = command === "DATA" && !replies["DATA"] ? [] : null;
        const extension = tls && !(socket instanceof TLSSocket) ? "250-STARTTLS\r\n" : "";
        const usualReply =
          { EHLO: `250-mail.example.net\r\n${extension}250 HELP`, DATA: "354 go on", QUIT: "221 bye" }[
            command
          ] ?? "250 ok";
        if (reply !== null) socket.write(`${reply ?? usualReply}\r\n`);
      }
    });
  }

  server.listen(options.path === undefined ? { host: "127.0.0.1", port: 0 } : { path: options.path });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    received,
    url: (login = "") => `${isTlsFromStart ? "smtps" : "smtp"}://${login}127.0.0.1:${port}`,
    setReplies: (given) => {
      replies = given;
    },
    text: () => decode(received),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function encrypt(socket: Socket, { certificate: cert, privateKey: key }: TlsKeys): TLSSocket {
  const encrypted = new TLSSocket(socket, { isServer: true, cert, key });
  encrypted.on("error", () => undefined);
  return encrypted;
}

function decode(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
