// Place of the plot area in the chart: the same for every band and the time axis, so that equal times lie above one
// another. In pixels of CSS.

export const LEFT_PX = 78;
/** Half a label of the time axis has room. */
export const RIGHT_PX = 18;
export const RIGHT_AXIS_PX = 52;
export const TIME_AXIS_PX = 38;
