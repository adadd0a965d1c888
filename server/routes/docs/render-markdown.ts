// A page of the documentation as HTML: headings can be linked to, links lead to the pages of this server.

import type { RendererObject, Tokens } from 'marked';

/** Loaded when the first page is asked for: few servers are. */
export async function renderMarkdown(text: string): Promise<string> {
  const { Marked } = await import('marked');
  return new Marked({ renderer: createRenderer() }).parse(text, { async: false });
}

/** The first heading. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? 'Varve';
}

/** An id as GitHub makes it, so that the links within the documentation lead to the same places. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Undefined for what is not served here, such as examples. */
export function servedLink(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, page, place = ''] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  return page === undefined ? undefined : `/docs/${page}${place}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function createRenderer(): RendererObject {
  const known = new Map<string, number>();
  const uniqueId = (text: string): string => {
    const id = headingId(text);
    const count = known.get(id) ?? 0;
    known.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
  return {
    heading({ tokens, depth, text }: Tokens.Heading) {
      const inner = this.parser.parseInline(tokens);
      return `<h${depth} id="${escapeHtml(uniqueId(text))}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const served = servedLink(href);
      return served === undefined ? inner : `<a href="${escapeHtml(served)}">${inner}</a>`;
    },
    image({ href, text }: Tokens.Image) {
      return `<img src="/docs/${escapeHtml(href)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    code({ text }: Tokens.Code) {
      // What scrolls is to be reached by keys.
      return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
    },
    table(token: Tokens.Table) {
      const cells = (row: readonly Tokens.TableCell[], name: 'td' | 'th'): string =>
        row.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
      return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
    },
    // The pages have none; what looks so is text.
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return escapeHtml(text);
    },
  };
}
