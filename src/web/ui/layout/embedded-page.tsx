import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";

/**
 * An embedded page may run scripts, call its own server, and open links in new tabs. It may not navigate our tab, open
 * dialogs over it, or start downloads.
 */
const basePermissions = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox";

/**
 * Returns the `sandbox` attribute. A page of our own origin does not get `allow-same-origin`: together with
 * `allow-scripts` it could access the app around it.
 */
function sandboxFor(src: string): string {
  const { origin } = window.location;
  return new URL(src, origin).origin === origin ? basePermissions : `${basePermissions} allow-same-origin`;
}

export interface EmbeddedPageProps {
  /** An http(s) URL, or a path on our own host. The server's `frame-src` policy must list its origin. */
  readonly src: string;
  /** What the page shows, for screen readers and the loading message. */
  readonly title: string;
  /** In CSS pixels. */
  readonly height: number;
  /** Without a border, where it fills a panel to the edge. */
  readonly flush?: boolean;
}

/** An external page in a sandboxed frame, with a message until it has loaded. */
export function EmbeddedPage({ src, title, height, flush = false }: EmbeddedPageProps) {
  const [loaded, setLoaded] = useState(false);
  return (
    <chakra.div
      position="relative"
      boxSizing="content-box"
      overflow="hidden"
      bg="bg.panel"
      borderWidth={flush ? "0" : "1px"}
      borderRadius="lg"
      borderTopRadius={flush ? "0" : undefined}
      style={{ height }}
    >
      {!loaded && (
        <chakra.p
          role="status"
          position="absolute"
          inset="0"
          display="grid"
          placeItems="center"
          px="4"
          color="fg.muted"
        >
          Loading {title}…
        </chakra.p>
      )}
      <chakra.iframe
        src={src}
        title={title}
        sandbox={sandboxFor(src)}
        referrerPolicy="no-referrer"
        loading="lazy"
        onLoad={() => setLoaded(true)}
        position="relative"
        display="block"
        width="full"
        height="full"
        opacity={loaded ? 1 : 0}
        // Many pages set no background and rely on the browser's white.
        bg="white"
        colorScheme="light"
      />
    </chakra.div>
  );
}
