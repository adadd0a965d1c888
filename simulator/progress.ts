// Shows how a run gets on: a bar on a terminal, a line every few seconds otherwise. Goes to standard error.

import { Presets, SingleBar } from 'cli-progress';

export interface ProgressSource {
  /** 0 to 1: how far the back-fill is. */
  fraction(): number;
  points(): number;
}

export interface ProgressDisplay {
  /** Writes a line of the log so that it does not run into the bar. */
  log(line: string): void;
  start(source: ProgressSource): void;
  /** Shows where it is now, and ends. */
  finish(): void;
}

const BAR_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 5000;

export function openProgress(stream: NodeJS.WriteStream): ProgressDisplay {
  return stream.isTTY ? new BarDisplay(stream) : new LineDisplay(stream);
}

interface Figures {
  readonly percent: number;
  readonly points: number;
  readonly pointsPerSecond: number;
  readonly secondsLeft: number | undefined;
}

class Meter {
  readonly #source: ProgressSource;
  readonly #startedMs = performance.now();
  #recentMs = this.#startedMs;
  #recentPoints = 0;

  constructor(source: ProgressSource) {
    this.#source = source;
  }

  /** The rate since the last call, the time left at the rate since the start. */
  read(): Figures {
    const nowMs = performance.now();
    const points = this.#source.points();
    const fraction = this.#source.fraction();
    const pointsPerSecond = ((points - this.#recentPoints) * 1000) / Math.max(1, nowMs - this.#recentMs);
    this.#recentMs = nowMs;
    this.#recentPoints = points;
    const secondsLeft = fraction > 0 ? ((nowMs - this.#startedMs) * (1 - fraction)) / fraction / 1000 : undefined;
    return { percent: Math.floor(fraction * 100), points, pointsPerSecond, secondsLeft };
  }

  /** The rate over the whole run. */
  total(): { points: number; seconds: number } {
    return { points: this.#source.points(), seconds: (performance.now() - this.#startedMs) / 1000 };
  }
}

class LineDisplay implements ProgressDisplay {
  readonly #stream: NodeJS.WriteStream;
  #meter: Meter | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  log(line: string): void {
    this.#stream.write(`${line}\n`);
  }

  start(source: ProgressSource): void {
    const meter = new Meter(source);
    this.#meter = meter;
    this.#timer = setInterval(() => this.log(formatFigures(meter.read())), LINE_INTERVAL_MS);
    this.#timer.unref();
  }

  finish(): void {
    clearInterval(this.#timer);
    if (this.#meter !== undefined) this.log(formatTotal(this.#meter));
    this.#meter = undefined;
  }
}

class BarDisplay implements ProgressDisplay {
  readonly #stream: NodeJS.WriteStream;
  #bar: SingleBar | undefined;
  #update: () => void = () => {};
  #meter: Meter | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  log(line: string): void {
    // The bar is drawn again on the next line by its timer.
    if (this.#bar !== undefined) this.#stream.write('\r\x1b[K');
    this.#stream.write(`${line}\n`);
  }

  start(source: ProgressSource): void {
    const meter = new Meter(source);
    const format = 'back-fill [{bar}] {percentage} % · {points} points · {rate} points/s · {left} left';
    const bar = new SingleBar({ format, stream: this.#stream, hideCursor: true }, Presets.shades_classic);
    bar.start(100, 0, { points: '0', rate: '0', left: '?' });
    const update = (): void => {
      const figures = meter.read();
      bar.update(figures.percent, {
        points: withCommas(figures.points),
        rate: withCommas(figures.pointsPerSecond),
        left: formatSeconds(figures.secondsLeft),
      });
    };
    this.#bar = bar;
    this.#meter = meter;
    this.#update = update;
    this.#timer = setInterval(update, BAR_INTERVAL_MS);
    this.#timer.unref();
  }

  finish(): void {
    clearInterval(this.#timer);
    this.#update();
    this.#bar?.stop();
    this.#bar = undefined;
    this.#update = () => {};
    if (this.#meter !== undefined) this.log(formatTotal(this.#meter));
    this.#meter = undefined;
  }
}

function formatFigures(figures: Figures): string {
  const { percent, points, pointsPerSecond, secondsLeft } = figures;
  const rate = withCommas(pointsPerSecond);
  return `back-fill ${percent} % · ${withCommas(points)} points · ${rate} points/s · ${formatSeconds(secondsLeft)} left`;
}

function formatTotal(meter: Meter): string {
  const { points, seconds } = meter.total();
  const rate = withCommas(points / Math.max(seconds, 0.001));
  return `${withCommas(points)} points in ${seconds.toFixed(1)} s, ${rate} points/s`;
}

function formatSeconds(seconds: number | undefined): string {
  if (seconds === undefined) return '?';
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

function withCommas(value: number): string {
  return Math.round(value).toLocaleString('en');
}
