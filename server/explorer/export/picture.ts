// The chart as a picture: all bands, also those scrolled out of sight, with names, time axis and the window.

import { formatTime } from '../model/time/axis-labels.ts';
import { zoneText } from '../model/time/time-zone.ts';
import { readColours, seriesColour } from '../paint/colours.ts';
import { LEFT_PX, TIME_AXIS_PX } from '../paint/layout.ts';
import { notify } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { saveFile } from './export.ts';

const HEAD_PX = 26;
const NAME_GAP_PX = 18;

/** Saves what the chart shows as a PNG file. */
export function downloadPicture(): void {
  const canvas = drawChart();
  if (canvas === undefined) {
    notify('There is no chart to save yet.');
    return;
  }
  canvas.toBlob((file) => {
    if (file !== null) saveFile(file, 'png');
  }, 'image/png');
}

function drawChart(): HTMLCanvasElement | undefined {
  const bands = [...document.querySelectorAll<HTMLElement>('.band')];
  const axis = document.querySelector<HTMLCanvasElement>('.time-axis canvas');
  const [first] = bands;
  if (axis === null || first === undefined) return undefined;
  const scale = devicePixelRatio;
  const canvas = document.createElement('canvas');
  const heightPx = bands.reduce((sum, band) => sum + band.offsetHeight, HEAD_PX + TIME_AXIS_PX);
  canvas.width = axis.width;
  canvas.height = heightPx * scale;
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  const style = getComputedStyle(document.documentElement);
  context.fillStyle = style.getPropertyValue('--paper');
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawHead(context, scale);
  let topPx = HEAD_PX;
  for (const band of bands) {
    const lines = band.querySelector('canvas');
    if (lines !== null) context.drawImage(lines, 0, topPx * scale);
    drawNames(context, band, topPx, scale);
    topPx += band.offsetHeight;
  }
  context.drawImage(axis, 0, topPx * scale);
  return canvas;
}

function drawHead(context: CanvasRenderingContext2D, scale: number): void {
  const { startMs, endMs } = app.get().window;
  const spanMs = endMs - startMs;
  const { text, font } = readColours();
  context.font = `600 ${12 * scale}px ${font}`;
  context.fillStyle = text;
  context.textBaseline = 'middle';
  const window = `${formatTime(startMs, spanMs)} – ${formatTime(endMs, spanMs)} (${zoneText(endMs)})`;
  context.fillText(window, 12 * scale, (HEAD_PX / 2) * scale);
}

/** Names lie where the page has them: above the lines, or left of a band of texts. */
function drawNames(context: CanvasRenderingContext2D, band: HTMLElement, topPx: number, scale: number): void {
  const colours = readColours();
  const isText = band.classList.contains('text');
  let x = (isText ? 6 : LEFT_PX + 12) * scale;
  const y = (topPx + (isText ? 20 : 12)) * scale;
  const path = band.querySelector('.path')?.textContent ?? '';
  context.font = `${9 * scale}px ${colours.font}`;
  context.fillStyle = colours.muted;
  context.fillText(path, x, y - 12 * scale, (LEFT_PX - 8) * scale);
  context.font = `${11 * scale}px ${colours.font}`;
  for (const name of band.querySelectorAll<HTMLElement>('.band-title > span')) {
    const mark = name.querySelector('i');
    context.fillStyle = mark === null ? seriesColour(colours, 0) : getComputedStyle(mark).backgroundColor;
    context.fillRect(x, y - scale, 10 * scale, 3 * scale);
    context.fillStyle = colours.text;
    const text = [...name.children]
      .map((part) => part.textContent)
      .join(' ')
      .trim();
    context.fillText(text, x + 15 * scale, y, isText ? (LEFT_PX - 24) * scale : undefined);
    x += context.measureText(text).width + (15 + NAME_GAP_PX) * scale;
  }
}
