/**
 * The text of a finite binary64 in the `pfc` canonical form. Rule JSON-DIGITS, PFC-CANONICAL (R-JSON-4).
 *
 * The digits are the shortest that read back, the closest among those, then the even one: ECMAScript asks for exactly
 * that in `Number::toString` (its note on the closest and the even digit is what V8 does). With the value
 * 0.d1d2... x 10^n, -4 < n <= 15 is written plainly, anything else with an exponent of at least two digits.
 */
export function binary64Text(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "", exponentText = ""] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  const point = value === 0 ? 1 : exponent + 1;
  return sign + (point > -4 && point <= 15 ? plainText(digits, point) : scientificText(digits, exponent));
}

function plainText(digits: string, point: number): string {
  if (point <= 0) {
    return `0.${"0".repeat(-point)}${digits}`;
  }
  return digits.length <= point ? `${digits.padEnd(point, "0")}.0` : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function scientificText(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const magnitude = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? "-" : "+"}${magnitude}`;
}
