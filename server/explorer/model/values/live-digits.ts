// Digits of live points, which come as JSON numbers. Pure.

/** Events as JSON whose values are texts where a double would not give their digits back; inside of texts quotes are escaped. */
export function withAllDigits(json: string): string {
  return json.replaceAll(/"v":(-?\d[\d.]*)(?=[,}])/g, (whole, digits: string) =>
    String(Number(digits)) === digits ? whole : `"v":"${digits}"`,
  );
}
