import { createInterface } from "node:readline";

/** The operator pressed Ctrl-C, or the input has ended. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/** Where the operator reads questions and types answers. */
export interface Terminal extends Disposable {
  /** Prints the prompt and returns the next line. Rejects with `InterruptedError`. */
  read(prompt: string): Promise<string>;
}

/** Opens the terminal of this process; null if its input is none. */
export function openTerminal(): Terminal | null {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY) return null;
  const lines = createInterface({ input, output });
  /** Lines of a paste that no question has read yet. */
  const typed: string[] = [];
  let isEnded = false;
  let onChange: (() => void) | undefined;
  lines.on("line", (line) => {
    typed.push(line);
    onChange?.();
  });
  const end = () => {
    isEnded = true;
    onChange?.();
  };
  lines.on("SIGINT", end);
  lines.on("close", end);
  return {
    async read(prompt) {
      lines.setPrompt(prompt);
      lines.prompt();
      for (;;) {
        const line = typed.shift();
        if (line !== undefined) return line;
        if (isEnded) throw new InterruptedError();
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
