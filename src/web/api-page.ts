/**
 * Sends calls from the forms of the API page (`src/server/site/api-page.ts`). It is a file of its own, which imports nothing of
 * the app.
 *
 * The token is only in its field. Cookies are neither sent nor stored, so a trial cannot use or end the login session.
 */
const tokenField = document.querySelector<HTMLInputElement>("#token");

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-path]")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

async function send(form: HTMLFormElement): Promise<void> {
  const { method = "GET", path = "", token: needsToken } = form.dataset;
  const output = form.querySelector("output");
  const button = form.querySelector("button");
  if (!output || !button) return;
  const token = tokenField?.value.trim() ?? "";
  if (needsToken !== undefined && token === "") {
    output.textContent = "Enter an API token at the top of the page first.";
    tokenField?.focus();
    return;
  }
  button.disabled = true;
  output.textContent = "Waiting for the server…";
  const body = form.querySelector("textarea")?.value;
  const sentAt = performance.now();
  try {
    const response = await fetch(path, {
      method,
      credentials: "omit",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(needsToken !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const time = Math.round(performance.now() - sentAt);
    const result = document.createElement("pre");
    result.textContent = indent(text);
    output.replaceChildren(`${response.status} ${response.statusText} · ${time} ms`, result);
  } catch {
    output.textContent = "No response. The call may have been made or not; check your connection.";
  }
  button.disabled = false;
}

/** Text that is not JSON stays as it is. */
function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
