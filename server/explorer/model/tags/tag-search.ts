// The search for tags: words of names and descriptions, names with `*` and `?`, and fields such as `Area=Filling`. Pure.

import type { ListedTag } from './tag-tree.ts';

/** Part of a tag that has what a term asks for: its name, or what else is known of it. */
type Place = 'name' | 'rest' | undefined;
type Term = (tag: ListedTag) => Place;

/** Tags that have all terms of the text; case does not matter. Those found by their name alone are first. */
export function searchTags<T extends ListedTag>(tags: readonly T[], text: string): readonly T[] {
  const terms = splitTerms(text.toLowerCase()).map(termOf);
  if (terms.length === 0) return tags;
  const byName: T[] = [];
  const byRest: T[] = [];
  for (const tag of tags) {
    const place = placeOfAll(tag, terms);
    if (place === 'name') byName.push(tag);
    else if (place === 'rest') byRest.push(tag);
  }
  return [...byName, ...byRest];
}

function placeOfAll(tag: ListedTag, terms: readonly Term[]): Place {
  let worst: Place = 'name';
  for (const term of terms) {
    const place = term(tag);
    if (place === undefined) return undefined;
    if (place === 'rest') worst = 'rest';
  }
  return worst;
}

/** Words between spaces; a value in quotes may have some: `Area="North hall"`. */
function splitTerms(text: string): string[] {
  return text.match(/[^\s="]+="[^"]*"?|\S+/g) ?? [];
}

function termOf(term: string): Term {
  const at = term.indexOf('=');
  if (at > 0) return fieldTerm(term.slice(0, at), term.slice(at + 1).replaceAll('"', ''));
  if (hasWildcards(term)) return ({ label }) => (nameMatches(term, label.toLowerCase()) ? 'name' : undefined);
  return (tag) => {
    if (tag.label.toLowerCase().includes(term)) return 'name';
    if (tag.description?.toLowerCase().includes(term)) return 'rest';
    return unitText(tag) === term ? 'rest' : undefined;
  };
}

/** `unit`, `type` and `description` are of the definition, all else are its fields. The value begins so, or has wildcards. */
function fieldTerm(wantedName: string, wanted: string): Term {
  const matches = hasWildcards(wanted)
    ? (text: string) => globMatches(wanted, text.toLowerCase())
    : (text: string) => text.toLowerCase().startsWith(wanted);
  return (tag) => {
    const own = ownTexts(tag, wantedName);
    const fields = Object.entries(tag.tag?.fl ?? {}).filter(([name]) => name.toLowerCase() === wantedName);
    // What is in a field is as exact as a name.
    return [...own, ...fields.map(([, text]) => text)].some(matches) ? 'name' : undefined;
  };
}

function ownTexts(tag: ListedTag, name: string): string[] {
  if (name === 'unit') return [unitText(tag)];
  if (name === 'type') return [tag.tag?.t?.replace(/^System\./, '') ?? ''];
  return name === 'description' ? [tag.description ?? ''] : [];
}

function unitText({ unit = '' }: ListedTag): string {
  return unit.toLowerCase();
}

function hasWildcards(text: string): boolean {
  return /[*?]/.test(text);
}

/** The whole name, or what is behind one of its dots and slashes: `lev*` finds `TK002.Level`. */
function nameMatches(pattern: string, name: string): boolean {
  for (let from = 0; from <= name.length; from++) {
    const isStart = from === 0 || name[from - 1] === '.' || name[from - 1] === '/';
    if (isStart && globMatches(pattern, name.slice(from))) return true;
  }
  return false;
}

/**
 * `*` is any characters, `?` is one. Goes back to the last `*` only, so a long text costs no more than its length by the
 * pattern's.
 */
export function globMatches(pattern: string, text: string): boolean {
  let [at, inText] = [0, 0];
  let [star, resume] = [-1, 0];
  while (inText < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = inText;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[inText])) {
      at++;
      inText++;
    } else if (star >= 0) {
      at = star + 1;
      inText = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
