// The frame of a page of the documentation, and its style sheet.

import { escapeHtml } from './render-markdown.ts';

export interface DocsPage {
  readonly name: string;
  readonly title: string;
}

/** `shown` is undefined for the list of all pages. */
export function docsHtml(pages: readonly DocsPage[], shown: DocsPage | undefined, content: string): string {
  const links = pages
    .map(({ name, title }) => {
      const isShown = name === shown?.name ? ' aria-current="page"' : '';
      return `<li><a href="/docs/${name}"${isShown}>${escapeHtml(title)}</a></li>`;
    })
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(shown === undefined ? 'Documentation' : shown.title)} · Varve</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="icon" type="image/png" sizes="32x32" href="/api/help/favicon-32x32.png">
</head>
<body>
<header><a href="/">Varve</a> <a href="/docs">Documentation</a> <a href="/api/help">API to try out</a></header>
<div class="columns">
<nav aria-label="Pages"><ul>
${links}
</ul></nav>
<main>
${content}
</main>
</div>
</body>
</html>
`;
}

export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --text: #1a2027; --paper: #ffffff; --panel: #f2f4f6; --line: #d3d9de; --link: #0b5c76;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #dfe5ea; --paper: #14191d; --panel: #1d242a; --line: #364049; --link: #7cc4dd; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); }
header { display: flex; gap: 20px; padding: 10px 20px; border-bottom: 1px solid var(--line); background: var(--panel); }
.columns { display: flex; gap: 32px; max-width: 1200px; margin: 0 auto; padding: 16px 20px; }
nav { flex: 0 0 220px; font-size: 14px; }
nav ul { position: sticky; top: 16px; margin: 0; padding: 0; list-style: none; }
nav li { padding: 3px 0; }
nav a { text-decoration: none; }
nav a[aria-current] { font-weight: 700; text-decoration: underline; }
main { flex: 1; min-width: 0; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 12px; }
code { padding: 1px 4px; border-radius: 3px; background: var(--panel); font-size: 0.88em; }
pre { padding: 10px 12px; overflow: auto; border: 1px solid var(--line); border-radius: 5px; background: var(--panel); }
pre code { padding: 0; background: none; }
.table { overflow: auto; }
table { border-collapse: collapse; font-size: 15px; }
th, td { padding: 5px 10px; border: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--panel); }
img { max-width: 100%; border: 1px solid var(--line); }
@media (max-width: 800px) {
  .columns { flex-direction: column; gap: 8px; }
  nav { flex: none; }
}
@media print { header, nav { display: none; } }
`;
