/** The page that a browser shows while the project can't be served. */

/** @param text what is wrong, as the terminal shows it, without colours. */
export function formatErrorPage(text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>The project is not served</title>
<style>
  :root { --back: #fff; --text: #24242a; --quiet: #63636e; --mark: #b3261e; --box: #f5f5f7; --line: #e2e2e8 }
  @media (prefers-color-scheme: dark) {
    :root { --back: #16161a; --text: #e8e8ea; --quiet: #9a9aa2; --mark: #ff7b72; --box: #1f1f25; --line: #34343c }
  }
  body { margin: 0 auto; max-width: 66rem; padding: 3rem 1.5rem; background: var(--back); color: var(--text); font: 15px/1.6 system-ui, sans-serif }
  h1 { margin: 0 0 1.5rem; font-size: 1.3rem; color: var(--mark) }
  pre { margin: 0; padding: 1.25rem; overflow-x: auto; background: var(--box); border: 1px solid var(--line); border-radius: 6px; font: 14px/1.6 ui-monospace, Menlo, Consolas, monospace }
  p { color: var(--quiet) }
</style>
<h1>The project is not served</h1>
<pre>${escapeHtml(text)}</pre>
<p>Fix it, save, and reload this page.</p>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
