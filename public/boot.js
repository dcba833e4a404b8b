// Runs before the first paint: the colours a person chose, or the system's, and which outline the static
// shell draws. A file of its own because the page's policy allows no inline scripts.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const chosen = () => {
    try {
      return localStorage.getItem("colour-scheme");
    } catch {
      return null;
    }
  };
  const paint = () => {
    const dark = (chosen() ?? (system.matches ? "dark" : "light")) === "dark";
    root.classList.toggle("dark", dark);
    root.classList.toggle("light", !dark);
  };
  paint();
  system.addEventListener("change", paint);

  const path = location.pathname.toLowerCase();
  if (/^\/(login|register|setpassword|forgotpassword)\/?$/.test(path)) root.dataset.shell = "plain";
  else root.dataset.shell = /^\/manager(\/|$)/.test(path) ? "manager" : "main";
})();
