import { Outlet } from "@tanstack/react-router";
import { HeadingLevelProvider } from "../../ui/heading-level.ts";

export interface ManagerShellProps {
  readonly username: string;
}

export function ManagerShell({ username }: ManagerShellProps) {
  return (
    <HeadingLevelProvider value={2}>
      <main>
        AS{username}
        <Outlet />
      </main>
    </HeadingLevelProvider>
  );
}
