// Runs before the first paint: the colours a person chose, or the system's, which outline the static shell
// draws, and the files of the screen that is asked for, so that they come beside the first bundle. A file of its own
// because the page's policy allows no inline scripts.
{
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const paint = () => {
    let scheme = system.matches ? "dark" : "light";
    try {
      scheme = localStorage.getItem("colour-scheme") ?? scheme;
    } catch {
      // Storage is refused in some private windows; the system's scheme it is.
    }
    root.classList.toggle("dark", scheme === "dark");
    root.classList.toggle("light", scheme !== "dark");
  };
  // What surrounds the page (status bar, title bar) goes with it, also when a person chooses others later.
  const paintAround = () => {
    const shown = root.classList.contains("dark") ? "dark" : "light";
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.media = meta.dataset.scheme === shown ? "all" : "not all";
  };
  new MutationObserver(paintAround).observe(root, { attributeFilter: ["class"] });
  paint();
  system.addEventListener("change", paint);

  const path = location.pathname.toLowerCase();
  if (/^\/(login|register|setpassword|forgotpassword)\/?$/.test(path)) root.dataset.shell = "plain";
  else root.dataset.shell = /^\/manager(\/|$)/.test(path) ? "manager" : "main";

  const files = document.getElementById("route-files")?.textContent;
  const route = files && JSON.parse(files).find(([start]) => path.startsWith(start));
  for (const file of route?.[1] ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/assets/${file}`;
    document.head.append(link);
  }
}
