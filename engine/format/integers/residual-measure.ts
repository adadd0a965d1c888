// Smallest and largest residual of the whole column and of each frame of 128; they determine the sizes of the packers.

/** Residuals of one frame in the frames packer. */
export const FRAME_LENGTH = 128;

export interface ResidualMeasure {
  count: number;
  min: number;
  max: number;
  /** Valid after `measureFrames` only. */
  readonly frameMin: Float64Array;
  readonly frameMax: Float64Array;
}

/** A measure for at most `capacity` residuals. */
export function createMeasure(capacity: number): ResidualMeasure {
  const frames = Math.ceil(capacity / FRAME_LENGTH);
  return { count: 0, min: 0, max: 0, frameMin: new Float64Array(frames), frameMax: new Float64Array(frames) };
}

/** Measures the frames of `residuals[0, measure.count)`. */
export function measureFrames(measure: ResidualMeasure, residuals: Float64Array): void {
  const { count, frameMin, frameMax } = measure;
  if (count <= FRAME_LENGTH) {
    frameMin[0] = measure.min;
    frameMax[0] = measure.max;
    return;
  }
  for (let from = 0, frame = 0; from < count; frame++) {
    const to = Math.min(from + FRAME_LENGTH, count);
    let min = residuals[from] as number;
    let max = min;
    for (from++; from < to; from++) {
      const residual = residuals[from] as number;
      if (residual < min) min = residual;
      else if (residual > max) max = residual;
    }
    frameMin[frame] = min;
    frameMax[frame] = max;
  }
}
