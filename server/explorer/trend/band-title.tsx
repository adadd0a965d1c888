// The names of the tags of a band: above its lines, or left of a band of texts.

import { MiddleText } from '../controls/middle-text.tsx';
import { px } from '../controls/px.ts';
import type { LineRef } from '../model/tags/tag.ts';
import { commonStart, isRepeated, shortNames } from '../model/tags/tag-names.ts';
import type { Band } from '../model/trend/bands.ts';
import { type Colours, seriesColour } from '../paint/colours.ts';
import { LEFT_PX } from '../paint/layout.ts';

interface TitleProps {
  /** All tags of the trend. */
  readonly refs: readonly LineRef[];
  readonly band: Band;
  readonly colours: Colours;
  readonly rightPx: number;
}

export function BandTitle({ refs, band, colours, rightPx }: TitleProps) {
  if (band.kind === 'text') return <TextBandTitle band={band} colours={colours} refs={refs} />;
  const common = commonStart(refs.map(({ name }) => name));
  return (
    <p class="band-title" aria-hidden="true" style={{ left: px(LEFT_PX + 6), right: px(rightPx) }}>
      {band.axes.flatMap(({ members, unit }) =>
        members.map(({ tag, index }) => (
          <span key={index}>
            <i style={{ background: seriesColour(colours, index) }} />
            <MiddleText text={tag.n} common={common} />
            <small>
              {[...datasetOf(refs, index), tag.aggregate ?? '', unit].filter((text) => text !== '').join(' ')}
            </small>
          </span>
        )),
      )}
    </p>
  );
}

/** Dataset of a line whose name alone could be that of another one. */
function datasetOf(refs: readonly LineRef[], index: number): string[] {
  const ref = refs[index];
  return ref !== undefined && isRepeated(refs, ref) ? [ref.dataset] : [];
}

function TextBandTitle({ band, colours, refs }: Omit<TitleProps, 'rightPx'>) {
  const [member] = band.axes.flatMap(({ members }) => members);
  if (member === undefined) return null;
  const { leaf = member.tag.n, path = '' } = shortNames(refs)[member.index] ?? {};
  return (
    <p class="band-title" aria-hidden="true">
      {path === '' ? null : <small class="path">{path}</small>}
      <span>
        <i style={{ background: seriesColour(colours, member.index) }} />
        <MiddleText text={leaf} />
      </span>
    </p>
  );
}
