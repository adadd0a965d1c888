// The trend that is open, for other programs.

import { currentToken } from '../api/http.ts';
import { formatReads, type Language } from '../model/export/copy-as.ts';
import { choicesOf, screenReads } from '../model/export/screen-reads.ts';
import { tagKey } from '../model/tags/tag.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { app } from '../state/app-state.ts';

export function copiedText(language: Language): string {
  const { view, series } = app.get();
  const kinds = view.tags.flatMap((ref) => {
    const tag = series.get(tagKey(ref))?.tag;
    return tag === undefined ? [] : [valueKind(tag)];
  });
  return formatReads(language, {
    origin: location.origin,
    requests: screenReads(view.tags, view.range, choicesOf(view.axes)),
    hasToken: currentToken() !== undefined,
    isNumeric: kinds.every((kind) => kind === 'line' || kind === 'step'),
  });
}
