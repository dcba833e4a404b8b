import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { smtpDelivery } from "../../../src/server/features/mail/smtp.ts";

const mail = {
  id: "00001-abc",
  to: "ada@example.org",
  subject: "Grüße, AS4242420001",
  text: "Zeile eins\n.\nAfter a lone dot\n",
  replyTo: "noc@example.net",
};

/** A mail server that speaks as much SMTP as needed; `answers` replace its own by command. */
async function startMailServer(answers: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let data = false;
    let rest = "";
    socket.on("error", () => undefined);
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
        data = command === "DATA" && !answers["DATA"];
        const usual =
          { EHLO: "250 mail.example.net", DATA: "354 go on", QUIT: "221 bye" }[command] ?? "250 ok";
        socket.write(`${answers[command] ?? usual}\r\n`);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { said, url: (login = "") => `smtp://${login}127.0.0.1:${port}` };
}

const from = "Example Network <peering@example.net>";

test("a mail goes to one receiver, with headers that stay the same at every attempt", async () => {
  const server = await startMailServer();
  const deliver = smtpDelivery({ url: server.url(), from });
  await deliver(mail);
  expect(server.said).toContain("MAIL FROM:<peering@example.net>");
  expect(server.said.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<ada@example.org>"]);
  expect(server.said).toEqual(
    expect.arrayContaining([
      "From: Example Network <peering@example.net>",
      "To: ada@example.org",
      "Reply-To: noc@example.net",
      "Message-ID: <00001-abc@example.net>",
      "Auto-Submitted: auto-generated",
      "After a lone dot",
    ]),
  );
});

test("a refused receiver is a failure", async () => {
  const server = await startMailServer({ RCPT: "550 no such user" });
  await expect(smtpDelivery({ url: server.url(), from })(mail)).rejects.toThrow("550 no such user");
});

test("a refused text is a failure", async () => {
  const server = await startMailServer({ DATA: "451 later" });
  await expect(smtpDelivery({ url: server.url(), from })(mail)).rejects.toThrow("451 later");
});

test("a password is not sent where nothing encrypts it", async () => {
  const server = await startMailServer({
    EHLO: "250-mail.example.net\r\n250 AUTH PLAIN LOGIN",
    STARTTLS: "502 not here",
  });
  await expect(smtpDelivery({ url: server.url("me:canary@"), from })(mail)).rejects.toThrow("STARTTLS");
  expect(server.said.join("\n")).not.toMatch(/AUTH|canary|Y2FuYXJ5/);
});

test("a mail server that is not there is a failure", async () => {
  await expect(smtpDelivery({ url: "smtp://127.0.0.1:1", from })(mail)).rejects.toThrow("ECONNREFUSED");
});
