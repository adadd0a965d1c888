// The powers of ten that are exact doubles, and what follows for decimal numbers.

/** 10^0 to 10^22. */
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Whole numbers of so many digits are exact doubles, and so is the division of one by a power of ten but for one rounding. */
export const EXACT_DIGITS = 15;
